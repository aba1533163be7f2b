/**
 * Files that may come from elsewhere, of every format: whatever stands in the place of each of their texts and keys, what is
 * printed of them is text, in every form; and what is refused is refused in text.
 */
// @module-tag cut
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { sealed } from '../../src/artifact/artifact.ts'
import { typescript } from '../../src/check/load-typescript.ts'
import { failure } from '../../src/core/diagnostic.ts'
import { amount, long, longIf } from '../amount.ts'
import { liveLog } from '../hostile/artifacts/live-log.ts'
import { mockClock } from '../mock-clock.ts'
import { allways, fixtures } from './harness.ts'
import { allForms, github, lineForms, objectForms } from './injection/forms.ts'
import { histories } from './injection/histories.ts'
import { payloads } from './injection/payloads.ts'
import type { Json } from './injection/planting.ts'
import { prepared } from './injection/prepared.ts'
import { type Genuine, product } from './injection/product.ts'
import { jsonFaults, terminalFaults } from './injection/reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-injection-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Check files stay as they are here: each is bundled once. What decides whether one may be run is asked every time. */
const { load } = typescript
const loaded = new Map<string, ReturnType<typeof load>>()
typescript.load = async (path, shown, { admits }) => {
  const known = await (loaded.get(path) ??
    (loaded.set(path, load(path, shown, {})).get(path) as ReturnType<typeof load>))
  const refused = known.ok ? admits?.(known.value) : undefined
  return refused === undefined ? known : failure(refused)
}
afterAll(() => {
  typescript.load = load
})

interface Expected {
  readonly texts: number
  /** Of files with planted texts, at least. */
  readonly accepted: number
}

async function expectText(genuine: Genuine, { texts, accepted }: Expected): Promise<void> {
  const found = await product(genuine)
  expect(found.faults.slice(0, 20)).toEqual([])
  expect(found.texts).toBeGreaterThanOrEqual(texts)
  // As many as there are rounds, in proportion.
  expect(found.accepted).toBeGreaterThanOrEqual(
    amount({ quick: accepted / 20, rest: accepted / 6, thorough: accepted, all: accepted }),
  )
}

/** A file below the folder, as the content is written. */
function inFile(name: string, written: (content: Json) => string = (content) => JSON.stringify(content)) {
  const path = join(folder, name)
  const write = (content: Json): void => {
    // A file that is there already would be written through to the disk.
    rmSync(path, { force: true })
    writeFileSync(path, written(content))
  }
  return { path, write }
}

describe('a recorded history', () => {
  for (const [at, { name, content, flags }] of histories.entries())
    test(name, longIf(at > 0, at > 0), async () => {
      const lines = (planted: Json): string =>
        (planted as readonly Json[]).map((line) => JSON.stringify(line)).join('\n')
      const { path, write } = inFile(`${name.replaceAll(' ', '-')}.history.jsonl`, lines)
      const forms = allForms(['linearize', path, ...flags])
      await expectText({ content, write, forms }, { texts: 20, accepted: 100 })
    })
})

/** A checkpoint whose digest fits: damage is not what is looked for here. */
const resealed = (planted: Json): string => JSON.stringify(sealed(planted as object))

async function checkpointOf(argv: readonly string[]): Promise<Json> {
  const { stdout } = await allways([...argv, '--json'])
  const { checkpoint } = JSON.parse(stdout).results[0]
  const { digest: _, ...content } = JSON.parse(readFileSync(checkpoint, 'utf8'))
  rmSync(checkpoint)
  return content
}

test('a checkpoint', async () => {
  const content = await checkpointOf([
    'check',
    `${fixtures}/holds.check.ts:4`,
    '--param',
    'n=5',
    '--max-executions',
    '7',
  ])
  const { path, write } = inFile('planted.checkpoint.json', resealed)
  const forms = allForms(['check', '--resume', path, '--max-executions', '1'])
  await expectText({ content, write, forms }, { texts: 40, accepted: 20 })
})

test('a proof', long, async () => {
  const file = 'test/cli/fixtures/prove/lock.check.ts'
  const { stdout } = await allways(['prove', file, '-t', 'right', '--print', 'proof'])
  const { path, write } = inFile('planted.proof.json')
  const forms = allForms(['prove', file, '-t', 'right', '--proof', path])
  await expectText({ content: JSON.parse(stdout), write, forms }, { texts: 20, accepted: 1 })
})

test('a checkpoint of a class', long, async () => {
  mockClock()
  const content = await checkpointOf(['linearize', `${fixtures}/objects/tally.ts`, '--time', '1ms'])
  const { path, write } = inFile('planted.class.json', resealed)
  const forms = allForms(['linearize', '--resume', path, '--time', '1ms'])
  await expectText({ content, write, forms, rounds: 8 }, { texts: 30, accepted: 1 })
  vi.restoreAllMocks()
})

const fresh = { data: { count: 0, said: 'nothing' }, timers: [], requests: 0, crashes: 0 }
const small = {
  ...liveLog,
  system: 'twice',
  params: {},
  machines: ['sender', 'receiver'],
  states: [fresh, fresh],
  underWay: [{ from: 'sender', to: 'receiver', message: { kind: 'add', said: { by: 'somebody' } } }],
}
const chosen = { from: 'left', to: 'middle', message: { kind: 'chosen', index: 0, value: 'l0' } }

