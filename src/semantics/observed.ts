/** What monitors are told of what processes do, and whether: their filters are code of the user's, and what they throw is a finding. */

import { yesOrNo } from '../core/answer.ts'
import { DiagnosticError } from '../core/diagnostic.ts'
import { noAnswer } from '../core/filter.ts'
import { type Notification, Operation } from '../core/operation.ts'
import { forgetOperations, runAs } from '../core/running.ts'
import { thrownBy } from '../core/thrown.ts'
import { Address } from '../core/value.ts'
import type { MonitorDeclaration } from '../program/program.ts'
import { ViolatedError } from './violated-error.ts'

/** Of a send or an announcement by a process. */
export function observedOf(
  { kind, target, payload }: Operation,
  by: Address<never>,
  shown: (message: unknown) => unknown,
): Notification {
  if (kind === 'announce') return { kind, by, message: payload }
  return { kind: 'send', from: by, to: target as Address<never>, message: shown(payload) }
}

/** What tells the monitors that observe it; that happens where the observed operation does. */
export function notificationsOf(
  monitors: readonly MonitorDeclaration[],
  observed: Notification,
  asked: Operation,
): Operation[] {
  const notifications = monitors
    .filter((declaration) => isObserved(declaration, observed))
    .map((declaration) => new Operation('send', Address.of(declaration.name), observed, undefined, 'causal', asked))
  forgetOperations()
  return notifications
}

function isObserved({ name, observes }: MonitorDeclaration, observed: Notification): boolean {
  const filter = `the filter of monitor "${name}"`
  let answer: unknown
  try {
    answer = runAs(filter, () => observes(observed))
  } catch (error) {
    if (error instanceof DiagnosticError) throw error
    const { isAssertion, sentence: words, stack } = thrownBy(error)
    const message = isAssertion ? words : `exception in ${filter}: ${words}`
    throw new ViolatedError({ kind: 'monitor', property: message, message, process: name, stack })
  }
  const isWanted = yesOrNo(answer)
  if (isWanted === undefined) throw new DiagnosticError(noAnswer(filter, answer))
  return isWanted
}
