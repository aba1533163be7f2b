/** What lies outside is refused in processes, machines and predicates, by whatever name they call it; and nothing of it is done. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardDeterminism } from '../../../src/check/guard.ts'
import { loadPrograms } from '../../../src/check/load.ts'
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { running } from '../../../src/core/running.ts'
import type { LoadedProgram } from '../../../src/frontends/frontend.ts'
import { checkResult } from '../../../src/index.ts'

/** By what is said to be called or read: the code of an async process. */
const bodies: { readonly [shown: string]: string } = {
  'fs.writeFileSync() was called': `fs.writeFileSync(target, 'x')`,
  'fs.appendFileSync() was called': `fs['appendFileSync'](target, 'x')`,
  'fs.mkdirSync() was called': `Reflect.apply(fs.mkdirSync, fs, [target])`,
  'fs.copyFileSync() was called': `fs.copyFileSync.bind(null, '/etc/hosts')(target)`,
  'fs.unlinkSync() was called': `['/tmp/none'].forEach(fs.unlinkSync as never)`,
  'fs.rmSync() was called': `setTimeout(fs.rmSync, 5, '/tmp/none')`,
  'fs.promises.readFile() was called': `await promises.readFile('/tmp/none')`,
  'fs.readFile() was called': `read('/tmp/none')`,
  'child_process.execSync() was called': 'command.execSync("touch " + target)',
  'net.connect() was called': 'net.connect(1)',
  'https.get() was called': `need('node:https').get('http://127.0.0.1:1')`,
  'dgram.createSocket() was called': `process.getBuiltinModule('dgram').createSocket('udp4')`,
  'dns.lookup() was called': `dns.lookup('x', () => {})`,
  'worker_threads.Worker() was called': `new Worker('./x.js')`,
  'os.hostname() was called': 'os.hostname()',
  'process.env.HOME was read': 'env.HOME',
  'process.env.PATH was read': `globalThis['process'].env.PATH`,
  'process.env.SET was written': `process.env.SET = 'x'`,
  'process.env was read': 'Object.keys(process.env)',
  'process.pid was read': 'process.pid',
  'process.argv was read': 'process.argv.length',
  'process.uptime() was called': 'process.uptime()',
  'process.cwd() was called': 'process.cwd()',
  'process.stdin was read': 'process.stdin',
  'crypto.pbkdf2() was called': `crypto.pbkdf2('a', 'b', 1, 8, 'sha1', () => {})`,
  'crypto.generateKeyPairSync() was called': `crypto.generateKeyPairSync('ed25519')`,
  'Atomics.wait() was called': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)',
  'readline.createInterface() was called': 'readline.createInterface({ input: null as never })',
  'stream.Readable() was called': 'new Readable()',
  'zlib.gzip() was called': `zlib.gzip('x', () => {})`,
  "require('./data.json') was called": `need('./data.json')`,
  'process.title was written': `process.title = 'x'`,
  'process.env was read ': `inspect(process.env)`,
  'process.env was read  ': `format('%O', { env })`,
  'process.env.HOME was read ': `Object.hasOwn(process.env, 'HOME')`,
  'performance.mark() was called': `performance.mark('a')`,
  'performance.measure() was called': `performance.measure('a')`,
  'performance.toJSON() was called': `performance.toJSON()`,
  'performance.eventLoopUtilization() was called': `performance.eventLoopUtilization()`,
  'performance.nodeTiming was read': `performance.nodeTiming`,
  'timeStamp of an Event was read': `new Event('x').timeStamp`,
}

const harmless: { readonly [name: string]: string } = {
  printed: `console.log('x'); inspect(new Error('x'))`,
  build: `await assert(process.env.NODE_ENV !== 'x')`,
  computed: `await assert(net.isIP('::1') === 6 && zlib.gzipSync('x').length > 0 && path.join('a', 'b') === 'a/b')`,
  hashed: `await assert(crypto.createHash('sha1').update('x').digest('hex').length === 40)`,
  dated: `await assert(new Date(0).constructor === Date && new Date(0) instanceof Date)`,
  formatted: `await assert(new Intl.DateTimeFormat('en').format() === '1/1/2030')`,
}

const names = Object.keys(bodies)
const folder = mkdtempSync(join(tmpdir(), 'allways-outside-'))
const target = join(folder, 'written')
let programs: readonly LoadedProgram[] = []

