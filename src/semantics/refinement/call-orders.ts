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
import { type AbstractCall, type AbstractObject, callOf } from '../../program/refinement.ts'
import { refusedCall } from './ghost.ts'

/** Calls that were tried since somebody could interrupt. */
const pauseEvery = 64
/** So many combinations of calls and states are tried in one execution, and no more. */
const mostTried = 200_000

/** How an execution breaks a property in one of its orders: decisions up to the one that does, by position. */
interface Broken {
  readonly violation: Violation
  readonly order: readonly number[]
}

interface OrderedCall {
  readonly call: AbstractCall
  readonly at: number
  /** Calls that come before it in every order, by position. */
  readonly past: ReadonlySet<number>
}

/** What was found about call orders of earlier executions: most executions of a program have one of a few. */
export class CallOrders {
  readonly #object: AbstractObject
  /** By calls and what comes before what: calls in the order in which the last one is refused, or nothing. */
  readonly #known = new Map<string, readonly number[] | undefined>()

  constructor(object: AbstractObject) {
    this.#object = object
  }

  *broken(execution: PartialOrder): Generator<undefined, Broken | undefined> {
    const calls = orderedCalls(this.#object, execution)
    if (calls.length === 0) return undefined
    const key = calls.map(({ call, past }) => `${encodeValue(call as Value)}<${[...past].join()}`).join('|')
    if (!this.#known.has(key)) this.#known.set(key, yield* this.#refused(calls))
    const refused = this.#known.get(key)
    return refused && { violation: this.#violation(calls, refused), order: decisionsFor(calls, refused, execution) }
  }

  *#refused(calls: readonly OrderedCall[]): Generator<undefined, readonly number[] | undefined> {
    const { conflicts, needs } = this.#object
    if (conflicts === undefined || needs === undefined) return yield* this.#tried(calls)
    const found = this.#byPairs(calls)
    if (found !== undefined) return found
    // What is declared is compared with what the object does, in the order at hand.
    const refused = this.#upToRefusal(calls, [...calls.keys()])
    if (refused !== undefined) throw this.#undeclared(calls, refused)
    return undefined
  }

  #byPairs(calls: readonly OrderedCall[]): readonly number[] | undefined {
    const object = this.#object
    for (const [at, { call, past }] of calls.entries()) {
      const before = [...past].sort((one, other) => one - other)
      const lacks = object.needs?.(
        call,
        before.map((one) => (calls[one] as OrderedCall).call),
      )
      if (lacks !== undefined) return this.#shown(calls, [[...before, at]], call, lacks)
      for (let other = 0; other < at; other++) {
        const conflict = object.conflicts?.(call, (calls[other] as OrderedCall).call)
        if (conflict === undefined) continue
        const pasts = new Set([...past, ...(calls[other] as OrderedCall).past])
        const both = [...pasts].filter((one) => one !== at && one !== other).sort((one, next) => one - next)
        const orders = [[...both, other, at], ...(past.has(other) ? [] : [[...both, at, other]])]
        return this.#shown(calls, orders, call, conflict)
      }
    }
    return undefined
  }

  /** The object itself must refuse it in one of these orders. */
  #shown(
    calls: readonly OrderedCall[],
    orders: readonly (readonly number[])[],
    call: AbstractCall,
    why: string,
  ): readonly number[] {
    for (const order of orders) {
      const refused = this.#upToRefusal(calls, order)
      if (refused !== undefined) return refused
    }
    const message = `specification "${this.#object.name}" says that ${this.#object.described(call)} cannot be (${why}), and allows it`
    const hint = '"conflicts" and "needs" must say what the operations refuse, no more and no less'
    throw new DiagnosticError({ code: 'E227', message, hint })
  }

