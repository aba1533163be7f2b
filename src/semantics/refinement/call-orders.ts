/**
 * Whether an abstract object allows the calls of an execution in every order that the execution has: calls that are concurrent may come in any. One
 * execution of each class is enough, and no process is told of anything, so that no execution is added by looking.
 *
 * Objects that say which calls conflict and what each needs before it are decided by pairs and pasts. For all others orders are tried, those with the same
 * calls and the same state as one; of calls that commute with all that may still come beside them, one order is enough.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { PartialOrder } from '../../core/partial-order.ts'
import type { Violation } from '../../core/property.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import { type AbstractCall, type AbstractObject, answersDiffer, callOf } from '../../program/refinement.ts'
import { assumeDeclared } from './declared-calls.ts'
import { FieldsOfCalls } from './fields-of-calls.ts'
import { askForCalls, refusedCall, tellCalled, tellCalls } from './ghost.ts'

/** Calls that were tried since somebody could interrupt. */
const pauseEvery = 64
/** So many combinations of calls and states are tried in one execution, and no more. */
const mostTried = 200_000

/** How an execution breaks a property in one of its orders: decisions up to the one that does, by position. */
interface Broken {
  readonly violation: Violation
  readonly order: readonly number[]
}

/** Calls that are made by one decision: nothing comes between them. */
export interface CallsInOrder {
  readonly calls: readonly AbstractCall[]
  /** Those that come before them in every order, by position. */
  readonly past: ReadonlySet<number>
}

interface OrderedCalls extends CallsInOrder {
  readonly at: number
}

/** Where the object refuses something: the calls up to then, by position. */
type Order = readonly number[]

/** With so many or fewer, what an object says about its calls is compared with all their orders. */
const fewEnough = 6

/** What was found about call orders of earlier executions: most executions of a program have one of a few. */
export class CallOrders {
  readonly object: AbstractObject
  readonly #witness: Witness | undefined
  readonly #fields: FieldsOfCalls
  /** By calls and what comes before what: an order in which the last one is refused, or nothing. */
  readonly #known = new Map<string, Order | undefined>()

  constructor(object: AbstractObject, witness?: Witness | undefined) {
    this.object = object
    this.#witness = witness
    this.#fields = new FieldsOfCalls(witness)
    askForCalls(object, witness)
  }

  *broken(execution: PartialOrder): Generator<undefined, Broken | undefined> {
    const all = orderedCalls(this.object, execution)
    const refused = yield* this.refused(all)
    return refused && { violation: this.#violation(all, refused), order: decisionsFor(all, refused, execution) }
  }

  /** An order in which the last one is refused, or nothing. */
  *refused(all: readonly CallsInOrder[]): Generator<undefined, Order | undefined> {
    if (all.length === 0) return undefined
    const texts = all.map(({ calls, past }) => `${encodeValue(calls as unknown as Value)}<${[...past].join()}`)
    const key = texts.join('|')
    if (!this.#known.has(key)) {
      for (const { calls } of all) for (const { kind } of calls) this.#witness?.answer('operation-never-called', kind)
      this.#known.set(key, yield* this.#decided(all))
    }
    return this.#known.get(key)
  }

  *#decided(all: readonly CallsInOrder[]): Generator<undefined, Order | undefined> {
    if (!this.#isByPairs(all)) return yield* this.#tried(all)
    if (all.length > fewEnough) assumeDeclared(this.object, ['conflicts', 'needs'], this.#witness)
    const found = this.#byPairs(all)
    if (found !== undefined) return found
    // What is declared is compared with what the object does: in all orders, or in two that are far apart.
    const orders = [[...all.keys()], lastFirst(all)]
    const refused =
      all.length <= fewEnough
        ? yield* this.#tried(all)
        : orders.map((order) => this.#upToRefusal(all, order)).find((one) => one !== undefined)
    if (refused !== undefined) throw this.#undeclared(all, refused)
    return undefined
  }

  #isByPairs(all: readonly CallsInOrder[]): boolean {
    const { object } = this
    if (object.conflicts === undefined || object.needs === undefined) return false
    return all.every(({ calls }) => calls.every((call) => object.undecided?.(call) === undefined))
  }

  #byPairs(all: readonly CallsInOrder[]): Order | undefined {
    for (const [at, { calls, past }] of all.entries()) {
      const before = sorted(past)
      const earlier = before.flatMap((one) => (all[one] as CallsInOrder).calls)
      for (const [place, call] of calls.entries()) {
        const own = calls.slice(0, place)
        const lacks = this.object.needs?.(call, [...earlier, ...own])
        const conflict = own.map((one) => this.object.conflicts?.(call, one)).find((one) => one !== undefined)
        const why = lacks ?? conflict
        if (why !== undefined) return this.#shown(all, [[...before, at]], call, why)
        const found = this.#conflicting(all, at, call)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** With a call that was announced before, wherever both come. */
  #conflicting(all: readonly CallsInOrder[], at: number, call: AbstractCall): Order | undefined {
    const { past } = all[at] as CallsInOrder
    for (let other = 0; other < at; other++) {
      const beside = all[other] as CallsInOrder
      const why = beside.calls.map((one) => this.object.conflicts?.(call, one)).find((one) => one !== undefined)
      if (why === undefined) continue
      const before = [...past, ...beside.past, at, other]
      const ending = (last: number) => [...sorted(before.filter((one) => one !== last)), last]
      const orders = [ending(at), ...(past.has(other) ? [] : [ending(other)])]
      return this.#shown(all, orders, call, why)
    }
    return undefined
  }

  /** The object itself must refuse it in one of these orders. */
  #shown(all: readonly CallsInOrder[], orders: readonly Order[], call: AbstractCall, why: string): Order {
    for (const order of orders) {
      const refused = this.#upToRefusal(all, order)
      if (refused !== undefined) return refused
    }
    const { name } = this.object
    const message = `specification "${name}" says that ${this.object.described(call)} cannot be (${why}), and allows it`
    const hint = '"conflicts" and "needs" must say what the operations refuse, no more and no less'
    throw new DiagnosticError({ code: 'E227', message, hint })
  }

  #undeclared(all: readonly CallsInOrder[], refused: Order): DiagnosticError {
    const [last] = (all[refused.at(-1) as number] as CallsInOrder).calls as readonly [AbstractCall]
    const call = this.#applied(all, refused).refused
    if (call === undefined) return answersDiffer(this.object, last)
    return new DiagnosticError({
      code: 'E227',
      message: `specification "${this.object.name}" refuses ${this.object.described(call)}, and neither "conflicts" nor "needs" says so`,
      hint: 'they must say what the operations refuse, no more and no less; without them, orders are tried',
    })
  }

  /** Up to the first that is refused; nothing if none is. */
  #upToRefusal(all: readonly CallsInOrder[], order: Order): Order | undefined {
    const { refused, after } = this.#applied(all, order)
    return refused === undefined ? undefined : order.slice(0, after + 1)
  }

