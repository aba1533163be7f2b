/** Small P programs in which the order of turns decides, each with how many classes of executions it has by hand. */

export interface OrderLitmus {
  readonly name: string
  readonly text: string
  /** By delivery; none where something goes wrong on the way. */
  readonly classes: { readonly [delivery: string]: number }
}

const events = ['event a;', 'event b;', 'event c;', 'event seen: int;']

function program(...lines: readonly string[]): string {
  return [...events, ...lines].join('\n')
}

/** Tells the monitors its number at every `a`. */
const teller = (name: string, number: number): string =>
  `machine ${name} { start state S { on a do { send this, seen, ${number}; } ignore seen; } }`
const inOrder =
  'spec InOrder observes seen { var last: int; start state W { on seen do (n: int) { assert n > last, "out of order"; last = n; } } }'

export const orderLitmus: readonly OrderLitmus[] = [
  {
    // With sender queues the second machine has its turn after the whole turn of the first one.
    name: 'monitors told by two machines that one machine sends to',
    text: program(
      'machine Main { start state S { entry { var f: machine; var s: machine; f = new First(); s = new Second(); send f, a; send s, a; } } }',
      teller('First', 1),
      teller('Second', 2),
      inOrder,
      'test tc [main=Main]: assert InOrder in { Main, First, Second };',
    ),
    classes: { 'sender-queue': 1, mailbox: 1 },
  },
  {
    name: 'monitors told of a choice in the turn that makes room',
    text: program(
      'machine Main { start state S { entry { var f: machine; var s: machine; f = new First(); s = new Second(); send f, a; send s, a; } } }',
      'machine First { start state S { on a do { if ($) { send this, seen, 1; } } ignore seen; } }',
      teller('Second', 2),
      inOrder,
      'test tc [main=Main]: assert InOrder in { Main, First, Second };',
    ),
    classes: { 'sender-queue': 2, mailbox: 2 },
  },
  {
    // What waits in the inbox is handled in a turn of its own, which others may come before.
    name: 'monitors told from the inbox',
    text: program(
      'machine Main { start state S { entry { var f: machine; var s: machine; f = new First(); s = new Second(); send f, b; send f, a; send s, a; } } }',
      'machine First { start state S { defer b; on a goto T; } state T { on b do { send this, seen, 1; } ignore seen; } }',
      teller('Second', 2),
      inOrder,
      'test tc [main=Main]: assert InOrder in { Main, First, Second };',
    ),
    classes: { mailbox: 1 },
  },
  {
    name: 'a halted machine that nobody has to wait for',
    text: program(
      'machine Main { start state S { entry { var h: machine; var t: machine; h = new Halts(); t = new Teller(); new Sender((h, t)); send h, halt; send h, a; send t, a; } } }',
      'machine Halts { start state S { ignore a; } }',
      'machine Sender { start state S { entry (at: (machine, machine)) { send at.0, a; send at.0, a; send at.1, a; } } }',
      'machine Teller { var n: int; start state S { on a do { n = n + 1; } } }',
      'test tc [main=Main]: { Main, Halts, Sender, Teller };',
    ),
    classes: {},
  },
  {
    name: 'two senders to one machine that fails after a send',
    text: program(
      'machine Main { start state S { entry { var r: machine; r = new Receiver(); new Sender((r, 1)); new Sender((r, 2)); } } }',
      'machine Sender { start state S { entry (at: (machine, int)) { send at.0, seen, at.1; } } }',
      'machine Receiver { var last: int; start state S { on seen do (n: int) { send this, a; assert n > last, "out of order"; last = n; } on a do { assert last > 0, "nothing was told"; } } }',
      'test tc [main=Main]: { Main, Sender, Receiver };',
    ),
    classes: {},
  },
  {
    // What goes wrong after a monitor has found something does not happen.
    name: 'a machine that fails after a monitor',
    text: program(
      'machine Main { start state S { entry { var f: machine; f = new Fails(); send f, seen, 0; send f, a; } } }',
      'machine Fails { start state S { on a do { assert false, "never"; } ignore seen; } }',
      inOrder,
      'test tc [main=Main]: assert InOrder in { Main, Fails };',
    ),
    classes: {},
  },
  {
    name: 'two receives that wait for each other',
    text: program(
      'machine Main { start state S { entry { var l: machine; var r: machine; l = new Left(); r = new Right(l); send l, c; } } }',
      'machine Left { start state S { defer b; on c do { receive { case b: { } } } } }',
      'machine Right { start state S { entry (l: machine) { if ($) { send l, b; } receive { case halt: { } case a: { } } } } }',
      'test tc [main=Main]: { Main, Left, Right };',
    ),
    classes: {},
  },
  {
    name: 'three senders to one machine',
    text: program(
      'machine Main { start state S { entry { var r: machine; r = new R(); new S((r, 1)); new S((r, 2)); new S((r, 3)); } } }',
      'machine S { start state S { entry (at: (machine, int)) { send at.0, seen, at.1; } } }',
      'machine R { var all: seq[int]; start state S { on seen do (n: int) { all += (sizeof(all), n); } } }',
      'test tc [main=Main]: { Main, S, R };',
    ),
    classes: { 'sender-queue': 6, fifo: 6, bag: 6, mailbox: 6 },
  },
]
