/**
 * Whatever a text from outside holds, what is printed about it is text: no orders to a terminal, a runner, a browser or a shell.
 * Every text of a genuine file meets every payload; the files are those that may come from elsewhere.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cwd, platform } from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { sealed } from '../../src/artifact/artifact.ts'
import { parseTrace, traceNotes } from '../../src/check/trace-file.ts'
import type { TypedFlags } from '../../src/cli/arguments.ts'
import { show } from '../../src/cli/commands/show.ts'
import { ioOf } from '../../src/cli/io.ts'
import { refuse } from '../../src/cli/print.ts'
import type { Diagnostic } from '../../src/core/diagnostic.ts'
import { amount, cut, isLittle, long } from '../amount.ts'
import { temporaryFolder } from '../docs/session.ts'
import { allways, Captured, fixtures, type Ran } from './harness.ts'
import { payloads } from './injection/payloads.ts'
import { fieldsOf, type Json, namesOf, type Text } from './injection/planting.ts'
import { jsonFaults, mermaidFaults, terminalFaults, textsIn } from './injection/reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-injection-'))
/** Where `import 'allways'` finds the sources. */
const inside = temporaryFolder('injection')
afterAll(() => {
  for (const one of [folder, inside]) rmSync(one, { recursive: true })
})

test('there are many payloads, each once', () => {
  expect(payloads.length).toBeGreaterThanOrEqual(120)
  expect(new Set(payloads).size).toBe(payloads.length)
})

async function traceOf(...argv: readonly string[]): Promise<Json> {
  const { stdout } = await allways([...argv, '--trace-dir', folder, '--json'])
  const [{ trace }] = JSON.parse(stdout).results
  return JSON.parse(readFileSync(trace, 'utf8')) as Json
}

const client = '{ increment() } || { increment() }'

/** `show` without the parts of the command line that are the same each time. */
async function shown(path: string, flags: TypedFlags, env: { readonly [name: string]: string }): Promise<Ran> {
  const [stdout, stderr] = [new Captured({}), new Captured({})]
  const io = ioOf({ cwd: cwd(), env, stdout, stderr, onInterrupt: () => () => {} })
  return { code: await show(path, flags, io), stdout: stdout.text, stderr: stderr.text }
}

const github = { GITHUB_ACTIONS: 'true' }

/** The trace in every form; what is found in it, and the report. */
async function shownFaults(content: Json): Promise<{ readonly faults: readonly string[]; readonly json: string }> {
  const path = join(folder, 'planted.trace.json')
  writeFileSync(path, JSON.stringify(content))
  const text = await shown(path, { color: false }, github)
  const coloured = await shown(path, { color: true }, github)
  const ascii = await shown(path, { ascii: true }, github)
  const diagram = await shown(path, { reporter: ['mermaid'] }, github)
  const { stdout: json } = await shown(path, { json: true }, github)
  const faults = [
    ...(text.code === 0 ? [] : [`exit status ${text.code}`]),
    ...[text.stdout, text.stderr, ascii.stdout, diagram.stderr].flatMap((one) => terminalFaults(one)),
    ...terminalFaults(coloured.stdout, { isColoured: true }),
    ...mermaidFaults(diagram.stdout),
    ...jsonFaults(json),
  ]
  return { faults, json }
}

/** Why it is refused. */
function refusal(content: Json): readonly Diagnostic[] {
  const file = parseTrace(JSON.stringify(content), 'planted.trace.json')
  const notes = file.ok ? traceNotes(file.value, 'planted.trace.json') : file
  return notes.ok ? [] : notes.diagnostics
}

/** Told as every command tells it. */
function told(diagnostics: readonly Diagnostic[]): readonly string[] {
  const [stderr, stdout] = [new Captured({}), new Captured({})]
  refuse(diagnostics, ioOf({ cwd: cwd(), env: github, stdout, stderr, onInterrupt: () => () => {} }), { json: true })
  return [...terminalFaults(stderr.text), ...jsonFaults(stdout.text)]
}

