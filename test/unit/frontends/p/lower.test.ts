/** Whole programs: machines, states, links, monitors, and only the functions that are needed. */
import { describe, expect, it } from 'vitest'
import { printIr } from '../../../../src/ir/print.ts'
import { allLowered, functionText, lowered } from './lowered.ts'

describe('a program', () => {
  it('is lowered whole', () => {
    const ir = lowered(`
      event ePing: machine; event ePong; event eNever: (int, bool);
      machine Main receives ePong; sends ePing; {
        var rounds: int;
        start state Init {
          entry { var peer: Peer; peer = new Peer(this); send peer, ePing, this; goto Waiting; }
        }
        state Waiting {
          on ePong goto Over with { rounds = rounds + 1; }
          on null do { rounds = 0; }
        }
        hot state Over { entry Leave; exit { print "bye"; } defer ePong; }
        fun Leave() { raise halt; }
      }
      machine Peer receives ePing; {
        start state Only { entry (boss: machine) { } on ePing do Answer; ignore halt; }
        fun Answer(from: machine) { send from, ePong; }
      }
      spec Watch observes ePing, ePong {
        start cold state Idle { on ePing goto Busy; ignore ePong; }
        hot state Busy { on ePong goto Idle; on ePing do (who: machine) { assert who != null; } }
      }
      test tcOne [main=Main]: assert Watch in { Main, Peer };
    `)
    expect(printIr(ir)).toMatchInlineSnapshot(`
      "test tcOne
      event halt
      event ePing: machine
      event ePong
      event eNever: (int, bool)

      main machine Main
        receives ePong
        sends ePing
        creates Peer: Peer
        var rounds: int
        start state Init
          entry Main.Init.entry
        state Waiting
          on ePong goto Over with Main.Waiting.on ePong
          on null do Main.Waiting.on null
        hot state Over
          entry Main.Leave
          exit Main.Over.exit
          on ePong defer

      machine Peer
        receives ePing
        start state Only
          entry Peer.Only.entry
          on ePing do Peer.Answer
          on halt ignore

      monitor Watch
        observes ePing, ePong
        over Main, Peer
        start cold state Idle
          on ePing goto Busy
          on ePong ignore
        hot state Busy
          on ePong goto Idle
          on ePing do Watch.Busy.on ePing

      function 0 Main.Init.entry()
        var peer: machine{1}
        b0:
          peer = new Peer(this)
          send peer, ePing, this
          goto Waiting

      function 1 Main.Waiting.on ePong()
        b0:
          this.rounds = this.rounds + 1
          return

      function 2 Main.Waiting.on null()
        b0:
          this.rounds = 0
          return

      function 3 Main.Leave()
        b0:
          raise halt

      function 4 Main.Over.exit()
        b0:
          print "bye"
          return

      function 5 Peer.Only.entry(boss: machine)
        b0:
          return

      function 6 Peer.Answer(from: machine)
        b0:
          send from, ePong
          return

      function 7 Watch.Busy.on ePing(who: machine)
        b0:
          branch !(who == null) ? b1 : b2
        b1:
          return
        b2:
          fail "Assertion Failed: model.p:21:75"
      "
    `)
  })

  it('has places of its sources', () => {
    const ir = lowered(
      'event eGo;\r\nmachine Main { start state Init { entry F; }\n  fun F() {\n    send this, eGo;\n  }\n}',
    )
    const entry = ir.functions[0]?.blocks[0]
    expect(ir.machines[0]?.place).toEqual({ file: 'model.p', line: 2, column: 9 })
    expect(ir.machines[0]?.states[0]?.place).toEqual({ file: 'model.p', line: 2, column: 28 })
    expect(entry?.instructions[0]?.place).toEqual({ file: 'model.p', line: 4, column: 5 })
    expect(entry?.end.place).toEqual({ file: 'model.p', line: 3, column: 7 })
  })

  it('may be written in several files', () => {
    const ir = lowered('machine Main { start state Init { entry { f(); } } }', '\n fun f() { print "x"; }')
    expect(ir.functions[1]?.blocks[0]?.instructions[0]?.place).toEqual({ file: 'model1.p', line: 2, column: 12 })
  })
})

