/** Monitors of all executions at once: told what machines send and announce, before anything else happens. */
import type { Diagram } from '../../bdd/diagrams.ts'
import { invariant } from '../../core/invariant.ts'
import type { IrMachine, IrMonitor } from '../../ir/ir.ts'
import { packedNull } from '../../semantics/ir/compiled/packed-values.ts'
import type { EventValue } from '../../semantics/ir/value.ts'
import type { Evaluation } from './evaluation.ts'
import { foreignCalled } from './foreign.ts'
import type { Around } from './function-run.ts'
import { HandlerRun } from './handler-run.ts'
import type { MonitorSlot, SymbolicState } from './state.ts'
import { ite } from './summaries/merge.ts'
import type { Summary } from './summaries/summary.ts'

interface Told {
  readonly event: Diagram
  readonly payload: Summary
}

export class MonitorRuns {
  readonly #state: SymbolicState
  readonly #evaluation: Evaluation
  readonly #defaults: (index: number) => readonly Summary[]
  /** How often a handler was run. */
  runs = 0

  constructor(state: SymbolicState, evaluation: Evaluation, defaults: (index: number) => readonly Summary[]) {
    this.#state = state
    this.#evaluation = evaluation
    this.#defaults = defaults
  }

  /** Before the first machine begins. */
  begin(): void {
    const { always } = this.#state.lifting.diagrams
    for (const slot of this.#state.monitors) {
      const { start } = this.#machineOf(slot)
      this.#run(slot, always, (run) => run.begin(start, this.#state.value(null), always))
    }
  }

  tell(by: number, { event, payload }: Told, guard: Diagram): void {
    const { lifting, code } = this.#state
    const { diagrams } = lifting
    for (const [at, slot] of this.#state.monitors.entries()) {
      const { over } = code.ir.monitors[at] as IrMonitor
      if (!over.includes(by)) continue
      const { observes } = this.#machineOf(slot)
      for (const value of diagrams.leavesWithin(event, guard)) {
        const named = lifting.packed.leafOf(value) as EventValue | null | undefined
        if (named?.kind !== 'event' || !observes.includes(named.event)) continue
        const here = diagrams.and(guard, diagrams.guardOf(event, value))
        if (!this.#state.isVacuous(here)) this.#observe(slot, named.event, payload, here)
      }
    }
  }

  #machineOf({ machine }: MonitorSlot): IrMachine {
    return this.#state.code.ir.machines[machine] as IrMachine
  }

  #observe(slot: MonitorSlot, event: number, payload: Summary, guard: Diagram): void {
    const { diagrams } = this.#state.lifting
    const before = slot.state
    this.#state.code.coverage?.told(slot.machine)
    for (const state of diagrams.leavesWithin(before, guard)) {
      const here = diagrams.and(guard, diagrams.guardOf(before, state))
      if (this.#state.isVacuous(here)) continue
      this.#run(slot, here, (run) => run.handle(state, event, payload, here))
    }
  }

  #run(slot: MonitorSlot, guard: Diagram, work: (run: HandlerRun) => void): void {
    this.runs++
    const { lifting, controls } = this.#state
    const { diagrams } = lifting
    const around = this.#around()
    const fields = [...slot.fields]
    const self = diagrams.leaf(packedNull)
    const run = new HandlerRun(around, { machine: slot.machine, self, fields }, guard, {
      controls,
      defaults: this.#defaults,
    })
    work(run)
    for (const { control, guard: here } of run.rested) {
      const { state, frames } = controls.at(control)
      invariant(frames.length === 0, 'a monitor does not receive')
      slot.state = diagrams.ite(here, diagrams.leaf(state), slot.state)
    }
    slot.fields = fields.map((value, at) => ite(lifting, guard, value, slot.fields[at] as Summary))
  }

  #around(): Around {
    const evaluation = this.#evaluation
    const never = (): never => invariant(false, 'a monitor only watches') as never
    return {
      evaluation,
      isVacuous: (guard) => this.#state.isVacuous(guard),
      choose: never,
      send: never,
      announce: never,
      create: never,
      foreign: (instruction, scope, guard) => foreignCalled(evaluation, instruction, scope, guard),
    }
  }
}
