import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { program } from 'allways'
import { afterAll, describe, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/check/load.ts'
import { placeOf, userFrames } from '../../../src/check/source-places.ts'
import type { Diagnostic } from '../../../src/core/diagnostic.ts'
import { Operation } from '../../../src/core/operation.ts'
import { loopLimit, running } from '../../../src/core/running.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import type { LoadedFile } from '../../../src/frontends/frontend.ts'
import type { Program, Runnable } from '../../../src/program/program.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder with these files; gives the path of one of them. */
function project(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'load-test-')))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return (name) => join(folder, name)
}

async function loaded(path: string): Promise<LoadedFile> {
  const result = await loadPrograms(path)
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 2))
  return result.value
}

async function diagnostics(path: string): Promise<readonly Diagnostic[]> {
  const result = await loadPrograms(path)
  return result.ok ? [] : result.diagnostics
}

async function onlyDiagnostic(path: string): Promise<Diagnostic> {
  const all = await diagnostics(path)
  expect(all).toHaveLength(1)
  return all[0] as Diagnostic
}

function runnableOf(subject: Program): Runnable {
  const setting = settingFrom({ params: subject.params, network: subject.network })
  return subject.views.runnable?.(setting) as Runnable
}

/** Runs the main process, answering every operation with undefined; gives its operations and what it returned. */
function perform(subject: Program): { readonly operations: readonly Operation[]; readonly returned: unknown } {
  const operations: Operation[] = []
  const { main } = runnableOf(subject)
  running.process = 'main'
  running.fuel = loopLimit
  try {
    const process = main.body(...main.args) as Iterator<unknown, unknown, unknown>
    for (let result = process.next(undefined); ; result = process.next(undefined)) {
      if (!((result as unknown) instanceof Operation)) return { operations, returned: result.value }
      operations.push(result as unknown as Operation)
    }
  } finally {
    running.process = undefined
  }
}

function first(file: LoadedFile): Program {
  const [only] = file.programs
  if (only === undefined) throw new Error('no program')
  return only.program
}

