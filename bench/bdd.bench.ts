/** Decision diagrams by themselves: n queens, by conjoining what each square forbids. Placements are a gate; nodes, hit rates and speed are told. */
import { Diagrams } from '../src/bdd/diagrams.ts'
import { queens } from '../test/unit/bdd/queens.ts'
import { secondsSince, table, thousands } from './measure.ts'

const cases = [
  { size: 8, order: 'below', placements: 92n },
  { size: 9, order: 'below', placements: 352n },
  { size: 10, order: 'below', placements: 724n },
  { size: 7, order: 'above', placements: 40n },
] as const

// Once for nothing, so that the code is compiled.
queens(new Diagrams({ order: 'below' }), 8)
const rows = cases.map(({ size, order, placements }) => {
  const before = process.cpuUsage()
  const diagrams = new Diagrams({ order })
  const guard = queens(diagrams, size)
  const seconds = secondsSince(before)
  const found = diagrams.count(guard)
  if (found !== placements) {
    console.error(`queens(${size}) has ${placements} placements, not ${found}`)
    process.exitCode = 1
  }
  return [
    `queens(${size}), new variables ${order}`,
    thousands(diagrams.nodesOf([guard])),
    thousands(diagrams.created),
    `${(diagrams.hitRates.pairs * 100).toFixed(1)} %`,
    `${(seconds * 1000).toFixed(0)} ms`,
    thousands(diagrams.created / seconds),
    `${(diagrams.bytes / 1e6).toFixed(1)} MB`,
  ]
})
console.log('\ndecision diagrams\n')
console.log(table(['guard', 'nodes', 'created', 'hit rate', 'CPU', 'created per CPU s', 'held'], rows))