describe('a snapshot', () => {
  test.each([
    ['twice', small, 60],
    ['log', { ...liveLog, underWay: [chosen] }, 4],
  ])('of %s', async (name, content, rounds) => {
    const { path, write } = inFile('planted.snapshot.json')
    const forms = lineForms(['online', `test/online/fixtures/${name}.check.ts`, '--from', path])
    await expectText({ content: content as unknown as Json, write, forms, rounds }, { texts: 30, accepted: 20 })
  })
})

async function traceOf(argv: readonly string[]): Promise<Json> {
  const { stdout } = await allways([...argv, '--trace-dir', folder, '--json'])
  return JSON.parse(readFileSync(JSON.parse(stdout).results[0].trace, 'utf8')) as Json
}

describe('a trace', () => {
  test.each([
    ['of machines that go round for ever', ['check', 'corpus/starvation/model.check.ts', '-t', 'kept']],
    ['of processes that crash', ['check', 'examples/faults.check.ts', '-t', 'trusting']],
    ['of machines', ['check', 'examples/payment.check.ts']],
  ])('%s, shown', long, async (name, argv) => {
    const { path, write } = inFile(`${name.replaceAll(' ', '-')}.trace.json`)
    const content = await traceOf(argv)
    await expectText(
      { content, write, forms: allForms(['show', path]), rounds: 8, concluded },
      { texts: 40, accepted: 40 },
    )
  })

  test.each([
    ['of a program', ['check', `${fixtures}/race.check.ts`]],
    [
      'of a class',
      [
        'linearize',
        `${fixtures}/objects/counter.check.ts`,
        '-t',
        'Counter',
        '--client',
        '{ increment() } || { increment() }',
      ],
    ],
  ])('%s, replayed', long, async (name, argv) => {
    const { path, write } = inFile(`${name.replaceAll(' ', '-')}.trace.json`)
    const content = await traceOf(argv)
    await expectText(
      { content, write, forms: allForms(['replay', path]), rounds: 8, concluded: /^/ },
      { texts: 40, accepted: 20 },
    )
  })
})

/** What a report says for itself, or out of a part of a text. */
const concluded = /\/(?:deadlock|verdict|place\/file)$/

describe('beside a machine', () => {
  const state = join(folder, 'state')
  const key = join(folder, 'key')
  const file = join(state, 'client.state.json')
  const argv = [
    'run',
    'test/runtime/fixtures/counter.check.ts',
    '--all',
    '--transport',
    'tcp',
    '--no-requests',
    '--time',
    '1ms',
  ]
  mkdirSync(state)
  writeFileSync(key, 'a secret of sixteen bytes or more', { mode: 0o600 })

  test('its saved state', async () => {
    await allways([...argv, '--state-dir', state, '--key-file', key])
    const { format, content: inner } = JSON.parse(readFileSync(file, 'utf8'))
    let text = ''
    const write = (planted: Json): void => {
      const { content, ...rest } = planted as { readonly content: Json }
      const kept = JSON.stringify(content ?? null)
      text = JSON.stringify({ ...rest, digest: createHash('sha256').update(kept).digest('hex'), content: kept })
    }
    // Whoever runs the machine writes its state anew.
    const forms = objectForms([...argv, '--state-dir', state, '--key-file', key]).map((form) => ({
      ...form,
      run: () => {
        writeFileSync(file, text)
        return form.run()
      },
    }))
    await expectText(
      { content: { format, content: JSON.parse(inner) }, write, forms, rounds: 20 },
      { texts: 10, accepted: 1 },
    )
    rmSync(state, { recursive: true })
  })

  test('its lock', async () => {
    mkdirSync(state)
    const forms = objectForms([...argv, '--state-dir', state, '--key-file', key])
    const faults: string[] = []
    for (const [at, payload] of payloads.entries()) {
      writeFileSync(`${file}.lock`, `${JSON.stringify({ pid: 1, host: payload })}\n`)
      const form = forms[at % forms.length] as (typeof forms)[number]
      const ran = await form.run()
      faults.push(...form.faults(ran), ...(ran.code < 3 ? [] : [`exit status ${ran.code}`]))
    }
    expect(faults).toEqual([])
  })

  test('its key, of which nothing is printed', async () => {
    const faults: string[] = []
    for (const [at, payload] of payloads.entries()) {
      writeFileSync(key, at % 2 === 0 ? payload : `${payload}, and a secret behind it`, { mode: 0o600 })
      const { code, stdout, stderr } = await prepared([...argv, '--key-file', key, '--json'], github)()
      const isTold = payload.length > 8 && [stdout, stderr].some((text) => text.includes(payload.trim()))
      const isKey = Buffer.byteLength(readFileSync(key)) >= 16
      faults.push(
        ...terminalFaults(stderr, { isList: true }),
        ...jsonFaults(stdout),
        ...(isTold ? [`tells the key ${payload}`] : []),
        ...(code === (isKey ? 0 : 2) ? [] : [`exit status ${code} ${JSON.stringify(payload)}`]),
      )
    }
    expect(faults).toEqual([])
  })
})
