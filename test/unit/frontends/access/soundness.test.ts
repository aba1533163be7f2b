// @module-tag cut
import { expect, test } from 'vitest'
import { amount } from '../../../amount.ts'
import {
  compiledScript,
  type Loaded,
  type Miniature,
  type OperationEvent,
  rewritten,
  start,
} from './miniature-runtime.ts'
import { Random, randomProgram } from './random-programs.ts'

/**
 * States are compared by positions and live values. So two executions that arrive at the same positions with equal live
 * values, and are answered the same from there on, must behave the same from there on. Answers come from outside: fields
 * have no memory here, hence every difference in behaviour comes from a value that the lists should have had.
 */
test('executions with equal positions and live values cannot be told apart by the same answers', () => {
  let merged = 0
  for (let seed = first; seed < first + programs; seed++) merged += checkProgram(randomProgram(seed), seed).merged
  // The check says nothing unless different executions often arrive at equal states.
  expect(merged).toBeGreaterThan(programs * 8)
})

/** Methods in which a value waits in an unusual place; `o` and `x` are answers. */
const methods: readonly string[] = [
  'm(o, x) { let y = 0; const r = this[((y = x), (x = this.f), 1)]; return [x, y, r] }',
  'm(o, x) { return x + ((x = 5), this.g) }',
  'm(o, x) { return (x += ((x = 5), this.g)) }',
  'm(o, x) { return o[x] + ((o = 5), (x = 1), this.g) }',
  'm(o, x) { x.k = ((x = 5), this.g) }',
  'm(o, x) { x.k += ((x = 5), this.g) }',
  'm(o, x) { x[o] ??= ((x = 5), (o = 7), this.g) }',
  'm(o, x) { x[o]++; return x }',
  'm(o, x) { return x[o]++ + --x[o] + this.g }',
  'm(o, x) { return (o.k = x) + this.g + (o.k -= x) + this.h + (o.acc = x) + this.g }',
  'm(o, x) { this.k(o, x, (x = this.f), x, (o = this.g)) } k() {}',
  'm(o, x) { return [x++, this.f, x, this.g, -x, this.h] }',
  'm(o, x) { return { a: x++, [x]: this.f, [o + 1]: this.g, b() { return x }, c: x + this.h } }',
  'm(o, x) { return `$' + '{x++} $' + '{this.f} $' + '{x} $' + '{this.g} $' + '{o}` }',
  'm(o, x) { return x > 0 ? x + this.f : o + this.g }',
  'm(o, x) { return (x && this.f) + (o || this.g) + (this.h ?? x) }',
  'm(o, x) { return o?.[x]?.k.l?.(this.f, x) }',
  'm(o, x) { return x++ in (x, this[o]) }',
  'm(o, x) { const { a, b = this.f, c: { d = x } } = o; return [a, b, d, x] }',
  'm(o, x) { const { a, ...b } = o; return [a, this.f, b, x] }',
  'm(o, x) { const [a, , b = this.f, [c] = x, ...d] = o; return [a, this.g, b, c, d] }',
  'm(o, x) { [x, o] = [o, x]; [this[o], x] = [x, this.f]; return [x, o] }',
  'm(o, x) { ({ a: x, b: o } = x); return [x, this.f, o] }',
  'm(o, x) { let s = x; for (const e of o) { if (e) continue; s += e + this.f } return s }',
  'm(o, x) { for (const { a = x, b } of o) { this.f = a; this.g = b } return x }',
  'm(o, x) { for (const k in o) if (k === x) return this.f; return x }',
  'm(o, x) { switch (x) { case this.f: return o; case this.g: x = 4; default: return x + this.h } }',
  'm(o, x) { switch (o) { case 0: let y = x; return y + this.f; case 1: { let y = this.g; return y } } return this.h }',
  'm(o, x) { try { return x } finally { this.f = o } }',
  'm(o, x) { try { if (o) throw x; return x } catch (e) { return [this.f, e] } finally { this.g = 1 } }',
  'm(o, x) { try { x = this.f; x = this.g; o = 9 } catch (e) { return [x, o, e] } return o }',
  'm(o, x) { for (;;) { try { if (x) break; x = this.f } finally { this.g = 1 } } return o }',
  'm(o, x) { outer: for (;;) { this.h = x; for (;;) { try { if (this.g) continue outer } finally { this.h = 1 } x = 1; return o } } }',
  'm(o, x) { try { try { return x } finally { this.f = 1 } } finally { if (this.g) return o; this.h = 2 } }',
  'm(o, x) { a: { try { if (x) break a; x = this.f } finally { this.g = 1 } return x } return o }',
  'm(o, x) { try { this.k(x) } catch { return x } finally { x = this.f; this.g = x } return o } k(y) { throw y + this.h }',
  'm(o, x) { const f = () => x + this.f; return f() + o + f() }',
  'm(o, x) { const f = () => x++; f(); return [x, this.f, f] }',
  'm(o, x) { return this.n(x, undefined, o) } n(a, b = this.h, c) { const f = () => a++; f(); return [a, b, c, this.f] }',
  'm(o, x) { return this.n(undefined, x) } n(b = this.h, a) { const f = () => a++; f(); return [a, b, this.f] }',
  'm(o, x) { return this.n(x, o) } n(a, { k, l = this.h + a }, c = k + l) { return [a, k, this.f, l, c] }',
  'm(o, x) { return this.n(o, x) } n(...a) { return [a, this.f, a.length] }',
  'm(o, x) { const fs = []; for (let i = x; i < 2; i++) { fs.push(() => i + o); this.f = i } return fs.map((f) => f()) }',
  'm(o, x) { const f = (n) => (n > 1 ? x : f(n + this.h) + this.f); return f(o) }',
  'm(o, x) { { let x = o; this.f = x; { let x = this.g; this.f = x } } return x + this.h }',
  'm(o, x) { let y; do { y = x; x = this.f; if (x) continue; y = this.g } while (this.h < y); return [o, y] }',
  'm(o, x) { for (let i = 0; i < this.f; i++, x += this.g) o = i; return [o, x] }',
  'm(o, x) { while (this.f) { const y = this.g; if (y === x) return y; o = y } return o }',
  'm(o, x) { return ((strings, ...values) => values.length + this.f)`$' + '{x}$' + '{this.g}$' + '{o}` }',
  'm(o, x) { return new this.D(x, this.f, o++, this.g, o) } D = class {}',
  'm(o, x) { function odd(n) { return n > 0 ? even(n - 1) : x } function even(n) { return n > 0 ? odd(n - 1) : this === undefined && o } return [odd(o), this.f, even(x)] }',
  'm(o, x) { return (this.f, x) + (x = this.g, o) + x }',
  'm(o, x) { x ||= this.f; o &&= this.g; x ??= this.h; return [x, o] }',
  'm(o, x) { return void this.f, typeof x + this.g + !o + -this.h }',
  'm(o, x) { return (class { static s = x; t() { return o } }).s + this.f + x }',
  'm(o, x) { return delete o[x] + this.f + (delete o?.[this.g]) + x }',
]

