/**
 * Sleep sets (Godefroid 1996), one guard for each move that can be made: where somebody else was chosen although the move came before it in order, the move is
 * asleep. There it has been explored from here, and what has moved since is independent of it, so that it would lead where another execution is already. It
 * wakes when something moves that it depends on. So of all executions that differ in the order of independent moves one goes on to its end; the others end
 * on the way, where all that could move is asleep.
 *
 * Moves depend on each other if they are of the same machine, or if a monitor may be told by both. Whoever takes from a line is the only one who can: the
 * head of a line is for one machine. No state is left out, so this is about executions alone. Where executions are dropped because others were in the same
 * state before, those may have had other moves asleep: by states this would lose executions.
 */
import type { Diagram, Diagrams } from '../../../bdd/diagrams.ts'
import { toldByKind } from '../../../ir/references.ts'
import type { Candidate } from '../deliveries.ts'
import type { Move } from '../schedule.ts'
import { lineName, type Slot, type SymbolicState } from '../state.ts'
import type { Filter } from './filter.ts'

export class SleepSets implements Filter {
  readonly keepsAll = false
  readonly #state: SymbolicState
  readonly #diagrams: Diagrams
  /** By kind of machine, monitors as bits. */
  readonly #told: readonly bigint[]
  #asleep: ReadonlyMap<string, Diagram> = new Map()

  constructor(state: SymbolicState, told: readonly bigint[] = toldByKind(state.code.ir)) {
    this.#state = state
    this.#diagrams = state.lifting.diagrams
    this.#told = told
  }

  left(candidates: readonly Candidate[]): readonly Candidate[] {
    return candidates.map((candidate) => ({
      ...candidate,
      guard: this.#diagrams.minus(candidate.guard, this.#asleepNow(candidate)),
    }))
  }

  #asleepNow(candidate: Candidate): Diagram {
    return this.#asleep.get(nameOf(candidate)) ?? this.#diagrams.never
  }

  after(candidates: readonly Candidate[], moves: readonly Move[]): () => void {
    const diagrams = this.#diagrams
    const moved = this.#movedBy(moves)
    const asleep = new Map<string, Diagram>()
    let later = diagrams.never
    for (let at = candidates.length - 1; at >= 0; at--) {
      const candidate = candidates[at] as Candidate
      const slept = diagrams.or(this.#asleepNow(candidate), diagrams.and(candidate.guard, later))
      const still = diagrams.minus(slept, this.#wakes(candidate, slept, moved))
      if (!this.#state.isVacuous(still)) asleep.set(nameOf(candidate), still)
      later = diagrams.or(later, moves[at]?.guard ?? diagrams.never)
    }
    return () => {
      this.#asleep = asleep
    }
  }

  /** Where each machine has moved. */
  #movedBy(moves: readonly Move[]): ReadonlyMap<Slot, Diagram> {
    const moved = new Map<Slot, Diagram>()
    for (const { candidate, guard } of moves)
      for (const [slot, here] of this.#machinesOf(candidate, guard))
        moved.set(slot, this.#diagrams.or(moved.get(slot) ?? this.#diagrams.never, here))
    return moved
  }

  /** Who moves if a candidate does, and where within a guard. */
  *#machinesOf(candidate: Candidate, guard: Diagram): Generator<readonly [Slot, Diagram]> {
    const diagrams = this.#diagrams
    if (this.#state.isVacuous(guard)) return
    if (candidate.kind !== 'arrive') yield [candidate.slot, guard]
    else
      for (const value of diagrams.leavesWithin(candidate.to, guard)) {
        const target = this.#state.slotNamed(value)
        if (target !== undefined) yield [target, diagrams.and(guard, diagrams.guardOf(candidate.to, value))]
      }
  }

  /** Where something has moved that the candidate depends on. */
  #wakes(candidate: Candidate, slept: Diagram, moved: ReadonlyMap<Slot, Diagram>): Diagram {
    const diagrams = this.#diagrams
    let woken = diagrams.never
    for (const [slot, here] of this.#machinesOf(candidate, slept))
      for (const [other, there] of moved)
        if (slot === other || this.#areWatched(slot, other)) woken = diagrams.or(woken, diagrams.and(here, there))
    return woken
  }

  /** Whether a monitor may be told by both. */
  #areWatched(slot: Slot, other: Slot): boolean {
    return ((this.#told[slot.ref.machine] ?? 0n) & (this.#told[other.ref.machine] ?? 0n)) !== 0n
  }

  /** It is about executions, which all go on. */
  postponing(): Diagram {
    return this.#diagrams.never
  }

  insist(): void {}

  kept(): Iterable<Diagram> {
    return this.#asleep.values()
  }

  simplify(): void {
    const { alive } = this.#state
    this.#asleep = new Map([...this.#asleep].map(([name, guard]) => [name, this.#diagrams.within(guard, alive)]))
  }
}

/** The same as long as it can be made and was not. */
function nameOf(candidate: Candidate): string {
  const { kind, slot } = candidate
  return kind === 'arrive' ? lineName(slot, candidate.line) : `${kind} ${slot.at}`
}
