/**
 * One handler of one machine for all executions in which it stands at the same place and takes the same event ("overlapping transitions" of PSym, §4.1; there by
 * target and event, but handlers belong to states). Raised events and changes of state follow until nothing is left to do; what is alike is done as one.
 */
import type { Diagram } from '../../bdd/diagrams.ts'
import { haltEvent, type IrHandler, type IrState } from '../../ir/ir.ts'
import { packedNull } from '../../semantics/ir/compiled/packed-values.ts'
import { nothingEvent } from '../../semantics/ir/coverage.ts'
import type { EventValue } from '../../semantics/ir/value.ts'
import { type Control, type Controls, controlKey, type Duty, hasPayload } from './controls.ts'
import { type Around, type Ended, FunctionRun } from './function-run.ts'
import type { Summary } from './summaries/summary.ts'

/** Who runs: a machine or a monitor. */
export interface Actor {
  readonly machine: number
  readonly self: Diagram
  /** A copy: what is written where the handler runs is right, and elsewhere nobody reads it. */
  readonly fields: Summary[]
}

/** Where machines come to rest, or wait; each once. */
export interface Rested {
  readonly control: number
  readonly guard: Diagram
  /** Locals of the functions under way and payloads of what is to be done after them. */
  readonly saved: readonly Summary[]
}

interface Doing {
  readonly state: number
  readonly duties: readonly Duty[]
  /** Of those duties that have one. */
  readonly payloads: readonly Summary[]
  readonly guard: Diagram
}

export class HandlerRun {
  readonly #around: Around
  readonly #actor: Actor
  readonly #controls: Controls
  readonly #functions: FunctionRun
  readonly #isMonitor: boolean
  readonly #todo = new Map<string, Doing>()
  readonly #rested = new Map<number, Rested>()
  halted: Diagram

  constructor(
    around: Around,
    actor: Actor,
    guard: Diagram,
    { controls, defaults }: { readonly controls: Controls; readonly defaults: (index: number) => readonly Summary[] },
  ) {
    this.#around = around
    this.#actor = actor
    this.#controls = controls
    this.#functions = new FunctionRun(around, { ...actor, guard }, defaults)
    this.#isMonitor = around.evaluation.code.ir.machines[actor.machine]?.kind !== 'machine'
    this.halted = around.evaluation.lifting.diagrams.never
  }

  get rested(): Iterable<Rested> {
    return this.#rested.values()
  }

  begin(state: number, payload: Summary, guard: Diagram): void {
    this.#will({ state, duties: [{ kind: 'enter', state }], payloads: [payload], guard })
    this.#work()
  }

  handle(state: number, event: number, payload: Summary, guard: Diagram): void {
    this.#handle(state, event, payload, guard)
    this.#work()
  }

  handleNothing(state: number, handler: IrHandler, guard: Diagram): void {
    this.#covered(state, handler, nothingEvent)
    this.#follow(state, handler, this.#around.evaluation.value(null), guard)
    this.#work()
  }

  /** What a `receive` waits for; an event that is not among it halts. */
  receive(
    control: Control,
    saved: readonly Summary[],
    message: { readonly event: number; readonly payload: Summary },
    guard: Diagram,
  ): void {
    const { frames, duties, state } = control
    const lengths = frames.map((frame) => this.#localsOf(frame.function))
    const locals: Summary[][] = []
    let at = 0
    for (const length of lengths) {
      locals.push(saved.slice(at, at + length))
      at += length
    }
    const payloads = saved.slice(at)
    const [innermost] = frames
    const { functions } = this.#around.evaluation.code.ir
    const end = innermost && functions[innermost.function]?.blocks[innermost.block]?.end
    const found = end?.kind === 'receive' ? end.cases.find(({ events }) => events.includes(message.event)) : undefined
    if (found === undefined) this.#handle(state, message.event, message.payload, guard)
    else {
      const begin = { block: found.to, local: found.into, value: message.payload }
      const returned = this.#functions.resume(frames, locals, begin, guard)
      this.#after({ state, duties, payloads, guard }, returned.guard)
    }
    this.#work()
  }

  #localsOf(index: number): number {
    return this.#around.evaluation.code.ir.functions[index]?.locals.length ?? 0
  }

  /** Together with what is to be done in the same way. */
  #will(doing: Doing): void {
    if (this.#around.isVacuous(doing.guard)) return
    const { evaluation } = this.#around
    const key = controlKey({ state: doing.state, frames: [], duties: doing.duties })
    const known = this.#todo.get(key)
    if (known === undefined) {
      this.#todo.set(key, doing)
      return
    }
    const payloads = doing.payloads.map((payload, at) =>
      evaluation.ite(doing.guard, payload, known.payloads[at] as Summary),
    )
    this.#todo.set(key, { ...known, payloads, guard: evaluation.lifting.diagrams.or(known.guard, doing.guard) })
  }

