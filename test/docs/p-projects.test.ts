/** The page about P programs that do not fit together shows what the checker says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diagnosticCodes } from '../../src/core/diagnostic-codes.ts'
import { checkProject } from '../../src/frontends/p/check.ts'
import { parse } from '../../src/frontends/p/parser.ts'
import { toDiagnostic } from '../../src/frontends/p/problem.ts'
import { blocksOf } from './page.ts'
import { root } from './session.ts'

const page = readFileSync(join(root, 'docs/guide/troubleshooting/a-p-program-does-not-fit.md'), 'utf8')
const blocks = blocksOf(page)
const programs = blocks.flatMap(({ language, file, lines }, at) =>
  language === 'p' ? [{ file: file ?? '', text: `${lines.join('\n')}\n`, shown: blocks[at + 1]?.lines ?? [] }] : [],
)

describe('the page about P programs that do not fit together', () => {
  test.each(programs)('shows what is said about $file', ({ file, text, shown }) => {
    const sources = [{ file, text }]
    const parsed = sources.map((source, index) => parse(source, index, { legacy: false }))
    expect(parsed.flatMap(({ problems }) => problems)).toEqual([])
    const { problems, warnings } = checkProject(parsed, sources)
    const said = [...problems, ...warnings].map((problem) => {
      const { code, message, hint, place } = toDiagnostic(problem, sources)
      return ` ✗ ${code}  ${message} ${place?.file}:${place?.line}:${place?.column} hint: ${hint}`
    })
    expect(words(shown.join(' '))).toEqual(words(said.join(' ')))
  })

  test('has a program for every code', () => {
    const codes = programs.map(({ shown }) => /E\d+/.exec(shown.join(' '))?.[0])
    expect(codes).toEqual(Object.keys(diagnosticCodes).filter((code) => code >= 'E710' && code < 'E740'))
  })
})

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
