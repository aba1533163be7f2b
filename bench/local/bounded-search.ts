/**
 * B-DFS, the baseline of LMC §3.2 as one would write it down: depth-first over global states up to a bound, every handler
 * executed, every state serialised as a whole and remembered by its fingerprint, invariants checked in each. It exists to be
 * compared with; what users get for global search is the `stateful` engine.
 *
 * Handlers work on a copy of the state of their machine, so whole states need not be restored before each event.
 */
import { encodeValue, type Value } from '../../src/core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines } from '../../src/program/machines.ts'

export class BoundedSearch {
  readonly #subject: Machines
  readonly #bound: number
  readonly #most: number
  /** By fingerprint: how much deeper the search was to go from there. Met again with more left, a state is expanded again. */
  readonly #visited = new Map<number, number>()
  transitions = 0
  violations = 0
  deepest = 0
  /** Whether the bound left anything out. */
  isCut = false

  /** For networks that are bags without duplicates. Without a bound (`Infinity`) no state is expanded twice. It ends after the `most` states. */
  constructor(subject: Machines, bound: number, most = Number.POSITIVE_INFINITY) {
    this.#subject = subject
    this.#bound = bound
    this.#most = most
  }

  get states(): number {
    return this.#visited.size
  }

  run(): void {
    const { states, underWay } = this.#subject.start
    this.#meet({ states, underWay }, 0)
  }

  #meet(state: GlobalState, depth: number): void {
    const fingerprint = fingerprintOf(serialised(state))
    const left = this.#bound - depth
    const before = this.#visited.get(fingerprint)
    if (before !== undefined && before >= left) return
    this.#visited.set(fingerprint, left)
    this.deepest = Math.max(this.deepest, depth)
    if (before === undefined)
      for (const { violation } of this.#subject.invariants) if (violation(state.states) !== undefined) this.violations++
    this.#expand(state, depth)
  }

  #expand({ states, underWay }: GlobalState, depth: number): void {
    for (const [machine, local] of states.entries())
      for (const event of this.#subject.internal(machine, local))
        this.#take({ states, underWay }, machine, event, depth)
    for (const [at, { from, to, message }] of underWay.entries()) {
      const rest = { states, underWay: underWay.toSpliced(at, 1) }
      this.#take(rest, this.#subject.machines.indexOf(to), { kind: 'message', from, message }, depth)
    }
  }

  #take({ states, underWay }: GlobalState, machine: number, event: MachineEvent, depth: number): void {
    if (depth === this.#bound || this.states >= this.#most) {
      this.isCut = true
      return
    }
    for (const { state, sent, violation } of this.#subject.handle(machine, states[machine] as LocalState, event)) {
      this.transitions++
      if (violation !== undefined) this.violations++
      else this.#meet({ states: states.with(machine, state), underWay: [...underWay, ...sent] }, depth + 1)
    }
  }
}

interface GlobalState {
  readonly states: readonly LocalState[]
  readonly underWay: readonly Envelope[]
}

function serialised({ states, underWay }: GlobalState): string {
  const messages = underWay.map(({ from, to, message }) => encodeValue([from, to, message])).sort()
  const locals = states.map(({ data, timers, requests, crashes }) => [data, timers, requests, crashes] as Value)
  return `${encodeValue(locals)}${messages.join()}`
}

/** 53 bits, as many as a number holds exactly: two multiplicative hashes side by side. */
function fingerprintOf(text: string): number {
  let [high, low] = [0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x9e3779b1)
    low = Math.imul(low ^ code, 0x5f356495)
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return (low & 0x1fffff) * 0x1_0000_0000 + (high >>> 0)
}
