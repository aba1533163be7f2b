/**
 * PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs"
 * (ASPLOS 2010), Algorithm 1. Every process has a random priority and the highest runs; at `depth - 1` random steps the
 * process that runs falls below all others. A violation that needs `depth` ordering constraints is found by a sample with
 * probability at least 1 / (n · k^(depth - 1)), for n processes and k steps. The guarantee is about who runs; what a process
 * is given (which message, which option, a timeout) is drawn uniformly.
 */
import type { Random } from '../../core/random.ts'
import type { Decision } from '../../core/trace.ts'
import type { Paths } from '../../program/path.ts'
import { type Picker, randomOf, samplingEngine } from './sample.ts'

/** Samples that run without priority changes, which need no length; their longest is the length the others assume. */
const pilots = 4

export const pct = samplingEngine({
  name: 'pct',
  summary: 'samples executions by random priorities with few changes',
  options: {
    depth: { form: 'count', default: 3, most: 10_000, help: 'finds bugs of this depth, with one priority change less' },
  },
  sampler(subject, { seed, depth }) {
    let length: number | undefined
    const pilot = (sample: number): Picker => priorities(randomOf(seed, sample), 1, 0)
    return (sample) => {
      if (sample < pilots) return pilot(sample)
      // A unit that starts later runs the pilots again instead of being told the length: so samples do not depend on splits.
      length ??= Math.max(...Array.from({ length: pilots }, (_, at) => lengthOf(subject, pilot(at))))
      return priorities(randomOf(seed, sample), depth as number, length)
    }
  },
})

function lengthOf(subject: Paths, pick: Picker): number {
  // Without faults: the length of an execution in which nothing goes wrong.
  const path = subject.begin()
  for (let steps = 0; ; steps++) {
    const enabled = path.enabled()
    const decision = enabled.length === 0 ? undefined : pick(enabled, false)
    if (decision === undefined) return steps
    path.take(decision)
  }
}

function priorities(random: Random, depth: number, length: number): Picker {
  const priorityOf = new Map<string, number>()
  /** Step (from 1) → the priority, below all initial ones, that whoever runs then falls to. */
  const changes = new Map<number, number>()
  for (let change = 1; change < depth; change++) changes.set(1 + random.below(length), depth - change)
  let step = 0
  return (enabled, mayEnd) => {
    if (mayEnd && random.below(enabled.length + 1) === 0) return undefined
    step++
    for (const { process } of enabled) {
      // Processes come into being during the execution: each draws its place among all when it is first seen.
      if (!priorityOf.has(process)) priorityOf.set(process, depth + random.next())
    }
    const runs = highest(enabled, priorityOf)
    const change = changes.get(step)
    if (change !== undefined) priorityOf.set(runs, change)
    return random.pick(enabled.filter(({ process }) => process === runs))
  }
}

function highest(enabled: readonly Decision[], priorityOf: ReadonlyMap<string, number>): string {
  const priority = ({ process }: Decision): number => priorityOf.get(process) ?? 0
  return enabled.reduce((best, decision) => (priority(decision) > priority(best) ? decision : best)).process
}
