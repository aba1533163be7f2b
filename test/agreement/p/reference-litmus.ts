/**
 * Small P programs in which a target takes `one` and somebody else could send it `other` before: each is violated in that order, and each has the reference to
 * the target at another place while `one` is under way.
 */
interface ReferenceLitmus {
  readonly name: string
  readonly text: string
}

const target = [
  'event one; event other; event go; event give: machine; event told;',
  'machine Target { var isFirst: bool; start state S { on one do { isFirst = true; } on other do { assert isFirst, "other first"; } } }',
  'machine Sender { start state S { entry (t: machine) { send t, one; } } }',
]

function program(...lines: readonly string[]): string {
  return [...target, ...lines].join('\n')
}

/** It keeps nothing. */
function main(creates: string): string {
  return `machine Main { start state S { entry { var t: machine; t = new Target(); new Sender(t); ${creates} } } }`
}

export const referenceLitmus: readonly ReferenceLitmus[] = [
  {
    name: 'in the line of another machine',
    text: program(
      main('new Rival(t);'),
      'machine Rival { start state S { entry (t: machine) { send t, other; } } }',
      'test tc [main=Main]: { Main, Target, Sender, Rival };',
    ),
  },
  {
    name: 'in a message to another machine',
    text: program(
      main('new Rival(t);'),
      'machine Rival { start state S { entry (t: machine) { send new Carrier(), give, t; } } }',
      'machine Carrier { start state S { on give do (t: machine) { send t, other; } } }',
      'test tc [main=Main]: { Main, Target, Sender, Rival, Carrier };',
    ),
  },
  {
    name: 'in a field',
    text: program(
      main('new Rival(t);'),
      'machine Rival { var kept: machine; start state S {',
      '  entry (t: machine) { kept = t; send this, go; } on go do { send kept, other; } } }',
      'test tc [main=Main]: { Main, Target, Sender, Rival };',
    ),
  },
  {
    name: 'in a list within a map',
    text: program(
      main('new Rival(t);'),
      'machine Rival { var kept: map[int, seq[machine]]; start state S {',
      '  entry (t: machine) { kept[1] = default(seq[machine]); kept[1] += (0, t); send this, go; }',
      '  on go do { send kept[1][0], other; } } }',
      'test tc [main=Main]: { Main, Target, Sender, Rival };',
    ),
  },
  {
    name: 'in an inbox',
    text: program(
      main('new Rival(t);'),
      'machine Rival { start state S { defer give; entry (t: machine) { send this, give, t; send this, go; } on go goto Q; }',
      '  state Q { on give do (t: machine) { send t, other; } } }',
      'test tc [main=Main]: { Main, Target, Sender, Rival };',
    ),
  },
  {
    name: 'in the middle of a handler',
    text: program(
      main('new Rival(t);'),
      'machine Rival { start state S { entry (t: machine) { send this, go; receive { case go: { } } send t, other; } } }',
      'test tc [main=Main]: { Main, Target, Sender, Rival };',
    ),
  },
  {
    // A monitor is told, so that it does not begin first.
    name: 'with a machine that has not begun',
    text: program(
      main('new Rival(t);'),
      'machine Rival { start state S { entry (t: machine) { announce told; send t, other; } } }',
      'spec Hears observes told { start state W { ignore told; } }',
      'test tc [main=Main]: assert Hears in { Main, Target, Sender, Rival };',
    ),
  },
  {
    name: 'with the target itself, which does not wait for messages alone',
    text: [
      'event one;',
      'machine Main { start state S { entry { send new Target(), one; } } }',
      'machine Target { start state S { on null goto Q; on one goto R; }',
      '  state Q { on one do { assert false, "other first"; } } state R { ignore one; } }',
      'test tc [main=Main]: { Main, Target };',
    ].join('\n'),
  },
]
