/** What survives: declared fields, written before anybody is told; a file that cannot be trusted stops the machine. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/core/diagnostic.ts'
import { machine, system } from '../../src/index.ts'
import { MachineHost } from '../../src/runtime/machine-host.ts'
import { StateFile } from '../../src/runtime/state-file.ts'
import { dataOf, machinesIn, opened, until } from './cluster.ts'

interface Book {
  promised: number
  heard: number
  lives: number
}

const keeper = machine<Book, { readonly kind: 'promise'; readonly value: number }>('keeper', {
  state: () => ({ promised: 0, heard: 0, lives: 0 }),
  start(state) {
    state.lives++
  },
  requests: {
    promise(state, value: number, context) {
      state.promised = value
      context.send('witness', { kind: 'promise', value })
    },
    hear(state) {
      state.heard++
    },
    fail(_state, text: string, context) {
      context.assert(false, text)
    },
  },
  durable: ['promised', 'lives'],
})

const witness = machine<{ values: number[] }, { readonly kind: 'promise'; readonly value: number }>('witness', {
  state: () => ({ values: [] }),
  on: {
    promise(state, { value }) {
      state.values.push(value)
    },
  },
})

const book = system('book', () => ({ machines: { 'the keeper': keeper.as(), witness: witness.as() } }))
const name = 'the keeper'
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'allways-state-'))
})

afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true, force: true })
})

const options = () => ({ system: book.name, machines: machinesIn(book), machine: name, stateFolder: folder })
const file = () => join(folder, 'the%20keeper.state.json')

test('a machine is run by one process at a time over its state', async () => {
  const first = await opened(options())
  expect(await MachineHost.open(options())).toMatchObject({
    diagnostics: [
      { code: 'E603', message: expect.stringContaining(`is run by process ${process.pid}, over the same state`) },
    ],
  })
  await first.stop()
  expect(readdirSync(folder).filter((one) => one.endsWith('.lock'))).toEqual([])
})

test('the lock of a process that has ended is taken over, with a word', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(`${file()}.lock`, `${JSON.stringify({ pid, host: hostname() })}\n`)
  const told: number[] = []
  const host = await opened({ ...options(), onTakeOver: (ended: number) => told.push(ended) })
  expect(told).toEqual([pid])
  await host.stop()
  writeFileSync(`${file()}.lock`, `${JSON.stringify({ pid, host: 'elsewhere' })}\n`)
  expect(await MachineHost.open(options())).toMatchObject({ diagnostics: [{ code: 'E603' }] })
})

test('what is no file is no lock, and is not waited for', async () => {
  spawnSync('mkfifo', [`${file()}.lock`])
  expect(await MachineHost.open(options())).toMatchObject({
    diagnostics: [{ code: 'E603', message: expect.stringContaining('it is a pipe, and not a file') }],
  })
  rmSync(`${file()}.lock`)
})

test('a machine comes back with its durable fields and nothing else', async () => {
  const first = await opened(options())
  first.start(new Map())
  first.request('promise', 7)
  first.request('hear', undefined)
  expect(dataOf(first)).toEqual({ promised: 7, heard: 1, lives: 1 })
  await first.stop()
  const second = await opened(options())
  second.start(new Map())
  expect(dataOf(second)).toEqual({ promised: 7, heard: 0, lives: 2 })
  expect(second.state.crashes).toBe(1)
  expect(second.incarnation).toBeGreaterThan(first.incarnation)
  await second.stop()
  const third = await opened(options())
  third.start(new Map())
  expect(dataOf(third)).toEqual({ promised: 7, heard: 0, lives: 3 })
  expect(readdirSync(folder).sort()).toEqual(['the%20keeper.state.json', 'the%20keeper.state.json.lock'])
})

test('what is sent was on the disk before', async () => {
  const other = await opened({ system: book.name, machines: machinesIn(book), machine: 'witness' })
  const first = await opened(options())
  first.start(new Map([['witness', other.address]]))
  other.start(new Map([[name, first.address]]))
  for (let value = 1; value <= 20; value++) {
    first.request('promise', value)
    await until(() => dataOf<{ values: number[] }>(other).values.length === value)
    expect(JSON.parse(JSON.parse(readFileSync(file(), 'utf8')).content).state.data.promised).toBe(value)
  }
})

test('a machine that cannot keep its promise does not make it, and stops', async () => {
  const failures: Diagnostic[] = []
  const other = await opened({ system: book.name, machines: machinesIn(book), machine: 'witness' })
  const first = await opened({ ...options(), onFailure: (diagnostic) => failures.push(diagnostic) })
  first.start(new Map([['witness', other.address]]))
  other.start(new Map([[name, first.address]]))
  first.request('promise', 1)
  await until(() => other.counters.delivered === 1)
  // In the place of the temporary file, which root could write in spite of any mode.
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  first.request('promise', 2)
  expect(failures).toMatchObject([{ code: 'E603', message: expect.stringContaining('could not be kept') }])
  expect(first.isRunning).toBe(false)
  expect(dataOf(first)).toMatchObject({ promised: 1 })
  expect(first.counters.sent).toBe(1)
})

/** Sealed as a forger would. */
function nameless(text: string): string {
  const saved = JSON.parse(text) as { readonly content: string }
  const content = JSON.stringify({ ...(JSON.parse(saved.content) as object), machine: { toString: 1 } })
  return JSON.stringify({ ...saved, content, digest: createHash('sha256').update(content).digest('hex') })
}