for (const method of methods) {
  test(`no live value is missing in ${method}`, () => {
    const source = `class C { f = 0; g = 0; h = 0; set acc(v) { this.g = v; this.h = 1 } ${method} }
      export function main(o, x, c) { return c.m(c.o, c.x) }
      export const make = () => new C()`
    expect(checkProgram(source, 0, 1000).states).toBeGreaterThan(6)
  })
}

const programs = Number(process.env.ACCESS_PROGRAMS ?? amount({ quick: 20, rest: 40, thorough: 120, all: 500 }))
const first = Number(process.env.ACCESS_SEED ?? 1)
const executions = 150
const tailLimit = 20
const laterAnswers = [
  [2, 0, 1, 2, 1, 0, 1],
  [0, 1, 1, 0, 0, 1, 2],
  [1, 0, 1, 1, 1, 0, 0],
]

/** Also: how many executions arrived, in different ways, at a state that another one had been in. */
function checkProgram(
  source: string,
  seed: number,
  limit = executions,
): { readonly merged: number; readonly states: number } {
  const code = rewritten(source)
  const loaded = start(compiledScript(code))
  const random = new Random(seed * 7919)
  const known = new Map<string, { readonly tail: string; readonly prefix: string }>()
  let merged = 0
  for (let number = 0; number < limit; number++) {
    const before = 1 + random.below(2 + random.below(16))
    const answers = Array.from({ length: 2 * before }, () => random.of([0, 1, 0, 1, 0, 1, 0, 1, 2]))
    const execution = execute(loaded, { answers, before, stream: number % 3 })
    if (execution === undefined) continue
    const other = known.get(execution.state)
    if (other === undefined) known.set(execution.state, execution)
    else if (other.prefix !== execution.prefix) merged++
    if (execution.tail === (other ?? execution).tail && !execution.tail.endsWith('ReferenceError')) continue
    expect.fail(`program ${seed}: ${execution.state}\n${other?.tail}\n---\n${execution.tail}\n${source}\n${code}`)
  }
  return { merged, states: known.size }
}

