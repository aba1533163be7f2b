/**
 * P programs as processes and as machines apart, against the interpreter: `dpor` must come to the same ends, find the same violations and go
 * through each class of executions once; `local` must find what goes wrong inside machines.
 */
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import type { TestCase } from '../../../src/frontends/p/symbols.ts'
import { interpret, type Outcomes } from './interpreter.ts'
import { classesOf } from './orders.ts'
import { exploredByDpor, foundByLocal, type Subject } from './processes.ts'
import { productPaths } from './product.ts'
import { readProgram } from './read.ts'
import type { Delivery } from './world.ts'

export interface ViewsTally {
  /** Tests of programs, each under one delivery. */
  compared: number
  violated: number
  /** Those whose executions were counted by going through all of them. */
  counted: number
  /** Executions in those. */
  classes: number
  apart: number
  /** Those that have too many states, executions or orders. */
  dropped: number
  /** Those that are refused, because they go on for ever or because the view would not be exact. */
  refused: number
}

export function newViewsTally(): ViewsTally {
  return { compared: 0, violated: 0, counted: 0, classes: 0, apart: 0, dropped: 0, refused: 0 }
}

export interface Limits {
  readonly states: number
  readonly executions: number
  /** Decisions along all executions, one by one. */
  readonly decisions: number
}

/** What differs, in words; undefined: nothing. */
export function viewsDisagreement(
  text: string,
  delivery: Delivery,
  { tally, limits }: { readonly tally: ViewsTally; readonly limits: Limits },
): string | undefined {
  const read = readProgram(text)
  if ('problems' in read) return `refused: ${read.problems.join('; ')}`
  const { checked } = read
  const [declared] = checked.tests
  if (declared === undefined) return 'there is no test'
  const silent = { ...declared, monitors: [] }
  const of = (test: TestCase): Subject => ({
    checked,
    test,
    delivery,
    paths: productPaths(checked, test, delivery),
    announces: test.monitors.length > 0 && /\bannounce\b/.test(text),
  })
  const expectedOf = ({ test }: Subject) => interpret(checked, test, { delivery, mostStates: limits.states })
  // Monitors are refused on this network.
  const watched = of(delivery === 'mailbox' ? silent : declared)
  const expected = expectedOf(watched)
  if (expected === undefined) {
    tally.dropped++
    return undefined
  }
  const problem = unlessRefused(tally, () => dporDisagreement(watched, expected, { tally, limits }))
  if (problem !== undefined || !isForMachinesApart(delivery)) return problem
  const apart = of(silent)
  const alone = expectedOf(apart)
  if (alone === undefined) return undefined
  return unlessRefused(tally, () => localDisagreement(apart, alone, { tally, limits }))
}

/** Of the other networks an order between senders is known, which machines apart do not see. */
function isForMachinesApart(delivery: Delivery): boolean {
  return delivery === 'fifo' || delivery === 'bag'
}

function unlessRefused(tally: ViewsTally, compare: () => string | undefined): string | undefined {
  try {
    return compare()
  } catch (error) {
    const code = error instanceof DiagnosticError ? error.diagnostic.code : undefined
    if (code !== 'E203' && code !== 'E309') throw error
    tally.refused++
    return undefined
  }
}

interface Comparing {
  readonly tally: ViewsTally
  readonly limits: Limits
}

function dporDisagreement(subject: Subject, expected: Outcomes, { tally, limits }: Comparing): string | undefined {
  const found = exploredByDpor(subject, limits.executions)
  if (found === undefined) {
    tally.dropped++
    return undefined
  }
  tally.compared++
  if (expected.violations.length > 0) tally.violated++
  const wrong = difference(expected.violations, found.violations) ?? difference(expected.ends, found.ends)
  if (wrong !== undefined) return `dpor: ${wrong}`
  // Where something goes wrong, executions end for one and go on elsewhere for the other; announcements are no events.
  if (subject.announces || expected.violations.some((one) => !isAboutEnds(one))) return undefined
  const classes = classesOf(subject, limits.decisions)
  if (classes === undefined) return undefined
  tally.counted++
  tally.classes += classes.size
  return classes.size === found.executions
    ? undefined
    : `dpor: ${found.executions} executions of ${classes.size} classes`
}

function localDisagreement(subject: Subject, expected: Outcomes, { tally }: Comparing): string | undefined {
  const found = foundByLocal(subject, mostSigns)
  if (found === undefined) return undefined
  tally.apart++
  const wrong = difference(
    expected.violations.filter((one) => !isAboutEnds(one)),
    found,
  )
  return wrong && `local: ${wrong}`
}

/** Signs of progress of the local search. */
const mostSigns = 100

function isAboutEnds(violation: string): boolean {
  return violation.startsWith('deadlock') || violation.startsWith('hot')
}

function difference(expected: readonly string[], found: readonly string[]): string | undefined {
  const parts = [
    ...expected.filter((one) => !found.includes(one)).map((one) => `missing\n${one}`),
    ...found.filter((one) => !expected.includes(one)).map((one) => `not expected\n${one}`),
  ]
  return parts.length === 0 ? undefined : parts.join('\n')
}