/** What a report says for itself, or out of a part of a text. */
const concluded = /\/(?:deadlock|verdict|place\/file)$/

/**
 * Every text with every payload. What is refused is refused by itself; the others are planted all at once, each with another
 * payload, as often as there are payloads, or every few of them.
 */
async function allFaults(content: Json, texts: readonly Text[], every = 1): Promise<readonly string[]> {
  const faults: string[] = []
  const reported = JSON.parse((await shownFaults(content)).json) as unknown
  const genuine = [...textsIn(reported)].filter(([path]) => !concluded.test(path))
  for (let shift = 0; shift < payloads.length; shift += every) {
    const planted = texts.flatMap((text, at) => {
      const payload = payloads[(at + shift) % payloads.length] as string
      const diagnostics = refusal(text.plant(content, payload))
      faults.push(...told(diagnostics).map((fault) => `${text.name} ${JSON.stringify(payload.slice(0, 99))}: ${fault}`))
      return diagnostics.length === 0 ? [{ text, payload }] : []
    })
    const together = planted.reduce((whole, { text, payload }) => text.plant(whole, payload), content)
    const { faults: found, json } = await shownFaults(together)
    faults.push(...found)
    if (found.length > 0) continue
    const after = new Map(textsIn(JSON.parse(json)))
    for (const { text, payload } of planted)
      for (const [path, said] of text.isEverywhere ? genuine : [])
        if (said === text.said && payload !== '' && after.get(path) !== payload)
          faults.push(`${path} is ${JSON.stringify(after.get(path))} and not ${JSON.stringify(payload)}`)
  }
  return faults
}

const traces: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['a program', ['check', `${fixtures}/race.check.ts`]],
  ['a class', ['linearize', `${fixtures}/objects/counter.check.ts`, '-t', 'Counter', '--client', client]],
]

describe.each(traces)('the trace of %s shows every payload as text', cut, (_, argv) => {
  test('in the place of every text', async () => {
    const content = await traceOf(...argv)
    const fields = fieldsOf(content)
    expect(fields.length).toBeGreaterThan(40)
    expect(
      (await allFaults(content, fields, amount({ quick: 20, rest: 7, thorough: 1, all: 1 }))).slice(0, 20),
    ).toEqual([])
  })

  test('in the place of every name wherever it stands', async () => {
    const content = await traceOf(...argv)
    expect(
      (await allFaults(content, namesOf(content), amount({ quick: 80, rest: 25, thorough: 4, all: 1 }))).slice(0, 20),
    ).toEqual([])
  })
})

/** Some of each kind: whole searches take their time. */
const some = payloads.filter((_, at) => at % 7 === 0)

/** Programs that say everything in the words of a payload: their names, parameters, messages and errors. */
const sayings = `
import { assert, type Program, program, receive, send, spawn } from 'allways'

const payloads: readonly string[] = ${JSON.stringify(some)}

const said = (at: number): Program => {
  const payload = payloads[at] as string
  return program(payload.trim() === '' ? 'nothing' : payload, { params: { text: payload } }, function* ({ text }) {
    const to = yield* spawn('speaker', function* () {
      const { value } = yield* receive<{ readonly kind: string; readonly value: string }>()
      if (at % 2 === 0) throw new Error(value)
      yield* assert(false, value)
    })
    yield* send(to, { kind: text, value: text })
  })
}

${some.map((_, at) => `export const said${at} = said(${at})`).join('\n')}
`

