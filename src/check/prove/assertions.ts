/** Assertions over data that the prover leaves, each with its answer. */
import type { AssertionAnswer } from '../../core/evidence.ts'
import type { Obligation } from '../../engines/sequentialize/state.ts'
import { type Icet, statementsOf } from '../../program/icet.ts'
import { type Discharged, type DischargeOptions, discharge } from '../assertions/discharge.ts'

type Answer = Discharged['answer']

/** From the answer that settles an assertion to the one that settles nothing. */
const severity: readonly Answer[] = ['refuted', 'unknown', 'proved']

/** In the order of the source. An assertion that is met several times is proved if it is proved every time. */
export async function discharged(
  icet: Icet,
  obligations: readonly Obligation[],
  limits: Pick<DischargeOptions, 'whole' | 'signal'>,
): Promise<readonly AssertionAnswer[]> {
  const { parameters } = icet
  const worst = new Map<number, Discharged>()
  for (const one of await discharge(obligations, { parameters, ...limits })) {
    const { statement } = one.obligation
    const before = worst.get(statement)
    if (before === undefined || severity.indexOf(one.answer) < severity.indexOf(before.answer))
      worst.set(statement, one)
  }
  return icet.processes
    .flatMap(({ body }) => [...statementsOf(body)])
    .flatMap((statement) => {
      const found = worst.get(statement.id)
      if (found === undefined || (statement.kind !== 'assert' && statement.kind !== 'fail')) return []
      const { place, message } = statement
      return [{ place, message, ...answerOf(found) }]
    })
}

/** A model is no execution: what it refutes is not known, until an execution of its sizes shows it. */
function answerOf({ answer, why, model, sizes, hint }: Discharged): Omit<AssertionAnswer, 'place' | 'message'> {
  if (answer !== 'refuted') return { answer, why, hint }
  const open =
    model === undefined ? '; whether an execution violates it' : ` if ${model}; whether an execution comes to that`
  return {
    answer: 'unknown',
    why: `${why}${open} is not known`,
    hint,
    suspected: sizes,
  }
}
