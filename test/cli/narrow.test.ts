/** A terminal of 40 columns: no line is wider, so that no table breaks, and what a wide page says is all there. */
import { describe, expect, test } from 'vitest'
import { setPageWidth, widthOf } from '../../src/reports/text-width.ts'
import { longIf } from '../amount.ts'
import { allways, type Ran } from './harness.ts'

async function at(columns: number | undefined, argv: readonly string[]): Promise<Ran> {
  try {
    return await allways(argv, columns === undefined ? {} : { env: { COLUMNS: `${columns}` } })
  } finally {
    setPageWidth(Number.POSITIVE_INFINITY)
  }
}

/** What is there to be pasted is whole. */
const pasted = /^\s*npx allways |^\s*(?:At\s+)?\S+:\d+:\d+$|^ {3}\S+\.(?:check\.)?ts(?::\d+)?$/

const commands: readonly (readonly [string, readonly string[]])[] = [
  ['an assertion', ['check', 'examples/bank.check.ts', '--network', 'bag']],
  ['what holds', ['check', 'examples/bank.check.ts', '--network', 'causal', '-t', 'nothing of the kind']],
  ['a class', ['linearize', 'examples/cache.check.ts']],
  ['a proof, and a violation', ['prove', 'examples/task-service.check.ts']],
  ['a history', ['linearize', 'corpus/histories/lock-no.history.jsonl']],
  ['a refinement', ['check', 'examples/generals.check.ts']],
  ['mistakes', ['check', 'examples/bank.check.ts', '--engine', 'dpr', '--network', 'baag']],
]

describe.each([40, 57, 80])('with %i columns', (columns) => {
  for (const [row, [what, argv]] of commands.entries())
    test(`${what} fits`, longIf(true, columns > 40 || row % 2 > 0), async () => {
      const [wide, narrow] = [await at(undefined, argv), await at(columns, argv)]
      expect(narrow.code).toBe(wide.code)
      const lines = `${narrow.stdout}${narrow.stderr}`.split('\n')
      expect(lines.filter((line) => widthOf(line) > columns && !pasted.test(line))).toEqual([])
    })
})

/** Sentences without what is drawn: letters in their order, wherever lines break. */
function sentences(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
}

test('what is said beside the picture is said in 40 columns as well', async () => {
  const { stdout } = await at(40, ['check', 'examples/bank.check.ts', '--network', 'bag'])
  const said = sentences(stdout)
  for (const words of [
    'assertion violated',
    'in account examples bank check ts 27',
    'found in the first execution bag no faults',
    'account fails because of what it was given 0 read from ann from ann step',
    'npx allways replay',
  ])
    expect(said).toContain(words)
})

test('a number of columns that is none is overlooked, and a page has 40 at least', async () => {
  const asked = ['check', 'examples/bank.check.ts', '--engine', 'dpr']
  const wide = await at(undefined, asked)
  for (const odd of [0, -1, Number.NaN]) expect((await at(odd, asked)).stderr).toBe(wide.stderr)
  expect((await at(3, asked)).stderr).toBe((await at(40, asked)).stderr)
})
