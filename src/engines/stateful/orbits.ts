/** States of a protocol whose parties play the same part, up to which party is which. */

import { IntVector } from '../../collections/int-vector.ts'
import { KeyIndex } from '../../collections/key-index.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import type { LocalState, Machines } from '../../program/machines.ts'
import type { LocalGraph } from '../../semantics/machines/local-graph.ts'

export class Orbits {
  readonly #graph: LocalGraph
  readonly #text: (state: LocalState) => Unhurried<string>
  readonly #texts = new KeyIndex()
  /** By local state of the one machine. */
  readonly #orbits = new IntVector(1024)

  constructor(graph: LocalGraph) {
    this.#graph = graph
    this.#text = textOf(graph.machines)
  }

  /** Local states are numbered in the order in which they are met, and looked at before they are asked for. */
  *meet([local]: readonly number[]): Unhurried<void> {
    while (this.#orbits.length <= (local as number)) this.#orbits.push(yield* this.#number(this.#orbits.length))
  }

  /** Equal only for states that differ in nothing but which party is which. */
  of([local]: readonly number[]): number {
    return this.#orbits.at(local as number)
  }

  *#number(local: number): Unhurried<number> {
    const text = yield* this.#text(this.#graph.state(0, local))
    const known = this.#texts.find(text)
    return known < 0 ? this.#texts.add(text) : known
  }
}

function textOf({ alike, machines, hasAlike }: Machines): (state: LocalState) => Unhurried<string> {
  if (alike !== undefined) return alike
  if (hasAlike === true)
    throw new DiagnosticError({
      code: 'E107',
      message: `machines cannot change places: "alike" is of one machine, and the system has ${machines.length} of them`,
      hint: 'leave out --symmetry, or write the others as actions too: a machine with "alike" must be alone in its system',
    })
  throw new DiagnosticError({
    code: 'E107',
    message: 'machines cannot change places: nothing says which of them, or which parties of one, play the same part',
    hint: "leave out --symmetry, or name machines of one kind beside the others, alike: [['a', 'b', 'c']]; of a protocol by its actions its parties",
  })
}
