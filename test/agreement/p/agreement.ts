/**
 * The interpreter and the product on the same P programs: under every delivery they must come to the same ends and find the same
 * violations, be it by states, by interleavings or through an engine.
 */
import type { Checked, TestCase } from '../../../src/frontends/p/symbols.ts'
import { declaredTests, testText } from './declared.ts'
import { generatedProgram } from './generate.ts'
import { interpret, type Outcomes } from './interpreter.ts'
import { foundBy, productPaths, searchedFor, walk } from './product.ts'
import { readProgram } from './read.ts'
import { shrunk } from './shrink.ts'
import { type Delivery, deliveries } from './world.ts'

export interface PTally {
  programs: number
  /** Tests of programs, each under one delivery. */
  compared: number
  /** Those with too many states. */
  dropped: number
  violated: number
  states: number
  /** Those whose executions were also gone through one by one. */
  enumerated: number
}

export function newPTally(): PTally {
  return { programs: 0, compared: 0, dropped: 0, violated: 0, states: 0, enumerated: 0 }
}

export interface CompareOptions {
  readonly tally: PTally
  /** Of the interpreter; the product counts every choice as a state. */
  readonly mostStates: number
  /** Of the interpreter: choices after which a handler has been somewhere twice. */
  readonly mostChoices?: number | undefined
}

/** What differs, in words; undefined: nothing. */
export function disagreement(text: string, options: CompareOptions): string | undefined {
  const read = readProgram(text)
  if ('problems' in read) return `refused: ${read.problems.join('; ')}`
  const { checked, declarations } = read
  options.tally.programs++
  const declared = declaredTests(declarations, checked)
  const texts = [...declared.keys()].map((at) => testText(declared[at] as TestCase, checked.tests[at] ?? { creates }))
  const problem = listDifference(
    texts,
    checked.tests.map((test) => testText(test, test)),
  )
  if (problem !== undefined) return `tests: ${problem}`
  for (const [at, test] of checked.tests.entries()) {
    // The others are the same program with other constants.
    if (at > 0 && at < checked.tests.length - 1) continue
    for (const delivery of deliveries) {
      const problem = compared({ checked, test, declared: declared[at] as TestCase, delivery }, options)
      if (problem !== undefined) return `${test.name}, ${delivery}: ${problem}`
    }
  }
  return undefined
}

const creates: TestCase['creates'] = new Map()

interface Case {
  readonly checked: Checked
  readonly test: TestCase
  /** The same test as the interpreter has it. */
  readonly declared: TestCase
  readonly delivery: Delivery
}

/** Decisions of the product for each state of the interpreter: choices are made one by one there. */
const visitsPerState = 100
/** Executions are gone through one by one only where there are few. */
const fewVisits = 200

function compared({ checked, test, declared, delivery }: Case, options: CompareOptions): string | undefined {
  const { tally, mostStates, mostChoices } = options
  const expected = interpret(checked, declared, { delivery, mostStates, mostChoices })
  const paths = () => productPaths(checked, test, delivery)
  const found = expected && walk(paths(), { byKeys: true, most: visitsPerState * mostStates })
  if (expected === undefined || found === undefined) {
    tally.dropped++
    return undefined
  }
  tally.compared++
  tally.states += expected.states
  if (expected.violations.length > 0) tally.violated++
  const byStates = difference(expected, found)
  if (byStates !== undefined) return `by states: ${byStates}`
  const told = { ends: expected.ends, violations: foundBy('stateful', paths()) }
  const byEngine = difference(expected, told)
  if (byEngine !== undefined) return `by the engine stateful along paths: ${byEngine}`
  const searched = { ends: expected.ends, violations: searchedFor(checked, test, delivery, paths()) }
  const bySearch = difference(expected, searched)
  if (bySearch !== undefined) return `by the engine stateful: ${bySearch}`
  const all = walk(paths(), { byKeys: false, most: fewVisits })
  if (all === undefined) return undefined
  tally.enumerated++
  const byOrders = difference(expected, all)
  if (byOrders !== undefined) return `by interleavings: ${byOrders}`
  const enumerated = { ends: expected.ends, violations: foundBy('exhaustive', paths()) }
  const byExhaustive = difference(expected, enumerated)
  return byExhaustive && `by the engine exhaustive: ${byExhaustive}`
}

type Compared = Pick<Outcomes, 'ends' | 'violations'>

function difference(expected: Compared, found: Compared): string | undefined {
  return listDifference(expected.ends, found.ends) ?? listDifference(expected.violations, found.violations)
}

function listDifference(expected: readonly string[], found: readonly string[]): string | undefined {
  const parts = [
    ...expected.filter((each) => !found.includes(each)).map((each) => `missing\n${each}`),
    ...found.filter((each) => !expected.includes(each)).map((each) => `not expected\n${each}`),
  ]
  return parts.length === 0 ? undefined : parts.join('\n')
}

/** The smallest program that shows a disagreement, with it. */
export function smallestDisagreement(text: string, mostStates: number): string {
  const problemOf = (smaller: string): string | undefined => {
    const problem = disagreement(smaller, { tally: newPTally(), mostStates })
    return problem?.startsWith('refused') ? undefined : problem
  }
  const smallest = shrunk(text, (smaller) => problemOf(smaller) !== undefined)
  return `${smallest}\n${problemOf(smallest) ?? disagreement(text, { tally: newPTally(), mostStates }) ?? ''}`
}

/** Yields after every program; returns the smallest program of a disagreement, if there is one. */
export function* soakP({ programs, seed }: { programs: number; seed: number }): Generator<PTally, string | undefined> {
  const options: CompareOptions = { tally: newPTally(), mostStates: 400 }
  for (let at = 0; at < programs; at++) {
    // Far apart, so that soaks with neighbouring seeds draw different programs.
    const text = generatedProgram(seed * 10_000_019 + at)
    const problem = disagreement(text, options)
    if (problem !== undefined) return smallestDisagreement(text, options.mostStates)
    yield options.tally
  }
  return undefined
}
