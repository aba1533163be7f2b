/** Weaker views from stronger ones: what a program does not say in one form follows from what it says in another. */
import type { Setting } from '../core/setting.ts'
import type { Witness } from '../core/witness.ts'
import type { Program, ViewName, Views } from '../program/program.ts'
import { irPaths } from './ir/paths.ts'
import { irRunnable } from './ir/runnable.ts'
import { pathsOf } from './world-path.ts'

/** All views of one program under one setting, each made when it is asked for first. */
export class ProgramViews {
  readonly #program: Pick<Program, 'views'>
  readonly #setting: Setting
  readonly #witness: Witness | undefined
  readonly #made: { -readonly [V in ViewName]?: Views[V] } = {}

  constructor(program: Pick<Program, 'views'>, setting: Setting, witness?: Witness) {
    this.#program = program
    this.#setting = setting
    this.#witness = witness
  }

  /** Undefined: the program cannot be seen this way. */
  view<V extends ViewName>(name: V): Views[V] | undefined {
    const made: Partial<Views> = this.#made
    const view: Views[V] | undefined = made[name] ?? this.#own(name) ?? this.#derived(name)
    if (view !== undefined) this.#made[name] = view as never
    return view
  }

  #own<V extends ViewName>(name: V): Views[V] | undefined {
    return this.#program.views[name]?.(this.#setting, this.#witness)
  }

  #derived<V extends ViewName>(name: V): Views[V] | undefined {
    if (name !== 'path' && name !== 'runnable') return undefined
    const ir = this.#program.views.ir && this.view('ir')
    if (ir !== undefined) return (name === 'path' ? irPaths(ir.program, ir.setting, ir) : irRunnable(ir)) as Views[V]
    if (name === 'runnable') return undefined
    const runnable = this.view('runnable')
    return runnable && (pathsOf(runnable) as Views[V])
  }
}

/** Whether a program can be seen in a form, its own or a derived one. */
export function offers({ views }: Pick<Program, 'views'>, name: ViewName): boolean {
  if (views[name] !== undefined) return true
  return views.ir === undefined
    ? name === 'path' && views.runnable !== undefined
    : name === 'path' || name === 'runnable'
}
