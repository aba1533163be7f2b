/** Generated code for handlers against the reference semantics, on every P program of the corpus and on generated ones. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/check/load.ts'
import { orThrow } from '../../../src/core/diagnostic.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount, cut } from '../../amount.ts'
import { corpusFolder, readAnswers } from '../../corpus/answers.ts'
import { type HandlerTally, handlerDisagreement, newHandlerTally } from './compiled.ts'
import { generatedProgram } from './generate.ts'
import { readProgram } from './read.ts'

const programs = amount({ quick: 30, rest: 150, thorough: 1_000, all: 10_000 })
const networks = ['sender-queue', 'mailbox'] as const

describe('handlers as generated code', { timeout: 3_600_000 }, () => {
  test.each(readAnswers('model.p').map(({ name }) => name))('%s: as the reference semantics has them', async (name) => {
    const tally = newHandlerTally()
    const found = orThrow(await loadPrograms(join(corpusFolder, name, 'model.p')))
    for (const { program } of found.programs) {
      for (const network of networks) {
        const view = program.views.ir?.(settingFrom({ params: {}, network, faults: {} }))
        const problem = view && handlerDisagreement(view.program, { network, most: 400, tally })
        expect({ program: program.name, network, problem }).toEqual({
          program: program.name,
          network,
          problem: undefined,
        })
      }
    }
    expect(tally.outcomes).toBeGreaterThan(10)
  })

  test('of generated programs: as the reference semantics has them', cut, () => {
    const tally = newHandlerTally()
    for (let seed = 0; seed < programs; seed++) {
      for (const ir of testsOf(generatedProgram(seed))) {
        // Now and then with so little room that some handlers count as endless.
        const blocks = seed % 5 === 0 ? 12 : undefined
        // With interleaving the reference semantics does most of it.
        for (const network of seed % 4 === 0 ? networks : (['sender-queue'] as const)) {
          const problem = handlerDisagreement(ir, { network, most: 60, tally, blocks })
          expect({ seed, network, problem }).toEqual({ seed, network, problem: undefined })
        }
      }
    }
    expect(tally.violations).toBeGreaterThan(programs)
    expect(tally.handled).toBeGreaterThan(10 * programs)
    expect(tally.byReference).toBeLessThan((3 * tally.handled) / 4)
  })

  test('of programs without interleaving: nearly all are covered', () => {
    const tally = newHandlerTally()
    for (let seed = 0; seed < 50; seed++) compareIn(tally, seed)
    expect(tally.byReference).toBeLessThan(tally.handled / 2)
  })
})

function compareIn(tally: HandlerTally, seed: number): void {
  for (const ir of testsOf(generatedProgram(seed)))
    expect(handlerDisagreement(ir, { network: 'sender-queue', most: 60, tally })).toBeUndefined()
}

function testsOf(text: string): readonly Ir[] {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  return read.checked.tests.map((one) => lower(read.checked, one))
}
