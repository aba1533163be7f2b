/** A generated program as a `Stateful` view. What each state offers is computed once, so that many searches can share it. */
import type { Violation } from '../../src/core/property.ts'
import type { AccessAction, Move, Stateful, Step, Walk } from '../../src/program/stateful.ts'
import { type Cell, initialState, type ProgramText, type Prospect, prospect, type State } from './stateful-program.ts'

/** A state with everything there is to know about it. */
export interface Known {
  readonly key: string
  readonly moves: readonly Move[]
  readonly waiting: readonly AccessAction[]
  readonly violation: Violation | undefined
  /** By process, for those that can move. */
  successor(process: number): { readonly step: Step; readonly target: Known }
}

export class GeneratedView implements Stateful {
  readonly processes: readonly string[]
  readonly #text: ProgramText
  readonly #known = new Map<string, Known>()
  readonly initial: Known

  constructor(text: ProgramText) {
    this.#text = text
    this.processes = text.bodies.map((_, process) => `p${process}`)
    this.initial = this.#know(canonical(initialState(text)).state)
  }

  walk(): Walk {
    const path = [this.initial]
    const current = (): Known => path[path.length - 1] as Known
    return {
      key: () => current().key,
      moves: () => current().moves,
      waiting: () => current().waiting,
      violation: () => current().violation,
      step: (process) => {
        const { step, target } = current().successor(process)
        path.push(target)
        return step
      },
      back: () => {
        if (path.length === 1) throw new Error('the initial state has nothing before it')
        path.pop()
      },
    }
  }

  #know(state: State): Known {
    const key = JSON.stringify(state)
    const known = this.#known.get(key) ?? this.#learn(state, key)
    this.#known.set(key, known)
    return known
  }

  #learn(state: State, key: string): Known {
    const prospects = this.processes.map((_, process) => prospect(this.#text, state, process))
    const moves: Move[] = []
    const waiting: AccessAction[] = []
    for (const [process, next] of prospects.entries()) {
      if (next === undefined) continue
      const action = { process, visible: next.visible, accesses: next.accesses }
      if (next.next === undefined) waiting.push(action)
      else moves.push({ process, visible: next.visible })
    }
    const successors = new Map<number, { readonly step: Step; readonly target: Known }>()
    const successor = (process: number) => {
      const known = successors.get(process)
      if (known !== undefined) return known
      const { visible, accesses, next } = prospects[process] as Prospect
      if (next === undefined) throw new Error(`process ${process} cannot move`)
      const { state: after, renaming } = canonical(next())
      const action = { process, visible, accesses }
      const made = { step: { action, renaming: renaming.slice(0, state.heap.length) }, target: this.#know(after) }
      successors.set(process, made)
      return made
    }
    return { key, moves, waiting, violation: violationOf(state, waiting), successor }
  }
}

function violationOf(state: State, waiting: readonly AccessAction[]): Violation | undefined {
  const failed = state.processes.findIndex(({ status }) => status === 'failed')
  if (failed >= 0) return { kind: 'assertion', property: 'fail', message: `p${failed} failed`, process: `p${failed}` }
  if (waiting.length === 0) return undefined
  return { kind: 'deadlock', property: 'deadlock', message: `waiting: ${waiting.map(({ process }) => process)}` }
}

/** Numbers objects in the order they are reached; those that are not are dropped. */
function canonical(state: State): { readonly state: State; readonly renaming: readonly number[] } {
  const renaming = state.heap.map(() => -1)
  const order: number[] = []
  const reach = (object: number): void => {
    if (renaming[object] !== -1) return
    renaming[object] = order.push(object) - 1
    for (const cell of state.heap[object] ?? []) if (cell < 0) reach(-1 - cell)
  }
  for (const { registers } of state.processes) for (const cell of registers) if (cell < 0) reach(-1 - cell)
  reach(state.shared)
  const moved = (cell: Cell): Cell => (cell < 0 ? -1 - (renaming[-1 - cell] as number) : cell)
  return {
    renaming,
    state: {
      heap: order.map((object) => (state.heap[object] ?? []).map(moved)),
      shared: renaming[state.shared] as number,
      processes: state.processes.map(({ at, status, registers }) => ({ at, status, registers: registers.map(moved) })),
    },
  }
}
