/** From the text of a P program to the tree that the oracle runs. */
import type { Declaration, SourceText } from '../../../src/frontends/p/ast.ts'
import { checkProject } from '../../../src/frontends/p/check.ts'
import { parse } from '../../../src/frontends/p/parser.ts'
import type { Checked } from '../../../src/frontends/p/symbols.ts'

export type Read =
  | { readonly checked: Checked; readonly declarations: readonly Declaration[] }
  | { readonly problems: readonly string[] }

export function readProgram(...texts: readonly string[]): Read {
  const sources = texts.map((text, at): SourceText => ({ file: `program${at}.p`, text }))
  const parsed = sources.map((source, at) => parse(source, at, { legacy: false }))
  const told = parsed.flatMap(({ problems }) => problems)
  if (told.length > 0) return { problems: told.map(({ message }) => message) }
  const { checked, problems } = checkProject(parsed, sources)
  return checked === undefined
    ? { problems: problems.map(({ message }) => message) }
    : { checked, declarations: parsed.flatMap((one) => one.declarations) }
}
