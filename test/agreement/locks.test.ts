/**
 * One lock library, three implementations: the locks of processes, which are daemons that serve requests; the locks of
 * `allways/sync` under check, which are actions of the stateful search; and the locks of `allways/sync` in production, which
 * are tickets. Generated programs end in the same ways with all of them.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import { amount, atLeast, isLittle, longIf } from '../amount.ts'
import { endingsOfClass, locksModule, styles } from './lock-classes.ts'
import { endingsOfProcesses } from './lock-processes.ts'
import { endingsInProduction } from './lock-production.ts'
import { generateLocks, generateStrays, type LockProgram, lockKinds } from './lock-program.ts'
import { loadText } from './object-agreement.ts'

const mostExecutions = 3000
const mostRuns = 1500
const mostInterleavings = 400
const programsOfKind = amount({ quick: 6, rest: 18, thorough: 24, all: 60 })
const strays = amount({ quick: 10, rest: 20, thorough: 40, all: 120 })

function drawn(count: number, draw: (seed: number) => LockProgram): readonly LockProgram[] {
  return Array.from({ length: count }, (_, seed) => draw(seed))
}

describe.each(lockKinds)(`%s: ${programsOfKind} generated programs end in the same ways`, async (kind) => {
  const programs = drawn(programsOfKind, (seed) => generateLocks(kind, seed))
  const loaded = await loadText(locksModule(programs))
  const tally = { compared: 0, branching: 0, waiting: 0 }

  test('as processes, as classes that block or await, and in production', async () => {
    for (const [index, program] of programs.entries()) {
      const truth = endingsOfProcesses(dpor, program, mostExecutions)
      if (truth === undefined) continue
      for (const style of styles) {
        const found = endingsOfClass(loaded, index, style, program)
        expect(found ?? truth, `${style} class ${index}: ${JSON.stringify(program)}`).toEqual(truth)
      }
      const inProduction = await endingsInProduction(program, mostRuns)
      expect(inProduction ?? truth, `in production: ${JSON.stringify(program)}`).toEqual(truth)
      if (inProduction !== undefined) tally.compared++
      if (truth.length > 1) tally.branching++
      if (truth.some((ending) => ending.includes('waiting'))) tally.waiting++
    }
    expect(tally.compared, 'compared in full').toBeGreaterThan(atLeast(0.9 * programsOfKind))
    expect(tally.branching, 'with several endings').toBeGreaterThan(atLeast(0.25 * programsOfKind))
    if (kind !== 'atomic')
      expect(tally.waiting, 'in which a process may wait for ever').toBeGreaterThan(atLeast(0.13 * programsOfKind))
  })

  test(
    'as processes explored by exhaustive, where that is possible',
    longIf(true, lockKinds.indexOf(kind) % 2 > 0),
    () => {
      let compared = 0
      for (const program of programs.slice(0, isLittle ? programsOfKind : programsOfKind / 3)) {
        const truth = endingsOfProcesses(exhaustive, program, mostInterleavings)
        if (truth === undefined) continue
        compared++
        expect(endingsOfProcesses(dpor, program, mostExecutions), JSON.stringify(program)).toEqual(truth)
      }
      expect(compared).toBeGreaterThan(0)
    },
  )
})

/**
 * Processes must not do this, and a thread owns what its async functions have, so there are two parties only. A writer that has its
 * turn and waits for readers has nothing that another one could give back.
 */
describe.each(['mutex', 'read-write lock'] as const)('%s: what is given back by one that does not hold it', (kind) => {
  test('is refused or taken away, in production as under check', async () => {
    const programs = drawn(strays, (seed) => generateStrays(kind, seed))
    const loaded = await loadText(locksModule(programs))
    let compared = 0
    for (const [index, program] of programs.entries()) {
      const truth = await endingsInProduction(program, mostRuns)
      if (truth === undefined) continue
      compared++
      const found = endingsOfClass(loaded, index, 'awaiting', program)
      expect(found, `class ${index}: ${JSON.stringify(program)}`).toEqual(truth)
    }
    expect(compared).toBeGreaterThan(0.8 * strays)
  })
})
