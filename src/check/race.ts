/**
 * One question to two engines, in turn in one thread until one of them answers. Turns are counted in signs of progress, so
 * that the same program gets the same answer, with the same counts, on every computer, unless a budget ends the search.
 */
import { violationKey } from '../core/property.ts'
import type { Raced } from '../core/verdict.ts'
import { type Driven, type Found, type Host, isBudget, type Watch } from '../distribute/driver.ts'
import { type Contender, driveInTurn } from '../distribute/in-turn.ts'
import type { CheckRequest } from './request.ts'

/**
 * Signs of progress in a turn, about 100 ms of each: `local` shows one in 64 handlers or a soundness check, `stateful` one in
 * 100 transitions, which took 0.5 to 1.5 and 0.8 to 1.3 ms on the systems of the corpus.
 */
const turns: { readonly [engine: string]: number } = { local: 128, stateful: 80 }
/** Of the first one: small systems are answered by it alone. */
const headStart = 256
/**
 * Of P programs, which are searched by turns of time: most are answered by the first one alone, within its trial. The other one goes on if its executions
 * grow at least as fast; on the programs of `bench/symbolic` that was so exactly where it ended first, or alone.
 */
const trials: { readonly [engine: string]: number } = { stateful: 500, symbolic: 400 }

export interface Race {
  readonly driven: Driven
  /** The request that was answered; without an answer, the first one that no want of memory ended. */
  readonly by: CheckRequest
  readonly raced: readonly Raced[]
}

export async function raceOf(request: CheckRequest, watch: Watch, host: Host): Promise<Race> {
  const requests = request.rival === undefined ? [request] : [request, request.rival]
  const isTried = requests.every(({ engine }) => engine.needs === 'ir')
  const contenders = requests.map(({ engine, explored: { subject }, options }, at): Contender => {
    const search = { engine, subject, options }
    if (isTried) return { search, watch, trial: trials[engine.name] ?? 0 }
    const turn = turns[engine.name] ?? 1
    return { search, watch, turn, headStart: at === 0 ? headStart : turn }
  })
  const { because, by, driven } = await driveInTurn(contenders, host, watch.budget)
  const told =
    by ??
    Math.max(
      0,
      driven.findIndex((one) => one.because !== 'memory' && !isUnable(one)),
    )
  return {
    driven: { ...(driven[told] as Driven), because, found: foundBy(driven, told, by === undefined) },
    by: requests[told] as CheckRequest,
    raced: driven.map((one, at) => ({
      engine: (requests[at] as CheckRequest).engine.name,
      ended: at === by ? 'answered' : endOf(one),
      counts: one.counts,
    })),
  }
}

/** With `keepGoing`, a search without an answer has found what it found, whoever it was. */
function foundBy(driven: readonly Driven[], told: number, byAll: boolean): readonly Found[] {
  const own = driven[told]?.found ?? []
  if (!byAll) return own
  const found = new Map(own.map((one) => [violationKey(one.violation), one]))
  for (const one of driven.flatMap((each) => each.found)) {
    const key = violationKey(one.violation)
    if (!found.has(key)) found.set(key, one)
  }
  return [...found.values()]
}

function endOf(driven: Driven): Raced['ended'] {
  if (isBudget(driven.because)) return driven.because
  return isUnable(driven) ? 'unable' : 'outrun'
}

function isUnable({ because }: Driven): boolean {
  return because === 'diagnostic'
}
