/**
 * P programs that are about who knows whom: machines hand references on, keep and forget them, create machines that nobody else knows, and send to themselves.
 * Events go upwards but for `tick`, which goes round and round: with it executions have no end, and still few states.
 */
import { Random } from '../../../src/core/random.ts'

const kinds = ['A', 'B', 'C'] as const
const events = ['e0', 'e1', 'e2'] as const

export interface ReferencePlan {
  /** Whether a machine may send to itself for ever. */
  readonly isEndless: boolean
  /** Whether machines of one kind are created several at a time, all alike. */
  readonly hasSiblings?: boolean
}

export function referenceProgram(seed: number, { isEndless, hasSiblings = false }: ReferencePlan): string {
  const random = new Random(seed)
  const isWatched = random.below(2) === 0
  return [
    ...events.map((event) => `event ${event}: machine;`),
    'event tick;',
    mainOf(random, hasSiblings),
    ...kinds.map((kind, at) => machineOf(random, kind, { at, ticks: isEndless && at === kinds.length - 1 })),
    ...(isWatched ? [monitorOf(random)] : []),
    `test tc [main=Main]: ${isWatched ? 'assert Order in ' : ''}{ Main, ${kinds.join(', ')} };`,
  ].join('\n')
}

function mainOf(random: Random, hasSiblings: boolean): string {
  const lines = hasSiblings ? siblings(random) : strangers(random)
  const kept = random.below(2) === 0 ? 'x' : 'y'
  return `machine Main { var kept: machine; var n: int; start state S {
  entry { var x: machine; var y: machine; var z: machine; ${lines.join(' ')}${random.below(2) === 0 ? ` kept = ${kept};` : ''} }
  on e0 do (who: machine) { n = 2 * n + 1; }
  on e1 do (who: machine) { ${random.below(2) === 0 ? 'kept = who;' : 'if (kept != null) { send kept, e2, who; }'} }
  on e2 do (who: machine) { n = 2 * n; }
} }`
}

function strangers(random: Random): readonly string[] {
  const sends = Array.from({ length: 1 + random.below(2) }, () => {
    const [to, carried] = [random.pick(['y', 'z', 'this']), random.pick(['x', 'y', 'this'])]
    return `send ${to}, ${random.pick(events)}, ${carried};`
  })
  return [
    `x = new ${random.pick(kinds)}(default(machine));`,
    `y = new ${random.pick(kinds)}(x);`,
    `z = new ${random.pick(kinds)}(${random.pick(['x', 'x', 'y', 'default(machine)'])});`,
    ...sends,
  ]
}

/** Now and then one of them is told something that the others are not. */
function siblings(random: Random): readonly string[] {
  const [kind, known] = [random.pick(kinds), random.pick(['x', 'x', 'this'])]
  const many = Array.from({ length: 2 + random.below(2) }, () => `y = new ${kind}(${known});`)
  const told = random.below(3) === 0 ? [`send y, ${random.pick(events)}, ${random.pick(['x', 'y', 'this'])};`] : []
  return [`x = new ${random.pick(kinds)}(default(machine));`, ...many, ...told]
}

interface MachinePlan {
  readonly at: number
  readonly ticks: boolean
}

function machineOf(random: Random, kind: string, { at, ticks }: MachinePlan): string {
  const handlers = events.map((event, level) => `on ${event} do (who: machine) { ${statements(random, at, level)} }`)
  const isDeferring = random.below(3) === 0
  const other = isDeferring
    ? `state T { defer e0; ${handlers[1]} on e2 goto S with (who: machine) { } ${ticks ? 'on tick do { send this, tick; }' : 'ignore tick;'} }`
    : `state T { ignore e0, e1, e2; ${ticks ? 'on tick do { flag = !flag; send this, tick; }' : 'ignore tick;'} }`
  const begins = `if (p != null) { peer = p; ${random.below(2) === 0 ? 'send p, e0, this;' : ''} } ${ticks ? 'send this, tick;' : ''} ${statements(random, at, -1)}`
  return `machine ${kind} { var peer: machine; var n: int; var flag: bool;
  start state I { entry (p: machine) { var who: machine; who = p; ${begins} goto S; } }
  state S { ${handlers.join('\n    ')}
    ${ticks ? 'on tick do { flag = !flag; send this, tick; }' : 'ignore tick;'} }
  ${other}
}`
}

function statements(random: Random, kind: number, level: number): string {
  return Array.from({ length: 1 + random.below(2) }, () => statement(random, kind, level)).join(' ')
}

/** Whether they hold is a matter of order, mostly. */
const claims = ['assert n < 5, "more";', 'assert !flag, "raised";', 'assert peer == who || n < 3, "another";']

function statement(random: Random, kind: number, level: number): string {
  const later = events.slice(level + 1)
  const carried = random.pick(['this', 'who', 'peer', 'default(machine)'])
  const drawn = random.below(13)
  if (drawn < 5 && later.length > 0) {
    const to = random.pick(['this', 'who', 'peer', 'peer'])
    const sends = `send ${to}, ${random.pick(later)}, ${carried};`
    return to === 'this' ? sends : `if (${to} != null) { ${sends} }`
  }
  if (drawn === 5) return 'peer = who;'
  if (drawn === 6) return 'peer = default(machine);'
  if (drawn === 7 && kind < kinds.length - 1) {
    const created = kinds[kind + 1] as string
    if (later.length === 0 || random.below(2) === 0) return `peer = new ${created}(${carried});`
    return `peer = new ${created}(this); send peer, ${random.pick(later)}, ${carried};`
  }
  if (drawn === 8) return 'if ($) { n = n + 1; } else { flag = true; }'
  if ((drawn === 9 || drawn === 11) && level >= 0) return random.pick(claims)
  if (drawn === 10 && level > 0) return 'goto T;'
  return `n = 2 * n + ${level + 2};`
}

/** It remembers who was spoken of last. */
function monitorOf(random: Random): string {
  const [one, other] = random.shuffle(events)
  const claim = random.pick([
    'assert last != 2, "out of order";',
    'n = n + 1; assert n < 3, "often";',
    'assert who == null || who != m, "again";',
  ])
  return `spec Order observes ${one}, ${other} { var last: int; var n: int; var who: machine; start state W {
  on ${one} do (m: machine) { ${claim} last = 1; who = m; }
  on ${other} do (m: machine) { last = 2; } } }`
}
