/** Modules that stand in for packages: the loader of check files gives each file a function of its own in the place of this one. */
import { mistake } from '../../core/running.ts'

/** The module, or what makes it. */
export type StandInModule = object | (() => object)

/**
 * From now on the modules of the user's that import the package are given this module. Called at the top level of a check file, or of a
 * module that it imports.
 */
export function standIn(name: string, module: StandInModule): void
export function standIn(name: string): void {
  mistake({
    code: 'E220',
    message: `standIn('${String(name)}', …) was called in a file that allways did not load`,
    hint: 'call it in a check file or in what that imports; in tests of a runner use what the runner has, as vi.mock',
  })
}
