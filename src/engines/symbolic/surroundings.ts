/** What a machine does to others while it runs, for all executions at once: it sends, creates, tells monitors, and chooses. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { IrExpression, IrMachine } from '../../ir/ir.ts'
import { packedNull } from '../../semantics/ir/compiled/packed-values.ts'
import { permits } from '../../semantics/ir/typed-value.ts'
import type { EventValue, MachineRef } from '../../semantics/ir/value.ts'
import type { Chosen } from './choices.ts'
import { options } from './chosen-values.ts'
import type { Evaluation, LiftedScope } from './evaluation.ts'
import { foreignCalled } from './foreign.ts'
import type { Around, Instruction } from './function-run.ts'
import type { Messages } from './messages.ts'
import type { MonitorRuns } from './monitors.ts'
import { phases, type Slot, type SymbolicState } from './state.ts'
import { concrete, lifted } from './summaries/concrete.ts'
import { ite } from './summaries/merge.ts'
import { appended } from './summaries/seq.ts'
import { nowhere, type SeqSummary, type Summary } from './summaries/summary.ts'

/** What machines share while a step is taken. */
export interface Stepping {
  readonly state: SymbolicState
  readonly evaluation: Evaluation
  readonly monitors: MonitorRuns
  /** Which line a message to a machine goes into. */
  lineTo(target: Slot): number
  chosen(guard: Diagram, possible: readonly Diagram[], by: Slot): Chosen
}

export class MachineAround implements Around {
  readonly evaluation: Evaluation
  readonly #stepping: Stepping
  readonly #slot: Slot

  constructor(stepping: Stepping, slot: Slot) {
    this.evaluation = stepping.evaluation
    this.#stepping = stepping
    this.#slot = slot
  }

