/** A P program that a check file names, with functions that P leaves to others. The loader of the check file reads the program. */
import type { ForeignFunctions } from '../ir/ir.ts'
import type { CalledByEvents } from './refinement.ts'

export type { ForeignFunctions } from '../ir/ir.ts'

/** A type of the program that is known by classes of its values alone, as a check file says it. */
export interface AbstractionOptions {
  /**
   * Every value of the type is in exactly one class. `'one'`: it is one value. `'many'`: it stands for any number of them. Of an enum a class is the list of
   * its elements.
   */
  readonly classes: { readonly [name: string]: 'one' | 'many' | readonly string[] }
  /**
   * Functions of the program, by their names, that return a value of the type: of one of these classes, and nothing else is known of it. A body that the
   * program gives them is not read.
   */
  readonly functions?: { readonly [name: string]: readonly string[] }
  /** The class of the value that variables begin with: the first one that stands for many, unless told otherwise. */
  readonly default?: string
}

export interface PModel {
  /** From the check file's folder: a .p file, a folder of them, or a .pproj file. */
  readonly path: string
  /** Functions that the program declares without a body, by their names; those of a machine as `Machine.name`. */
  readonly foreign: ForeignFunctions
  /** By the names of types. */
  readonly abstract: { readonly [type: string]: AbstractionOptions }
  readonly refines: readonly CalledByEvents[]
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