  #work(): void {
    for (const [key, doing] of this.#todo) {
      this.#todo.delete(key)
      this.#attend(doing)
    }
  }

  #attend(doing: Doing): void {
    const [duty, ...duties] = doing.duties
    const { guard, state } = doing
    if (duty === undefined) return this.#rest({ control: this.#controls.resting(state), guard, saved: [] })
    const [payload, ...others] = hasPayload(duty) ? doing.payloads : [undefined, ...doing.payloads]
    const payloads = others as readonly Summary[]
    const { evaluation } = this.#around
    switch (duty.kind) {
      case 'halt':
        this.halted = evaluation.lifting.diagrams.or(this.halted, guard)
        return
      case 'unhandled':
        return evaluation.live.fails(guard, 'unhandled event', this.#stateOf(state).place)
      case 'call':
        return this.#call({ state, duties, payloads, guard }, duty.function, payload as Summary)
      case 'enter': {
        const { entry } = this.#stateOf(duty.state)
        evaluation.code.coverage?.entered(this.#actor.machine, duty.state)
        const then = { state: duty.state, duties, payloads, guard }
        return entry === undefined ? this.#will(then) : this.#call(then, entry, payload as Summary)
      }
    }
  }

  #stateOf(state: number): IrState {
    return this.#around.evaluation.code.ir.machines[this.#actor.machine]?.states[state] as IrState
  }

  #call(then: Doing, index: number, payload: Summary): void {
    const returned = this.#functions.call(index, [payload], then.guard)
    this.#after(then, returned.guard)
  }

  /** Functions have come to an end, one way or the other. */
  #after(then: Doing, returned: Diagram): void {
    for (const ended of this.#functions.takeEnded()) this.#endedBy(ended, then)
    this.#will({ ...then, guard: returned })
  }

  #endedBy(ended: Ended, then: Doing): void {
    const { guard } = ended
    if (this.#around.isVacuous(guard)) return
    switch (ended.kind) {
      case 'raise':
        return this.#raise(ended, then.state)
      case 'goto':
        return this.#goTo(then.state, ended.state, undefined, ended)
      case 'receive': {
        const control = this.#controls.of({ state: then.state, frames: ended.frames, duties: then.duties })
        return this.#rest({ control, guard, saved: [...ended.saved.flat(), ...then.payloads] })
      }
    }
  }

  #raise({ event, payload, guard, place }: Extract<Ended, { readonly kind: 'raise' }>, state: number): void {
    const { lifting, live } = this.#around.evaluation
    const { diagrams } = lifting
    live.fails(diagrams.and(guard, diagrams.guardOf(event, packedNull)), 'null event', place)
    for (const value of diagrams.leavesWithin(event, guard)) {
      const named = lifting.packed.leafOf(value) as EventValue | null | undefined
      if (named?.kind !== 'event') continue
      const here = diagrams.and(guard, diagrams.guardOf(event, value))
      if (!this.#around.isVacuous(here)) this.#handle(state, named.event, payload, here)
    }
  }

  #handle(state: number, event: number, payload: Summary, guard: Diagram): void {
    const { handlers, place } = this.#stateOf(state)
    const handler = handlers.get(event)
    if (handler !== undefined) {
      this.#covered(state, handler, event)
      return this.#follow(state, handler, payload, guard)
    }
    if (this.#isMonitor) return this.#around.evaluation.live.fails(guard, 'unhandled event', place)
    const last: Duty = event === haltEvent ? { kind: 'halt' } : { kind: 'unhandled', event }
    const exit = this.#exit(state)
    this.#will({ state, duties: [...exit, last], payloads: this.#nothingFor(exit), guard })
  }

  #covered(state: number, { kind }: IrHandler, event: number): void {
    if (kind !== 'defer' && kind !== 'ignore')
      this.#around.evaluation.code.coverage?.handled(this.#actor.machine, state, event)
  }

  /** An event that is raised where it is deferred is dropped, as one that is ignored. */
  #follow(state: number, handler: IrHandler, payload: Summary, guard: Diagram): void {
    if (handler.kind === 'do')
      return this.#will({ state, duties: [{ kind: 'call', function: handler.function }], payloads: [payload], guard })
    if (handler.kind === 'goto') return this.#goTo(state, handler.state, handler.with, { payload, guard })
    return this.#will({ state, duties: [], payloads: [], guard })
  }

  #goTo(
    from: number,
    to: number,
    between: number | undefined,
    { payload, guard }: { readonly payload: Summary; readonly guard: Diagram },
  ): void {
    const exit = this.#exit(from)
    const call: readonly Duty[] = between === undefined ? [] : [{ kind: 'call', function: between }]
    const duties: readonly Duty[] = [...exit, ...call, { kind: 'enter', state: to }]
    const payloads = [...this.#nothingFor(exit), ...call.map(() => payload), payload]
    this.#will({ state: from, duties, payloads, guard })
  }

  #exit(state: number): readonly Duty[] {
    const { exit } = this.#stateOf(state)
    return exit === undefined ? [] : [{ kind: 'call', function: exit }]
  }

  #nothingFor(duties: readonly Duty[]): readonly Summary[] {
    return duties.map(() => this.#around.evaluation.value(null))
  }

  #rest({ control, guard, saved }: Rested): void {
    if (this.#around.isVacuous(guard)) return
    const { evaluation } = this.#around
    const known = this.#rested.get(control)
    if (known === undefined) {
      this.#rested.set(control, { control, guard, saved })
      return
    }
    const merged = saved.map((value, at) => evaluation.ite(guard, value, known.saved[at] as Summary))
    const both = evaluation.lifting.diagrams.or(known.guard, guard)
    this.#rested.set(control, { control, guard: both, saved: merged })
  }
}
