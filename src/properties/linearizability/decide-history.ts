/**
 * Is a history linearizable? A generator, so that its driver owns time: it yields after every few thousand configurations and
 * can be left there.
 *
 * Parts of the history are searched in turns, each for a thousand configurations, then those left for four thousand more, and so
 * on: one part that takes for ever must not keep another from being found wrong, which ends the search.
 */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import type { Call, CallResult, History } from '../../core/history.ts'
import {
  furtherArguments,
  needed,
  type Shape,
  type ShapeProblem,
  type Shapes,
  shape,
  shapeProblems,
  shapes,
} from '../../core/option-shape.ts'
import { stackOrGiven } from '../../core/thrown.ts'
import { nestingProblem } from '../../core/value.ts'
import { mergedOrder } from './merged-order.ts'
import { type Contradiction, type PartOutcome, PartSearch } from './part-search.ts'
import { type ObjectOf, type Part, partsOf } from './parts.ts'
import { type SomeSpecification, type Specification, specification } from './specification.ts'

export interface HistoryOptions {
  /** For a history of several objects of one kind: which one a call belongs to. */
  readonly objectOf?: ObjectOf | undefined
  /** Whether an order is wanted. It costs memory, and shortcuts do not find one. */
  readonly witness?: boolean | undefined
  /** False: search always, even where the specification has a shortcut. */
  readonly shortcuts?: boolean | undefined
  /** Bytes to use for what was searched already, about; beyond, some is searched again. Half a gigabyte unless told otherwise. */
  readonly memory?: number | undefined
  /** Configurations from one progress to the next. */
  readonly stride?: number | undefined
}

export interface HistoryProgress {
  readonly parts: number
  readonly decidedParts: number
  readonly operations: number
  readonly decidedOperations: number
  readonly configurations: number
}

export type HistoryDecision =
  | {
      readonly linearizable: true
      readonly progress: HistoryProgress
      /** All calls that returned, and others that took effect, in an order that explains every result. */
      readonly witness?: readonly Call[] | undefined
    }
  | ({
      readonly linearizable: false
      readonly progress: HistoryProgress
      /** The part that is not linearizable. */
      readonly part: Part
    } & Contradiction)

/** The verdict, with progress on the way. A call the specification does not know is a diagnostic, as is one at which it throws. */
export function* historySearch(
  history: History,
  object: SomeSpecification,
  options: HistoryOptions = {},
): Generator<HistoryProgress, Result<HistoryDecision>> {
  try {
    const sequential = specification(object)
    const unknown = unknownCalls(history, sequential)
    if (unknown.length > 0) return failure(...unknown)
    return success(yield* inTurns(partsOf(history.calls, sequential, options.objectOf), options))
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(error.diagnostic)
    throw error
  }
}

/** `historySearch` to its end, however long that takes. */
export function decideHistory(
  history: History,
  object: SomeSpecification,
  options: HistoryOptions = {},
  ...extra: readonly unknown[]
): Result<HistoryDecision> {
  // Its stack is written out only if somebody asks for it, which takes longer than a small history.
  const called = new Error()
  const problems = [
    ...furtherArguments(extra, 'checkHistory(history, specification, options)'),
    ...shapeProblems(options, optionShapes, { of: 'checkHistory(…)' }).map((one) => ({
      code: 'E107' as const,
      ...one,
    })),
    ...historyProblems(history).map((one) => ({ code: 'E501' as const, ...one })),
  ]
  if (problems.length > 0) return failure(...problems.map((one) => ({ stack: called.stack, ...one })))
  const search = historySearch(history, object, options)
  for (let step = search.next(); ; step = search.next()) {
    if (step.done !== true) continue
    // Calls made in code have no line of their own.
    return step.value.ok
      ? step.value
      : failure(...step.value.diagnostics.map((one) => ({ ...one, stack: stackOrGiven(one.stack, called.stack) })))
  }
}

