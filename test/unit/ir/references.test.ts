/** Who may send to whom and hand on whom, read off programs of P. */
import { describe, expect, test } from 'vitest'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { TestCase } from '../../../src/frontends/p/symbols.ts'
import { type References, referencesIn } from '../../../src/ir/references.ts'
import { readProgram } from '../../agreement/p/read.ts'

interface Named {
  readonly references: References
  readonly kind: (name: string) => number
}

function read(text: string): Named {
  const program = readProgram(text)
  if ('problems' in program) throw new Error(program.problems.join('; '))
  const ir = lower(program.checked, program.checked.tests[0] as TestCase)
  return { references: referencesIn(ir), kind: (name) => ir.machines.findIndex((one) => one.name === name) }
}

const service = `
event ask: (from: machine, what: int);
event answer: int;
event log: any;

machine Client {
  start state Init {
    entry (server: machine) { send server, ask, (from = this, what = 1); }
    on answer do (what: int) { }
  }
}
machine Server {
  var book: machine;
  start state Init {
    entry { book = new Book(); }
    on ask do (asked: (from: machine, what: int)) {
      announce log, asked.what;
      send asked.from, answer, asked.what;
      send book, log, asked.what;
    }
  }
}
machine Book { start state Init { on log do (said: any) { } } }
machine Main {
  start state Init {
    entry { var server: machine; server = new Server(); new Client(server); }
  }
}
spec Watch observes log { start state W { on log do { } } }
test tc [main=Main]: assert Watch in { Main, Client, Server, Book };
`

describe('references of a service', () => {
  const { references, kind } = read(service)
  const kinds = ['Main', 'Client', 'Server', 'Book'] as const
  const pairs = (may: (from: number, to: number) => boolean) =>
    kinds.flatMap((from) => kinds.filter((to) => may(kind(from), kind(to))).map((to) => `${from} ${to}`))

  test('are sent along where the program says so', () => {
    expect(pairs(references.maySend)).toEqual(['Client Server', 'Server Client', 'Server Book'])
  })

  test('are handed on in payloads and to those who are created', () => {
    expect(pairs(references.mayHandOn)).toEqual(['Main Server', 'Client Client'])
  })

  test('reach monitors also through those who are created', () => {
    expect(kinds.map((one) => references.mayTell(kind(one)))).toEqual([1n, 0n, 1n, 0n])
  })
})

test('what is raised, gone to, returned or received may be sent to later', () => {
  const { references, kind } = read(`
    event give: machine;
    event poke;
    fun same(one: machine): machine { return one; }
    machine Raising { start state A { entry (one: machine) { raise give, one; }
      on give do (got: machine) { send got, poke; } } }
    machine Going { start state A { entry (one: machine) { goto B, one; } }
      state B { entry (got: machine) { send got, poke; } } }
    machine Calling { start state A { entry (one: machine) { send same(one), poke; } } }
    machine Receiving { start state A { entry { receive { case give: (got: machine) { send got, poke; } } } } }
    machine Target { start state A { ignore poke; } }
    machine Main { start state A { entry { var one: machine; var other: machine; one = new Target();
      new Raising(one); new Going(one); new Calling(one); other = new Receiving(); send other, give, one; } } }
    test tc [main=Main]: { Main, Raising, Going, Calling, Receiving, Target };
  `)
  for (const from of ['Raising', 'Going', 'Calling', 'Receiving'])
    expect([from, references.maySend(kind(from), kind('Target'))]).toEqual([from, true])
  expect(references.maySend(kind('Target'), kind('Target'))).toBe(false)
})
