/** Generated code for handlers against the reference semantics, on every P program of the corpus and on generated ones. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/check/load.ts'
import { orThrow } from '../../../src/core/diagnostic.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount, atLeast, cut } from '../../amount.ts'
import { corpusFolder, readAnswers } from '../../corpus/answers.ts'
import { type HandlerTally, handlerDisagreement, newHandlerTally } from './compiled.ts'
import { generatedProgram } from './generate.ts'
import { readProgram } from './read.ts'

const programs = amount({ quick: 12, rest: 80, thorough: 1_000, all: 10_000 })
const networks = ['sender-queue', 'mailbox'] as const

/** Of each program of the corpus. */
const mostStates = amount({ quick: 150, rest: 400, all: 400 })

describe('handlers as generated code', { timeout: 3_600_000 }, () => {
  test.each(readAnswers('model.p').map(({ name }) => name))(
    '%s: as the reference semantics has them',
    cut,
    async (name) => {
      const tally = newHandlerTally()
      const found = orThrow(await loadPrograms(join(corpusFolder, name, 'model.p')))
      for (const { program } of found.programs) {
        for (const network of networks) {
          const view = program.views.ir?.(settingFrom({ params: {}, network, faults: {} }))
          const problem = view && handlerDisagreement(view.program, { network, most: mostStates, tally })
          expect({ program: program.name, network, problem }).toEqual({
            program: program.name,
            network,
            problem: undefined,
          })
        }
      }
      expect(tally.outcomes).toBeGreaterThan(10)
    },
  )

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
    expect(tally.violations).toBeGreaterThan(atLeast(programs))
    expect(tally.handled).toBeGreaterThan(10 * programs)
    expect(tally.byReference).toBeLessThan((3 * tally.handled) / 4)
    expect(tally.remembered).toBeGreaterThan(tally.handled / 4)
  })

  test.each(['two-phase.p', 'hybrid-clock.p'])('%s: what handlers look at decides what they do', async (file) => {
    const tally = newHandlerTally()
    const [first] = orThrow(await loadPrograms(join(corpusFolder, '../bench/p', file))).programs
    const view = first?.program.views.ir?.(settingFrom({ params: {}, network: 'sender-queue', faults: {} }))
    if (view === undefined) throw new Error(`${file} has no test`)
    expect(handlerDisagreement(view.program, { network: 'sender-queue', most: 300, tally })).toBeUndefined()
    expect(tally.remembered).toBeGreaterThan(290)
  })

  test('what a handler does not look at may still fail', () => {
    const tally = newHandlerTally()
    for (const ir of testsOf(careless))
      expect(handlerDisagreement(ir, { network: 'sender-queue', most: 600, tally })).toBeUndefined()
    expect(tally.violations).toBe(1)
    for (const ir of testsOf(heedless))
      expect(handlerDisagreement(ir, { network: 'sender-queue', most: 600, tally })).toBeUndefined()
    expect(tally.remembered).toBeGreaterThan(300)
    expect(tally.violations).toBeGreaterThan(50)
  })

  test('of programs without interleaving: nearly all are covered', cut, () => {
    const tally = newHandlerTally()
    for (let seed = 0; seed < amount({ quick: 15, rest: 50, all: 50 }); seed++) compareIn(tally, seed)
    expect(tally.byReference).toBeLessThan(tally.handled / 2)
  })
})

/** What it reads in vain is there at first. */
const careless = `
event step;
machine Careless {
  var list: seq[int];
  var last: int;
  start state Running {
    entry { list += (0, 1); list += (0, 1); send this, step; }
    on step do {
      last = list[1];
      last = 0;
      if (choose(2) == 0) { list -= (0); send this, step; }
    }
  }
}
test careless [main=Careless]: { Careless };
`

/** A machine that copies, overwrites and reads what is not there in some states, without going on by it. */
const heedless = `
event step;
machine Heedless {
  var list: seq[(int, int)];
  var table: map[int, seq[int]];
  var known: set[(int, bool)];
  var last: (int, int);
  start state Running {
    entry { send this, step; }
    on step do {
      var kept: (int, int);
      var some: seq[int];
      var at: int;
      at = choose(3);
      kept = last;
      if (at in table) some = table[at];
      if (choose(2) == 0) {
        if (sizeof(list) <= at) return;
        if (!((1, true) in known)) last = list[0];
        else { last = list[3]; last = kept; }
        if (kept.0 > 1) last = kept;
        list -= (0);
      } else {
        list += (sizeof(list), (at, kept.1));
        list[0].0 = at + 1;
        if (sizeof(some) < 2) some += (0, at);
        table[at] = some;
        known += ((at, kept == list[0]));
        if (sizeof(list) > 3) { if (at == 2) table -= (at); last = list[at]; last.1 = table[keys(table)[0]][0]; }
        if (sizeof(list) > 4) list = default(seq[(int, int)]);
      }
      if (!((2, true) in known && sizeof(known) > 4)) send this, step;
    }
  }
}
test heedless [main=Heedless]: { Heedless };
`

function compareIn(tally: HandlerTally, seed: number): void {
  for (const ir of testsOf(generatedProgram(seed)))
    expect(handlerDisagreement(ir, { network: 'sender-queue', most: 60, tally })).toBeUndefined()
}

function testsOf(text: string): readonly Ir[] {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  return read.checked.tests.map((one) => lower(read.checked, one))
}
