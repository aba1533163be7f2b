import { expect } from 'vitest'
import { type CheckedProject, checkProject } from '../../../../src/frontends/p/check.ts'
import { parse } from '../../../../src/frontends/p/parser.ts'
import { placeOf } from '../../../../src/frontends/p/problem.ts'
import type { Checked } from '../../../../src/frontends/p/symbols.ts'

/** Each text is a file. */
export function check(texts: readonly string[], options: { readonly allMonitors?: boolean } = {}): CheckedProject {
  const sources = texts.map((text, index) => ({ file: `${index}.p`, text }))
  const parsed = sources.map((source, index) => parse(source, index, { legacy: false }))
  expect(parsed.flatMap((file) => file.problems)).toEqual([])
  return checkProject(parsed, sources, options)
}

export function accepted(...texts: readonly string[]): Checked {
  const { checked, problems } = check(texts)
  expect(problems).toEqual([])
  if (checked === undefined) throw new Error('a project without problems is checked')
  return checked
}

/** The marked text is refused, for the reason and at the place of the mark; only there. */
export function expectRefused(code: string, marked: string): void {
  const at = marked.indexOf('@')
  expect(at).toBeGreaterThanOrEqual(0)
  const text = marked.replace('@', '')
  const { checked, problems } = check([text])
  expect(problems.map((problem) => `${problem.code} ${placeText(problem.at.start, text)}`)).toEqual([
    `${code} ${placeText(at, text)}`,
  ])
  expect(checked).toBeUndefined()
}

function placeText(start: number, text: string): string {
  const { line, column } = placeOf({ source: 0, start, end: start }, [{ file: '', text }])
  return `${line}:${column} ${JSON.stringify(text.slice(start, start + 12))}`
}

/** What the only problem says, and what to do about it. */
export function told(text: string): string {
  const { problems } = check([text])
  expect(problems).toHaveLength(1)
  return `${problems[0]?.message}; ${problems[0]?.hint}`
}

/** A machine whose entry has the body. */
export function main(body: string): string {
  return `machine Main { start state Init { entry { ${body} } } }`
}
