/**
 * What an engine has proved, confirmed: its certificate is followed step by step, and what it leaves to be shown about data is
 * asked a solver. Only then is a program called proved.
 */
import type { AssertionAnswer, Evidence } from '../../core/evidence.ts'
import { invariant } from '../../core/invariant.ts'
import type { Driven, Host } from '../../distribute/driver.ts'
import { applyAll, checkProof } from '../../engines/sequentialize/kernel.ts'
import type { Proof } from '../../engines/sequentialize/proof.ts'
import { initialState } from '../../engines/sequentialize/state.ts'
import { StaticFacts } from '../../engines/sequentialize/static-facts.ts'
import type { Icet } from '../../program/icet.ts'
import type { DischargeOptions } from '../assertions/discharge.ts'
import type { CheckRequest } from '../request.ts'
import { discharged } from './assertions.ts'
import { confirmedByExecution } from './executed.ts'
import { isProof } from './proof-file.ts'

/** A proof that was found in time is confirmed by some executions at least. */
const leastMilliseconds = 100

type Limits = Pick<DischargeOptions, 'whole' | 'signal'>

type Followed = { readonly problem: string } | { readonly assertions: readonly AssertionAnswer[] }

async function followed(icet: Icet, proof: Proof, limits: Limits): Promise<Followed> {
  const problem = checkProof(icet, proof)
  if (problem !== undefined) return { problem }
  const { obligations } = applyAll(initialState(new StaticFacts(icet)), proof.steps)
  return { assertions: await discharged(icet, obligations, limits) }
}

/** As driven, with the answers about data and what small sizes confirm; undecided if one of them is open or contradicted. */
export async function confirmedProof(
  request: CheckRequest,
  driven: Driven,
  { host, startedAt }: { readonly host: Host; readonly startedAt: number },
): Promise<Driven> {
  const { program, engine, explored, budget, signal } = request
  if (engine.needs !== 'icet') return driven
  const icet = explored.subject as Icet
  const evidence: Evidence[] = []
  const { milliseconds } = budget
  const left = (): number | undefined =>
    milliseconds === undefined ? undefined : milliseconds - (host.now() - startedAt)
  const forQuestions = left()
  const whole = forQuestions === undefined ? undefined : { milliseconds: forQuestions, now: () => host.now() }
  let { because } = driven
  for (const one of driven.evidence) {
    if (one.kind !== 'proof' || one.certificate === undefined) {
      evidence.push(one)
      continue
    }
    invariant(isProof(one.certificate), `${engine.name} finds proofs in the form that is read`)
    const confirmed = await followed(icet, one.certificate, { whole, signal })
    if ('problem' in confirmed)
      throw new Error(`the prover's own proof of "${program.name}" is refused: ${confirmed.problem}`)
    const { assertions } = confirmed
    if (assertions.some(({ answer }) => answer !== 'proved')) {
      because = signal?.aborted === true ? 'interrupt' : 'undecided'
      evidence.push({ ...one, assertions })
      continue
    }
    const time = Math.max(leastMilliseconds, left() ?? Number.POSITIVE_INFINITY)
    const executed = await confirmedByExecution(program, icet, {
      host,
      budget: { ...budget, milliseconds: time },
      signal,
    })
    evidence.push({ ...one, assertions, confirmed: executed })
    if (executed.sizes.length === 0 && executed.partly === undefined)
      request.witness.ask('proof-not-confirmed', program.name, 0)
    if (executed.violated !== undefined) because = 'undecided'
    else if (executed.because === 'interrupt') because = 'interrupt'
  }
  return { ...driven, because, evidence }
}
