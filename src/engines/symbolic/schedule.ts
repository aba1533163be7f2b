/** Who moves in a step: one machine in each execution, or as many as do not get into each other's way. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { Chosen } from './choices.ts'
import type { Candidate } from './deliveries.ts'
import { isKnownElsewhere } from './mentions.ts'
import { lineName, type Slot, type SymbolicState } from './state.ts'

/** What happens in a step, where it does. */
export interface Move {
  readonly candidate: Candidate
  readonly guard: Diagram
}

type Choose = (guard: Diagram, possible: readonly Diagram[]) => Chosen

/** Exactly one of the candidates. */
export function oneMove(candidates: readonly Candidate[], always: Diagram, choose: Choose): readonly Move[] {
  const { taken } = choose(
    always,
    candidates.map(({ guard }) => guard),
  )
  return candidates.map((candidate, at) => ({ candidate, guard: taken[at] as Diagram }))
}

/** What a round tells the next one. */
interface Told {
  /** Where machines took something. */
  readonly acted: Map<Slot, Diagram>
  /** Where lines lost their heads, or got one: by slot and line. */
  readonly changed: Map<string, Diagram>
}

/**
 * Rounds in Foata normal form: in a round every machine takes at most one message and every line loses at most one, so that all of it is independent of each
 * other; and nothing happens in a round that could have happened in the one before. So each partial order of deliveries is explored once (Cartier and Foata
 * 1969; symbolic exploration in rounds is not in PSym). An execution in which a machine waits for a message that never comes is left out: the same messages
 * in the order of their rounds are another one. Where a machine fails, others may fail later, and have nothing to do with it: there it may also wait.
 *
 * Two deliveries depend on each other if they are at the same machine, take from the same line, or one has sent the other. Monitors would see the order, and so
 * there are none.
 */
export class Rounds {
  readonly #state: SymbolicState
  /** Undefined: there was no round yet. */
  #told: Told | undefined
  /** Where a machine may pass in this round, and where it may because it fails there otherwise. */
  #passes = new Map<Slot, Diagram>()
  #fails = new Map<Slot, Diagram>()

  constructor(state: SymbolicState) {
    this.#state = state
  }

