/** Small P programs without monitors in which it decides what a turn depends on, each with how many executions in rounds it has by hand. */

export interface RoundLitmus {
  readonly name: string
  readonly text: string
  readonly traces: { readonly 'sender-queue': number; readonly fifo: number }
}

export const roundLitmus: readonly RoundLitmus[] = [
  {
    // Without the `a` that is under way to a machine that has halted, what stands before it in the line is what it was.
    name: 'a message behind the head of a line whose target halts',
    text: [
      'event a;',
      'machine Main { var f: machine; var s: machine; start state S { entry { f = new First(); s = new Second(); send f, a; } } }',
      'machine First { start state S { entry { send this, halt; } ignore a; } }',
      'machine Second { start state S { entry { } } }',
      'test tc [main=Main]: { Main, First, Second };',
    ].join('\n'),
    // With sender queues `a` comes after the second machine began: it is ignored before the halt, or gone.
    traces: { 'sender-queue': 2, fifo: 2 },
  },
  {
    name: 'a message at the head of a line whose target halts',
    text: [
      'event a;',
      'machine Main { var f: machine; var s: machine; start state S { entry { f = new First(); s = new Second(); send f, a; send s, a; } } }',
      'machine First { start state S { entry { send this, halt; } ignore a; } }',
      'machine Second { var n: int; start state S { on a do { n = n + 1; } } }',
      'test tc [main=Main]: { Main, First, Second };',
    ].join('\n'),
    traces: { 'sender-queue': 2, fifo: 2 },
  },
  {
    name: 'two machines that fail apart, one of them later',
    text: [
      'event a;',
      'machine Main { start state S { entry { new Deputy(); new Second(); } } }',
      'machine Deputy { start state S { entry { new First(); } } }',
      'machine First { start state S { entry { assert false, "first"; } } }',
      'machine Second { start state S { entry { send this, a; } on a do { assert false, "second"; } } }',
      'test tc [main=Main]: { Main, Deputy, First, Second };',
    ].join('\n'),
    traces: { 'sender-queue': 0, fifo: 0 },
  },
  {
    // Without its monitor; with it, it is wrong in two ways at two ends.
    name: 'a monitor that wants something in one of two states',
    text: [
      'event a; event b;',
      'machine Main { start state S { entry { if ($) { send this, a; } else { send this, b; } } ignore a, b; } }',
      'spec Wants observes a, b { start state M { on a goto One; on b goto Other; } hot state One { } hot state Other { } }',
      'test tc [main=Main]: assert Wants in { Main };',
    ].join('\n'),
    traces: { 'sender-queue': 2, fifo: 2 },
  },
  {
    // Where both have one item, they are equal whatever others have behind it.
    name: 'lists that are equal where both are short',
    text: [
      'event a;',
      'machine Main { var l: seq[int]; var k: seq[int]; start state S {',
      'entry { l += (0, 1); k += (0, 1); if ($) { l += (1, 2); } if ($) { k += (1, 3); } if (l == k) { send this, a; } }',
      'ignore a; } }',
      'test tc [main=Main]: { Main };',
    ].join('\n'),
    traces: { 'sender-queue': 4, fifo: 4 },
  },
]