const optionShapes: Shapes<HistoryOptions> = {
  objectOf: shapes.func,
  witness: shapes.flag,
  shortcuts: shapes.flag,
  memory: shapes.count,
  stride: shapes.count,
}

const callShapes: Shapes<Call> = {
  process: needed(shapes.text),
  operation: needed(shapes.text),
  args: needed(shapes.list),
  result: needed(
    shape(
      '{ kind: "returned", value }, { kind: "threw", error: "…" }, { kind: "unknown" } or { kind: "pending" }',
      isResult,
    ),
  ),
  invoked: needed(shapes.number),
  returned: needed(shapes.number),
  place: shapes.anything,
}

function isResult(value: unknown): boolean {
  const { kind, error } = Object(value) as { readonly kind?: unknown; readonly error?: unknown }
  return kind === 'threw' ? typeof error === 'string' : ['returned', 'unknown', 'pending'].some((one) => one === kind)
}

/** A history that was made in code, and not read from a file. */
function historyProblems(history: unknown): readonly ShapeProblem[] {
  const calls: unknown = (Object(history) as { readonly calls?: unknown }).calls
  if (!Array.isArray(calls)) {
    const hint = "{ calls: [{ process, operation, args, result: { kind: 'returned', value }, invoked, returned }] }"
    return [{ message: 'a history is { calls: […] }, a list of calls in order of invocation', hint }]
  }
  const problems = [
    ...shapeProblems(history, { calls: shapes.list }, { of: 'the history', noun: 'part', isInstance: true }),
    ...[...calls].flatMap((call, at) => callProblems(call, `call ${at + 1}`)),
  ]
  return (problems.length > 0 ? problems : overlapping(calls as readonly Call[])).slice(0, mistakesShown)
}

function callProblems(call: unknown, of: string): readonly ShapeProblem[] {
  const { result, args } = Object(call) as { readonly result?: { readonly kind: CallResult['kind'] }; args?: unknown }
  const inside = isResult(result) && result !== undefined ? resultShapes[result.kind] : undefined
  return [
    ...shapeProblems(call, callShapes, { of, noun: 'part' }),
    ...(inside === undefined ? [] : shapeProblems(result, inside, { of: `the result of ${of}`, noun: 'part' })),
    ...unprintable(args, `the arguments of ${of}`),
    ...unprintable(result, `the result of ${of}`),
    ...misplaced(call, of),
  ]
}

/** Times that no call can have. */
function misplaced(call: unknown, of: string): readonly ShapeProblem[] {
  const { invoked, returned, result } = Object(call) as Partial<Call>
  if (typeof invoked !== 'number' || typeof returned !== 'number') return []
  const hint = 'a call returns after it was invoked; one that has not returned has returned: Infinity'
  if (invoked > returned) return [{ message: `${of} was invoked at ${invoked} and returned at ${returned}`, hint }]
  if (result?.kind !== 'pending' || returned === Number.POSITIVE_INFINITY) return []
  return [{ message: `${of} is pending and returned at ${returned}`, hint }]
}

/** Calls of one process that overlap: it makes one at a time, so that something else is meant. */
function overlapping(calls: readonly Call[]): readonly ShapeProblem[] {
  const last = new Map<string, { readonly call: Call; readonly number: number }>()
  const inOrder = calls.map((call, at) => ({ call, number: at + 1 }))
  inOrder.sort((left, right) => left.call.invoked - right.call.invoked || left.call.returned - right.call.returned)
  return inOrder.flatMap((one): readonly ShapeProblem[] => {
    const before = last.get(one.call.process)
    last.set(one.call.process, one)
    if (before === undefined || before.call.returned <= one.call.invoked) return []
    const message = `calls ${before.number} and ${one.number} of process ${one.call.process} overlap`
    return [{ message, hint: 'a process makes one call at a time: name another process for what goes on meanwhile' }]
  })
}