  moves(candidates: readonly Candidate[], choose: Choose): readonly Move[] {
    const { diagrams } = this.#state.lifting
    const moves: Move[] = []
    this.#passes = new Map()
    for (const [target, options] of this.#byTarget(candidates)) {
      const ready = options.map((option) => diagrams.and(option.guard, this.#isReady(option, target)))
      const some = ready.reduce<Diagram>((all, one) => diagrams.or(all, one), diagrams.never)
      if (this.#state.isVacuous(some)) continue
      const passes = diagrams.or(this.#mayPass(target, options), this.#fails.get(target) ?? diagrams.never)
      this.#passes.set(target, passes)
      const { taken } = choose(some, [...ready, passes])
      for (const [at, option] of options.entries()) moves.push({ candidate: option, guard: taken[at] as Diagram })
    }
    return moves.filter(({ guard }) => !this.#state.isVacuous(guard))
  }

  /** Whether the round is to be taken once more, because a machine fails where it could not pass; guards are about what was chosen before. */
  isAgain(failed: Iterable<readonly [slot: Slot, guard: Diagram]>): boolean {
    const { diagrams } = this.#state.lifting
    const fails = new Map(this.#fails)
    let isNew = false
    for (const [slot, guard] of failed) {
      const passes = this.#passes.get(slot) ?? diagrams.never
      if (diagrams.covers(diagrams.or(passes, fails.get(slot) ?? diagrams.never), guard)) continue
      fails.set(slot, diagrams.or(fails.get(slot) ?? diagrams.never, guard))
      isNew = true
    }
    this.#fails = fails
    return isNew
  }

  /** Each candidate with the machine that moves. */
  #byTarget(candidates: readonly Candidate[]): ReadonlyMap<Slot, readonly Candidate[]> {
    const { diagrams } = this.#state.lifting
    const found = new Map<Slot, Candidate[]>()
    const add = (target: Slot, candidate: Candidate): void => {
      if (!this.#state.isVacuous(candidate.guard)) found.set(target, [...(found.get(target) ?? []), candidate])
    }
    for (const candidate of candidates) {
      if (candidate.kind !== 'arrive') add(candidate.slot, candidate)
      else
        for (const value of diagrams.leavesWithin(candidate.to, candidate.guard)) {
          const target = this.#state.slotNamed(value)
          const guard = diagrams.and(candidate.guard, diagrams.guardOf(candidate.to, value))
          if (target !== undefined) add(target, { ...candidate, guard })
        }
    }
    return found
  }

  /** Where something that it depends on happened in the last round. */
  #isReady(candidate: Candidate, target: Slot): Diagram {
    const { diagrams } = this.#state.lifting
    if (this.#told === undefined) return diagrams.always
    const acted = this.#told.acted.get(target) ?? diagrams.never
    if (candidate.kind !== 'arrive') return acted
    return diagrams.or(acted, this.#told.changed.get(lineName(candidate.slot, candidate.line)) ?? diagrams.never)
  }

  /** Where another message can still come. */
  #mayPass(target: Slot, options: readonly Candidate[]): Diagram {
    const { diagrams } = this.#state.lifting
    let [one, several] = [diagrams.never, diagrams.never]
    for (const { guard } of options) {
      several = diagrams.or(several, diagrams.and(one, guard))
      one = diagrams.or(one, guard)
    }
    return diagrams.or(several, isKnownElsewhere(this.#state, target))
  }

  /** Where the head of each line is, before a round. */
  before(): ReadonlyMap<string, Diagram> {
    const { slots, lifting } = this.#state
    return new Map(
      slots.flatMap((slot) =>
        [...slot.lines].map(([key, line]) => [lineName(slot, key), lifting.beyond(line.size, 0)] as const),
      ),
    )
  }

  /** Of a round that is over: who has acted, and which lines have another head. */
  after(moves: readonly Move[], before: ReadonlyMap<string, Diagram>, purged: ReadonlyMap<string, Diagram>): Told {
    const { slots, lifting } = this.#state
    const { diagrams } = lifting
    const acted = new Map<Slot, Diagram>()
    const changed = new Map<string, Diagram>()
    const put = <Key>(into: Map<Key, Diagram>, key: Key, guard: Diagram): void => {
      into.set(key, diagrams.or(into.get(key) ?? diagrams.never, guard))
    }
    for (const { candidate, guard } of moves) {
      if (candidate.kind !== 'arrive') put(acted, candidate.slot, guard)
      else {
        put(changed, lineName(candidate.slot, candidate.line), guard)
        for (const value of diagrams.leavesWithin(candidate.to, guard)) {
          const target = this.#state.slotNamed(value)
          if (target !== undefined) put(acted, target, diagrams.and(guard, diagrams.guardOf(candidate.to, value)))
        }
      }
    }
    for (const [name, guard] of purged) put(changed, name, guard)
    for (const slot of slots)
      for (const [key, line] of slot.lines) {
        const name = lineName(slot, key)
        const had = before.get(name) ?? diagrams.never
        put(changed, name, diagrams.minus(lifting.beyond(line.size, 0), had))
      }
    return { acted, changed }
  }

  /** The next round comes after one of which this is known. */
  begin(told: Told): void {
    this.#told = told
    this.#fails = new Map()
  }

  *kept(): Generator<Diagram> {
    yield* this.#told?.acted.values() ?? []
    yield* this.#told?.changed.values() ?? []
  }

  /** Makes diagrams smaller where no execution is. */
  simplify(): void {
    const { alive, lifting } = this.#state
    const { acted, changed } = this.#told ?? {}
    for (const [slot, guard] of acted ?? []) acted?.set(slot, lifting.diagrams.within(guard, alive))
    for (const [line, guard] of changed ?? []) changed?.set(line, lifting.diagrams.within(guard, alive))
  }
}
