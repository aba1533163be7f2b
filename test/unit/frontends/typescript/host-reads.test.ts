/** What a program reads of the machine it runs on: each way to it is found, and what is the same everywhere is let through. */
import { describe, expect, test } from 'vitest'
import { firstHostRead, readsLocale } from '../../../../src/frontends/typescript/host-reads.ts'

const whole = (owner: string) => `it uses ${owner} as a whole, and not all that this holds is the same there`
const elsewhere = (what: string) => `it reads ${what}, which is another one there`

describe('what is another one on another machine', () => {
  test.each([
    ['const strict = process.env.STRICT', elsewhere('process.env')],
    ['const { env } = process', whole('process')],
    ["const env = process['env']", elsewhere('process.env')],
    ['const env = process[`env`]', elsewhere('process.env')],
    ["const env = process['e' + 'nv']", whole('process')],
    ['const p = process', whole('process')],
    ['use(process)', whole('process')],
    ['const held = { process }', whole('process')],
    ['const all = { ...process }', whole('process')],
    ['const arch = process.arch', elsewhere('process.arch')],
    ['const arch = (process)?.arch', elsewhere('process.arch')],
    ['const path = process.cwd()', elsewhere('process.cwd')],
    ["const env = globalThis['process'].env", elsewhere('process.env')],
    ['const env = globalThis.process?.env', elsewhere('process.env')],
    ['const env = (globalThis?.process).env', elsewhere('process.env')],
    ['const env = global.process.env', elsewhere('process.env')],
    ['const env = globalThis.globalThis.process.env', elsewhere('process.env')],
    ['const { process: p } = globalThis', whole('globalThis')],
    ["const p = Reflect.get(globalThis, 'process')", whole('globalThis')],
    ["const p = globalThis['proc' + 'ess']", whole('globalThis')],
    ['const g = globalThis', whole('globalThis')],
    ['function f() { { const process = 1 } return process.env }', elsewhere('process.env')],
    ['const cores = navigator.hardwareConcurrency', 'it reads navigator, which may be another one there'],
    ['const began = performance.timeOrigin', elsewhere('performance.timeOrigin')],
    ["const p = new Function('return process')()", whole('Function')],
    ["const p = eval('process')", 'it reads eval, which may be another one there'],
    ['const here = import.meta.dirname', 'it reads import.meta'],
    ["import { env } from 'node:process'", 'it imports node:process, which is about the machine it runs on'],
    ["import os from 'node:os'", 'it imports node:os, which is about the machine it runs on'],
    ["export * from 'node:os'", 'it imports node:os, which is about the machine it runs on'],
    ["const os = await import('node:os')", 'it imports node:os, which is about the machine it runs on'],
    ["const os = await import('node:' + 'os')", 'it imports what it says only while it runs'],
    ["import 'file:///a/node_modules/@b/c/d.js'", /^it imports the package @b\/c, /],
    ["import { parseArgs } from 'node:util'", elsewhere('parseArgs of node:util')],
    ["import { parseArgs as read } from 'node:util'", elsewhere('parseArgs of node:util')],
    ["import * as util from 'node:util'; util.parseArgs()", elsewhere('parseArgs of node:util')],
    ["util.parseArgs(); import util from 'node:util'", elsewhere('parseArgs of node:util')],
    ["import util from 'node:util'; const { parseArgs } = util", whole('node:util')],
    ["import { default as util } from 'node:util'; use(util)", whole('node:util')],
    ["const util = await import('node:util')", 'it imports node:util while it runs'],
    ["import { resolve } from 'node:path/posix'", elsewhere('resolve of node:path/posix')],
    ["import { createRequire as $createRequire } from 'node:module'; const require = $createRequire('')", /CommonJS/],
    ["const os = require('os')", /CommonJS/],
  ])('%s', (code, expected) => {
    const what = firstHostRead(`const use = (one) => one\n${code}`)?.what ?? 'nothing'
    if (typeof expected === 'string') expect(what).toBe(expected)
    else expect(what).toMatch(expected)
  })

  test('where it is read, and the first of all', () => {
    expect(firstHostRead('const a = 1\nconst b = process.env.B + process.argv')).toMatchObject({
      what: elsewhere('process.env'),
      line: 2,
      column: 11,
    })
  })
})

describe('what is the same everywhere', () => {
  test.each([
    'const process = { env: 1 }; const { env } = process',
    'function f(process) { return process.env }',
    'try { f() } catch (process) { f(process) }; function f() {}',
    'class process { static env = 1 }; const e = process.env',
    'const o = { process: 1, env: 2 }; const e = o.process + o.env',
    'class C { process = 1; env() { return this.process } }',
    'const isNode = typeof process === "object" && typeof window === "undefined"',
    "const major = process.versions.node.split('.')[0]",
    'process.nextTick(() => {})',
    "const m = globalThis[Symbol.for('allways.modules:there')].get('allways')",
    'const f = globalThis.setTimeout',
    'const called = (f) => f instanceof Function && Function.prototype.call.length',
    'process: for (;;) break process',
    "import { inspect } from 'node:util'; const s = inspect({ process: 1 })",
    "import util from 'node:util'; const s = util.format('%s', 1)",
    "import { join } from 'node:path/posix'; const s = join('a', 'b')",
    "import { createHash, randomUUID } from 'node:crypto'; const h = createHash('sha256')",
    "const { EventEmitter } = await import('node:events')",
    'function* g(...all) { return arguments.length + all.length }',
    'const text = "process.env", re = /process.env/ // process.env',
  ])('%s', (code) => {
    expect(firstHostRead(code)).toBeUndefined()
  })
})

test.each([
  ['const year = new Date(0).getFullYear()', true],
  ['const zone = Intl.DateTimeFormat().resolvedOptions().timeZone', true],
  ["const text = (1e6)['toLocaleString']()", true],
  ["const before = 'a'.localeCompare('b') < 0", true],
  ['const update = 1', false],
])('language and time zone: %s', (code, expected) => {
  expect(readsLocale(code)).toBe(expected)
})
