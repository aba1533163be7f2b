/** The page about P programs that are refused shows what the parser says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from '../../src/frontends/p/parser.ts'
import { toDiagnostic } from '../../src/frontends/p/problem.ts'
import { blocksOf } from './page.ts'
import { root } from './session.ts'

const page = readFileSync(join(root, 'docs/guide/troubleshooting/a-p-program-is-refused.md'), 'utf8')
const blocks = blocksOf(page)
const programs = blocks.flatMap(({ language, file, lines }, at) =>
  language === 'p' ? [{ file: file ?? '', text: `${lines.join('\n')}\n`, shown: blocks[at + 1]?.lines ?? [] }] : [],
)

describe('the page about P programs that are refused', () => {
  test.each(programs)('shows what is said about $file', ({ file, text, shown }) => {
    const source = { file, text }
    const said = parse(source, 0, { legacy: false }).problems.map((problem) => {
      const { code, message, hint, place } = toDiagnostic(problem, [source])
      return ` ✗ ${code}  ${message} ${place?.file}:${place?.line}:${place?.column} hint: ${hint}`
    })
    expect(words(shown.join(' '))).toEqual(words(said.join(' ')))
  })

  test('has a program for every code but that of deep nesting', () => {
    const codes = programs.map(({ shown }) => /E\d+/.exec(shown.join(' '))?.[0])
    expect(codes).toEqual(['E701', 'E702', 'E703', 'E704', 'E705', 'E706', 'E707', 'E709'])
  })
})

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
