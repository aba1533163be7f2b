/** From a way through states, in each of which machines may have been renamed, back to an execution. */
import { Renaming } from './renaming.ts'
import { anyMessage, type RetracedStep } from './retraced.ts'
import { OtherNames } from './siblings.ts'
import type { IrValue, MachineRef, Values } from './value.ts'

/** Every machine of a state, and which it becomes. */
export interface Permutation {
  readonly refs: readonly (readonly [before: MachineRef, after: MachineRef])[]
}

/** Along a way through kept states: which machines those of the state are in the execution that the way stands for. */
export class WayBack {
  readonly #values: Values
  #names: OtherNames

  constructor(values: Values) {
    this.#values = values
    this.#names = new OtherNames(values)
  }

  /** A step as it is in the execution. */
  step({ machine, from, message, choices }: RetracedStep): RetracedStep {
    const renaming = new Renaming(this.#values, (ref) => this.#names.of(ref))
    return {
      machine: this.#names.of(machine),
      from: from && this.#names.of(from),
      message:
        message === undefined || message === anyMessage
          ? message
          : { event: message.event, payload: renaming.value(message.payload) as IrValue },
      choices,
    }
  }

  /** The step has been taken, and the machines of its end were renamed. */
  renamed({ refs }: Permutation): void {
    const names = new OtherNames(this.#values)
    const taken = refs.map(([before, after]) => [after, this.#names.of(before)] as const)
    for (const [after, name] of taken) names.set(after, name)
    this.#names = names
  }
}
