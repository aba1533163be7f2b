/** How much safe sets leave out of programs of the corpus, and what they must not. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { statefulIr } from '../../../../src/engines/stateful/ir/ir-search.ts'
import { lower } from '../../../../src/frontends/p/lower.ts'
import type { TestCase } from '../../../../src/frontends/p/symbols.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import { readProgram } from '../../../agreement/p/read.ts'

function irOf(text: string, name: string): Ir {
  const program = readProgram(text)
  if ('problems' in program) throw new Error(program.problems.join('; '))
  return lower(program.checked, program.checked.tests.find((one) => one.name === name) as TestCase)
}

function corpus(model: string, name: string): Ir {
  return irOf(readFileSync(new URL(`../../../../corpus/${model}/model.p`, import.meta.url), 'utf8'), name)
}

type Network = 'sender-queue' | 'fifo' | 'bag' | 'mailbox' | 'causal'

function explored(ir: Ir, network: Network, options: { readonly [name: string]: string } = {}) {
  const setting = { params: {}, network, faults: {}, bounds: {}, options: {}, start: 'initial' } as const
  const found: string[] = []
  let counts: { readonly [name: string]: number } = {}
  for (const event of statefulIr.explore({ program: ir, setting }, options)) {
    if (event.kind === 'progress') counts = event.counts
    if (event.kind === 'violation') found.push(event.violation.property)
    if (event.kind === 'diagnostic') found.push(event.diagnostic.code)
  }
  const { states, transitions, terminals } = counts
  return { states, transitions, terminals, found }
}

describe('safe sets', () => {
  const safe = { reduction: 'safe' }

  test.each([
    ['p-last-zero', 'lastZero3', 'sender-queue', 531, 1292, 203, 234],
    ['p-paxos', 'paxos', 'sender-queue', 1220, 3029, 547, 981],
    ['p-paxos', 'paxos', 'mailbox', 33_022, 106_943, 4352, 5986],
  ] as const)('leave out much of %s %s on %s', (model, name, network, ...counts) => {
    const ir = corpus(model, name)
    const [full, reduced] = [explored(ir, network), explored(ir, network, safe)]
    expect([full.states, full.transitions, reduced.states, reduced.transitions]).toEqual(counts)
    expect([reduced.terminals, reduced.found]).toEqual([full.terminals, full.found])
  })

  test('do not put off for ever what goes wrong beside a circle', () => {
    // The clock goes round by itself: followed alone it would hide the other machine.
    const ir = irOf(
      `event tick; event go;
       machine Clock { start state S { entry { send this, tick; } on tick do { send this, tick; } } }
       machine Late { start state S { on go do { assert false, "went"; } } }
       machine Main { start state S { entry { var late: machine; new Clock(); late = new Late(); send late, go; } } }
       test tc [main=Main]: { Main, Clock, Late };`,
      'tc',
    )
    for (const network of ['sender-queue', 'fifo', 'bag', 'mailbox'] as const)
      for (const search of ['breadth', 'depth'])
        expect(explored(ir, network, { ...safe, search }).found).toEqual(['went'])
  })

  test('do not lose a message that is dropped by a machine that halts in time', () => {
    const ir = irOf(
      `event stop; event go;
       machine Target { start state S { on stop do { raise halt; } on go do { assert false, "went"; } } }
       machine Sender { start state S { entry (whom: machine) { send whom, go; } } }
       machine Main { start state S { entry { var one: machine; one = new Target(); new Sender(one); send one, stop; } } }
       test tc [main=Main]: { Main, Target, Sender };`,
      'tc',
    )
    for (const network of ['sender-queue', 'fifo', 'bag', 'mailbox'] as const)
      expect(explored(ir, network, safe)).toMatchObject({ terminals: 1, found: ['went'] })
  })

  test('are refused where single executions are followed', () => {
    const ir = corpus('p-paxos', 'paxos')
    expect(explored(ir, 'causal', safe).found).toEqual(['E107'])
    expect(explored(ir, 'causal', { search: 'depth' }).found).toEqual(['E107'])
  })
})