describe('functions', () => {
  const program = `
    event eGo;
    fun shared(n: int): int { return deeper(n) + 1; }
    fun deeper(n: int): int { return n; }
    fun unused(): int { return shared(1); }
    fun recursive(n: int): int { if (n == 0) { return 0; } return recursive(n - 1); }
    machine Main { var x: int;
      start state Init { entry { x = shared(1) + recursive(3); new Other(); } }
      fun unusedHere() { x = unused(); } }
    machine Other { var a: bool; var b: int; start state Init { entry { b = shared(2); } } }
    machine Stranger { start state Init { entry { unused(); } } }
    test t [main=Main]: { Main, Other };
  `

  it('are those that the machines of the test can call, each once', () => {
    expect(lowered(program).functions.map(({ name }) => name)).toEqual([
      'Main.Init.entry',
      'Other.Init.entry',
      'shared',
      'recursive',
      'deeper',
    ])
  })

  it('of machines that the test does not have are left out', () => {
    expect(lowered(program).machines.map(({ name }) => name)).toEqual(['Main', 'Other'])
  })

  it('choose fairly with two dollars alone', () => {
    const ir = lowered(`
      machine Main { var b: bool; start state Init { entry { b = $$; b = $; b = choose(); } } }
    `)
    expect(functionText(ir, 'Main.Init.entry').match(/choose.*/g)).toEqual([
      'choose fair boolean',
      'choose boolean',
      'choose boolean',
    ])
  })

  it('without a body are foreign', () => {
    const ir = lowered(`
      type Clock; fun now(c: Clock, n: int): int; fun tick();
      machine Main { var c: Clock; var n: int; start state Init { entry { n = now(c, n + 1); tick(); } } }
    `)
    expect(functionText(ir, 'Main.Init.entry')).toBe(
      'var $0: int\nb0:\n  $0 = foreign now(this.c, this.n + 1)\n  this.n = $0\n  foreign tick()\n  return',
    )
  })

  it('that wait, wait wherever they are called from', () => {
    const ir = lowered(`
      event eNumber: int;
      fun wait(): int { var got: int; receive { case eNumber: (n: int) { got = n; } } return got; }
      machine Main { var x: int;
        start state Init { entry { x = wait(); goto Next; } exit { x = wait(); } } state Next { } }
    `)
    expect(functionText(ir, 'wait')).toBe(
      'var got: int\nvar n: int\nb0:\n  receive\n    case eNumber into n: b1\nb1:\n  got = n\n  return got',
    )
    expect(functionText(ir, 'Main.Init.exit')).toContain('$0 = call wait()')
  })

  it('with a value have one wherever they end', () => {
    const ir = lowered(`
      event eGo;
      fun f(n: int): int { while (true) { if (n == 3) { return 1; } n = n + 1; } assert false; }
      fun g(): int { receive { case eGo: { return; } } return 2; }
      machine Main { var x: int; start state Init { entry { x = f(1) + g(); } } }
    `)
    expect(functionText(ir, 'f')).not.toContain('fail')
    expect(functionText(ir, 'g')).toContain('fail "g ended without a value"')
  })
})

describe('parameters of a test', () => {
  it('are constants', () => {
    const irs = allLowered(`
      param n: int; param fair: bool;
      machine Main { var x: int; start state Init { entry { if (fair) { x = n + 1; } else { x = -n; } } } }
      test param (n in [2, 3], fair in [true]) t [main=Main]: { Main };
    `)
    expect(irs.map(({ name }) => name)).toEqual(['t___n_2__fair_true', 't___n_3__fair_true'])
    expect(irs.map((ir) => functionText(ir, 'Main.Init.entry'))).toEqual([
      'b0:\n  this.x = 2 + 1\n  return',
      'b0:\n  this.x = 3 + 1\n  return',
    ])
  })
})

describe('links', () => {
  it('are by the name that is created, for each machine', () => {
    const ir = lowered(`
      event eGo;
      interface IPeer() receives eGo;
      machine Main { var p: machine; start state Init { entry { p = new IPeer(); } } }
      machine Real receives eGo; { start state Init { ignore eGo; } }
      test t [main=Main]: { Main, Real -> IPeer };
    `)
    expect(ir.machines[0]?.creates).toEqual({ IPeer: 1 })
    expect(functionText(ir, 'Main.Init.entry')).toContain('$0 = new IPeer()')
  })

  it('may have the names that every object has', () => {
    const ir = lowered(`
      machine Main { start state Init { entry { new __proto__(); new constructor(); } } }
      machine __proto__ { start state Init { } }
      machine constructor { start state Init { } }
    `)
    expect(Object.entries(ir.machines[0]?.creates ?? {}).sort()).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ])
  })
})

describe('monitors', () => {
  it('are told of the machines they are asserted over', () => {
    const ir = lowered(`
      event eGo;
      machine Main { start state Init { entry { new Other(); send this, eGo; } ignore eGo; } }
      machine Other { start state Init { entry { send this, eGo; } ignore eGo; } }
      spec Some observes eGo { start state Init { ignore eGo; } }
      spec All observes eGo { start state Init { ignore eGo; } }
      scenario Seen observes eGo { start state Init { on eGo goto Done; } cold state Done { ignore eGo; } }
      test t [main=Main]: assert All, Seen in (union (assert Some in { Main }), { Other });
    `)
    const told = ir.monitors.map(({ machine, over }) => {
      const monitor = ir.machines[machine]
      return [monitor?.name, monitor?.kind, over.map((place) => ir.machines[place]?.name)]
    })
    expect(told.sort()).toEqual([
      ['All', 'monitor', ['Main', 'Other']],
      ['Seen', 'scenario', ['Main', 'Other']],
      ['Some', 'monitor', ['Main']],
    ])
  })
})

describe('null', () => {
  it('is no event: what is done on it is kept apart, and nobody is sent it', () => {
    const ir = lowered(`
      event eGo;
      machine Main {
        start state Init { on null goto Next; }
        state Next { entry { receive { case null: { print "never"; } case eGo, halt: { } } } }
      }
    `)
    expect(ir.events.map(({ name }) => name)).toEqual(['halt', 'eGo'])
    expect(ir.machines[0]?.states[0]?.onNull).toEqual({ kind: 'goto', state: 1, with: undefined })
    expect(functionText(ir, 'Main.Next.entry')).toBe('b0:\n  receive\n    case eGo, halt: b1\nb1:\n  return')
  })
})
