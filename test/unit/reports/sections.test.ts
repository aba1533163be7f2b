import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AtomicSection } from '../../../src/core/code.ts'
import { plainPaint } from '../../../src/reports/paint.ts'
import { rootCausesText } from '../../../src/reports/sections.ts'
import { widthOf } from '../../../src/reports/text-width.ts'

const source = `class Stack {
  push(x) {
    const i = this.top++
    this.items[i] = x
  }
  pop() {
    for (let i = t; i >= 0; i--) {
      x = this.items[i]
      this.items[i] = null
      if (x !== null) break
    }
    return x
  }
}`.split('\n')

const sources = () => source

function section(name: string, first: number, last: number, file = 'stack.ts'): AtomicSection {
  return { file, function: name, lines: { first, last } }
}

const pop = section('Stack.pop', 8, 9)
const push = section('Stack.push', 3, 4)

function lines(sections: readonly AtomicSection[], options = {}): readonly string[] {
  return rootCausesText([{ repairs: [{ sections, disables: 0 }] }], sources, options).split('\n')
}

describe('root causes', () => {
  test('are shown in their source, the other repairs below with what each costs', () => {
    const repairs = [
      { sections: [pop], disables: 0 },
      { sections: [push], disables: 1 },
      { sections: [push, section('Stack.pop', 8, 10)], disables: 1204 },
    ]
    expect(rootCausesText([{ repairs }], sources).split('\n')).toEqual([
      ' root cause 1  lines 8–9 of Stack.pop must be atomic                                        stack.ts',
      '    7 │ for (let i = t; i >= 0; i--) {',
      '    8 ┃   x = this.items[i]     ⎫ nothing may come',
      '    9 ┃   this.items[i] = null  ⎭ between these lines',
      '   10 │   if (x !== null) break',
      '   disables no linearizable execution',
      '   or: lines 3–4 of Stack.push                              disables 1 linearizable execution',
      '   or: lines 3–4 of Stack.push and lines 8–10 of Stack.pop  disables 1,204 linearizable executions',
    ])
  })

  test('say of a repair that is none for some executions how many it rules out', () => {
    const repairs = [
      { sections: [pop], disables: 0, rulesOut: { count: 41, of: 41 } },
      { sections: [push], disables: 41, rulesOut: { count: 35, of: 41 } },
      { sections: [push], disables: 1, rulesOut: { count: 41, of: 41 } },
      { sections: [push], disables: 0, rulesOut: { count: 1, of: 41 } },
    ]
    expect(rootCausesText([{ repairs }], sources).split('\n').slice(5)).toEqual([
      '   disables no linearizable execution',
      '   or: lines 3–4 of Stack.push',
      '       rules out 35 of 41 violating executions, disables 41 linearizable ones',
      '   or: lines 3–4 of Stack.push  disables 1 linearizable execution',
      '   or: lines 3–4 of Stack.push',
      '       rules out 1 of 41 violating executions, disables no linearizable one',
    ])
  })

  test('of several sections name each of them, and are numbered', () => {
    const causes = [[pop], [section('Stack.pop', 8, 10), section('Stack.push', 3, 3)]]
    const text = rootCausesText(
      causes.map((sections) => ({ repairs: [{ sections, disables: 2 }] })),
      sources,
    )
    expect(text.split('\n').slice(7)).toEqual([
      ' root cause 2  2 sections must be atomic, each by itself',
      '   lines 8–10 of Stack.pop                                                                  stack.ts',
      '    7 │ for (let i = t; i >= 0; i--) {',
      '    8 ┃   x = this.items[i]      ⎫',
      '    9 ┃   this.items[i] = null   ⎬ nothing may come',
      '   10 ┃   if (x !== null) break  ⎭ between these lines',
      '   11 │ }',
      '   line 3 of Stack.push                                                                     stack.ts',
      '   2 │ push(x) {',
      '   3 ┃   const i = this.top++  ◂ nothing may come in the middle',
      '   4 │   this.items[i] = x',
      '   disables 2 linearizable executions',
    ])
  })

  test('need no more than ASCII', () => {
    expect(lines([section('Stack.pop', 7, 10)], { ascii: true })).toEqual([
      ' root cause 1  lines 7-10 of Stack.pop must be atomic                                       stack.ts',
      '    6 | pop() {',
      '    7 #   for (let i = t; i >= 0; i--) {  \\',
      '    8 #     x = this.items[i]             > nothing may come',
      '    9 #     this.items[i] = null          | between these lines',
      '   10 #     if (x !== null) break         /',
      '   11 |   }',
      '   disables no linearizable execution',
    ])
  })

  test('at the edges of a file have no lines beyond it', () => {
    expect(lines([section('Stack', 1, 14)]).slice(1, 3)).toEqual([
      '    1 ┃ class Stack {                       ⎫',
      '    2 ┃   push(x) {                         ⎪',
    ])
    expect(lines([section('Stack', 13, 14)]).slice(1, -1)).toEqual([
      '   12 │     return x',
      '   13 ┃   }  ⎫ nothing may come',
      '   14 ┃ }    ⎭ between these lines',
    ])
  })

  test('of many lines leave out the middle and say how many', () => {
    expect(lines([section('Stack.pop', 1, 13)]).slice(6, 10)).toEqual([
      '    6 ┃   pop() {                           ⎪',
      '    7 ┃     for (let i = t; i >= 0; i--) {  ⎬ nothing may come',
      '    8 ┃       x = this.items[i]             ⎪ between these lines',
      '    9 ┃       this.items[i] = null          ⎪',
    ])
    const many = Array.from({ length: 40 }, (_, at) => `step${at + 1}()`)
    const repairs = [{ sections: [section('long', 3, 30)], disables: 0 }]
    expect(
      rootCausesText([{ repairs }], () => many)
        .split('\n')
        .slice(1, -1),
    ).toEqual([
      '    2 │ step2()',
      '    3 ┃ step3()     ⎫',
      '    4 ┃ step4()     ⎪',
      '    5 ┃ step5()     ⎪',
      '    6 ┃ step6()     ⎪',
      '    7 ┃ step7()     ⎪',
      '    8 ┃ step8()     ⎪',
      '    … ┃ (16 lines)  ⎬ nothing may come',
      '   25 ┃ step25()    ⎪ between these lines',
      '   26 ┃ step26()    ⎪',
      '   27 ┃ step27()    ⎪',
      '   28 ┃ step28()    ⎪',
      '   29 ┃ step29()    ⎪',
      '   30 ┃ step30()    ⎭',
      '   31 │ step31()',
    ])
  })

  test('whose source is not there are named all the same', () => {
    const repairs = [{ sections: [pop], disables: 0 }]
    expect(rootCausesText([{ repairs }], () => undefined).split('\n')).toHaveLength(2)
    expect(rootCausesText([{ repairs }], () => ['only one line']).split('\n')).toHaveLength(2)
    expect(rootCausesText([], sources)).toBe('')
  })

  test('with many other repairs show five and count the rest', () => {
    const repairs = Array.from({ length: 9 }, (_, at) => ({ sections: [push], disables: at }))
    const text = rootCausesText([{ repairs }], sources).split('\n')
    expect(text.filter((line) => line.startsWith('   or: '))).toHaveLength(5)
    expect(text.at(-1)).toBe('   … 3 more')
  })

  test('colour the bar beside the lines and nothing else of them', () => {
    const paint = { ...plainPaint, red: (text: string) => `<${text}>` }
    expect(lines([pop], { paint })[2]).toBe('    8 <┃>   x = this.items[i]     ⎫ nothing may come')
  })

  test.each([false, true])('fit the page whatever stands in the source (ascii: %s)', (ascii) => {
    const text = fc.string({ unit: 'grapheme', maxLength: 150 })
    const example = fc.record({
      source: fc.array(text, { minLength: 1, maxLength: 60 }),
      first: fc.integer({ min: 1, max: 60 }),
      length: fc.integer({ min: 0, max: 40 }),
      name: text,
      file: text,
    })
    fc.assert(
      fc.property(example, ({ source: own, first, length, name, file }) => {
        const sections = [section(name, first, first + length, file), section(name, first, first, file)]
        const repairs = [1, 2, 3].map((disables) => ({ sections: sections.slice(0, (disables % 2) + 1), disables }))
        const shown = rootCausesText([{ repairs }, { repairs: repairs.slice(1) }], () => own, { ascii })
        expect(Math.max(...shown.split('\n').map(widthOf))).toBeLessThanOrEqual(100)
        if (ascii) expect(shown).toMatch(/^[\n\x20-\x7e]*$/)
      }),
      { numRuns: 300, seed: 5 },
    )
  })
})
