/**
 * Where somebody can move whom nothing else can reach before, that move comes first, alone (left movers as a filter: PSym §6.2, and L in its Table 4; Lipton
 * 1975). Whatever others do in the meantime could as well be done after it: it takes what it would take then, it sends into lines of its own, and those
 * lines only become longer. So every order has an equivalent one in which it comes at once. Such moves are:
 *
 * - A machine that was created begins. What is sent to it waits until it has.
 * - With `sole` also: a machine takes something from its inbox, since nothing reaches it as long as it can; and a machine takes the head of a line if no
 *   other line and no other machine mentions it, so that nobody else can send to it. What is behind the head comes later anyway.
 *
 * A monitor could tell: who may tell a monitor anything does not move first.
 *
 * A machine begins once. The others may move first again and again, and whoever waits for that would be left out for ever: executions come into
 * states that were met before, and the search ends. So where no state is new after such a move, the step is taken again, with all moves (the
 * condition on cycles of partial-order reduction, breadth first: Bošnački and Holzmann 2005). Step by step no execution is dropped; there
 * everybody can move from time to time.
 */
import type { Diagram, Diagrams } from '../../../bdd/diagrams.ts'
import { toldByKind } from '../../../ir/references.ts'
import { packedNull } from '../../../semantics/ir/compiled/packed-values.ts'
import type { Candidate } from '../deliveries.ts'
import { isKnownBeside } from '../mentions.ts'
import type { SearchOptions } from '../options.ts'
import { lineName, type Slot, type SymbolicState } from '../state.ts'
import type { Filter } from './filter.ts'

/** Step by step, how many steps there are from one with all moves to the next. */
const stepsBetween = 16

type Arriving = Extract<Candidate, { readonly kind: 'arrive' }>

export class LeftMovers implements Filter {
  readonly keepsAll = true
  readonly #state: SymbolicState
  readonly #diagrams: Diagrams
  readonly #isSole: boolean
  readonly #isByStates: boolean
  /** By kind of machine: whether a monitor can tell when it moves. */
  readonly #tells: readonly boolean[]
  #steps = 0
  #postponing: Diagram
  /** Where only machines that begin move first. */
  #insisted: Diagram

  /** `told`: by kind of machine, monitors as bits. */
  constructor(
    state: SymbolicState,
    { filter, mode }: Pick<SearchOptions, 'filter' | 'mode'>,
    told: readonly bigint[] = toldByKind(state.code.ir),
  ) {
    this.#state = state
    this.#diagrams = state.lifting.diagrams
    this.#isSole = filter === 'sole'
    this.#isByStates = mode === 'states'
    this.#tells = told.map((monitors) => monitors !== 0n)
    this.#postponing = this.#diagrams.never
    this.#insisted = this.#diagrams.never
  }

  left(candidates: readonly Candidate[]): readonly Candidate[] {
    const diagrams = this.#diagrams
    const others = this.#othersOpen(candidates)
    let [some, postponing] = [diagrams.never, diagrams.never]
    const first = candidates.map((candidate) => {
      const begins = diagrams.and(candidate.guard, this.#begins(candidate))
      const open = diagrams.and(candidate.guard, others)
      const moves = diagrams.or(begins, this.#state.isVacuous(open) ? open : this.#isAlone(candidate, open, candidates))
      const here = diagrams.minus(moves, some)
      some = diagrams.or(some, here)
      postponing = diagrams.or(postponing, diagrams.minus(here, begins))
      return here
    })
    this.#postponing = postponing
    return candidates.map((candidate, at) => ({
      ...candidate,
      guard: diagrams.or(first[at] as Diagram, diagrams.minus(candidate.guard, some)),
    }))
  }

  /** Where others than machines that begin may move first. */
  #othersOpen(candidates: readonly Candidate[]): Diagram {
    const diagrams = this.#diagrams
    const isTurnOfAll = !this.#isByStates && this.#steps % stepsBetween === stepsBetween - 1
    if (!this.#isSole || isTurnOfAll || candidates.length < 2) return diagrams.never
    return diagrams.not(this.#insisted)
  }

  #begins(candidate: Candidate): Diagram {
    if (candidate.kind !== 'arrive') return this.#diagrams.never
    const creates = this.#diagrams.guardOf(candidate.event, packedNull)
    return this.#diagrams.and(
      creates,
      this.#towards(candidate, candidate.guard, () => this.#diagrams.always),
    )
  }

  /** Within a guard. */
  #isAlone(candidate: Candidate, guard: Diagram, candidates: readonly Candidate[]): Diagram {
    const diagrams = this.#diagrams
    if (candidate.kind === 'inbox') return this.#tellsSomebody(candidate.slot) ? diagrams.never : guard
    if (candidate.kind !== 'arrive') return diagrams.never
    const message = diagrams.minus(guard, diagrams.guardOf(candidate.event, packedNull))
    if (this.#state.isVacuous(message)) return diagrams.never
    const name = lineName(candidate.slot, candidate.line)
    const alone = this.#towards(candidate, message, (target) => {
      const restless = candidates.find(({ kind, slot }) => kind === 'nothing' && slot === target)
      const known = isKnownBeside(this.#state, target, name)
      return diagrams.not(diagrams.or(known, restless?.guard ?? diagrams.never))
    })
    return diagrams.and(message, alone)
  }

  /** What is asked of the target, wherever it is one that monitors cannot tell of. */
  #towards({ to }: Arriving, guard: Diagram, asked: (target: Slot) => Diagram): Diagram {
    const diagrams = this.#diagrams
    return diagrams.leavesWithin(to, guard).reduce<Diagram>((all, value) => {
      const target = this.#state.slotNamed(value)
      if (target === undefined || this.#tellsSomebody(target)) return all
      return diagrams.or(all, diagrams.and(diagrams.guardOf(to, value), asked(target)))
    }, diagrams.never)
  }

  #tellsSomebody({ ref }: Slot): boolean {
    return this.#tells[ref.machine] === true
  }

  after(): () => void {
    return () => {
      this.#steps++
      this.#insisted = this.#diagrams.never
    }
  }

  postponing(): Diagram {
    return this.#isByStates ? this.#postponing : this.#diagrams.never
  }

  insist(where: Diagram): void {
    this.#insisted = where
  }

  kept(): readonly Diagram[] {
    return []
  }

  simplify(): void {
    this.#postponing = this.#diagrams.never
  }
}