test.each([
  ['cut in half', (text: string) => text.slice(0, text.length / 2), 'is damaged: it is not a JSON object'],
  ['empty', () => '', 'is damaged: it is not a JSON object'],
  ['changed', (text: string) => text.replace('promised\\":7', 'promised\\":8'), 'is damaged: its digest is wrong'],
  ['of a machine without a name', nameless, 'is of machine {"toString":1} of system'],
  ['of another version', (text: string) => text.replace('allways-state/1', 'allways-state/2'), 'has the format'],
])('a state file that is %s is a diagnostic, and stays as it is', async (_, change, message) => {
  const first = await opened(options())
  first.start(new Map())
  first.request('promise', 7)
  await first.stop()
  const damaged = change(readFileSync(file(), 'utf8'))
  writeFileSync(file(), damaged)
  const second = await MachineHost.open(options())
  expect(second).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E603', message: expect.stringContaining(message) }],
  })
  expect(readFileSync(file(), 'utf8')).toBe(damaged)
})

test('a state file of another system is not taken', async () => {
  const first = await opened(options())
  first.start(new Map())
  await first.stop()
  const second = await MachineHost.open({ ...options(), system: 'another' })
  expect(second).toMatchObject({ ok: false, diagnostics: [{ message: expect.stringContaining('of system "book"') }] })
})

test('a half-written temporary file of a crash is no obstacle', async () => {
  writeFileSync(`${file()}.tmp`, '{"format":')
  const first = await opened(options())
  first.start(new Map())
  expect(dataOf(first)).toEqual({ promised: 0, heard: 0, lives: 1 })
  expect(readFileSync(file(), 'utf8')).toContain('allways-state/1')
})

test('a request that fails changes nothing and the next one is served', async () => {
  const violations: string[] = []
  const first = await opened({ ...options(), onViolation: ({ message }) => violations.push(message) })
  first.start(new Map())
  first.request('fail', 'on purpose')
  first.request('hear', undefined)
  expect(violations).toEqual(['on purpose'])
  expect(first.counters.violations).toBe(1)
  expect(first.state).toMatchObject({ data: { promised: 0, heard: 1, lives: 1 }, requests: 2 })
})

test('a disk that takes a file in pieces gets all of them', () => {
  const kept = new StateFile(folder, book.name, name)
  const written = { incarnation: 1, snapshot: 0, state: { data: 'x'.repeat(500), timers: [], requests: 0, crashes: 0 } }
  const { writeSync } = fs
  // As where the disk is almost full: the system takes less than it was given, and says so only in what it returns.
  const short = (file: number, content: string | Buffer, from = 0): number =>
    writeSync(file, Buffer.from(content).subarray(from, from + 99))
  Object.assign(fs, { writeSync: short })
  syncBuiltinESMExports()
  try {
    kept.write(written)
  } finally {
    Object.assign(fs, { writeSync })
    syncBuiltinESMExports()
  }
  expect(kept.read()).toEqual({ ok: true, value: written })
})
