import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { importTable, limits, portableFolders } from './import-table.ts'
import { partOf, violations } from './rules.ts'

const sources = fileURLToPath(new URL('../../src', import.meta.url))

function sourceFiles(): ReadonlyMap<string, string> {
  const paths = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  return new Map(paths.sort().map((path) => [path.split(sep).join('/'), readFileSync(join(sources, path), 'utf8')]))
}

describe('the source tree', () => {
  test('is seen by this test', () => {
    expect([...sourceFiles().keys()]).toContain('core/value.ts')
  })

  test('keeps every rule', () => {
    expect(violations(sourceFiles())).toEqual([])
  })
})

describe('the import table', () => {
  test('has no two folders that may import each other', () => {
    const folder = (part: string) => part.split('/')[0] ?? part
    const mutual = Object.entries(importTable).flatMap(([part, allowed]) =>
      allowed
        .filter((other) => folder(other) !== folder(part))
        .filter((other) => (importTable[other] ?? importTable[`${other}/*`] ?? []).includes(folder(part)))
        .map((other) => `${part} ↔ ${other}`),
    )
    expect(mutual).toEqual([])
  })

  test('lets nothing portable import the host half', () => {
    const reaching = Object.entries(importTable)
      .filter(([part]) => portableFolders.includes(part.split('/')[0] ?? part))
      .filter(([, allowed]) => allowed.some((other) => !portableFolders.includes(other.split('/')[0] ?? other)))
    expect(reaching).toEqual([])
  })

  test('treats each engine as a part of its own, and the contract beside them as another', () => {
    expect(partOf('engines/dpor/consistency/bag.ts')).toBe('engines/dpor')
    expect(partOf('engines/engine.ts')).toBe('engines/engine.ts')
    expect(partOf('semantics/network/bag.ts')).toBe('semantics')
  })
})

/** A small tree that keeps every rule, on which each test below plants one violation. */
const soundTree = {
  'index.ts': `export { value } from './core/value.ts'\nexport type { Engine } from './engines/engine.ts'`,
  'core/value.ts': `export const value = 1`,
  'engines/engine.ts': `import type { value } from '../core/value.ts'\nexport type Engine = typeof value`,
  'engines/dpor/explore.ts': `import type { Engine } from '../engine.ts'\nexport const explore = (e: Engine) => e`,
  'engines/random/pct.ts': `export const pct = 1`,
  'engines/registry.ts': `import { explore } from './dpor/explore.ts'\nexport const engines = [explore]`,
  'frontends/p/parser.ts': `export const parse = 1`,
  'frontends/typescript/transform.ts': `import { parseSync } from 'oxc-parser'\nexport const transform = parseSync`,
  'semantics/world.ts': `export const world = 1`,
  'check/load.ts': `import { stat } from 'node:fs/promises'\nexport const load = () => stat('x')`,
  'cli/main.ts': `import { load } from '../check/load.ts'\nexport const main = () => [load, Date.now()]`,
}

function withPlanted(planted: Readonly<Record<string, string>>): readonly string[] {
  return violations(new Map(Object.entries({ ...soundTree, ...planted })))
}

