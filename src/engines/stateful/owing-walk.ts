/**
 * The shortest way to a state on which there was no good state since a given one: with the execution, or since a state of some kind. That
 * is one bit of memory beside the state, so the walk is over pairs: it is 1 from where the time begins up to the next good state.
 */
import { IntVector } from '../../collections/int-vector.ts'

/** The part of a graph that a walk needs; the first state has number 0. */
interface Steps {
  readonly states: number
  /** In the order in which they were added. */
  stepsOf(state: number): readonly number[]
  target(step: number): number
}

export interface Owing {
  readonly isGood: (state: number) => boolean
  readonly since: 'start' | ((state: number) => boolean)
  readonly isEnd: (state: number) => boolean
}

/** Steps between two rests. */
const restEvery = 10_000

const none = -1

export function* owingWalk(steps: Steps, { isGood, since, isEnd }: Owing): Generator<undefined, Way | undefined> {
  const bit = (state: number, before: number): number => {
    if (isGood(state)) return 0
    return before === 1 || (since !== 'start' && since(state)) ? 1 : 0
  }
  /** By pair, the step over which it was met and the pair it came from; a pair is twice its state, and its bit. */
  const over = filled(2 * steps.states)
  const before = filled(2 * steps.states)
  const isMet = new Uint8Array(2 * steps.states)
  const first = bit(0, since === 'start' ? 1 : 0)
  isMet[first] = 1
  const queue = [first]
  for (const [at, pair] of queue.entries()) {
    if (at % restEvery === restEvery - 1) yield undefined
    const state = pair >> 1
    if ((pair & 1) === 1 && isEnd(state)) return wayTo(pair, over, before)
    for (const step of steps.stepsOf(state)) {
      const target = steps.target(step)
      const next = 2 * target + bit(target, pair & 1)
      if (isMet[next] === 1) continue
      isMet[next] = 1
      over.set(next, step)
      before.set(next, pair)
      queue.push(next)
    }
  }
  return undefined
}

type Way = readonly number[]

function wayTo(last: number, over: IntVector, before: IntVector): Way {
  const way: number[] = []
  for (let pair = last; over.at(pair) !== none; pair = before.at(pair)) way.push(over.at(pair))
  return way.reverse()
}

function filled(length: number): IntVector {
  const vector = new IntVector(Math.max(length, 1))
  for (let at = 0; at < length; at++) vector.push(none)
  return vector
}
