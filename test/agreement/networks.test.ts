/** The operational networks against the paper's declarative definitions, and the generator against itself. */
// @module-tag cut
import { expect, test } from 'vitest'
import { networkNames } from '../../src/core/operation.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import * as allways from '../../src/index.ts'
import type { Program } from '../../src/program/program.ts'
import { amount, atLeast } from '../amount.ts'
import { enumerated, smallest, truthOf } from './agreement.ts'
import { declaredClasses } from './declarative.ts'
import { exploreAll } from './explored.ts'
import { generate } from './generate.ts'
import { asRunnable, runnableOf } from './interpret.ts'
import { printProgram } from './print.ts'
import { isMixed, isWellFormed, type ProgramText } from './text.ts'

const programs = amount({ quick: 6, thorough: 60, all: 200 })

test.each(networkNames)('the interleavings under %s are exactly the consistent graphs of the paper', (network) => {
  let compared = 0
  for (let seed = 0; seed < programs; seed++) {
    const text = generate(seed, {
      mixed: seed % 3 === 0,
      monitors: false,
      changing: true,
      joins: seed % 2 === 1,
      anywhere: seed % 4 === 0,
    })
    const problemOf = (program: ProgramText): string | undefined => {
      const truth = truthOf(program, network)
      const declared = declaredClasses(program, network)
      if (truth === undefined || declared === undefined) return undefined
      compared++
      const operational = [...truth.classes.keys()].sort().join('\n\n')
      const declarative = [...declared].sort().join('\n\n')
      return operational === declarative ? undefined : `operational:\n${operational}\n\ndeclarative:\n${declarative}`
    }
    if (problemOf(text) !== undefined) expect.fail(smallest(text, network, problemOf))
  }
  expect(compared / programs, 'share of programs small enough to enumerate').toBeGreaterThan(atLeast(0.9))
})

test('generated programs name only processes whose address has reached them', () => {
  for (let seed = 0; seed < 2000; seed++) {
    expect(isWellFormed(generate(seed, { mixed: true, monitors: true }).main)).toBe(true)
  }
})

test('equal seeds give equal programs, and only mixed programs name networks', () => {
  for (let seed = 0; seed < 200; seed++) {
    const text = generate(seed, { mixed: false, monitors: true })
    expect(generate(seed, { mixed: false, monitors: true })).toEqual(text)
    expect(isMixed(text.main)).toBe(false)
  }
})

test('a printed program has the executions and violations of the program it was printed from', () => {
  for (let seed = 0; seed < 60; seed++) {
    const text = generate(seed, { mixed: true, monitors: true, changing: true })
    const interpreted = truthOf(text, 'fifo')
    if (interpreted === undefined) continue
    const printed = enumerated(asRunnable(evaluated(printProgram(text, 'fifo')), 'fifo'))
    expect([...(printed?.classes ?? [])].map(([, times]) => times)).toEqual(
      [...interpreted.classes].map(([, times]) => times),
    )
    expect(printed?.blocked.size).toBe(interpreted.blocked.size)
    // The filters of a deadlock are printed as source, which differs.
    expect(printed?.violations.size).toBe(interpreted.violations.size)
  }
})

test('the exhaustive engine sees two independent sends in both orders, as one execution', () => {
  const main: ProgramText['main'] = [
    { kind: 'spawn', name: 'p1', daemon: false, body: [sendTo('main')] },
    sendTo('main'),
  ]
  const text = { name: 'two sends', main, monitor: undefined, unwantedSum: undefined }
  const found = exploreAll(exhaustive, runnableOf(text, 'fifo'), {})
  expect([...found.classes.values()]).toEqual([2])
})

function sendTo(id: string) {
  return { kind: 'send', to: { id }, tag: 'x', value: 0, network: undefined, when: { kind: 'always' } } as const
}

/** The program of a printed check file, with the package's exports in scope instead of its import line. */
function evaluated(source: string): Program {
  const [, ...lines] = source.split('\n')
  const body = lines.join('\n').replace('export default program', 'return program')
  return new Function(...Object.keys(allways), body)(...Object.values(allways)) as Program
}
