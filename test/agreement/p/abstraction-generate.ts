/**
 * Programs of P whose values of one type decide what they do by equality alone: maps, sets, lists and tuples of them, written and asked in every way that
 * classes know something about. What was found out is in the list `told`, as numbers.
 */
import { Random } from '../../../src/core/random.ts'

export interface KeyProgram {
  readonly text: string
  readonly form: 'opaque' | 'enum'
}

const questions: readonly ((key: string, other: string) => string)[] = [
  (key, other) => `if (${key} == ${other}) { tell(1); } else { tell(0); }`,
  (key, other) => `if (${key} != ${other} && (${key}, 1) == (${other}, 1)) { tell(2); }`,
  (key) => `if (${key} in counts) { tell(10 + counts[${key}]); } else { tell(3); }`,
  (key) => `if (${key} in counts && counts[${key}] == 1) { tell(4); }`,
  (key, other) => `if (${key} in counts || ${other} in seen) { tell(5); } else { tell(6); }`,
  (key) => `if (${key} in seen) { tell(7); } else { tell(8); }`,
  (key) => `if (${key} in order) { tell(9); }`,
  (key) => `if ((${key}, 0) in pairs) { tell(20); if (pairs[(${key}, 0)] == ${key}) { tell(21); } }`,
  (key, other) => `if ((of = ${key}, n = 1) == (of = ${other}, n = 1)) { tell(22); } else { tell(23); }`,
  (key) => `if (${key} in owners) { if (owners[${key}] == null) { tell(24); } else { tell(25); } }`,
  (key, other) => `if (same(${key}, ${other})) { tell(26); } else { tell(27); }`,
  (key) => `tell(30 + counts[${key}]);`,
  (key) => `if (sizeof(order) > 0 && order[0] == ${key}) { tell(28); }`,
  (key) => `x = choose(seen); if (x == ${key}) { tell(29); }`,
  (key, other) => `if ((${key} == ${other}) == (${key} in seen)) { tell(31); }`,
  // What was known of a key is not known any more.
  (key, other) => `if (x in counts) { x = ${key}; tell(40 + counts[x]); } else { y = ${other}; }`,
  (key, other) => `if (${key} in counts) { counts -= (${other}); tell(50 + counts[${key}]); }`,
  (key, other) => `if (${key} in counts) { drop(${other}); if (${key} in counts) { tell(34); } else { tell(35); } }`,
  (key, other) => `twice(${key}, ${other});`,
  (key, other) => `if (!(${key} in counts)) { counts[${other}] = 1; counts += (${key}, 2); tell(32); }`,
  (key, other) => `while (x in counts) { tell(70 + counts[x]); counts -= (x); x = ${key}; y = ${other}; }`,
  (key) => `if (${key} in counts) { tell(33); } else { counts[${key}] = 2; } tell(80 + counts[${key}]);`,
]

const deeds: readonly ((key: string, other: string, number: number) => string)[] = [
  (key, _, number) => `counts[${key}] = ${number};`,
  (key, _, number) => `if (!(${key} in counts)) { counts += (${key}, ${number}); }`,
  (key, _, number) => `counts += (${key}, ${number});`,
  (key) => `counts -= (${key});`,
  (key) => `seen += (${key});`,
  (key) => `seen -= (${key});`,
  (key) => `order += (0, ${key});`,
  (key, other) => `pairs[(${key}, ${'0'})] = ${other};`,
  (key, other, number) => `pairs[(${key}, ${number % 2})] = ${other};`,
  (key) => `owners[${key}] = this;`,
  (key) => `owners[${key}] = null as machine;`,
  (key, other) => `${key === 'x' ? 'x' : 'y'} = ${other};`,
  (key, _, number) => `if (${key} in counts) { counts[${key}] = counts[${key}] + ${number}; }`,
  (key, other) => `x = first((${key}, ${other}));`,
]

export function keyProgram(seed: number): KeyProgram {
  const random = new Random(seed)
  const form = random.below(3) === 0 ? 'enum' : 'opaque'
  const one = <T>(all: readonly T[]): T => all[random.below(all.length)] as T
  const made = form === 'enum' ? ['K0', 'K1', 'theKey()'] : ['theKey()', 'otherKey()']
  const plain = (): string => one(['x', 'x', 'y', 'y', 'given.a', 'given.b'])
  const statement = (): string => {
    const number = random.below(3)
    if (random.below(8) === 0) return `x = ${one([...made, 'anyKey()'])};`
    return random.below(2) === 0 ? one(questions)(plain(), plain()) : one(deeds)(plain(), plain(), number)
  }
  const body = Array.from({ length: 4 + random.below(6) }, statement)
  const sent = Array.from({ length: 1 + random.below(2) }, () => {
    return `send store, go, (a = ${one(['anyKey()', 'otherKey()'])}, b = ${one(['anyKey()', 'theKey()', 'k'])});`
  })
  return { form, text: textOf(form, body, sent) }
}

/** The same program with these statements. */
export function keyProgramOf(body: readonly string[], sent: string): KeyProgram {
  return { form: 'opaque', text: textOf('opaque', body, [sent]) }
}

function textOf(form: KeyProgram['form'], body: readonly string[], sent: readonly string[]): string {
  return `${form === 'enum' ? 'enum Key { K0, K1, K2 }' : 'type Key;'}
event go: (a: Key, b: Key);
fun theKey(): Key;
fun otherKey(): Key;
fun anyKey(): Key;
fun same(one: Key, other: Key): bool { return one == other; }
fun first(two: (Key, Key)): Key { return two.0; }
machine Store {
  var told: seq[int];
  var counts: map[Key, int];
  var seen: set[Key];
  var order: seq[Key];
  var pairs: map[(Key, int), Key];
  var owners: map[Key, machine];
  var x: Key;
  var y: Key;
  start state Serving {
    on go do (given: (a: Key, b: Key)) {
      ${body.join('\n      ')}
    }
  }
  fun twice(one: Key, other: Key) {
    var key: Key;
    key = one;
    if (key in counts) { key = other; if (key in counts) { tell(37); } else { tell(38); } }
  }
  fun drop(key: Key) { counts -= (key); }
  fun tell(what: int) { told += (sizeof(told), what); }
}
machine Main {
  start state Init {
    entry {
      var store: machine;
      var k: Key;
      store = new Store();
      ${sent.join('\n      ')}
    }
  }
}
test tcOne [main=Main]: { Main, Store };
`
}
