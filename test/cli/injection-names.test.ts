/**
 * Names that users type, that check files give, and that a network brings: of files, flags, parameters, programs, processes,
 * machines and messages. Whatever they are, what is printed of them is text, in every form.
 */
// @module-tag cut
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { reportInternalError } from '../../src/cli/internal-error.ts'
import { ioOf } from '../../src/cli/io.ts'
import { keyIn } from '../../src/cli/key-file.ts'
import { signedLine } from '../../src/runtime/control-line.ts'
import { amount, atLeast, oneIn } from '../amount.ts'
import { temporaryFolder } from '../docs/session.ts'
import { allways, Captured, fixtures } from './harness.ts'
import { github } from './injection/forms.ts'
import { payloads } from './injection/payloads.ts'
import type { Json } from './injection/planting.ts'
import { hintFaults, jsonFaults, mermaidFaults, terminalFaults } from './injection/reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-injection-names-'))
/** Where `import 'allways'` finds the sources. */
const inside = temporaryFolder('names')
afterAll(() => {
  for (const one of [folder, inside]) rmSync(one, { recursive: true })
})

const half = payloads.filter((_, at) => at % amount({ quick: 40, rest: 10, thorough: 2, all: 2 }) === 0)

describe('what is typed', () => {
  const file = `${fixtures}/race.check.ts`
  const history = 'corpus/histories/kv-no.history.jsonl'
  const counter = `${fixtures}/objects/counter.check.ts`
  const machines = 'test/runtime/fixtures/counter.check.ts'
  const here = (name: string): string => join(folder, name)
  /** Nobody knows yet that ASCII was asked for. */
  const unparsed = ['a command', 'a flag']
  /** Each takes what is typed as a value, and is refused, or prints it, or finds nothing by its name. */
  const commands: readonly (readonly [what: string, argv: (typed: string) => readonly string[]])[] = [
    ['a command', (typed) => [typed]],
    ['a flag', (typed) => ['check', `--${typed}`]],
    ['a file', (typed) => ['check', here(`${typed}.check.ts`)]],
    ['a file to list', (typed) => ['list', here(`${typed}.check.ts`)]],
    ['a file that is none', (typed) => ['check', here(typed)]],
    ['a history', (typed) => ['linearize', here(`${typed}.history.jsonl`)]],
    ['a trace', (typed) => ['show', here(typed)]],
    ['a trace to replay', (typed) => ['replay', here(typed)]],
    ['a proof', (typed) => ['prove', `${fixtures}/prove/lock.check.ts`, '-t', 'right', '--proof', here(typed)]],
    ['a checkpoint', (typed) => ['check', '--resume', here(typed)]],
    ['a snapshot', (typed) => ['online', machines, '--from', here(typed)]],
    ['a key', (typed) => ['run', machines, '--all', '--key-file', here(typed)]],
    ['-t', (typed) => ['check', file, '-t', typed]],
    ['-t of list', (typed) => ['list', file, '-t', typed]],
    ['-t of run', (typed) => ['run', machines, '--all', '-t', typed]],
    ['--param', (typed) => ['check', file, '--param', typed]],
    ['a parameter', (typed) => ['check', file, '--param', `${typed}=1`]],
    ['a value', (typed) => ['check', `${fixtures}/holds.check.ts:4`, '--param', `n=${typed}`, '--max-executions', '1']],
    ['--engine', (typed) => ['check', file, '--engine', typed]],
    ['--network', (typed) => ['check', file, '--network', typed]],
    ['--faults', (typed) => ['check', file, '--faults', typed]],
    ['--time', (typed) => ['check', file, '--time', typed]],
    ['--memory', (typed) => ['check', file, '--memory', typed]],
    ['--seed', (typed) => ['check', file, '--seed', typed]],
    ['--deadlock', (typed) => ['check', file, '--deadlock', typed]],
    ['--reporter', (typed) => ['check', file, '--reporter', typed]],
    ['--spec', (typed) => ['linearize', history, '--spec', typed]],
    ['--class', (typed) => ['linearize', `${fixtures}/objects/counter.ts`, '--class', typed]],
    ['--client', (typed) => ['linearize', counter, '-t', 'Counter', '--client', typed]],
    ['--args', (typed) => ['linearize', counter, '-t', 'Counter', '--args', typed]],
    ['--print', (typed) => ['prove', `${fixtures}/prove/lock.check.ts`, '--print', typed]],
    ['--as', (typed) => ['run', machines, '--as', typed]],
    ['--peers', (typed) => ['run', machines, '--as', 'client', '--peers', `${typed}=127.0.0.1:1`]],
    ['--control', (typed) => ['run', machines, '--all', '--control', `${typed}:x`]],
    ['--transport', (typed) => ['run', machines, '--all', '--transport', typed]],
    ['--attach', (typed) => ['online', machines, '--attach', `${typed}:x`]],
  ]

  test.each(oneIn(4, commands))('%s is told in text', async (what, argv) => {
    const faults: string[] = []
    for (let at = 0; at < payloads.length; at += amount({ quick: 40, rest: 10, thorough: 2, all: 1 })) {
      const typed = payloads[at] as string
      if (typed.trim() === '' || typed === '-t' || typed === '--fix') continue
      const [json, style] = [at % 4 < 2, at % 8 < 4 ? '--color' : '--ascii']
      const looked = {
        isColoured: style === '--color',
        isAscii: style === '--ascii' && !unparsed.includes(what),
        isList: true,
      }
      const ran = await allways([...argv(typed), ...(json ? ['--json'] : [style])], { env: github })
      const found = json
        ? [
            ...terminalFaults(ran.stderr, { isList: true }),
            ...(ran.stdout === '' ? [] : [...jsonFaults(ran.stdout), ...hintFaults(ran.stdout)]),
          ]
        : [ran.stdout, ran.stderr].flatMap((text) => terminalFaults(text, looked))
      faults.push(...found.map((fault) => `${JSON.stringify(typed.slice(0, 99))}: ${fault}`))
    }
    expect(faults.slice(0, 20)).toEqual([])
  })
})

