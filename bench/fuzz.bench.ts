/**
 * Executions that are sampled per CPU second: forwards, where processes are remembered, beside the same samples along paths of the reference
 * semantics, in one run. Both draw the same executions: the number of their events is a gate.
 */
import { nsNr, nworkers } from '../corpus/microbenchmarks/model.check.ts'
import { twoPhaseCommit } from '../corpus/two-phase-commit/model.check.ts'
import { pct } from '../src/engines/random/pct.ts'
import { random } from '../src/engines/random/random.ts'
import type { Program } from '../src/index.ts'
import type { Paths } from '../src/program/path.ts'
import { pathsOf } from '../src/semantics/world-path.ts'
import { best, secondsSince, subjectOf, table, thousands } from './measure.ts'

const programs: readonly (readonly [title: string, program: Program, n: number])[] = [
  ['ns+nr(9)', nsNr, 9],
  ['nworkers(9)', nworkers, 9],
  ['2pc(7)', twoPhaseCommit, 7],
]

/** So many of each: the same executions are remembered in part only, so that a longer run would flatter the walk. */
const [walked, led] = [100_000, 5_000]

const rows = programs.flatMap(([title, program, n]) =>
  [random, pct].map((engine) => {
    const { walks: _, ...paths } = pathsOf(subjectOf(program, { n }, 'fifo'))
    const sampled = (subject: Paths, samples: number) => {
      const options = { seed: 1, samples, depth: 3 }
      let events = 0
      const before = process.cpuUsage()
      for (const event of engine.explore(subject, options)) if (event.kind === 'execution') events += event.events
      return { seconds: secondsSince(before), events }
    }
    const forwards = () => pathsOf(subjectOf(program, { n }, 'fifo'))
    if (sampled(forwards(), led).events !== sampled(paths, led).events) throw new Error(`${title}: other executions`)
    const walk = walked / best(3, () => sampled(forwards(), walked).seconds, Number)
    const path = led / best(3, () => sampled(paths, led).seconds, Number)
    return [title, engine.name, thousands(walk), thousands(path), `${(walk / path).toFixed(1)} ×`]
  }),
)
console.log('\nexecutions that are sampled per CPU second\n')
console.log(table(['program', 'engine', 'forwards', 'along paths', 'ratio'], rows))
