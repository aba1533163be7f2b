/**
 * Histories from simulated processes: each call takes effect on the sequential object at some moment while it is open, so the
 * history is linearizable by construction, unless results are exchanged afterwards.
 */
import type { Call, CallResult, History } from '../../src/core/history.ts'
import type { Random } from '../../src/core/random.ts'
import type { Value } from '../../src/core/value.ts'
import type { Effect } from '../../src/program/specification.ts'
import type { Specification } from '../../src/properties/linearizability/specification.ts'

export interface Shape {
  readonly processes: number
  readonly calls: number
  /** One in how many calls does not return: half of those take effect, and the process goes on under another name. 0: none. */
  readonly pending: number
  /** One in how many calls returns something that is not known. */
  readonly unknown: number
  /** One in how many calls is given the result of another. */
  readonly wrong: number
  /** One in how many calls did not return although its result is known, as at the end of a prefix. */
  readonly open?: number
}

/** An operation and its arguments, for the n-th call. */
export type Draw = (random: Random, call: number) => readonly [operation: string, ...args: Value[]]

type Fate = 'returns' | 'unknown' | 'pending' | 'lost' | 'open'

interface Running {
  readonly process: string
  readonly operation: string
  readonly args: readonly Value[]
  readonly invoked: number
  readonly fate: Fate
  effect?: Effect
}

export function simulatedHistory(random: Random, object: Specification, draw: Draw, shape: Shape): History {
  const processes = Array.from({ length: shape.processes }, (_, at) => new SimulatedProcess(`p${at}`))
  const calls: Call[] = []
  let state = object.initial()
  let [time, started] = [0, 0]
  let busy = 0
  while (started < shape.calls || busy > 0) {
    const process = random.pick(processes)
    time += random.below(4) === 0 ? 0 : 1
    const { running } = process
    if (running === undefined) {
      if (started === shape.calls) continue
      // Moments are shared now and then, as clocks do, but not by two calls of one process.
      if (process.lastReturn === time) time++
      const [operation, ...args] = draw(random, started++)
      process.running = { process: process.name, operation, args, invoked: time, fate: fateOf(random, shape) }
      busy++
    } else if (running.effect === undefined) {
      const effects =
        running.fate === 'lost' ? [] : object.apply(state, running.operation, running.args, { kind: 'unknown' })
      // A call that has to wait does so for a while; then it returns all the same, which is wrong.
      if (effects.length === 0 && running.fate !== 'lost' && random.below(100) > 0) continue
      running.effect = effects.length === 0 ? { state } : random.pick(effects)
      state = running.effect.state
    } else {
      calls.push(ended(running, time))
      process.end(time, running.fate)
      busy--
    }
  }
  return { calls: disturbed(calls, random, shape).sort((left, right) => left.invoked - right.invoked) }
}

class SimulatedProcess {
  name: string
  lastReturn = -1
  running: Running | undefined
  #incarnation = 1
  readonly #first: string

  constructor(name: string) {
    this.name = name
    this.#first = name
  }

  end(time: number, fate: Fate): void {
    this.running = undefined
    this.lastReturn = time
    if (fate === 'returns' || fate === 'unknown') return
    this.#incarnation++
    this.name = `${this.#first}~${this.#incarnation}`
  }
}

function fateOf(random: Random, { pending, unknown, open = 0 }: Shape): Fate {
  if (oneIn(random, pending)) return random.below(2) === 0 ? 'pending' : 'lost'
  if (oneIn(random, open)) return 'open'
  return oneIn(random, unknown) ? 'unknown' : 'returns'
}

function ended({ effect, fate, ...call }: Running, time: number): Call {
  const known: CallResult = { kind: 'returned', value: effect?.returns }
  switch (fate) {
    case 'pending':
    case 'lost':
      return { ...call, returned: Number.POSITIVE_INFINITY, result: { kind: 'pending' } }
    case 'open':
      return { ...call, returned: Number.POSITIVE_INFINITY, result: known }
    case 'unknown':
      return { ...call, returned: time, result: { kind: 'unknown' } }
    default:
      return { ...call, returned: time, result: known }
  }
}

/** Half of the wrong results are exchanged between two calls of the same operation, so that each value still comes out once. */
function disturbed(calls: readonly Call[], random: Random, { wrong }: Shape): Call[] {
  const all = [...calls]
  for (const at of all.keys()) {
    if (!oneIn(random, wrong)) continue
    const other = random.below(all.length)
    const [one, two] = [all[at] as Call, all[other] as Call]
    if (one.result.kind !== 'returned' || two.result.kind !== 'returned') continue
    const exchanged = one.operation === two.operation
    if (!exchanged && random.below(2) === 0) continue
    all[at] = { ...one, result: two.result }
    if (exchanged) all[other] = { ...two, result: one.result }
  }
  return all
}

function oneIn(random: Random, count: number): boolean {
  return count > 0 && random.below(count) === 0
}
