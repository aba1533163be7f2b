/** What may happen next, for all executions at once: who can move, and where. */
import type { Diagram } from '../../bdd/diagrams.ts'
import { haltEvent, type IrState } from '../../ir/ir.ts'
import { packedNull } from '../../semantics/ir/compiled/packed-values.ts'
import type { EventValue } from '../../semantics/ir/value.ts'
import type { Control } from './controls.ts'
import { phases, type Slot, type SymbolicState } from './state.ts'
import { concrete } from './summaries/concrete.ts'
import { nowhere, type Summary, type TupleSummary } from './summaries/summary.ts'

export type Candidate = { readonly guard: Diagram; readonly slot: Slot } /** The first machine begins by itself. */ & (
  | { readonly kind: 'begin' | 'inbox' | 'nothing' }
  /** The head of a line arrives; the slot is its sender. */
  | { readonly kind: 'arrive'; readonly line: number; readonly to: Diagram; readonly event: Diagram }
)

type Arriving = Extract<Candidate, { readonly kind: 'arrive' }>

/** The first message of a line. */
export interface Head {
  readonly to: Diagram
  readonly event: Diagram
  readonly payload: Summary
}

/** How a machine in a state, or in the middle of a `receive`, meets an event. */
export type Meeting = 'take' | 'keep' | 'drop'

export class Deliveries {
  readonly #state: SymbolicState

  constructor(state: SymbolicState) {
    this.#state = state
  }

  /** In a fixed order. */
  candidates(): readonly Candidate[] {
    const { slots } = this.#state
    const found: Candidate[] = []
    const add = (candidate: Candidate): void => {
      if (!this.#state.isVacuous(candidate.guard)) found.push(candidate)
    }
    const busy = slots.map((slot) => this.busy(slot))
    for (const slot of slots) {
      const isBusy = busy[slot.at] as Diagram
      add({ kind: 'inbox', slot, guard: isBusy })
      add({ kind: 'nothing', slot, guard: this.#state.lifting.diagrams.minus(this.#restless(slot), isBusy) })
      if (slot.at === 0) add({ kind: 'begin', slot, guard: this.#in(slot, phases.created) })
      for (const line of slot.lines.keys()) add({ kind: 'arrive', slot, line, ...this.#arrives(slot, line, busy) })
    }
    return found
  }

  #in({ phase }: Slot, asked: number): Diagram {
    return this.#state.lifting.diagrams.guardOf(phase, asked)
  }

  /** Where it has something in its inbox that it takes before anything else reaches it. */
  busy(slot: Slot): Diagram {
    const { diagrams } = this.#state.lifting
    if (slot.inbox.items.length === 0) return diagrams.never
    let found = diagrams.never
    this.takenFromInbox(slot, this.#in(slot, phases.begun), (_control, _at, guard) => {
      found = diagrams.or(found, guard)
    })
    return found
  }

  /** By control: where it takes which message of its inbox next, within a guard. */
  takenFromInbox(slot: Slot, guard: Diagram, tell: (control: number, at: number, guard: Diagram) => void): void {
    const { lifting } = this.#state
    const { diagrams } = lifting
    for (const control of diagrams.leavesWithin(slot.control, guard)) {
      let rest = diagrams.and(guard, diagrams.guardOf(slot.control, control))
      for (const [at, item] of slot.inbox.items.entries()) {
        rest = diagrams.and(rest, lifting.beyond(slot.inbox.size, at))
        if (this.#state.isVacuous(rest)) break
        const event = eventOf(lifting, item)
        const taken = diagrams.and(rest, this.#where(slot, control, event, 'take'))
        if (!this.#state.isVacuous(taken)) tell(control, at, taken)
        rest = diagrams.minus(rest, taken)
      }
    }
  }

  /** Where an event is met in this way. */
  #where(slot: Slot, control: number, event: Diagram, asked: Meeting): Diagram {
    const { lifting } = this.#state
    const name = `meets ${slot.ref.machine} ${control} ${asked}`
    const isMet = lifting.function(name, () => (value) => (this.meeting(slot, control, value) === asked ? 1 : 0))
    return lifting.diagrams.map(isMet, event)
  }

  /** How a machine that stands there meets an event, a packed value. */
  meeting(slot: Slot, control: number, value: number): Meeting {
    const named = this.#state.lifting.packed.leafOf(value) as EventValue | null | undefined
    if (named?.kind !== 'event') return 'keep'
    const where = this.#state.controls.at(control)
    if (where.frames.length > 0) return named.event === haltEvent || this.#awaits(where, named.event) ? 'take' : 'keep'
    const kind = this.stateOf(slot, where.state).handlers.get(named.event)?.kind
    if (kind === 'defer') return 'keep'
    return kind === 'ignore' ? 'drop' : 'take'
  }

  #awaits({ frames: [innermost] }: Control, event: number): boolean {
    const { functions } = this.#state.code.ir
    const end = innermost && functions[innermost.function]?.blocks[innermost.block]?.end
    return end?.kind === 'receive' && end.cases.some(({ events }) => events.includes(event))
  }

  stateOf({ ref }: Slot, state: number): IrState {
    return this.#state.code.ir.machines[ref.machine]?.states[state] as IrState
  }

  /** Where it does something although nothing can be received. */
  #restless(slot: Slot): Diagram {
    const { lifting, controls } = this.#state
    const does = lifting.function(`restless ${slot.ref.machine}`, () => (control) => {
      const { state, frames } = controls.at(control)
      return frames.length === 0 && this.stateOf(slot, state).onNull !== undefined ? 1 : 0
    })
    return lifting.diagrams.and(this.#in(slot, phases.begun), lifting.diagrams.map(does, slot.control))
  }

  head(slot: Slot, line: number): Head {
    const { lifting } = this.#state
    const first = this.#state.line(slot, line).items[0] as TupleSummary | undefined
    if (first === undefined) {
      const none = lifting.diagrams.leaf(nowhere)
      return { to: none, event: none, payload: { kind: 'scalar', of: none } }
    }
    const [to, event, payload] = first.items as readonly [Summary, Summary, Summary]
    return { to: concrete(lifting, to), event: concrete(lifting, event), payload }
  }

  #arrives(slot: Slot, line: number, busy: readonly Diagram[]): Pick<Arriving, 'guard' | 'to' | 'event'> {
    const { diagrams } = this.#state.lifting
    const some = this.#state.lifting.beyond(this.#state.line(slot, line).size, 0)
    const { to, event } = this.head(slot, line)
    if (this.#state.isVacuous(some)) return { guard: diagrams.never, to, event }
    const creates = diagrams.guardOf(event, packedNull)
    let found = diagrams.never
    for (const value of diagrams.leavesWithin(to, some)) {
      const target = this.#state.slotNamed(value)
      if (target === undefined) continue
      const there = diagrams.and(some, diagrams.guardOf(to, value))
      const begun = diagrams.minus(this.#in(target, phases.begun), busy[target.at] ?? diagrams.never)
      const can = diagrams.ite(creates, this.#in(target, phases.created), begun)
      found = diagrams.or(found, diagrams.and(there, can))
    }
    return { guard: found, to, event }
  }
}

/** The event of a message in an inbox. */
export function eventOf(lifting: SymbolicState['lifting'], item: Summary): Diagram {
  return concrete(lifting, (item as TupleSummary).items[0] as Summary)
}