  /** What the object is after these calls, or when it refused one. */
  #applied(all: readonly CallsInOrder[], order: Order, first: Value = this.object.first): Left {
    let state = first
    for (const [after, at] of order.entries()) {
      for (const call of (all[at] as CallsInOrder).calls) {
        const applied = this.object.after(state, call)
        this.#fields.look(this.object, state, call, applied)
        if ('refused' in applied) return { state, refused: call, after }
        tellCalled(call, applied, this.#witness)
        state = applied.state
      }
    }
    tellCalls(this.object, state, this.#witness)
    return { state, after: order.length }
  }

  /** All orders, depth first: combinations of calls that were made, and of the state that they led to, are looked at once. */
  *#tried(all: readonly CallsInOrder[]): Generator<undefined, Order | undefined> {
    const met = new Set<string>()
    const open: { readonly made: Order; readonly state: Value }[] = [{ made: [], state: this.object.first }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { made, state } = next
      const key = `${sorted(made).join()}|${encodeValue(state)}`
      if (met.has(key)) continue
      met.add(key)
      if (met.size > mostTried) throw this.#tooMany(all)
      if (met.size % pauseEvery === 0) yield undefined
      for (const at of this.#worthTrying(all, made, state)) {
        const left = this.#applied(all, [at], state)
        if (left.refused !== undefined) return [...made, at]
        open.push({ made: [...made, at], state: left.state })
      }
    }
    return undefined
  }

  /** Those that can be next; one of them, if it commutes with all others that may come before it. */
  #worthTrying(all: readonly CallsInOrder[], made: Order, state: Value): Order {
    const done = new Set(made)
    const left = [...all.keys()].filter((at) => !done.has(at))
    const ready = left.filter((at) => [...(all[at] as CallsInOrder).past].every((one) => done.has(one)))
    // Few calls are tried in all their orders, which shows where a declaration is wrong.
    if (this.object.commutes === undefined || all.length <= fewEnough) return this.#checked(all, ready, state)
    const free = ready.find((at) =>
      left.every((other) => other === at || (all[other] as CallsInOrder).past.has(at) || this.#commute(all, at, other)),
    )
    if (free === undefined) return ready
    assumeDeclared(this.object, ['commutes'], this.#witness)
    for (const other of ready) if (other !== free) this.#checkCommuting(all, [free, other], state)
    return [free]
  }

  /** All of them, of which those that are said to commute do. */
  #checked(all: readonly CallsInOrder[], ready: Order, state: Value): Order {
    if (this.object.commutes === undefined) return ready
    for (const [place, one] of ready.entries())
      for (const other of ready.slice(place + 1))
        if (this.#commute(all, one, other)) this.#checkCommuting(all, [one, other], state)
    return ready
  }

  #commute(all: readonly CallsInOrder[], one: number, other: number): boolean {
    return (all[one] as CallsInOrder).calls.every((call) =>
      (all[other] as CallsInOrder).calls.every((beside) => this.object.commutes?.(call, beside) === true),
    )
  }