test('the file of a key that others can read is named so that it can be pasted', async () => {
  const faults: string[] = []
  for (const payload of payloads.filter((one) => /^[^/\0]{1,80}$/.test(one) && Buffer.byteLength(one) < 200)) {
    const path = join(folder, `${payload} key`)
    writeFileSync(path, 'a secret of sixteen bytes or more')
    chmodSync(path, 0o644)
    const key = keyIn(path, folder)
    const [warning] = key.ok ? key.value.warnings : []
    faults.push(...hintFaults(JSON.stringify([{ hint: warning?.hint ?? 'chmod 600 ' }])))
    rmSync(path)
  }
  expect(faults).toEqual([])
})

describe('programs that call everything by the name of a payload', () => {
  const path = join(inside, 'named.check.ts')
  writeFileSync(
    path,
    `import { assert, type Program, program, receive, send, spawn } from 'allways'

const payloads: readonly string[] = ${JSON.stringify(half)}
const named = (payload: string, at: number): Program => {
  const name = payload.trim() === '' ? 'nothing' : payload
  return program(name, { params: { [at % 3 === 0 ? 'text' : 'other']: payload } }, function* () {
    const to = yield* spawn(name, function* () {
      const { value } = yield* receive<{ readonly kind: string; readonly value: string }>()
      if (at % 2 === 0) throw new Error(value)
      yield* assert(false, value)
    })
    yield* send(to, { kind: payload, value: payload, [name]: { [name]: payload } })
  })
}
${half.map((_, at) => `export const named${at} = named(payloads[${at}] as string, ${at})`).join('\n')}
`,
  )

  test('are listed as text, and as JSON', async () => {
    const text = await allways(['list', path, '--color'], { env: github })
    expect(terminalFaults(text.stdout, { isList: true, isLog: true, isColoured: true })).toEqual([])
    expect(
      terminalFaults((await allways(['list', path, '--ascii'])).stdout, {
        isAscii: true,
        isUnread: true,
        isList: true,
        isLog: true,
      }),
    ).toEqual([])
    expect(jsonFaults((await allways(['list', path, '--json'], { env: github })).stdout)).toEqual([])
  })

  test.each([
    ['text and JSON', ['--reporter', 'text,json']],
    ['coloured text', ['--color']],
    ['ASCII', ['--ascii']],
    ['diagrams', ['--reporter', 'mermaid']],
  ])('are checked, and told as %s', async (form, flags) => {
    const { code, stdout, stderr } = await allways(['check', path, '--trace-dir', folder, ...flags], { env: github })
    expect([1, 2]).toContain(code)
    const looked = { isColoured: flags.includes('--color'), isAscii: flags.includes('--ascii') }
    const diagrams = stdout.split(/^(?=sequenceDiagram$)/m).map((one) => one.trimEnd())
    const faults =
      form === 'diagrams'
        ? [...diagrams.flatMap(mermaidFaults), ...terminalFaults(stderr)]
        : form === 'text and JSON'
          ? [...jsonFaults(stdout), ...terminalFaults(stderr)]
          : [...terminalFaults(stdout, looked), ...terminalFaults(stderr, looked)]
    expect(faults.slice(0, 20)).toEqual([])
    if (form === 'diagrams')
      expect(diagrams.length).toBeGreaterThan(atLeast(amount({ quick: 4, rest: 6, thorough: 40, all: 40 })))
  })
})

