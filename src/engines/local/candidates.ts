/**
 * Preliminary violations and what became of them. One that was rejected is looked at again once transitions have been added
 * that it might need (which LMC §4.2 leaves out), all of them together when the search pauses, so that they share what the
 * soundness check learns.
 */
import { violationKey } from '../../core/property.ts'
import type { MachineNetwork, Machines } from '../../program/machines.ts'
import type { Exploration } from './exploration.ts'
import { Forward } from './forward.ts'
import type { Failure, LocalSpace, Occurrence } from './local-space.ts'
import { noMessage } from './messages.ts'
import { anywhere } from './needs.ts'
import { Soundness } from './soundness.ts'
import type { SystemState } from './system-states.ts'

/** Points that the first look at a preliminary violation may visit; four times as many at each later one. */
const firstEffort = 2_000
const patience = 4

interface Candidate {
  /** One violation of a kind is enough. */
  readonly kind: string
  readonly states: readonly number[]
  readonly failure: Failure | undefined
  effort: number
}

export class Candidates {
  readonly #exploration: Exploration
  readonly #network: MachineNetwork
  /** Not looked at since they might have become reachable. */
  #waiting: Candidate[] = []
  /** Looked at with too little effort. */
  #undecided: Candidate[] = []
  #rejected: Candidate[] = []
  readonly #found = new Set<string>()
  /** By machine: how many transitions there were at the last look, and how many failures are candidates. */
  readonly #seen: number[]
  readonly #failures: number[]
  #soundness: Soundness | undefined
  #forward: Forward | undefined
  checks = 0

  constructor(subject: Machines, exploration: Exploration) {
    this.#exploration = exploration
    this.#network = subject.network
    this.#seen = exploration.spaces.map(() => 0)
    this.#failures = exploration.spaces.map(() => 0)
  }

  get rejected(): number {
    return this.#rejected.length
  }

  get isDecided(): boolean {
    return this.#waiting.length === 0 && this.#undecided.length === 0
  }

  add({ states, invariant }: SystemState): void {
    const kind = `invariant ${invariant}`
    if (!this.#found.has(kind)) this.#waiting.push({ kind, states, failure: undefined, effort: firstEffort })
  }

  /** Looks once at all that may have become reachable. Yields executions, and nothing after looks that found none. */
  *check(): Generator<readonly Occurrence[] | undefined, void> {
    this.#addFailures()
    this.#reconsider()
    const candidates = [...this.#waiting, ...this.#undecided]
    this.#waiting = []
    this.#undecided = []
    for (const candidate of candidates) {
      if (this.#found.has(candidate.kind)) continue
      const execution = this.#look(candidate)
      yield execution
      if (execution !== undefined) this.#found.add(candidate.kind)
    }
  }

  #look(candidate: Candidate): readonly Occurrence[] | undefined {
    const { spaces, messages } = this.#exploration
    const explored = { spaces, messages, network: this.#network }
    this.#soundness ??= new Soundness(explored)
    this.checks++
    const { failure, states, effort } = candidate
    const message = failure?.consumed ?? noMessage
    let result = this.#soundness.reach(states, message, effort)
    if (result.kind === 'undecided') {
      this.#forward ??= new Forward(explored)
      this.#forward.extend(effort)
      result = this.#forward.find(states, message)
    }
    switch (result.kind) {
      case 'reachable':
        return failure === undefined ? result.execution : [...result.execution, failure]
      case 'unreachable':
        this.#rejected.push(candidate)
        return undefined
      case 'undecided':
        candidate.effort *= patience
        this.#undecided.push(candidate)
        return undefined
    }
  }

  /** LMC §4.2, "Local assertions": here it takes one check, as it does not matter where the other machines are. */
  #addFailures(): void {
    for (const [machine, { failures }] of this.#exploration.spaces.entries()) {
      for (const failure of failures.slice(this.#failures[machine])) {
        const states = this.#exploration.spaces.map((_, other) => (other === machine ? failure.from : anywhere))
        const kind = violationKey(failure.violation)
        if (!this.#found.has(kind)) this.#waiting.push({ kind, states, failure, effort: firstEffort })
      }
      this.#failures[machine] = failures.length
    }
  }

  /** Takes back rejections for which there are new transitions on paths to one of the states. */
  #reconsider(): void {
    const { spaces } = this.#exploration
    const isChanged = spaces.map(({ transitions }, machine) => transitions.length > (this.#seen[machine] as number))
    if (!isChanged.includes(true)) return
    this.#soundness = undefined
    this.#forward = undefined
    const changed = spaces.map((space, machine) => reachableFromNew(space, this.#seen[machine] as number))
    for (const [machine, { transitions }] of spaces.entries()) this.#seen[machine] = transitions.length
    const rejected: Candidate[] = []
    for (const candidate of this.#rejected) {
      const matters = candidate.states.some((state, machine) =>
        state === anywhere ? isChanged[machine] : changed[machine]?.[state] === 1,
      )
      if (matters) this.#waiting.push(candidate)
      else rejected.push(candidate)
    }
    this.#rejected = rejected
  }
}

/** By state: whether a path to it uses a transition added since there were so many. */
function reachableFromNew(space: LocalSpace, seen: number): Uint8Array {
  const found = new Uint8Array(space.states.length)
  const waiting: number[] = []
  const enter = (state: number) => {
    if (found[state] === 1) return
    found[state] = 1
    waiting.push(state)
  }
  for (let at = seen; at < space.transitions.length; at++) enter(space.transitions[at]?.to as number)
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop())
    for (const { to } of space.outOf[state] ?? []) enter(to)
  return found
}
