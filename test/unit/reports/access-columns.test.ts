import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AccessColumnsOptions, type AccessStep, accessColumns } from '../../../src/reports/access-columns.ts'
import { plainPaint } from '../../../src/reports/paint.ts'
import { widthOf } from '../../../src/reports/text-width.ts'

const call = (process: string, what: string): AccessStep => ({ kind: 'call', process, what })
const returns = (process: string, what: string, isBad = false): AccessStep => ({ kind: 'return', process, what, isBad })

function access(process: string, line: number, code: string, what: string, file = 'src/stack.ts'): AccessStep {
  return { kind: 'access', process, file, line, code, what }
}

const twicePopped: readonly AccessStep[] = [
  call('p1', 'push(1)'),
  access('p1', 3, '    const i = this.top++', 'reads top → 0, writes top = 1'),
  call('p2', 'pop()'),
  access('p2', 7, 'for (let i = this.top; i >= 0; i--) {', 'reads top → 1'),
  access('p1', 4, '\tthis.items[i] = x', 'writes items[0] = 1'),
  returns('p1', 'returns undefined'),
  call('p3', 'pop()'),
  access('p3', 8, 'x = this.items[i]', 'reads items[0] → 1'),
  access('p2', 8, 'x = this.items[i]', 'reads items[0] → 1'),
  returns('p2', 'returns 1'),
  returns('p3', 'returns 1', true),
]

function lines(steps: readonly AccessStep[], options?: AccessColumnsOptions): readonly string[] {
  return accessColumns(steps, options).split('\n')
}

describe('columns', () => {
  test('stand in the order of the names, whoever steps first', () => {
    const [header] = lines([call('p10', 'pop()'), call('p2', 'pop()'), call('p1', 'pop()')])
    expect(header?.trim()).toBe('p1      p2      p10')
  })

  test('end with a cross for each call that waits for ever, which is no step', () => {
    const waits: AccessStep = { kind: 'wait', process: 'p1', what: 'eat waits for ever' }
    const shown = lines([
      call('p1', 'eat()'),
      access('p1', 3, 'left.acquire()', 'locks left'),
      call('p2', 'eat()'),
      waits,
    ])
    expect(shown.at(-1)?.trim()).toBe('✗ eat waits for ever')
    expect(shown.filter((line) => /^ *\d/.test(line))).toHaveLength(3)
  })

  test('show every access in its process, and where another one takes over', () => {
    expect(lines(twicePopped)).toEqual([
      '       stack.ts  p1      p2      p3',
      '    1            ┌ push(1)',
      '    2         3  │  const i = this.top++                               reads top → 0, writes top = 1',
      '                 ├───────▶',
      '    3            │       ┌ pop()',
      '    4         7  │       │  for (let i = this.top; i >= 0; i--) {      reads top → 1',
      '                 ◀───────┤',
      '    5         4  │  this.items[i] = x                                  writes items[0] = 1',
      '    6            └ returns undefined',
      '                 ├───────────────▶',
      '    7                    │       ┌ pop()',
      '    8         8          │       │  x = this.items[i]                  reads items[0] → 1',
      '                         ◀───────┤',
      '    9         8          │  x = this.items[i]                          reads items[0] → 1',
      '   10                    └ returns 1',
      '                         ├───────▶',
      '   11                            └ ✗ returns 1',
    ])
  })

  test('need no more than ASCII', () => {
    expect(lines(twicePopped.slice(0, 5), { ascii: true })).toEqual([
      '      stack.ts  p1      p2',
      '   1            + push(1)',
      '   2         3  |  const i = this.top++                           reads top -> 0, writes top = 1',
      '                |------->',
      '   3            |       + pop()',
      '   4         7  |       |  for (let i = this.top; i >= 0; i--) {  reads top -> 1',
      '                <-------|',
      '   5         4  |  this.items[i] = x                              writes items[0] = 1',
    ])
  })

  test('name the file in every row when there are several', () => {
    const steps = [access('p1', 3, 'a', 'reads a → 0', 'src/a.ts'), access('p1', 14, 'b', 'reads b → 0', 'src/list.ts')]
    expect(lines(steps)).toEqual([
      '                  p1',
      '   1      a.ts:3  │  a                 reads a → 0',
      '   2  list.ts:14  │  b                 reads b → 0',
    ])
  })

  test('of an execution without steps are empty', () => {
    expect(accessColumns([]).trim()).toBe('')
  })

  test('colour what was read, and the return that cannot be', () => {
    const paint = { ...plainPaint, red: (text: string) => `<${text}>`, cyan: (text: string) => `(${text})` }
    const steps = [access('p1', 1, 'a', 'reads a → 0'), returns('p1', 'returns 0', true)]
    expect(lines(steps, { paint }).slice(1)).toEqual([
      '   1         1  │  a                 (reads a → 0)',
      '   2            └< ✗ returns 0>',
    ])
  })
})

describe('long executions', () => {
  const loop = (process: string, length: number) =>
    Array.from({ length }, (_, at) => access(process, 7, 'for (;;) {', `reads items[${at}] → null`))

  test('shorten the longest runs of one process to the rows there are', () => {
    const steps = [
      call('p1', 'pop()'),
      ...loop('p1', 50),
      call('p2', 'pop()'),
      ...loop('p2', 6),
      returns('p1', 'returns 1', true),
    ]
    const shown = lines(steps, { maxRows: 20 })
    expect(shown).toHaveLength(21)
    expect(shown.slice(0, 6)).toEqual([
      '       stack.ts  p1      p2',
      '    1            ┌ pop()',
      '    2         7  │  for (;;) {                reads items[0] → null',
      '                 │ … 42 more steps of p1',
      '   45         7  │  for (;;) {                reads items[43] → null',
      '   46         7  │  for (;;) {                reads items[44] → null',
    ])
  })

  test('of exactly as many rows as there are show all of them', () => {
    expect(lines(loop('p1', 40))).toHaveLength(41)
    expect(accessColumns(loop('p1', 40))).not.toContain('more steps')
    expect(accessColumns(loop('p1', 41))).toContain('… 2 more steps of p1')
  })

  test('that switch at every step leave out the middle', () => {
    const steps = Array.from({ length: 100 }, (_, at) => access(`p${at % 2}`, at, 'code', 'reads a → 0'))
    const shown = lines(steps, { maxRows: 12 })
    // Three rows at the beginning hold two steps, eight at the end four.
    expect(shown).toHaveLength(13)
    expect(shown[4]).toBe('                  … 94 steps left out …')
    expect(shown[1]).toContain('  0  │')
    expect(shown.at(-1)).toContain(' 99  ')
  })
})

test.each([false, true])('no picture is wider than the page, and none says less than its rows (ascii: %s)', (ascii) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 120 })
  const step = fc.record({
    kind: fc.constantFrom('call' as const, 'access' as const, 'return' as const),
    process: fc.oneof(fc.constantFrom('p1', 'p2', 'p3'), text),
    line: fc.nat({ max: 5000 }),
    file: fc.oneof(fc.constant('a.ts'), text),
    code: text,
    what: text,
    isBad: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 8, max: 60 }), (steps, maxRows) => {
      const shown = accessColumns(steps, { ascii, maxRows })
      const rows = shown.split('\n')
      expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(100)
      expect(rows.length).toBeLessThanOrEqual(maxRows + 1)
      if (ascii) expect(shown).toMatch(/^[\n\x20-\x7e]*$/)
    }),
    { numRuns: 300, seed: 3 },
  )
})