test('a machine of any name is taken, or refused in text', async () => {
  const path = join(inside, 'machine.check.ts')
  const faults: string[] = []
  for (const [at, payload] of half.entries()) {
    writeFileSync(
      path,
      `import { machine, system } from 'allways'
const one = machine<{ n: number }, never>(${JSON.stringify(payload)}, { state: () => ({ n: 0 }), start: (_, { assert }) => assert(false, ${JSON.stringify(payload)}) })
export default system(${JSON.stringify(payload)}, () => ({ machines: { [${JSON.stringify(payload)}]: one.as() } }))
`,
    )
    const flags = at % 2 === 0 ? ['--color'] : ['--ascii']
    const { code, stdout, stderr } = await allways(['check', path, '--trace-dir', folder, ...flags], { env: github })
    const looked = { isColoured: at % 2 === 0, isAscii: at % 2 === 1 }
    const found = [stdout, stderr].flatMap((text) => terminalFaults(text, looked))
    if (code !== 1 && code !== 2) found.push(`exit status ${code}`)
    faults.push(...found.map((fault) => `${JSON.stringify(payload.slice(0, 99))}: ${fault}`))
  }
  expect(faults.slice(0, 20)).toEqual([])
})

test('an internal error is told in text, whatever it says', async () => {
  const faults: string[] = []
  for (const payload of payloads)
    for (const where of [folder, '/dev/null/nowhere']) {
      const [stdout, stderr] = [new Captured({}), new Captured({})]
      const io = ioOf({ cwd: where, env: github, stdout, stderr, onInterrupt: () => () => {} })
      const doing = { program: payload, file: payload, engine: payload, network: payload }
      await reportInternalError(new Error(payload), io, doing)
      faults.push(
        ...terminalFaults(stderr.text, { isLog: true }).map((fault) => `${JSON.stringify(payload)}: ${fault}`),
      )
    }
  expect(faults.slice(0, 20)).toEqual([])
})