function unprintable(value: unknown, what: string): readonly ShapeProblem[] {
  const problem = nestingProblem(value)
  if (problem === undefined) return []
  return [
    { message: `${what}: ${problem.path || 'it'} is ${problem.found}`, hint: 'give plain data, as JSON can hold' },
  ]
}

const resultShapes: { readonly [kind in CallResult['kind']]: { readonly [part: string]: Shape } } = {
  returned: { kind: shapes.text, value: shapes.anything },
  threw: { kind: shapes.text, error: shapes.text },
  unknown: { kind: shapes.text },
  pending: { kind: shapes.text },
}

const mistakesShown = 20

/** Calls of operations that the specification does not have, or with arguments it does not take. */
export function unknownCalls(history: History, object: Specification): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  for (const { operation, args, place } of history.calls) {
    const problem = object.problem(operation, args)
    if (problem !== undefined) found.push({ code: 'E503', message: problem.message, hint: problem.hint, place })
    if (found.length === mistakesShown) break
  }
  return found
}

const usualMemory = 1 << 29
const firstTurn = 1000
const growth = 4

function* inTurns(parts: readonly Part[], options: HistoryOptions): Generator<HistoryProgress, HistoryDecision> {
  const { witness = false, shortcuts = true, memory = usualMemory, stride = 10_000 } = options
  const count = new Count(parts)
  const orders: (readonly Call[])[] = []
  let waiting = parts.map((part) => new PartSearch(part, { witness, shortcuts }))
  for (let turn = firstTurn; waiting.length > 0; turn *= growth) {
    const undecided: PartSearch[] = []
    for (const search of waiting) {
      const outcome = yield* oneTurn(search, { turn, stride, memory: memory / waiting.length }, count)
      if (outcome.kind === 'contradiction') {
        return { linearizable: false, progress: count.progress(), part: search.part, ...outcome.contradiction }
      }
      if (outcome.kind === 'unfinished') undecided.push(search)
      else if (outcome.order !== undefined) orders.push(outcome.order)
      if (outcome.kind === 'linearizable') count.decide(search.part)
      if (count.isDue(stride)) yield count.progress()
    }
    waiting = undecided
  }
  return { linearizable: true, progress: count.progress(), ...(witness && { witness: mergedOrder(orders) }) }
}

interface Turn {
  /** Configurations. */
  readonly turn: number
  /** Configurations between two looks at the time. */
  readonly stride: number
  /** Bytes. */
  readonly memory: number
}

function* oneTurn(
  search: PartSearch,
  { turn, stride, memory }: Turn,
  count: Count,
): Generator<HistoryProgress, PartOutcome> {
  for (let left = turn; ; left -= stride) {
    const before = search.configurations
    const outcome = search.run(Math.min(left, stride), memory)
    count.explore(search.configurations - before)
    if (outcome.kind !== 'unfinished' || left <= stride) return outcome
    if (count.isDue(stride)) yield count.progress()
  }
}

/** How far the search is, and whether it is time to say so. */
class Count {
  readonly #parts: number
  readonly #operations: number
  #decidedParts = 0
  #decidedOperations = 0
  #configurations = 0
  /** Work done at the last progress event. */
  #said = 0

  constructor(parts: readonly Part[]) {
    this.#parts = parts.length
    this.#operations = parts.reduce((sum, { calls }) => sum + calls.length, 0)
  }

  explore(configurations: number): void {
    this.#configurations += configurations
  }

  decide({ calls }: Part): void {
    this.#decidedParts++
    this.#decidedOperations += calls.length
  }

  isDue(stride: number): boolean {
    const work = this.#configurations + this.#decidedOperations
    if (work - this.#said < stride) return false
    this.#said = work
    return true
  }

  progress(): HistoryProgress {
    return {
      parts: this.#parts,
      decidedParts: this.#decidedParts,
      operations: this.#operations,
      decidedOperations: this.#decidedOperations,
      configurations: this.#configurations,
    }
  }
}