  get #state(): SymbolicState {
    return this.#stepping.state
  }

  isVacuous(guard: Diagram): boolean {
    return this.#state.isVacuous(guard)
  }

  choose(instruction: Instruction<'choose'>, scope: LiftedScope, guard: Diagram): Summary {
    const found = options(this.evaluation, instruction, scope, guard)
    const { taken } = this.#stepping.chosen(
      guard,
      found.map(({ possible }) => possible),
      this.#slot,
    )
    let value: Summary | undefined
    for (const [at, option] of found.entries())
      value =
        value === undefined ? option.value : ite(this.evaluation.lifting, taken[at] as Diagram, option.value, value)
    return value ?? this.evaluation.value(null)
  }

  send(instruction: Instruction<'send'>, scope: LiftedScope, guard: Diagram): void {
    const { lifting, live } = this.evaluation
    const { diagrams } = lifting
    const to = this.evaluation.scalar(instruction.to, scope, guard)
    const event = this.evaluation.scalar(instruction.event, scope, guard)
    const payload = this.#payload(instruction.payload, scope, guard)
    live.fails(diagrams.and(guard, diagrams.guardOf(to, packedNull)), 'null target', instruction.place)
    live.fails(diagrams.and(guard, diagrams.guardOf(event, packedNull)), 'null event', instruction.place)
    live.fails(diagrams.minus(guard, this.#permitted(instruction, to, event)), 'send not permitted', instruction.place)
    this.#stepping.monitors.tell(this.#slot.ref.machine, { event, payload }, guard)
    this.#dispatch({ to, event, payload }, guard)
  }

  #payload(expression: IrExpression | undefined, scope: LiftedScope, guard: Diagram): Summary {
    return expression === undefined ? this.evaluation.value(null) : this.evaluation.evaluate(expression, scope, guard)
  }

  #permitted({ to: { type } }: Instruction<'send'>, to: Diagram, event: Diagram): Diagram {
    const { lifting, code } = this.evaluation
    const asked = type.kind === 'machine' ? type.receives : undefined
    const { sends } = code.ir.machines[this.#slot.ref.machine] as IrMachine
    const name = `permitted ${this.#slot.ref.machine} ${asked?.join()}`
    const isPermitted = lifting.operation(name, () => (target, named) => {
      const machine = lifting.packed.leafOf(target) as MachineRef | null | undefined
      const value = lifting.packed.leafOf(named) as EventValue | null | undefined
      if (machine?.kind !== 'machine' || value?.kind !== 'event') return 1
      const one = value.event
      return permits(machine, [one], code.ir) && asked?.includes(one) !== false && sends?.includes(one) !== false
        ? 1
        : 0
    })
    return lifting.diagrams.apply(isPermitted, to, event)
  }

  /** Nobody sends to a machine that has halted. */
  #dispatch({ to, event, payload }: Outgoing, guard: Diagram): void {
    const { lifting } = this.evaluation
    const items = [{ kind: 'scalar', of: to }, { kind: 'scalar', of: event }, payload] as const
    const message: Summary = { kind: 'tuple', names: 0, items }
    const { messages } = this.#state
    for (const { line, here, item } of messages === undefined
      ? this.#byTarget(message, to, guard)
      : this.#byMessage(message, messages, guard)) {
      if (this.isVacuous(here)) continue
      const before = this.#state.line(this.#slot, line)
      this.#slot.lines.set(line, ite(lifting, here, appended(lifting, before, item), before) as SeqSummary)
    }
  }

  #byTarget(item: Summary, to: Diagram, guard: Diagram): Iterable<Posted> {
    const { diagrams } = this.evaluation.lifting
    const byLine = new Map<number, Posted>()
    for (const value of diagrams.leavesWithin(to, guard)) {
      const target = this.#state.slotNamed(value)
      if (target === undefined) continue
      const there = diagrams.and(guard, diagrams.guardOf(to, value))
      const line = this.#stepping.lineTo(target)
      const open = diagrams.minus(there, diagrams.guardOf(target.phase, phases.halted))
      byLine.set(line, { line, here: diagrams.or(byLine.get(line)?.here ?? diagrams.never, open), item })
    }
    return byLine.values()
  }

  /** Where messages arrive in any order: each of them apart. */
  *#byMessage(message: Summary, messages: Messages, guard: Diagram): Generator<Posted> {
    const { lifting } = this.evaluation
    const { diagrams } = lifting
    const whole = concrete(lifting, message)
    for (const value of diagrams.leavesWithin(whole, guard)) {
      const target = this.#state.slotNamed(lifting.opened(value)?.parts[0] ?? nowhere)
      if (target === undefined) continue
      const there = diagrams.and(guard, diagrams.guardOf(whole, value))
      const here = diagrams.minus(there, diagrams.guardOf(target.phase, phases.halted))
      yield { line: messages.of(value), here, item: lifted(lifting, diagrams.leaf(value)) }
    }
  }

  announce(instruction: Instruction<'announce'>, scope: LiftedScope, guard: Diagram): void {
    const { lifting, live } = this.evaluation
    const { diagrams } = lifting
    const event = this.evaluation.scalar(instruction.event, scope, guard)
    live.fails(diagrams.and(guard, diagrams.guardOf(event, packedNull)), 'null event', instruction.place)
    const payload = this.#payload(instruction.payload, scope, guard)
    this.#stepping.monitors.tell(this.#slot.ref.machine, { event, payload }, guard)
  }

  create(instruction: Instruction<'new'>, scope: LiftedScope, guard: Diagram): Summary {
    const { lifting, code } = this.evaluation
    const { diagrams } = lifting
    const { ref: creator, created } = this.#slot
    const argument = this.#payload(instruction.payload, scope, guard)
    const machine = code.ir.machines[creator.machine]?.creates[instruction.creates] as number
    const { name } = code.ir.machines[machine] as IrMachine
    const count = created.get(name) ?? diagrams.leaf(0)
    const named = (before: number): MachineRef => code.values.machine({ creator, name, count: before + 1, machine })
    for (const before of diagrams.leavesWithin(count, guard)) {
      const here = diagrams.and(guard, diagrams.guardOf(count, before))
      if (!this.isVacuous(here)) this.#begin(this.#state.slotOf(named(before)), argument, here)
    }
    created.set(name, diagrams.ite(guard, lifting.plus(count, 1), count))
    const toRef = lifting.function(
      `created ${creator.id} ${name} ${machine}`,
      () => (before) => lifting.packed.packed(named(before)),
    )
    const to = diagrams.map(toRef, count)
    const nothing = this.evaluation.value(null)
    this.#dispatch({ to, event: diagrams.leaf(packedNull), payload: nothing }, guard)
    return { kind: 'scalar', of: to }
  }

  #begin(slot: Slot, argument: Summary, guard: Diagram): void {
    const { lifting } = this.evaluation
    slot.phase = lifting.diagrams.ite(guard, lifting.diagrams.leaf(phases.created), slot.phase)
    slot.argument = ite(lifting, guard, argument, slot.argument)
  }

  foreign(instruction: Instruction<'foreign'>, scope: LiftedScope, guard: Diagram): Summary {
    return foreignCalled(this.evaluation, instruction, scope, guard)
  }
}

/** What goes into a line, and where. */
interface Posted {
  readonly line: number
  readonly here: Diagram
  readonly item: Summary
}

interface Outgoing {
  readonly to: Diagram
  readonly event: Diagram
  readonly payload: Summary
}