class Enough extends Error {}

interface Plan {
  readonly answers: readonly number[]
  /** How many operations have been reached when the state is taken. */
  readonly before: number
  /** Which answers are given from then on. */
  readonly stream: number
}

/** The state after some operations, and what happens from there on with answers that depend on nothing else. */
function execute(
  { exports, miniature }: Loaded,
  { answers, before, stream }: Plan,
): { readonly state: string; readonly tail: string; readonly prefix: string } | undefined {
  const names = new Names(miniature)
  const tail: string[] = []
  let state: string | undefined
  let given = 0
  let stops = 0
  let prefix = ''
  const next = (): number => {
    const answer = state === undefined ? answers[given] : laterAnswers[stream]?.[given % 7]
    given++
    return answer ?? 0
  }
  miniature.configure({
    answers: (event) => (isCell(miniature, event) ? undefined : answerTo(event, next)),
    ticks: 300,
  })
  miniature.onStop = () => {
    const top = miniature.stack().at(-1) as OperationEvent
    if (++stops === before) {
      state = `${stream} ${names.all(miniature.stack().map(({ site, live }) => `${site} ${names.all(live)}`))} ${names.all(top.operands)}`
      prefix = answers.slice(0, given).join()
      given = 0
    } else if (state !== undefined) {
      tail.push(`${top.name} ${top.site} ${names.all(top.operands)}`)
      if (tail.length > tailLimit) throw new Enough()
    }
  }
  const object = (exports.make as (f: number, g: number) => unknown)(0, 0)
  const { returned, threw } = miniature.runLogged(exports.main, [0, {}, object])
  if (state === undefined) return undefined
  const ended = threw instanceof Error ? threw.constructor.name : `${names.of(returned)} ${names.of(threw)}`
  return { state, tail: [...tail, ended].join('\n'), prefix }
}

/** Boxes have a memory, which is a part of the state. */
function isCell({ cells }: Miniature, { operands: [first] }: OperationEvent): boolean {
  return typeof first === 'object' && first !== null && cells.has(first)
}

/** Calls are performed, everything else is answered. */
function answerTo(
  event: OperationEvent,
  next: () => number,
): { readonly value: unknown } | { readonly error: unknown } | undefined {
  const [first, second, third] = event.operands
  const accessor = second === 'acc'
  switch (event.name) {
    case 'call':
    case 'invoke':
    case 'apply':
      return undefined
    case 'set':
      if (accessor) return undefined
      return next() < 2 ? { value: third } : { error: 'write' }
    case 'get': {
      if (accessor) return undefined
      const answer = next()
      return answer < 2 ? { value: answer } : second === 'g' ? { value: undefined } : { error: 'read' }
    }
    case 'has':
      return { value: next() > 0 }
    case 'del':
      return { value: next() > 0 }
    case 'make':
      return first instanceof Function && first.name === 'C' ? undefined : { value: {} }
    case 'iterateKeys':
    case 'iterate':
      return { value: { value: undefined } }
    case 'next':
      ;(first as { value: unknown }).value = next()
      return { value: next() > 0 }
    case 'take':
      return { value: Array.from({ length: Number(second) + (third === true ? 1 : 0) }, next) }
    case 'pick':
      return { value: Object.fromEntries([...(second as string[]), 'others'].map((key) => [key, next()])) }
    default:
      throw new Error(`unexpected ${event.name}`)
  }
}

/** Values as text; objects by the order in which they are met, functions by place and captured values. */
class Names {
  readonly #miniature: Miniature
  readonly #numbers = new Map<unknown, number>()

  constructor(miniature: Miniature) {
    this.#miniature = miniature
  }

  all(values: readonly unknown[]): string {
    return values.map((value) => this.of(value)).join()
  }

  of(value: unknown): string {
    if (typeof value === 'function') {
      const captured = this.#miniature.captured.get(value)
      return captured === undefined
        ? `function ${value.name}`
        : `closure ${captured.site} (${this.all(captured.values)})`
    }
    if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`
    const known = this.#numbers.get(value)
    if (known !== undefined) return `object ${known}`
    const number = this.#numbers.size
    this.#numbers.set(value, number)
    if (Array.isArray(value)) return `array ${number} [${value.map((one) => this.of(one)).join()}]`
    return this.#miniature.cells.has(value)
      ? `box ${number} ${this.of((value as { v: unknown }).v)}`
      : `object ${number}`
  }
}