describe('programs that say everything in the words of a payload', () => {
  const path = join(inside, 'sayings.check.ts')
  writeFileSync(path, sayings)

  test('are listed as text, and as JSON with their names', async () => {
    const { stdout, stderr } = await allways(['list', path], { env: github })
    expect([...terminalFaults(stdout, { isList: true }), ...terminalFaults(stderr)]).toEqual([])
    expect(stdout.split('\n')).toHaveLength(some.length + 1)
    const json = await allways(['list', path, '--json'], { env: github })
    expect(jsonFaults(json.stdout)).toEqual([])
    const { programs } = JSON.parse(json.stdout) as { programs: readonly { params: { text: string } }[] }
    expect(programs.map(({ params }) => params.text).sort()).toEqual([...some].sort())
  })

  test('are checked as coloured text, and as JSON with their messages', async () => {
    const argv = ['check', path, '--trace-dir', folder, '--reporter', 'text,json', '--color']
    const { code, stdout, stderr } = await allways(argv, { env: github })
    expect(code).toBe(1)
    expect(terminalFaults(stderr, { isColoured: true }).slice(0, 20)).toEqual([])
    expect(jsonFaults(stdout)).toEqual([])
    const { results } = JSON.parse(stdout) as { results: readonly { violation: { message: string } }[] }
    const messages = results.map(({ violation }) => violation.message)
    expect(some.filter((payload, at) => at % 2 === 1 && !messages.includes(payload))).toEqual([])
    expect(messages).toHaveLength(some.length)
  })
})

interface Artifact {
  readonly content: Json
  /** As its file has it. */
  readonly written: (content: Json) => string
  readonly argv: (path: string) => readonly string[]
}

const asBoth = ['--reporter', 'text,json']

/** A checkpoint whose digest fits: damage is not what is looked for here. */
async function checkpoint(): Promise<Artifact> {
  const { stdout } = await allways([
    'check',
    `${fixtures}/holds.check.ts:4`,
    '--param',
    'n=5',
    '--max-executions',
    '7',
    '--json',
  ])
  const { checkpoint: path } = JSON.parse(stdout).results[0]
  const { digest: _, ...content } = JSON.parse(readFileSync(path, 'utf8'))
  rmSync(path)
  return {
    content,
    written: (planted) => JSON.stringify(sealed(planted as object)),
    argv: (saved) => ['check', '--resume', saved, '--max-executions', '1', ...asBoth],
  }
}

const lines = (content: Json): string => (content as readonly Json[]).map((line) => JSON.stringify(line)).join('\n')

async function history(): Promise<Artifact> {
  const text = readFileSync('corpus/histories/kv-no.history.jsonl', 'utf8')
  const content = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)
  return { content, written: lines, argv: (path) => ['linearize', path, ...asBoth] }
}

async function proof(): Promise<Artifact> {
  const file = 'test/cli/fixtures/prove/lock.check.ts'
  const { stdout } = await allways(['prove', file, '-t', 'right', '--print', 'proof'])
  return {
    content: JSON.parse(stdout),
    written: (planted) => JSON.stringify(planted),
    argv: (path) => ['prove', file, '-t', 'right', '--proof', path, ...asBoth],
  }
}

async function snapshot(): Promise<Artifact> {
  const state = { data: { count: 0 }, timers: [], requests: 0, crashes: 0 }
  const content = {
    format: 'allways-snapshot/1',
    system: 'twice',
    params: {},
    takenAt: '2026-01-01T00:00:00.000Z',
    missing: 0,
    machines: ['sender', 'receiver'],
    states: [state, state],
    underWay: [{ from: 'sender', to: 'receiver', message: { kind: 'add' } }],
  }
  const file = 'test/online/fixtures/twice.check.ts'
  return {
    content,
    written: (planted) => JSON.stringify(planted),
    argv: (path) => ['online', file, '--from', path, '--json'],
  }
}

test.each([
  ['snapshot', snapshot, 'json'],
  ['checkpoint', checkpoint, 'json'],
  ['history', history, 'jsonl'],
  ['proof', proof, 'json'],
] as const)('a %s is told of in text, whatever it holds', long, async (name, genuine, extension) => {
  const { content, written, argv } = await genuine()
  const texts = [...fieldsOf(content), ...namesOf(content)]
  expect(texts.length).toBeGreaterThan(5)
  const faults: string[] = []
  const path = join(folder, `planted.${name}.${extension}`)
  for (const [at, text] of texts.entries())
    for (let more = 0; more < (isLittle ? 1 : 3); more++) {
      const payload = payloads[(17 * (3 * at + more)) % payloads.length] as string
      writeFileSync(path, written(text.plant(content, payload)))
      const { stdout, stderr } = await allways([...argv(path), '--color'], { env: github })
      // `online` prints an object a line.
      const objects = name === 'snapshot' ? stdout.trimEnd().split('\n') : [stdout]
      const found = [...terminalFaults(stderr, { isColoured: true }), ...objects.flatMap(jsonFaults)]
      faults.push(...found.map((fault) => `${text.name} ${JSON.stringify(payload.slice(0, 99))}: ${fault}`))
    }
  expect(faults.slice(0, 20)).toEqual([])
})

