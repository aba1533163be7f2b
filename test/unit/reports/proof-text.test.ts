/** Whole outputs, kept beside this file. */
import { describe, expect, test } from 'vitest'
import { scopeSentence } from '../../../src/reports/scope.ts'
import { textReport, textResult } from '../../../src/reports/text.ts'
import { widthOf } from '../../../src/reports/text-width.ts'
import { at, incompleteProof, notCanonical, provedVerdict, reportedProof, scope } from './proofs.ts'

async function golden(text: string, name: string): Promise<void> {
  for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(100)
  expect(text).not.toMatch(/[ \t]$/m)
  await expect(`${text}\n`).toMatchFileSnapshot(`./golden/${name}.txt`)
}

describe('a proof', () => {
  test('is the sequential program, with the lines of the receive and the send of every message', async () => {
    await golden(textResult(reportedProof(provedVerdict)), 'proof-proved')
  })

  test('is written without anything beyond ASCII where that is asked for', () => {
    const text = textResult(reportedProof(provedVerdict), { ascii: true })
    expect(text).toMatch(/^[\n -~]*$/)
    expect(text).toContain('for every clients >= 0')
    expect(text).toContain('16 <- 8: received in line 16, sent in line 8')
  })

  test('of several sizes names each with its least', () => {
    expect(scopeSentence({ ...provedVerdict, scope: { ...scope, sizes: { mappers: 1, work: 0 } } })).toBe(
      'no process waits for ever and none fails, for every mappers ≥ 1 and every work ≥ 0; confirmed by execution for 3 of the 4 sizes clients = 0 to 3',
    )
  })

  test('has assertions over data below it, each with its answer', async () => {
    const assertions = [
      { place: at(30), message: 'the sum is right', answer: 'proved', why: 'numbers are taken to be whole' },
      { place: at(31), message: 'few', answer: 'unknown', why: undefined },
      { place: at(32), message: 'none', answer: 'unknown', why: 'count = -1' },
    ] as const
    await golden(
      textResult(reportedProof(incompleteProof({ notCanonical: undefined, assertions }))),
      'proof-assertions',
    )
  })
})

describe('no proof', () => {
  test('has the reason, the places, how far it got, what is left, a hint and a command', async () => {
    await golden(textResult(reportedProof(incompleteProof())), 'proof-not-canonical')
  })

  test.each([
    ['asymmetric race', 'send both in one place'],
    ['superfluous send', 'receive the message, or do not send it'],
    ['indiscriminate communication', 'receive from the member at hand'],
    ['loop-carried termination', 'repeat a known number of times'],
    ['unmatched receive', 'who should have sent it?'],
    ['possible failure', 'receive only what cannot fail'],
  ] as const)('because of %s has a hint of its own', (reason, hint) => {
    const text = textResult(reportedProof(incompleteProof({ notCanonical: { ...notCanonical, reason } })))
    expect(text).toContain(`   ${reason}: `)
    expect(text).toContain(hint)
  })

  test.each([
    [[{ n: 0 }, { n: 1 }], [], undefined, 'no violation in 7 executions of n = 0 to 1'],
    [[{ n: 2 }], [], undefined, 'no violation in 7 executions of n = 2'],
    [
      [{ n: 0 }],
      [{ n: 1 }],
      'time',
      'no violation in 7 executions of 1 of the 2 sizes n = 0 to 1: stopped by the time budget (--time)',
    ],
    [
      [{ n: 0, m: 1 }],
      [
        { n: 0, m: 2 },
        { n: 3, m: 1 },
      ],
      'interrupt',
      'no violation in 7 executions of 1 of the 3 combinations n = 0 to 3 and m = 1 to 2: stopped by an interrupt',
    ],
    [[], [{ n: 0 }], 'time', 'no sizes were explored to the end: stopped by the time budget (--time)'],
  ] as const)('says which sizes were explored: %o and not %o', (sizes, unfinished, because, expected) => {
    const bounded = { sizes, unfinished, because, executions: 7 }
    expect(scopeSentence(incompleteProof({ bounded }))).toBe(
      `neither proved nor violated for every clients ≥ 0: not canonical (superfluous send); ${expected}`,
    )
  })

  test('because of assertions says so', () => {
    expect(scopeSentence(incompleteProof({ notCanonical: undefined }))).toBe(
      'only assertions over data are left to be proved for every clients ≥ 0; no violation in 1,234 executions of clients = 0 to 1',
    )
  })
})

test('proofs are summed up with other results', () => {
  const text = textReport([reportedProof(provedVerdict), reportedProof(incompleteProof())])
  expect(text).toContain('1 incomplete · 1 proved')
})
