/** States up to names of machines: as many as there are multisets where machines are alike, and executions that can be taken. */
import { describe, expect, test } from 'vitest'
import { statefulIr } from '../../../../src/engines/stateful/ir/ir-search.ts'
import { lower } from '../../../../src/frontends/p/lower.ts'
import type { TestCase } from '../../../../src/frontends/p/symbols.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import { expectRetaken, settingOf } from '../../../agreement/p/explored.ts'
import { readProgram } from '../../../agreement/p/read.ts'

function irOf(text: string): Ir {
  const program = readProgram(text)
  if ('problems' in program) throw new Error(program.problems.join('; '))
  return lower(program.checked, program.checked.tests[0] as TestCase)
}

const networks = ['sender-queue', 'fifo', 'bag', 'mailbox'] as const
type Network = (typeof networks)[number] | 'causal'

function explored(ir: Ir, network: Network, options: { readonly [name: string]: string | boolean } = {}) {
  const kinds = new Set<string>()
  let counts: { readonly [name: string]: number } = {}
  for (const event of statefulIr.explore({ program: ir, setting: settingOf(network) }, options)) {
    if (event.kind === 'progress') counts = event.counts
    if (event.kind === 'diagnostic') kinds.add(`${event.diagnostic.code} ${event.diagnostic.message}`)
    if (event.kind !== 'violation') continue
    kinds.add(`${event.violation.kind} ${event.violation.property}`)
    expectRetaken(ir, network, event)
  }
  return { states: counts.states ?? 0, terminals: counts.terminals ?? 0, kinds: [...kinds].sort() }
}

/** Workers that nobody knows, each in one of three states after the other. */
const workers = (n: number): string => `
  event go;
  machine Worker {
    start state A { entry { send this, go; } on go goto B; }
    state B { entry { send this, go; } on go goto C; }
    state C { }
  }
  machine Main { start state S { entry { var i: int; while (i < ${n}) { new Worker(); i = i + 1; } } } }
  test tc [main=Main]: { Main, Worker };`

describe('machines that are alike', () => {
  test.each([2, 3, 4])('%i of them have as many states as there are multisets of theirs', (n) => {
    // Each is created, or in A, B or C. On a bag they begin in any order.
    const multisets = ((n + 1) * (n + 2) * (n + 3)) / 6
    const [full, symmetric] = [explored(irOf(workers(n)), 'bag'), explored(irOf(workers(n)), 'bag', { symmetry: true })]
    // And the state before there are any.
    expect([full.states, symmetric.states]).toEqual([4 ** n + 1, multisets + 1])
    expect([full.terminals, symmetric.terminals]).toEqual([1, 1])
  })

  /** Clients with children of their own ask a server, which answers by the address that it was given; a third one fails that is late. */
  const service = `
    event ask: machine; event answer: int; event done: machine;
    machine Child { start state S { entry (whom: machine) { send whom, done, this; } } }
    machine Client {
      var child: machine;
      var got: int;
      var isDone: bool;
      start state S {
        entry (server: machine) { child = new Child(this); send server, ask, this; }
        on answer do (n: int) { got = n; assert n < 3 || !isDone, "the third"; }
        on done do (whom: machine) { assert whom == child; isDone = true; if (got == 2 && $) { receive { case ask: (one: machine) { } } } }
      }
    }
    machine Server {
      var served: int; var known: set[machine];
      start state S { on ask do (whom: machine) {
        served = served + 1; assert !(whom in known); known += (whom); send whom, answer, served; } }
    }
    machine Main { start state S { entry { var server: machine; var i: int; server = new Server();
      while (i < 3) { new Client(server); i = i + 1; } } } }
    test tc [main=Main]: { Main, Client, Child, Server };`

  test.each(networks)('fail alike on %s, with and without safe sets', (network) => {
    const full = explored(irOf(service), network)
    expect(full.kinds).toEqual(['assertion the third', 'deadlock no deadlock'])
    for (const reduction of ['none', 'safe']) {
      const symmetric = explored(irOf(service), network, { symmetry: true, reduction })
      expect(symmetric.kinds).toEqual(full.kinds)
      expect(symmetric.states).toBeLessThan(full.states / 3)
    }
  })
})

describe('symmetry is refused', () => {
  const using = (field: string, body: string): Ir =>
    irOf(`event e: machine;
      machine Other { start state S { } }
      machine Main { var ${field}; start state S { entry { var one: machine; var i: int; one = new Other(); ${body} } } }
      test tc [main=Main]: { Main, Other };`)

  test.each([
    ['known: set[machine]', 'foreach (one in known) { i = i + 1; }', 'goes over machines of a set or a map'],
    ['known: set[machine]', 'known += (one); one = known[0];', 'takes a machine of a set by its place'],
    ['known: set[machine]', 'known += (one); one = choose(known);', 'chooses among machines of a set or a map'],
    ['known: map[machine, int]', 'i = sizeof(keys(known));', 'goes over machines of a set or a map'],
    ['said: string', 'said = format("{0}", one);', 'writes the name of a machine into a text'],
  ])('with %s where the program says %s', (field, body, what) => {
    const message = `E107 machines cannot change places: the program ${what}`
    expect(explored(using(field, body), 'bag', { symmetry: true }).kinds).toEqual([message])
  })

  test('not where names are only said', () => {
    const ir = using(
      'known: seq[machine]',
      'known += (0, one); print format("{0}", one); foreach (one in known) { i = i + 1; }',
    )
    expect(explored(ir, 'bag', { symmetry: true }).kinds).toEqual([])
  })

  test('where single executions are followed', () => {
    expect(explored(using('i0: int', ''), 'causal', { symmetry: true }).kinds).toHaveLength(1)
  })
})