test('a proof is printed as JSON that can be read again, whatever processes are called', async () => {
  const path = join(inside, 'joined.check.ts')
  const source = readFileSync('test/cli/fixtures/prove/lock.check.ts', 'utf8')
  writeFileSync(path, source.replaceAll("'client'", "'cli\\u{1f468}\\u200d\\u{1f469}e\\u0301nt'"))
  const { code, stdout } = await allways(['prove', path, '-t', 'right', '--print', 'proof'], { env: github })
  expect({ code, faults: jsonFaults(stdout) }).toEqual({ code: 0, faults: [] })
  expect(JSON.stringify(JSON.parse(stdout))).toContain('cli\u{1f468}\u200d\u{1f469}e\u0301nt')
})

test('a running system tells of its machines, and of what they say, in text', async () => {
  const path = join(inside, 'speaking.check.ts')
  const names = some.filter(
    (payload) => /^[^/#\p{C}]+$/u.test(payload) && payload.trim() !== '' && payload.length < 100,
  )
  writeFileSync(
    path,
    `import { machine, system } from 'allways'

const speaking = machine<{ n: number }, never>('speaking', {
  state: () => ({ n: 0 }),
  requests: { say: (_state, argument: string, context) => context.assert(false, argument) },
})
const payloads: readonly string[] = ${JSON.stringify(some)}
const names: readonly string[] = ${JSON.stringify(names)}
export default system(${JSON.stringify(some[3])}, () => ({
  machines: Object.fromEntries(names.map((name) => [name, speaking.as()])),
  requests: { [names[0] as string]: payloads.map((payload) => ['say', payload]) },
}))
`,
  )
  // Requests are made one after the other: the last one ends it.
  const last = `: ${some.at(-1)} (`
  const interruptAfter = new RegExp(last.replaceAll(/[^\w ]/g, '\\$&'))
  const ran = await allways(['run', path, '--all', '--transport', 'tcp'], { env: github, interruptAfter })
  expect(ran.code).toBe(1)
  expect(ran.stderr.split('\n').filter((line) => line.includes(`${inside.split('/').at(-1)}/speaking`)).length).toBe(
    some.length,
  )
  expect([...terminalFaults(ran.stdout, { isList: true }), ...terminalFaults(ran.stderr, { isList: true })]).toEqual([])
})

test.runIf(platform === 'linux')(
  'files and folders of any name are told of in text, and in commands only if they can be',
  async () => {
    const source = readFileSync(`${fixtures}/race.check.ts`, 'utf8')
    const names = [
      '$(PLANTED)',
      'a\nPLANTED',
      'a\n   replay   npx FORGED',
      '\u001b[2Ja',
      "it's",
      '::error::PLANTED',
      'e\u0301',
      '\u202ea',
    ]
    const faults: string[] = []
    for (const name of names) {
      const file = join(inside, `${name}.check.ts`)
      writeFileSync(file, source)
      for (const verb of ['list', 'check']) {
        const flags = verb === 'check' ? ['--trace-dir', join(inside, name)] : []
        const { code, stdout, stderr } = await allways([verb, file, ...flags], { env: github })
        const found = [
          ...(code === 2 ? [`exit status ${code} ${stderr}`] : []),
          ...terminalFaults(stdout),
          ...terminalFaults(stderr),
        ]
        faults.push(...found.map((fault) => `${verb} ${JSON.stringify(name)}: ${fault}`))
      }
    }
    expect(faults).toEqual([])
  },
)
