/** The oracle itself, on programs whose outcomes are known. */
import { describe, expect, test } from 'vitest'
import { interpret, type Outcomes } from './interpreter.ts'
import { litmus } from './litmus.ts'
import { productPaths, walk } from './product.ts'
import { readProgram } from './read.ts'
import { type Delivery, deliveries } from './world.ts'

function outcomesOf(text: string, delivery: Delivery): Outcomes {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const { checked } = read
  const [one] = checked.tests
  if (one === undefined) throw new Error('no test')
  const found = interpret(checked, one, { delivery, mostStates: 2_000 })
  if (found === undefined) throw new Error('too many states')
  const product = walk(productPaths(checked, one, delivery), { byKeys: true, most: 100_000 })
  expect(product).toMatchObject({ ends: found.ends, violations: found.violations })
  return found
}

const nowhere: readonly Delivery[] = []
const unordered: readonly Delivery[] = ['fifo', 'bag']
/** What is sent to several machines has no order among them. */
const unqueued: readonly Delivery[] = ['fifo', 'bag', 'causal']

describe('of litmus programs the assertion fails', () => {
  test.each([
    ['overtaking', unordered, 'C'],
    ['crossedLate', unqueued, 'Main'],
    ['toHalted', deliveries, 'C'],
    ['betweenSends', ['mailbox'], 'Watch'],
    ['seenOtherwise', deliveries, 'Watch'],
    ['crossedEarly', deliveries, 'Main'],
    ['deferredTwice', deliveries, 'T'],
    ['exitOfHalted', deliveries, 'Main'],
    ['exitBeforeWith', nowhere, 'Main'],
  ] as const)('%s: under %j', (name, failing: readonly Delivery[], who) => {
    for (const delivery of deliveries) {
      const expected = failing.includes(delivery) ? [`assertion: ${who}`] : []
      expect({ delivery, violations: outcomesOf(litmus[name], delivery).violations }).toEqual({
        delivery,
        violations: expected,
      })
    }
  })
})

test('machines that are told something before they begin neither ignore nor defer it by then', () => {
  const text = `event e;
machine Main { start state S { entry { var b: machine; b = new B(); send b, e; } } }
machine B { start state S { entry { goto T; } ignore e; } state T { } }`
  for (const delivery of deliveries) expect(outcomesOf(text, delivery).violations).toEqual(['unhandled event: B'])
})

test('arguments of a creation fail before others come', () => {
  const text = `machine Main { var x: any; start state S { entry { new A(); new B((x as int)); } } }
machine A { start state S { entry { assert false; } } }
machine B { start state S { entry (p: int) { } } }`
  for (const delivery of deliveries) expect(outcomesOf(text, delivery).violations).toEqual(['cast: Main'])
})

test('a return in a case leaves the function around it', () => {
  const text = `event e;
machine Main {
  var x: int;
  fun wait() { receive { case e: { return; } } x = 1; }
  start state S { entry { send this, e; wait(); x = x + 2; } }
}`
  for (const delivery of deliveries) expect(outcomesOf(text, delivery).ends).toEqual(['Main: S [["x",2]]'])
})

test('what waits and is ignored by now is gone when something after it is taken', () => {
  const text = `event waiting; event go; event last;
machine Main {
  start state S {
    entry { new A(this); send this, waiting; }
    exit { send this, last; }
    on go goto T;
    defer waiting;
  }
  state T { on last goto U; ignore waiting; }
  state U { }
}
machine A { start state S { entry (p: machine) { send p, go; } } }`
  for (const delivery of ['sender-queue', 'fifo', 'causal'] as const)
    expect(outcomesOf(text, delivery).violations).toEqual([])
})

test('a halt that a function between two states receives halts the machine', () => {
  const text = `event e;
machine Main {
  start state S {
    entry { send this, e; send this, halt; }
    on e goto T with { receive { case e: { } } }
  }
  state T { }
}`
  for (const delivery of ['sender-queue', 'mailbox', 'fifo', 'causal'] as const) {
    expect(outcomesOf(text, delivery)).toMatchObject({ ends: ['Main: halted []'], violations: [] })
  }
})

test('others may come before a receive, also if what it waits for is there', () => {
  const text = `event e; event a1; event a2; event b;
machine Main { start state S { entry { new B(); send this, e; announce a1; receive { case e: { } } announce a2; } } }
machine B { start state S { entry { announce b; } } }
spec Watch observes a1, a2, b {
  var isBetween: bool;
  start state S {
    on a1 do { isBetween = true; }
    on a2 do { isBetween = false; }
    on b do { assert !isBetween; }
  }
}
test tc [main=Main]: assert Watch in { Main, B };`
  for (const delivery of deliveries) expect(outcomesOf(text, delivery).violations).toEqual(['assertion: Watch'])
})
