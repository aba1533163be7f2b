/**
 * A check file from its text, as the command would load it, without a file and without a bundler: many in a second. The text is
 * JavaScript and begins with `imports`.
 */
import { cwd } from 'node:process'
import { runInThisContext } from 'node:vm'
import { withTerm } from '../../src/check/prove/term.ts'
import { registerBundle, registerSource } from '../../src/check/source-places.ts'
import { transform } from '../../src/frontends/typescript/transform.ts'
import * as allways from '../../src/index.ts'
import * as coroutine from '../../src/model/coroutine.ts'
import { isProgram, type Program } from '../../src/program/program.ts'

/** What every program may use, on its first line. */
export const imports = `import { ${Object.keys(allways).sort().join(', ')} } from 'allways'\n`

/** One name for all: what is kept about a source is that of the latest. */
export const file = 'hostile.check.ts'

/** Test runners ask for the time when something is printed, which processes must not. */
const silent = Object.fromEntries(Object.keys(console).map((name) => [name, () => {}]))

/** What the text exports by default; its places are those of the text. */
export function evaluated(text: string): unknown {
  const transformed = transform(text, file)
  if (!transformed.ok) throw new Error(transformed.diagnostics.map(({ message }) => message).join('\n'))
  const { code, map } = transformed.value
  // No line and no column of what follows them moves. What is declared is lowered before the first line, which these are.
  const body = code
    .replace(/(?:^|; )import (\{.*\}) from 'allways'/, '; const $1 = $modules')
    .replace("import * as $allways from 'allways/coroutine'", '')
    .replace('export default ', 'exports.main = ')
  const name = `allways:hostile/${file}`
  registerBundle([name], { map: JSON.stringify({ ...(JSON.parse(map) as object), sources: [file] }), folder: cwd() })
  registerSource(`${cwd()}/${file}`, text)
  const exported: { main?: unknown } = {}
  const run = runInThisContext(`(function (exports, $modules, $allways, console) { 'use strict'; ${body}\n})`, {
    filename: name,
    columnOffset: -"(function (exports, $modules, $allways, console) { 'use strict'; ".length,
  }) as (...args: readonly unknown[]) => void
  run(exported, allways, coroutine, silent)
  return exported.main
}

/** The program that the text exports, with its term if it has sizes. */
export function loaded(text: string): Program {
  const program = evaluated(text)
  if (!isProgram(program)) throw new Error('the text exports no program')
  return withTerm({ exportName: 'default', program, place: { file, ...placeOfProgram(text) } }).program
}

function placeOfProgram(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf('export default program(') + 'export default '.length).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