describe('what a network brings', () => {
  const key = join(folder, 'key')
  const secret = Buffer.from('a secret of sixteen bytes or more')
  writeFileSync(key, secret, { mode: 0o600 })

  test('messages that a running machine fails over are told in text', async () => {
    const path = join(inside, 'failing.check.ts')
    writeFileSync(
      path,
      `import { machine, system } from 'allways'
type Said = { readonly kind: string; readonly text: string }
const speaking = machine<{ n: number }, Said>('speaking', {
  state: () => ({ n: 0 }),
  on: { said: (_state, { text }) => { throw new Error(text) } },
  requests: {
    say: (_state, text: string, { send }) => { send('hearer', { kind: 'said', text }); send('hearer', { kind: text, text }) },
    end: (_state, text: string, { assert }) => assert(false, text),
  },
})
const payloads: readonly string[] = ${JSON.stringify(payloads)}
export default system('failing', () => ({
  machines: { speaker: speaking.as(), hearer: speaking.as() },
  requests: { speaker: payloads.map((payload) => ['say', payload]), hearer: [] },
}))
`,
    )
    // What was sent last is heard last.
    const last = /of kind "(?:PLANTED){20}/
    const argv = ['run', path, '--all', '--transport', 'tcp', '--key-file', key, '--color']
    const ran = await allways(argv, { env: github, interruptAfter: last })
    const told = ran.stderr.split('\n').filter((line) => line.includes('hearer')).length
    expect(told).toBeGreaterThan(payloads.length)
    expect(terminalFaults(ran.stderr, { isLog: true, isColoured: true })).toEqual([])
    expect(terminalFaults(ran.stdout, { isLog: true })).toEqual([])
  })

  test('answers of a control channel that has the key are told in text', async () => {
    const faults: string[] = []
    for (const [at, payload] of half.entries()) {
      const answers = [
        { hello: { result: { system: payload, machine: payload } } },
        { hello: { error: { message: payload, code: payload } } },
        { snapshot: { error: { message: payload, code: ['E605', 'E606', payload][at % 3] } } },
        { snapshot: { result: { format: payload } } },
        { snapshot: { result: renamed(payload) } },
      ]
      const server = await answering(secret, answers[at % answers.length] as Answers)
      const argv = ['online', 'test/online/fixtures/twice.check.ts', '--attach', server.address, '--key-file', key]
      const style = at % 2 === 0 ? '--color' : '--json'
      const ran = await allways([...argv, '--time', '40ms', '--rounds', '1', style], { env: github })
      server.close()
      const lines = style === '--json' ? ran.stdout.split('\n').filter((line) => line !== '') : []
      const looked = { isColoured: style === '--color' }
      faults.push(
        ...[ran.stderr, ...(style === '--json' ? [] : [ran.stdout])].flatMap((text) => terminalFaults(text, looked)),
        ...lines.flatMap(jsonFaults),
        ...(ran.code > 3 ? [`exit status ${ran.code}`] : []),
      )
    }
    expect(faults.slice(0, 20)).toEqual([])
  })
})

interface Answers {
  readonly hello?: object
  readonly snapshot?: object
}

/** A snapshot of the system, in which everything that may have any name has this one. */
function renamed(payload: string): Json {
  const state = { data: { count: 0, [payload]: payload }, timers: [], requests: 0, crashes: 0 }
  return {
    format: 'allways-snapshot/1',
    system: 'twice',
    params: {},
    takenAt: payload,
    missing: 0,
    machines: ['sender', 'receiver'],
    states: [state, state],
    underWay: [{ from: 'sender', to: 'receiver', message: { kind: 'add', [payload]: payload } }],
  }
}

/** Speaks as a control channel does, and has the key. */
async function answering(key: Buffer, answers: Answers) {
  const challenge = 'c'.repeat(32)
  const genuine = { hello: { result: { system: 'twice', machine: 'sender' } }, counters: { result: { delivered: 0 } } }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(`${JSON.stringify({ format: 'allways-control/3', challenge })}\n`)
    socket.on('data', (bytes: Buffer) => {
      for (const line of bytes.toString().trimEnd().split('\n')) {
        const { id, command, nonce } = JSON.parse(JSON.parse(line).payload)
        const answer = { ...genuine, ...answers }[command as keyof Answers] ?? { result: null }
        const payload = JSON.stringify({ id, ...answer })
        socket.write(`${signedLine('control answers', { key, challenges: [challenge, nonce] }, payload)}\n`)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