describe('the checker', () => {
  test('finds nothing in a sound tree', () => {
    expect(withPlanted({})).toEqual([])
  })

  test.each([
    ['a folder importing against the table', 'core/value.ts', `import '../semantics/world.ts'`, 'may import nothing'],
    [
      'the same for types alone',
      'core/value.ts',
      `import type { w } from '../semantics/world.ts'`,
      'may import nothing',
    ],
    [
      'a type import written inline',
      'core/value.ts',
      `export type W = import('../semantics/world.ts').W`,
      'may import',
    ],
    [
      'a dynamic import',
      'core/value.ts',
      `export const w = () => import('../semantics/world.ts')`,
      'may import nothing',
    ],
    [
      'a re-export',
      'semantics/world.ts',
      `export { load } from '../check/load.ts'\nconst x = 1`,
      'semantics may import',
    ],
    [
      'an engine importing a sibling',
      'engines/dpor/explore.ts',
      `import '../random/pct.ts'`,
      'engines/dpor may import',
    ],
    [
      'an engine importing the registry',
      'engines/dpor/explore.ts',
      `import '../registry.ts'`,
      'engines/dpor may import',
    ],
    [
      'a front end importing a sibling',
      'frontends/p/parser.ts',
      `import '../typescript/transform.ts'`,
      'frontends/p may',
    ],
    ['an import out of src', 'core/value.ts', `import '../../package.json'`, 'outside src'],
    ['an import of a file that is not there', 'core/value.ts', `import './missing.ts'`, 'not a file'],
    ['an import without its extension', 'core/event.ts', `import './value'`, 'not a file'],
    ['a folder the table does not know', 'extras/thing.ts', `export const thing = 1`, 'no row in the import table'],
    ['node:* in portable code', 'reports/text.ts', `import { readFileSync } from 'node:fs'`, 'reports is portable'],
    ['a package nobody allowed', 'reports/text.ts', `import colors from 'picocolors'`, 'package picocolors'],
    ['printing past the terminal', 'cli/print.ts', `process.stdout.write('x')`, 'writes to a stream'],
    ['printing past it in another way', 'cli/print.ts', `import { stdout } from 'node:process'`, 'writes to a stream'],
    ['warnings of Node', 'cli/print.ts', `process.emitWarning('x')`, 'writes to a stream'],
    ['a terminal of its own', 'cli/print.ts', `import { WriteStream } from 'node:tty'`, 'writes to a stream'],
    ['a command of its own', 'cli/print.ts', `export const c = 'npx allways replay x'`, 'writes a command to paste'],
    ['a descriptor written to', 'cli/print.ts', `import { writeSync } from 'node:fs'`, 'writes a file'],
    ['a file written in another way', 'cli/print.ts', `import { writeFile } from 'node:fs/promises'`, 'writes a file'],
    ['a file read in another way', 'cli/print.ts', `import { readFileSync } from 'node:fs'`, 'opens a file'],
    ['a package allowed elsewhere', 'frontends/p/parser.ts', `import { parseSync } from 'oxc-parser'`, 'oxc-parser'],
    ['a scoped package', 'cli/main.ts', `import '@scope/name/deep'`, 'package @scope/name,'],
    ['printing in portable code', 'core/value.ts', `export const f = () => console.log(1)`, 'uses console'],
    ['a clock', 'core/value.ts', `export const f = () => Date.now()`, 'uses Date.now'],
    ['a clock in disguise', 'core/value.ts', `export const f = () => new Date()`, 'uses new Date()'],
    ['a precise clock', 'core/value.ts', `export const f = () => performance.now()`, 'uses performance'],
    ['unseeded randomness', 'core/value.ts', `export const f = Math.random`, 'uses Math.random'],
    ['a file named after nothing', 'core/utils.ts', `export const x = 1`, '"utils" names nothing'],
    ['a folder named after nothing', 'core/helpers/one.ts', `export const x = 1`, '"helpers" names nothing'],
    ['a file name in camel case', 'core/vectorClock.ts', `export const x = 1`, 'kebab-case'],
    ['a default export', 'core/value.ts', `export default 1`, 'default export'],
    ['a default export by renaming', 'core/value.ts', `const x = 1\nexport { x as default }`, 'default export'],
    ['a barrel', 'core/all.ts', `export { value } from './value.ts'`, 'is a barrel'],
    ['a barrel in two steps', 'core/all.ts', `import { value } from './value.ts'\nexport { value }`, 'is a barrel'],
    ['a star export', 'core/all.ts', `export * from './value.ts'\nexport const x = 1`, 'does not write down'],
    ['logic in the public API', 'index.ts', `export const x = 1`, 'has logic'],
    ['a file that is too long', 'core/value.ts', '\n'.repeat(limits.fileLines + 1), `at most ${limits.fileLines}`],
  ])('finds %s', (_, path, text, message) => {
    expect(withPlanted({ [path]: text }).join('\n')).toContain(message)
  })

  test('accepts a file of exactly the allowed length', () => {
    expect(withPlanted({ 'core/long.ts': 'export const x = 1\n'.padEnd(18 + limits.fileLines, '\n') })).toEqual([])
  })

  test('measures functions, methods and arrows, and names them', () => {
    const body = '\n'.repeat(limits.functionLines)
    const text = [
      `export function declared() {${body}}`,
      `export class Store {\n  method() {${body}}\n  #hidden = () => {${body}}\n}`,
      `export const arrow = () => {${body}}`,
      `export const short = () => {${body.slice(1)}}`,
    ].join('\n')
    const names = withPlanted({ 'core/long.ts': text }).map((line) => line.split(' ')[1])
    expect(names).toEqual(['declared', 'method', '#hidden', 'arrow'])
  })

  test('counts parameters without this, and leaves out what has many on purpose', () => {
    const many = 'export function many(this: unknown, a = 1, b = 2, c = 3, d = 4, e = 5) { return a + b + c + d + e }'
    const few = many.replace(', e = 5', '').replace(' + e', '')
    expect(withPlanted({ 'core/many.ts': many })).toEqual([expect.stringMatching(/many has 5 parameters/)])
    expect(withPlanted({ 'core/few.ts': few, 'semantics/memory/many.ts': many })).toEqual([])
  })

  test('finds a value-import cycle of three files, and prints it', () => {
    const planted = {
      'core/a.ts': `import { b } from './b.ts'\nexport const a = () => b`,
      'core/b.ts': `import { c } from './c.ts'\nexport const b = () => c`,
      'core/c.ts': `import { a } from './a.ts'\nexport const c = () => a`,
    }
    expect(withPlanted(planted)).toEqual(['value-import cycle: core/a.ts → core/b.ts → core/c.ts → core/a.ts'])
  })

  test('allows a cycle that a type-only import closes, but not one closed by an inline type', () => {
    const cycle = (back: string) => ({
      'core/a.ts': `import { b } from './b.ts'\nexport const a = () => b`,
      'core/b.ts': `${back} from './a.ts'\nexport const b = 1`,
    })
    expect(withPlanted(cycle('import type { a }'))).toEqual([])
    expect(withPlanted(cycle('import { type a }'))).toEqual(['value-import cycle: core/a.ts → core/b.ts → core/a.ts'])
  })

  test('does not mistake a property of the same name for a global', () => {
    expect(
      withPlanted({ 'core/view.ts': `export const view = { console: 1 }\nexport const c = view.console` }),
    ).toEqual([])
  })

  test('says which file it could not parse', () => {
    expect(() => withPlanted({ 'core/broken.ts': 'export const = 1' })).toThrow('core/broken.ts does not parse')
  })
})
