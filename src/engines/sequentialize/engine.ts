/**
 * Canonical sequentialization as an engine: it explores no execution, and ends with a proof for every size or with the reason why it
 * finds none. Assertions over data that constants do not decide are left: they follow from the certificate, and are for the
 * one who drives it to show.
 *
 * A search for a proof is one step to its driver: it takes milliseconds, and no part of it could be sent elsewhere.
 */
import type { Evidence, NotCanonical, NotCanonicalReason } from '../../core/evidence.ts'
import { countedSizes } from '../../core/verdict.ts'
import { type Icet, statementsById } from '../../program/icet.ts'
import type { Engine, EngineEvent } from '../engine.ts'
import type { Proof } from './proof.ts'
import { messagesUnderWay, restingProcesses, sequentialLines, statementText } from './sequential-program.ts'
import { type Sequentialization, sequentialize } from './sequentialize.ts'
import { initialState } from './state.ts'
import { StaticFacts } from './static-facts.ts'

export const sequentialization: Engine<'icet'> = {
  name: 'sequentialize',
  summary: 'canonical sequentialization; used by allways prove',
  needs: 'icet',
  decides: ['assertion', 'exception', 'deadlock'],
  claims: 'proved',
  options: {},
  counted: countedSizes,
  units: 'whole',
  explore,
}

function* explore(icet: Icet): Generator<EngineEvent, void> {
  const found = sequentialize(icet)
  if (found.kind === 'not canonical') {
    const evidence = { kind: 'proof', assertions: [], notCanonical: notCanonical(icet, found) } as const
    yield { kind: 'evidence', evidence, decides: false }
    return
  }
  for (const evidence of proofEvidence(icet, found.proof)) yield { kind: 'evidence', evidence, decides: true }
  yield { kind: 'progress', counts: { steps: stepCount(found.proof.steps) }, explored: 1 }
}

/** What there is to show of a proof: the program it stands for, and itself. */
export function proofEvidence(icet: Icet, proof: Proof): readonly Evidence[] {
  const lines = sequentialLines(initialState(new StaticFacts(icet)), proof.steps)
  return [
    { kind: 'sequentialProgram', lines },
    { kind: 'proof', assertions: [], certificate: proof },
  ]
}

/** Steps inside of steps too. */
export function stepCount(steps: Proof['steps']): number {
  const inside = (step: Proof['steps'][number]): number =>
    step.rule === 'iterate' ? stepCount(step.body) : step.rule === 'branch' ? stepCount(step.arms.flat()) : 0
  return steps.reduce((count, step) => count + 1 + inside(step), 0)
}

function notCanonical(icet: Icet, found: Extract<Sequentialization, { kind: 'not canonical' }>): NotCanonical {
  const all = statementsById(icet)
  return {
    reason: found.reason === 'no such step' ? 'unmatched receive' : (found.reason satisfies NotCanonicalReason),
    message: found.message,
    places: found.statements.flatMap((id) => {
      const statement = all.get(id)
      return statement === undefined ? [] : [{ place: statement.place, text: statementText(statement) }]
    }),
    prefix: sequentialLines(initialState(new StaticFacts(icet)), found.prefix),
    rest: restingProcesses(found.rest),
    underWay: messagesUnderWay(found.rest),
  }
}