describe('loading a check file', () => {
  test('finds the default and the named programs in the order they are declared', async () => {
    const at = project({
      'several.check.ts': `import { program } from 'allways'
export const zulu = program('first', function* () {})
export default program('second', function* () {})
export const alpha = program('third', function* () {})
export const limit = 3
`,
    })
    const { programs, file } = await loaded(at('several.check.ts'))
    expect(programs.map((found) => [found.exportName, found.program.name, found.place?.line])).toEqual([
      ['zulu', 'first', 2],
      ['default', 'second', 3],
      ['alpha', 'third', 4],
    ])
    expect(file).toBe(at('several.check.ts'))
  })

  test('counts a program that is exported twice once, under its own name', async () => {
    const at = project({
      'twice.check.ts': `import { program } from 'allways'
export const ring = program('ring', function* () {})
export default ring
`,
    })
    expect((await loaded(at('twice.check.ts'))).programs.map((found) => found.exportName)).toEqual(['ring'])
  })

  test('gives the file the very modules of the running allways', async () => {
    const at = project({
      'same.check.ts': `import * as allways from 'allways'
export default allways.program('same', function* () { return allways.program })
`,
    })
    expect(perform(first(await loaded(at('same.check.ts')))).returned).toBe(program)
  })

  test('turns async processes into coroutines, across files', async () => {
    const at = project({
      'async.check.ts': `import { program, receive } from 'allways'
import { helper } from './helper.js'
export default program('async', async () => {
  await receive('first')
  return await helper()
})
`,
      'helper.ts': `import { receive } from 'allways'
export async function helper(): Promise<string> {
  await receive('second')
  return 'done'
}
`,
    })
    const { operations, returned } = perform(first(await loaded(at('async.check.ts'))))
    expect(operations.map((operation) => [operation.kind, operation.where])).toEqual([
      ['receive', 'first'],
      ['receive', 'second'],
    ])
    expect(returned).toBe('done')
  })

  test('honours paths of tsconfig.json, JSON, enums, parameter properties and packages', async () => {
    const at = project({
      'tsconfig.json': JSON.stringify({ compilerOptions: { paths: { '@model/*': ['./model/*'] } } }),
      'model/colour.ts': 'export enum Colour { Red = 1, Green }\n',
      'data.json': '{ "limit": 7 }',
      'node_modules/modern/package.json':
        '{ "name": "modern", "type": "module", "exports": { "import": "./main.js" } }',
      'node_modules/modern/main.js': 'export const url = import.meta.url\n',
      'node_modules/classic/package.json': '{ "name": "classic", "main": "main.cjs" }',
      'node_modules/classic/main.cjs': 'module.exports = { classic: true }\n',
      'own.cjs': "module.exports = require('node:path').basename(require('classic').classic + '/x')\n",
      'rich.check.ts': `import { sep } from 'path'
import { program, type Program } from 'allways'
import { Colour } from '@model/colour'
import classic from 'classic'
import { url } from 'modern'
import data from './data.json'
import own from './own.cjs'
class Counter { constructor(private readonly start: number) {} next() { return this.start + 1 } }
const rich: Program = program('rich', function* () {
  return [Colour.Green, data.limit, new Counter(1).next(), classic.classic, url, sep.length, import.meta.url, own]
})
export default rich
`,
    })
    const file = await loaded(at('rich.check.ts'))
    expect(perform(first(file)).returned).toEqual([
      2,
      7,
      2,
      true,
      pathToFileURL(at('node_modules/modern/main.js')).href,
      1,
      pathToFileURL(at('rich.check.ts')).href,
      'x',
    ])
    expect(Object.keys(file.sources)).toEqual(
      ['data.json', 'model/colour.ts', 'own.cjs', 'rich.check.ts'].map((name) => at(name)),
    )
  })

  test('sees a change of an imported file, in the program and in the digest', async () => {
    const at = project({
      'fresh.check.ts': `import { program } from 'allways'
import { answer } from './answer.ts'
export default program('fresh', function* () { return answer })
`,
      'answer.ts': 'export const answer = 1\n',
    })
    const before = await loaded(at('fresh.check.ts'))
    const again = await loaded(at('fresh.check.ts'))
    writeFileSync(at('answer.ts'), 'export const answer = 2\n')
    const after = await loaded(at('fresh.check.ts'))
    expect([before, again, after].map((file) => perform(first(file)).returned)).toEqual([1, 1, 2])
    expect(again.digest).toBe(before.digest)
    expect(again.programs[0]?.program).not.toBe(before.programs[0]?.program)
    expect(after.digest).not.toBe(before.digest)
    expect(before.digest).toMatch(/^sha256-[0-9a-f]{64}$/)
    expect(after.sources[at('fresh.check.ts')]).toBe(before.sources[at('fresh.check.ts')])
    expect(after.sources[at('answer.ts')]).not.toBe(before.sources[at('answer.ts')])
  })

  test('gives the same digest to the same files in another folder', async () => {
    const files = { 'a.check.ts': `import { program } from 'allways'\nexport default program('a', function* () {})\n` }
    const one = await loaded(project(files)('a.check.ts'))
    const other = await loaded(project(files)('a.check.ts'))
    expect(one.digest).toBe(other.digest)
  })

  test('leaves no file behind', async () => {
    const at = project({
      'clean.check.ts': `import { program } from 'allways'\nexport default program('clean', function* () {})\n`,
    })
    await loaded(at('clean.check.ts'))
    expect(readdirSync(at('.'))).toEqual(['clean.check.ts'])
  })

  test('awaits at the top level natively', async () => {
    const at = project({
      'top.check.ts': `import { readFile } from 'node:fs/promises'
import { program } from 'allways'
async function text() { return await readFile(new URL('./top.check.ts', import.meta.url), 'utf8') }
const length = (await text()).length
export default program('top', function* () { return length > 0 })
`,
    })
    expect(perform(first(await loaded(at('top.check.ts')))).returned).toBe(true)
  })
})

describe('a stack of a loaded file', () => {
  test('gives the line and column of the user, in every file', async () => {
    const at = project({
      'stack.check.ts': `import { program } from 'allways'
import { helper } from './helper.ts'
interface Unused { readonly a: number }
export default program('stack', async function main() {
  for (const item of [1]) { await (async () => 0)() }
  return [new Error().stack, await helper()]
})
`,
      'helper.ts': `type Unused = string

export async function helper(): Promise<string | undefined> {
  while (true) return new Error().stack
}
`,
    })
    const [main, helper] = perform(first(await loaded(at('stack.check.ts')))).returned as [string, string]
    expect(placeOf(main)).toEqual({ file: at('stack.check.ts'), line: 6, column: 11 })
    expect(placeOf(helper)).toEqual({ file: at('helper.ts'), line: 4, column: 23 })
  })
})