  /** What is said to commute does so where it is met. */
  #checkCommuting(all: readonly CallsInOrder[], [one, other]: readonly [number, number], state: Value): void {
    const [left, right] = [this.#applied(all, [one, other], state), this.#applied(all, [other, one], state)]
    const isRefused = [left, right].map(({ refused }) => refused !== undefined)
    if (
      isRefused[0] === isRefused[1] &&
      (isRefused[0] === true || encodeValue(left.state) === encodeValue(right.state))
    )
      return
    const texts = [one, other].map((at) => this.object.described((all[at] as CallsInOrder).calls[0] as AbstractCall))
    throw new DiagnosticError({
      code: 'E227',
      message: `specification "${this.object.name}" says that ${texts.join(' and ')} commute, and their order makes a difference`,
      hint: '"commutes" is true for calls that leave the same state in either order, and are both allowed or both refused',
    })
  }

  #tooMany(all: readonly CallsInOrder[]): DiagnosticError {
    const count = all.reduce((sum, { calls }) => sum + calls.length, 0)
    return new DiagnosticError({
      code: 'E309',
      message: `${count} calls of specification "${this.object.name}" in one execution have too many orders to try`,
      hint: 'declare "commutes", or "conflicts" and "needs", in the specification; or use --engine stateful',
    })
  }

  #violation(all: readonly CallsInOrder[], order: Order): Violation {
    const { state, refused } = this.#applied(all, order)
    const [last] = (all[order.at(-1) as number] as CallsInOrder).calls as readonly [AbstractCall]
    if (refused === undefined) throw answersDiffer(this.object, last)
    return refusedCall(this.object, state, refused)
  }
}

interface Left {
  readonly state: Value
  readonly refused?: AbstractCall
  /** How many came before it; all of them, if none is refused. */
  readonly after: number
}

function sorted(positions: Iterable<number>): number[] {
  return [...new Set(positions)].sort((one, other) => one - other)
}

/** An order in which what was announced last comes as early as it can. */
function lastFirst(all: readonly CallsInOrder[]): Order {
  const made: number[] = []
  while (made.length < all.length) {
    const next = [...all.keys()].findLast(
      (at) => !made.includes(at) && [...(all[at] as CallsInOrder).past].every((one) => made.includes(one)),
    )
    made.push(next as number)
  }
  return made
}

function orderedCalls(object: AbstractObject, { after, announced = [] }: PartialOrder): readonly OrderedCalls[] {
  const byDecision = new Map<number, AbstractCall[]>()
  for (const { at, event } of announced) {
    const call = callOf(object, event)
    if (call !== undefined) byDecision.set(at, [...(byDecision.get(at) ?? []), call])
  }
  // Of calls after one decision there is one order.
  const pasts = byDecision.size < 2 ? [] : pastsOf(after)
  const decisions = [...byDecision.keys()]
  return [...byDecision].map(([at, calls]) => {
    // Those before the first decision come before all.
    const isBefore = (one: number) => one !== at && (one < 0 || pasts[at]?.has(one) === true)
    return { calls, at, past: new Set(decisions.flatMap((one, place) => (isBefore(one) ? [place] : []))) }
  })
}

/** By decision: all that come before it. */
function pastsOf(after: PartialOrder['after']): readonly ReadonlySet<number>[] {
  const pasts: Set<number>[] = []
  for (const befores of after) {
    const past = new Set(befores)
    for (const before of befores) for (const one of pasts[before] ?? []) past.add(one)
    pasts.push(past)
  }
  return pasts
}

/** Decisions that make these calls in this order, and no more than they need; by position. */
function decisionsFor(all: readonly OrderedCalls[], refused: Order, { after }: PartialOrder): Order {
  const pasts = pastsOf(after)
  const order = new Set<number>()
  for (const one of refused) {
    const { at } = all[one] as OrderedCalls
    if (at < 0) continue
    for (const before of sorted(pasts[at] ?? [])) order.add(before)
    order.add(at)
  }
  return [...order]
}