  #undeclared(calls: readonly OrderedCall[], refused: readonly number[]): DiagnosticError {
    const { call } = calls[refused.at(-1) as number] as OrderedCall
    return new DiagnosticError({
      code: 'E227',
      message: `specification "${this.#object.name}" refuses ${this.#object.described(call)}, and neither "conflicts" nor "needs" says so`,
      hint: 'they must say what the operations refuse, no more and no less; without them, orders are tried',
    })
  }

  /** The calls in this order, up to the first that is refused; nothing if none is. */
  #upToRefusal(calls: readonly OrderedCall[], order: readonly number[]): readonly number[] | undefined {
    let state = this.#object.first
    for (const [position, at] of order.entries()) {
      const applied = this.#object.after(state, (calls[at] as OrderedCall).call)
      if ('refused' in applied) return order.slice(0, position + 1)
      state = applied.state
    }
    return undefined
  }

  /** All orders, depth first: combinations of calls that were made, and of the state that they led to, are looked at once. */
  *#tried(calls: readonly OrderedCall[]): Generator<undefined, readonly number[] | undefined> {
    const met = new Set<string>()
    const open: { readonly made: readonly number[]; readonly state: Value }[] = [
      { made: [], state: this.#object.first },
    ]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { made, state } = next
      const key = `${[...made].sort((one, other) => one - other).join()}|${encodeValue(state)}`
      if (met.has(key)) continue
      met.add(key)
      if (met.size > mostTried) throw this.#tooMany(calls.length)
      if (met.size % pauseEvery === 0) yield undefined
      for (const at of this.#worthTrying(calls, made)) {
        const applied = this.#object.after(state, (calls[at] as OrderedCall).call)
        if ('refused' in applied) return [...made, at]
        open.push({ made: [...made, at], state: applied.state })
      }
    }
    return undefined
  }

  /** Calls that can be next; one of them, if it commutes with all others that may come before it. */
  #worthTrying(calls: readonly OrderedCall[], made: readonly number[]): readonly number[] {
    const done = new Set(made)
    const left = [...calls.keys()].filter((at) => !done.has(at))
    const ready = left.filter((at) => [...(calls[at] as OrderedCall).past].every((one) => done.has(one)))
    const { commutes } = this.#object
    if (commutes === undefined) return ready
    const free = ready.find((at) => {
      const { call } = calls[at] as OrderedCall
      return left.every((other) => {
        if (other === at) return true
        const { call: beside, past } = calls[other] as OrderedCall
        return past.has(at) || commutes.call(this.#object, call, beside)
      })
    })
    return free === undefined ? ready : [free]
  }

  #tooMany(calls: number): DiagnosticError {
    return new DiagnosticError({
      code: 'E309',
      message: `${calls} calls of specification "${this.#object.name}" in one execution have too many orders to try`,
      hint: 'declare "commutes", or "conflicts" and "needs", in the specification; or use --engine stateful',
    })
  }

  #violation(calls: readonly OrderedCall[], refused: readonly number[]): Violation {
    let state = this.#object.first
    for (const at of refused.slice(0, -1)) {
      const applied = this.#object.after(state, (calls[at] as OrderedCall).call)
      if ('state' in applied) state = applied.state
    }
    return refusedCall(this.#object, state, (calls[refused.at(-1) as number] as OrderedCall).call)
  }
}

function orderedCalls(object: AbstractObject, { after, announced = [] }: PartialOrder): readonly OrderedCall[] {
  const found: OrderedCall[] = []
  const pasts = pastsOf(after)
  for (const { at, event } of announced) {
    const call = callOf(object, event)
    if (call === undefined) continue
    const past = new Set<number>()
    // Calls after the same decision come in the order of their process; those before the first one, before all.
    for (const [one, earlier] of found.entries())
      if (earlier.at === at || earlier.at < 0 || pasts[at]?.has(earlier.at) === true) past.add(one)
    found.push({ call, at, past })
  }
  return found
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
function decisionsFor(
  calls: readonly OrderedCall[],
  refused: readonly number[],
  { after }: PartialOrder,
): readonly number[] {
  const pasts = pastsOf(after)
  const order = new Set<number>()
  for (const one of refused) {
    const { at } = calls[one] as OrderedCall
    if (at < 0) continue
    for (const before of [...(pasts[at] ?? [])].sort((left, right) => left - right)) order.add(before)
    order.add(at)
  }
  return [...order]
}
