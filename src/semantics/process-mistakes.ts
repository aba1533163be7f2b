/** What to say about a body that is not a process as it should be. */

import { answerText, isPromiseLike } from '../core/answer.ts'
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import { grouped } from '../core/grouped.ts'
import { Operation, type OperationKind, placeCapture, SettledOperation } from '../core/operation.ts'
import { answeredLimit, neverWaits, running } from '../core/running.ts'
import { freezeValue } from '../core/value.ts'
import type { ProcessStart } from './process-start.ts'

/** A process that is answered as it was before. */
interface Repeated {
  readonly start: { readonly id: string }
  readonly status: string
  readonly position: number
  readonly pending: Operation | undefined
}

/** A mistake that was made while a process ran, and in which. */
export function mistakeOf(process: string, diagnostic: Diagnostic): Diagnostic {
  const isNamed = diagnostic.message.includes(`"${process}"`)
  return isNamed ? diagnostic : { ...diagnostic, message: `${diagnostic.message}, in process "${process}"` }
}

/** What a process's function gave, which must be a generator or work like one. */
export function iteratorFrom(process: string, got: unknown): Iterator<unknown, unknown, unknown> {
  const isIterator = typeof got === 'object' && got !== null && typeof (got as { next?: unknown }).next === 'function'
  if (!isIterator) throw new DiagnosticError(notAGenerator(process, got))
  return got as Iterator<unknown, unknown, unknown>
}

function notAGenerator(process: string, got: unknown): Diagnostic {
  const isPromise = isPromiseLike(got)
  return {
    code: 'E212',
    message: `the body of process "${process}" returned ${answerText(got)} instead of performing operations`,
    hint: isPromise
      ? 'async processes work in files that allways loads, or Vitest with the plugin of allways/vite; here write function* and yield*'
      : 'write the body as function* (or async function) and use yield* (or await) on operations',
  }
}

/** What a process returned, frozen: others read it, and texts stand for it. The line of its `return` is not known, that of the last operation is. */
export function valueReturned(process: string, returned: unknown, last: Operation | undefined): unknown {
  const problem = freezeValue(returned)
  if (problem === undefined) return returned
  const { path, found } = problem
  throw new DiagnosticError({
    code: 'E205',
    message: `process "${process}" returned what is not a value: ${path === '' ? 'it' : `result${path}`} is ${found}`,
    hint: 'return plain data, as in messages: JSON-like objects and arrays, addresses, Map, Set, bigint; or nothing',
    stack: last?.stack,
  })
}

/** Its own line has passed: what it asks for next stands behind it. */
export function changedMessage(process: string, pending: Operation | undefined): Diagnostic {
  return {
    code: 'E230',
    message: `process "${process}" changed a Map or Set that was in a message`,
    hint: 'messages belong to all who have them: change a copy, as in new Map(map)',
    stack: pending?.stack,
  }
}

export function tooLong(
  process: string,
  { maxSteps, endlessHint }: { readonly maxSteps: number; readonly endlessHint?: string | undefined },
  pending: Operation | undefined,
): Diagnostic {
  return {
    code: 'E203',
    message: `process "${process}" performed ${grouped(maxSteps)} operations in one execution`,
    hint: endlessHint ?? 'every execution must end: bound its loop, or explore up to a bound with --max-steps n',
    stack: pending?.stack,
  }
}

export function bareYield(process: string, value: unknown): Diagnostic {
  const what = value instanceof Operation ? `yield ${value.kind}(…)` : 'yield of something that is not an operation'
  return {
    code: value instanceof Operation ? 'E207' : 'E208',
    message: `process "${process}" used ${what}`,
    hint: 'write yield* in front of every operation: bare yield has no type and no effect',
    stack:
      value instanceof SettledOperation
        ? noted(running.settledAt)
        : value instanceof Operation
          ? value.stack
          : undefined,
  }
}

export function notDeterministic({ pending, status, start, position }: Repeated, recorded: string): Diagnostic {
  const now = pending === undefined ? `ends (${status})` : `performs ${pending.kind}(…)`
  return {
    code: 'E201',
    message: `process "${start.id}" is not deterministic: operation ${position + 1} was ${recorded}(…), and now it ${now}`,
    hint: 'a process may depend only on what it receives and chooses: no clock, no randomness, no variable shared with others',
    stack: pending?.stack,
  }
}

/** What monitors may perform. */
const observing: ReadonlySet<OperationKind> = new Set(['receive', 'assert', 'announce', 'hot', 'cold'])

/** An engine's own processes are monitors to the program, but for what they pass on. */
export function refuseActing({ id, unbounded }: ProcessStart, operation: Operation): void {
  if (!observing.has(operation.kind) && !unbounded) throw new DiagnosticError(notObserving(id, operation))
}

/** Of operations in a row that are answered at once, so many were answered before this one. */
export function refuseEndless(answered: number, process: string, { kind, stack }: Operation): void {
  if (answered === answeredLimit) throw new DiagnosticError({ ...neverWaits(process, kind), stack })
}

function notObserving(monitor: string, { kind, stack }: Operation): Diagnostic {
  return {
    code: 'E218',
    message: `monitor "${monitor}" performed ${kind}(…)`,
    hint: 'a monitor may receive, assert, announce, and be hot or cold: the program must not notice it',
    stack,
  }
}

export function notMonitoring(process: string, { kind, stack }: Operation): Diagnostic {
  return {
    code: 'E218',
    message: `process "${process}" performed ${kind}(…), which is for monitors`,
    hint: "announce what happened, and let a monitor wait for it: monitor('answered', { observes: ['asked'] }, function* () { … })",
    stack,
  }
}

export function unperformed(process: string): Diagnostic {
  const [forgotten] = running.made
  return {
    code: 'E207',
    message: `process "${process}" made an operation${forgotten === undefined ? '' : `, ${forgotten.kind}(…),`} and did not perform it`,
    hint: 'write yield* in front of it, or await in an async function, where it is made',
    stack: forgotten?.stack,
  }
}

export function unawaited(process: string): Diagnostic {
  return {
    code: 'E211',
    message: `process "${process}" went on without awaiting an async call`,
    hint: 'await the call, or spawn a process for work that should go on by itself',
    stack: noted(running.unawaitedAt),
  }
}

/** What was noted while places were captured for another process says nothing of this one. */
function noted(stack: string | undefined): string | undefined {
  return placeCapture.enabled ? stack : undefined
}