const head = `
import crypto from 'node:crypto'
import dns from 'node:dns'
import fs, { promises } from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import * as os from 'os'
import path from 'node:path'
import readline from 'node:readline'
import { Readable } from 'node:stream'
import { format, inspect, promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import zlib from 'node:zlib'
import { assert, invariant, machine, program, self, system } from 'allways'
const { env } = process
const read = promisify(fs.readFile)
const need = createRequire(import.meta.url)
const command = await import('node:child_process')
const target = ${JSON.stringify(target)}
const counter = machine('counter', { state: () => ({ n: 0 }), requests: { go(state) { state.n = os.cpus().length }, on(state) { state.n = 1 } } })
export const handler = system('handler', () => ({ machines: { a: counter.as() }, requests: { a: [['go', null]] } }))
export const predicate = system('predicate', () => ({
  machines: { a: counter.as() }, requests: { a: [['on', null]] }, invariants: [invariant('i', () => fs.existsSync('/tmp'))],
}))
`

beforeAll(async () => {
  const written = (name: string, body: string) =>
    `export const ${name} = program('${name}', async () => { await self(); ${body} })`
  const file = join(folder, 'p.check.ts')
  writeFileSync(join(folder, 'data.json'), '{ "n": 1 }')
  const all = [
    ...names.map((name, at) => written(`p${at}`, bodies[name] as string)),
    written('later', `void import('node:fs').then((fs) => fs.writeFileSync(target, 'x'))`),
    written('writing', `process.stdout.write('x')`),
    ...Object.entries(harmless).map(([name, body]) => written(name, body)),
  ]
  writeFileSync(file, `${head}${all.join('\n')}`)
  const loaded = await loadPrograms(file)
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message)
  programs = loaded.value.programs
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function checked(name: string) {
  const found = programs.find(({ exportName }) => exportName === name)
  if (found === undefined) throw new Error(`there is no program ${name}`)
  return await checkResult(found.program)
}

/** With what is rejected and nobody handles, which the runner would take for a failure of the test. */
async function checkedAlone(name: string) {
  const listeners = process.listeners('unhandledRejection')
  const rejected: unknown[] = []
  const note = (reason: unknown) => void rejected.push(reason)
  for (const listener of listeners) process.off('unhandledRejection', listener)
  process.on('unhandledRejection', note)
  try {
    const result = await checked(name)
    await new Promise((resolve) => setImmediate(resolve))
    return { result, rejected }
  } finally {
    process.off('unhandledRejection', note)
    for (const listener of listeners) process.on('unhandledRejection', listener)
  }
}

test.each(names.map((shown, at) => [shown, at] as const))(
  '%s: E209 with its line, and nothing is done',
  async (shown, at) => {
    const { result, rejected } = await checkedAlone(`p${at}`)
    // A promise of the host that nobody waits for is rejected by the refusal itself.
    expect(rejected.filter((reason) => !(reason instanceof DiagnosticError))).toEqual([])
    expect(result.ok ? result.value.kind : result.diagnostics).toMatchObject([
      {
        code: 'E209',
        message: expect.stringContaining(shown.trim()),
        hint: expect.any(String),
        place: { line: expect.any(Number) },
      },
    ])
    expect(existsSync(target)).toBe(false)
  },
)

test('what a process hands to a promise of the host is told, and never runs', async () => {
  const result = await checked('later')
  expect(result.ok ? result.value.kind : result.diagnostics).toMatchObject([{ code: 'E208' }])
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(existsSync(target)).toBe(false)
})

test('what processes write is dropped', async () => {
  const written: unknown[] = []
  const { write } = process.stdout
  process.stdout.write = ((text: unknown) => written.push(text) > 0) as typeof write
  try {
    const result = await checked('writing')
    expect(result.ok ? result.value.kind : result.diagnostics).toBe('verified')
  } finally {
    process.stdout.write = write
  }
  expect(written).toEqual([])
})

test.each(Object.keys(harmless))('what reaches nothing outside goes on: %s', async (name) => {
  const result = await checked(name)
  expect(result.ok ? result.value.kind : result.diagnostics).toBe('verified')
})

test.each([
  ['handler', 'os.cpus() was called'],
  ['predicate', 'fs.existsSync() was called'],
])('so it is in a %s', async (name, shown) => {
  const result = await checked(name)
  expect(result.ok ? result.value.kind : result.diagnostics).toMatchObject([
    { code: 'E209', message: expect.stringContaining(shown), hint: expect.stringMatching(/stand-in|depend on/) },
  ])
})

test('for everybody else, and afterwards, all of it is as it was', () => {
  const host = () => [existsSync, writeFileSync, process.env, Object.getOwnPropertyDescriptor(process, 'argv')?.value]
  const before = host()
  const release = guardDeterminism()
  const again = guardDeterminism()
  try {
    expect(existsSync(folder)).toBe(true)
    expect(process.env.PATH).toBe((before[2] as NodeJS.ProcessEnv).PATH)
    expect({ ...process.env }).toEqual({ ...(before[2] as NodeJS.ProcessEnv) })
    expect(process.argv).toBe(before[3])
    expect(running.process).toBeUndefined()
  } finally {
    again()
    release()
  }
  expect(host().every((one, at) => one === before[at])).toBe(true)
})
