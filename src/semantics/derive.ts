/** Weaker views from stronger ones: what a program does not say in one form follows from what it says in another. */
import type { Setting } from '../core/setting.ts'
import type { Witness } from '../core/witness.ts'
import type { IrView, Program, ViewName, Views } from '../program/program.ts'
import { irMachines } from './ir/machines.ts'
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
    if (this.#program.views.ir !== undefined) {
      const made = derivedFromIr[name as keyof typeof derivedFromIr] as ((ir: IrView) => Views[V]) | undefined
      return made?.(this.view('ir') as IrView)
    }
    if (name !== 'path') return undefined
    const runnable = this.view('runnable')
    return runnable && (pathsOf(runnable) as Views[V])
  }
}

/** Where a view would not be exact, it is refused when it is made. */
const derivedFromIr: { readonly [V in 'path' | 'runnable' | 'machines']: (ir: IrView) => Views[V] } = {
  path: (ir) => irPaths(ir.program, ir.setting, ir),
  runnable: irRunnable,
  machines: irMachines,
}

/** Whether a program can be seen in a form, its own or a derived one. */
export function offers({ views }: Pick<Program, 'views'>, name: ViewName): boolean {
  if (views[name] !== undefined) return true
  return views.ir === undefined ? name === 'path' && views.runnable !== undefined : Object.hasOwn(derivedFromIr, name)
}
