/**
 * The corpus' programs of any size: what is true of some sizes is what dpor finds there, what is said of all sizes fits it, and the
 * prover says just that.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/core/diagnostic.ts'
import type { Params } from '../../src/core/setting.ts'
import { checkProof } from '../../src/engines/sequentialize/kernel.ts'
import { sequentialize } from '../../src/engines/sequentialize/sequentialize.ts'
import { extractIcet } from '../../src/frontends/typescript/icet/extract.ts'
import { cut, isSlow } from '../amount.ts'
import { type ProofAnswer, reasons } from './answers.ts'
import { casesOf, explored, type ProveCase, readProveEntries } from './prove-cases.ts'
import { sharedOut } from './shared-out.ts'

const entries = await readProveEntries()
const cases = entries.flatMap(casesOf)
/** These are asked of engines; quickly, some of them. */
const asked = sharedOut(cases)
describe('the entries are complete', () => {
  test.each(entries)('$name says of exactly the programs it exports what prove answers', (entry) => {
    expect(
      casesOf(entry)
        .map(({ exportName }) => exportName)
        .sort(),
    ).toEqual([...entry.programs.keys()].sort())
  })

  test.each(titled(cases))('%s, for all values of its parameters', (_title, { every, program }) => {
    expect([...every].sort()).toEqual(Object.keys(program.every).sort())
  })

  test('all benchmarks of Brisk, Table 6.1, are there, with more than sixty mistakes', () => {
    expect(entries.length).toBeGreaterThanOrEqual(17)
    expect(cases.filter(({ answer }) => answer.verdict !== 'proved').length).toBeGreaterThan(60)
  })

  test.each(reasons)('a program is not canonical because of: %s', (reason) => {
    expect(cases.map(({ answer }) => ('reason' in answer ? answer.reason : undefined))).toContain(reason)
  })
})

describe('what is said of all sizes fits what is true of some', () => {
  test.each(titled(cases))('%s', (_title, { answer, truths, program }) => {
    const violated = truths.filter(({ truth }) => truth.verdict === 'violated')
    const unread = truths.filter(({ truth }) => truth.orphans > 0)
    expect(truths.length).toBeGreaterThan(0)
    switch (answer.verdict) {
      case 'proved':
        expect([...violated, ...unread]).toEqual([])
        break
      case 'violated': {
        expect(violated.map(({ params }) => params)).toContainEqual(answer.least)
        expect(violated.filter(({ params }) => isSmaller(params, answer.least))).toEqual([])
        expect(Object.keys(answer.least).sort()).toEqual(Object.keys(program.every).sort())
        break
      }
      case 'not canonical':
        expect(violated).toEqual([])
        if (answer.reason === 'superfluous send') expect(unread).not.toEqual([])
        else if (answer.reason !== 'asymmetric race') expect(unread).toEqual([])
    }
  })
})

describe('what is true of some sizes is what dpor finds', cut, () => {
  test.each(titled(asked))('%s', (_title, { folder, exportName, program, truths }) => {
    for (const { params, truth, slow } of truths) {
      if (slow && !isSlow) continue
      expect(explored(program, params), `${folder} ${exportName} ${JSON.stringify(params)}`).toEqual(truth)
    }
  })
})

describe('the prover finds what is said of all sizes', cut, () => {
  test.each(titled(asked))('%s', (_title, one) => {
    const found = proverAnswer(one)
    const said = `${one.folder} ${one.exportName}: expected ${words(one.answer)}, found ${found.words}`
    // That a program is wrong is for a search to say; the prover must only not accept it.
    if (one.answer.verdict === 'violated') expect(rejections(one), said).toContain(found.kind)
    else expect(found.words.replace(/ \(.*$/s, ''), said).toBe(words(one.answer))
  })
})

interface Found {
  readonly kind: 'proved' | 'assertions left' | 'not canonical' | 'refused' | 'wrong proof'
  readonly words: string
}

function proverAnswer({ file, exportName }: ProveCase): Found {
  const extracted = extractIcet({ file, source: readFileSync(file, 'utf8'), at: exportName })
  if (!extracted.ok) return refused(extracted.diagnostics)
  const result = sequentialize(extracted.value)
  if (result.kind === 'not canonical')
    return { kind: 'not canonical', words: `not canonical: ${result.reason} (${result.message})` }
  const problem = checkProof(extracted.value, result.proof)
  if (problem !== undefined) return { kind: 'wrong proof', words: `a proof that does not hold (${problem})` }
  return { kind: result.kind, words: result.kind }
}

function refused(diagnostics: readonly Diagnostic[]): Found {
  const about = diagnostics.map(({ code, message, place }) => `${code} line ${place?.line}: ${message}`).join('; ')
  return { kind: 'refused', words: `refused (${about})` }
}

/** Answers that do not accept a program that is wrong. */
function rejections({ truths }: ProveCase): readonly Found['kind'][] {
  const deadlocks = truths.some(({ truth }) => truth.violation === 'deadlock')
  return deadlocks ? ['not canonical'] : ['not canonical', 'assertions left']
}

function titled(some: readonly ProveCase[]): readonly (readonly [string, ProveCase])[] {
  return some.map((one) => [`${one.folder} ${one.exportName}: ${words(one.answer)}`, one])
}

function words(answer: ProofAnswer): string {
  switch (answer.verdict) {
    case 'proved':
      return 'proved'
    case 'violated':
      return `violated ${JSON.stringify(answer.least)}`
    case 'not canonical':
      return `not canonical: ${answer.reason}`
  }
}

/** Nowhere larger, and not the same. */
function isSmaller(left: Params, right: Params): boolean {
  const names = Object.keys(right)
  const pairs = names.map((name) => [left[name], right[name]] as readonly [number, number])
  return pairs.every(([mine, other]) => mine <= other) && pairs.some(([mine, other]) => mine < other)
}
