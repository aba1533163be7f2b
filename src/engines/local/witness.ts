/**
 * An execution that the soundness check found, as decisions of the system's processes up to each violation on the way. Every
 * handler is executed once more.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { type Violation, violationKey } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import { sameValue } from '../../core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines } from '../../program/machines.ts'
import { decisionsOf, type Happening } from '../../semantics/machines/decisions.ts'
import { announcedAtStart } from '../../semantics/machines/local-graph.ts'
import { refuseMistakes } from '../../semantics/machines/mistakes.ts'
import { allowedAfterAll } from '../../semantics/refinement/declared-calls.ts'
import { Ghost } from '../../semantics/refinement/ghost.ts'
import type { EngineEvent } from '../engine.ts'
import type { Occurrence } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'

interface Witness {
  readonly violation: Violation
  readonly decisions: readonly Decision[]
}

/** What an execution is told of, and which kinds of violations have been told before. */
export interface Telling {
  readonly subject: Machines
  readonly messages: Messages
  readonly told: Set<string>
}

/** What shows on the way of an execution, once for each kind. */
export function* violationsOn(
  { subject, messages, told }: Telling,
  execution: readonly Occurrence[],
): Generator<EngineEvent, void> {
  for (const { violation, decisions } of witnessesOf(subject, messages, execution)) {
    refuseMistakes(violation)
    const kind = kindOf(violation)
    if (told.has(kind)) continue
    told.add(kind)
    yield { kind: 'violation', violation, decisions, foundIn: decisions.length }
  }
}

/** What is told once, however often it is found. */
export function kindOf(violation: Violation): string {
  return violation.kind === 'invariant' ? violation.property : violationKey(violation)
}

/** Of each violation on the way the first that shows, in order. Events in order, the last of which may be a handler that fails. */
function witnessesOf(subject: Machines, messages: Messages, events: readonly Occurrence[]): readonly Witness[] {
  const happenings = events.map((event) => happeningOf(messages, event))
  const witnesses: Witness[] = []
  const told = new Set<string>()
  const tell = (violation: Violation, count: number) => {
    const upTo = happenings.slice(0, count)
    const decisions = subject.decisions?.(upTo) ?? decisionsOf(subject, upTo, { upToLast: true })
    invariant(decisions !== undefined, 'an execution that the local engine reports can happen')
    witnesses.push({ violation, decisions })
  }
  const judge = (states: readonly LocalState[], count: number) => {
    for (const { name, violation, isOfCalls } of subject.invariants) {
      const found = isOfCalls === true ? undefined : violation(states)
      if (found === undefined || told.has(name)) continue
      told.add(name)
      tell(found, count)
    }
  }
  const states = [...subject.start.states]
  const calls = new Ghost(subject.refines ?? [])
  const announced = [...announcedAtStart(subject)]
  let ghost = calls.after(calls.first, [...announced])
  const judgeCalls = (count: number) => {
    for (const found of calls.violations(ghost)) {
      if (told.has(`refines ${found.property}`)) continue
      told.add(`refines ${found.property}`)
      tell(found, count)
    }
  }
  judge(states, 0)
  judgeCalls(0)
  for (const [at, { machine, event, choices }] of happenings.entries()) {
    const outcomes = subject.handle(machine, states[machine] as LocalState, event)
    const outcome = outcomes.find((one) => sameValue(one.choices, choices))
    invariant(outcome !== undefined, 'a handler comes to the same outcome again')
    states[machine] = outcome.state
    if (outcome.violation === undefined) {
      const heard = (outcome.announced ?? []).map(({ event: call }) => call)
      ghost = calls.after(ghost, heard)
      announced.push(...heard)
      judge(states, at + 1)
      judgeCalls(at + 1)
    } else tell(outcome.violation, at + 1)
  }
  const { refines = [] } = subject
  if (witnesses.length === 0 && refines.length > 0) throw new DiagnosticError(allowedAfterAll(refines, announced))
  invariant(witnesses.length > 0, 'an execution that the local engine reports ends with a violation')
  return witnesses
}

function happeningOf(messages: Messages, { machine, consumed, internal, choices }: Occurrence): Happening {
  return { machine, event: internal ?? delivery(messages, consumed), choices }
}

function delivery(messages: Messages, consumed: number): MachineEvent {
  invariant(consumed !== noMessage, 'an event is internal or consumes a message')
  const { from, message } = messages.envelopes[consumed] as Envelope
  return { kind: 'message', from, message }
}