describe('the frames of a stack', () => {
  test('are those of the user, under the names they wrote, one per function', async () => {
    const at = project({
      'frames.check.ts': `import { program } from 'allways'
async function inner() {
  return [new Error().stack].map((stack) => stack)[0]
}
async function outer() { return inner() }
export default program('frames', async function main() { return await outer() })
`,
    })
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 50
    const stack = perform(first(await loaded(at('frames.check.ts')))).returned as string
    Error.stackTraceLimit = limit
    const own = userFrames(stack).filter((frame) => frame.includes('frames.check.ts'))
    expect(own).toEqual([
      `at inner (${at('frames.check.ts')}:3:11)`,
      `at outer (${at('frames.check.ts')}:5:33)`,
      `at main (${at('frames.check.ts')}:6:71)`,
    ])
  })
})

describe('what cannot be loaded', () => {
  test('a missing file is E101 and names one that is spelt alike', async () => {
    const at = project({ 'counter.check.ts': '' })
    expect(await onlyDiagnostic(at('conter.check.ts'))).toMatchObject({
      code: 'E101',
      message: `there is no file ${at('conter.check.ts')}`,
      hint: `did you mean ${at('counter.check.ts')}?`,
    })
    expect((await onlyDiagnostic(at('counter'))).hint).toBe(`did you mean ${at('counter.check.ts')}?`)
    expect((await onlyDiagnostic(at('nowhere/a.check.ts'))).hint).toBe(`there is no directory ${at('nowhere')} either`)
    expect((await onlyDiagnostic(at('something-else.ts'))).hint).toBe(`there is ${at('counter.check.ts')}`)
  })

  test('a directory is E101 and lists the check files in it', async () => {
    const at = project({ 'b.check.ts': '', 'a.check.ts': '', 'c.ts': '' })
    const { code, message, hint } = await onlyDiagnostic(at('.'))
    expect([code, message, hint]).toEqual([
      'E101',
      `${at('.')} is a directory, not a file`,
      `it holds ${at('a.check.ts')}, ${at('b.check.ts')}`,
    ])
  })

  test('a file of another kind is E102', async () => {
    expect(await onlyDiagnostic(project({ 'notes.txt': '' })('notes.txt'))).toMatchObject({ code: 'E102' })
  })

  test('every syntax error is E102 with its place and frame', async () => {
    const at = project({ 'broken.check.ts': `const fine = 1\n\nconst answer = ;\n` })
    const { code, place, frame } = await onlyDiagnostic(at('broken.check.ts'))
    expect([code, place]).toEqual(['E102', { file: at('broken.check.ts'), line: 3, column: 16 }])
    expect(frame).toBe(
      ['  1 | const fine = 1', '  2 |', '> 3 | const answer = ;', '    |                ^', '  4 |'].join('\n'),
    )
  })

  test('a syntax error in an imported file is reported there', async () => {
    const at = project({ 'a.check.ts': `import './b.ts'\n`, 'b.ts': `class {\n` })
    expect((await onlyDiagnostic(at('a.check.ts'))).place?.file).toBe(at('b.ts'))
  })

  test('an import of nothing is E102 at the import', async () => {
    const at = project({
      'lost.check.ts': `// ü\nimport { x } from './lost.ts'; import 'no-such-package'\nexport default x\n`,
    })
    const found = await diagnostics(at('lost.check.ts'))
    expect(found.map(({ code, message, place }) => [code, message, place?.line, place?.column])).toEqual([
      ['E102', 'Could not resolve "./lost.ts"', 2, 19],
      ['E102', 'Could not resolve "no-such-package"', 2, 39],
    ])
  })

  test('a misspelt name of ours is E102 and suggests the right one', async () => {
    const at = project({
      'slip.check.ts': `import { program, recieve } from 'allways'\nexport default program('x', () => recieve())\n`,
    })
    expect(await onlyDiagnostic(at('slip.check.ts'))).toMatchObject({
      code: 'E102',
      message: '"recieve" is not exported by allways',
      hint: 'did you mean "receive"?',
      place: { line: 1, column: 19 },
    })
  })

  test('an export that a package lacks is E102 at the import', async () => {
    const at = project({
      'node_modules/modern/package.json': '{ "name": "modern", "type": "module", "exports": "./main.js" }',
      'node_modules/modern/main.js': 'export const here = 1\n',
      'link.check.ts': `\nimport { here, gone } from 'modern'\nexport default [here, gone]\n`,
    })
    const found = await onlyDiagnostic(at('link.check.ts'))
    expect([found.code, found.place?.line]).toEqual(['E102', 2])
    expect(found.message).toContain("does not provide an export named 'gone'")
  })

  test('an empty file is E103 and shows what to export', async () => {
    expect(await onlyDiagnostic(project({ 'empty.check.ts': '' })('empty.check.ts'))).toMatchObject({
      code: 'E103',
      hint: "export one: export default program('name', function* () { … })",
    })
  })

  test('a file without a program is E103 and says what it exports', async () => {
    const at = project({
      'none.check.ts': `export default function* main() {}\nexport const limit = 3\nexport const a = []\n`,
    })
    expect((await onlyDiagnostic(at('none.check.ts'))).message).toBe(
      `${at('none.check.ts')} exports a (an array), default (a function), limit (a number), but no program`,
    )
  })

  test('a file that throws is E104 at the line that threw', async () => {
    const at = project({ 'throws.check.ts': `\nfunction start(): never {\n  throw new TypeError('no')\n}\nstart()\n` })
    const found = await onlyDiagnostic(at('throws.check.ts'))
    expect(found).toMatchObject({ code: 'E104', place: { file: at('throws.check.ts'), line: 3, column: 9 } })
    expect(found.message).toBe(`${at('throws.check.ts')} threw TypeError: no`)
    expect(found.frame).toContain(`> 3 |   throw new TypeError('no')`)
  })

  test('a file that throws something else than an error is E104 too', async () => {
    const at = project({ 'throws.check.ts': `throw 'a text'\n` })
    expect(await onlyDiagnostic(at('throws.check.ts'))).toMatchObject({ code: 'E104' })
  })

  test('a mistake in a declaration keeps its own code and place, and is not left for the next process', async () => {
    const at = project({
      'network.check.ts': `import { program } from 'allways'\nexport default program('x', { network: 'fifi' as 'fifo' }, function* () {})\n`,
    })
    expect(await onlyDiagnostic(at('network.check.ts'))).toMatchObject({ code: 'E109', place: { line: 2, column: 16 } })
    expect(running.mistake).toBeUndefined()
  })

  test.each([
    'process.exit(0)',
    'try { process.exit(0) } catch {}',
    `import { exit } from 'node:process'; exit(0)`,
    'process.reallyExit(0)',
    'process.kill(process.pid)',
  ])('what would end the process is E114 at the call: %s', async (code) => {
    const at = project({ 'ends.check.ts': `import { program } from 'allways'\n${code}\n${holds}` })
    const found = await onlyDiagnostic(at('ends.check.ts'))
    expect(found).toMatchObject({ code: 'E114', place: { file: at('ends.check.ts'), line: 2 } })
  })

  test.each([
    ['Array.prototype.map', 'Array.prototype.map = (() => []) as never'],
    ['Array.prototype[Symbol.iterator]', 'Array.prototype[Symbol.iterator] = function* () {} as never'],
    ['Object.prototype.kind', `Object.defineProperty(Object.prototype, 'kind', { value: 1, configurable: true })`],
    ['JSON.stringify', `JSON.stringify = () => '{}'`],
    ['Map.prototype.get', 'delete (Map.prototype as { get?: unknown }).get'],
    ['Promise', 'globalThis.Promise = class {} as never'],
    ['array iterator prototype.next', `Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true })`],
  ])('a file that changes %s is E114, and the change is taken back', async (changed, code) => {
    const at = project({
      'changes.check.ts': `import { program } from 'allways'\n${code}\n${holds}`,
      'next.check.ts': `import { program } from 'allways'\n${holds}`,
    })
    const found = await onlyDiagnostic(at('changes.check.ts'))
    expect([found.code, found.place?.line]).toEqual(['E114', 2])
    expect(found.message).toContain(`what belongs to the language: ${changed}`)
    expect((await loaded(at('next.check.ts'))).programs).toHaveLength(1)
  })

  test('what is added beside the prototypes may stay', async () => {
    const code = `Object.assign(Reflect, { getMetadata: () => 1 })\nError.stackTraceLimit = Error.stackTraceLimit`
    const at = project({ 'adds.check.ts': `import { program } from 'allways'\n${code}\n${holds}` })
    expect((await loaded(at('adds.check.ts'))).programs).toHaveLength(1)
    Reflect.deleteProperty(Reflect, 'getMetadata')
  })
})

const holds = `export default program('holds', function* () {})\n`
