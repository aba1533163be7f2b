/** A check file from its text, as the command would load it, without a file and without a bundle: many in a second. */
import { transformSync } from 'esbuild'
import { withTerm } from '../../src/check/prove/term.ts'
import { registerSource } from '../../src/check/source-places.ts'
import { transform } from '../../src/frontends/typescript/transform.ts'
import * as allways from '../../src/index.ts'
import * as coroutine from '../../src/model/coroutine.ts'
import type { Program } from '../../src/program/program.ts'

/** What every program may use, on its first line. */
export const imports = `import { ${Object.keys(allways).sort().join(', ')} } from 'allways'\n`

/** One name for all: what is kept about a source is that of the latest. */
const file = 'hostile.check.ts'

/** Test runners ask for the time when something is printed, which processes must not. */
const silent = Object.fromEntries(Object.keys(console).map((name) => [name, () => {}]))

/** The program that the text exports by default, with its term if it has sizes. */
export function loaded(text: string): Program {
  const transformed = transform(text, file)
  if (!transformed.ok) throw new Error(transformed.diagnostics.map(({ message }) => message).join('\n'))
  const { code } = transformSync(transformed.value.code, { loader: 'ts', format: 'cjs' })
  const module: { exports: { default?: Program } } = { exports: {} }
  const load = (name: string): object => (name === 'allways' ? allways : coroutine)
  new Function('module', 'exports', 'require', 'console', code)(module, module.exports, load, silent)
  const program = module.exports.default
  if (program === undefined) throw new Error('the text exports no program')
  registerSource(`${process.cwd()}/${file}`, text)
  return withTerm({ exportName: 'default', program, place: { file, ...placeOfProgram(text) } }).program
}

function placeOfProgram(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf('export default program(') + 'export default '.length).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
