/** A P program that a check file names, with functions that P leaves to others. The loader of the check file reads the program. */
import type { ForeignFunctions } from '../ir/ir.ts'

export type { ForeignFunctions } from '../ir/ir.ts'

export interface PModel {
  /** From the check file's folder: a .p file, a folder of them, or a .pproj file. */
  readonly path: string
  /** Functions that the program declares without a body, by their names; those of a machine as `Machine.name`. */
  readonly foreign: ForeignFunctions
  /** Of its tests, this one; all of them unless told otherwise. */
  readonly test: string | undefined
  readonly legacy: boolean | undefined
  /** JavaScript stack at the place that named it. */
  readonly stack: string | undefined
}

const models = new WeakSet<object>()

/** Marks an object as made by our own constructor. */
export function registerPModel(model: PModel): PModel {
  models.add(model)
  return model
}

export function isPModel(candidate: unknown): candidate is PModel {
  return typeof candidate === 'object' && candidate !== null && models.has(candidate)
}
