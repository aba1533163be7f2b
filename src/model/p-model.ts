/** `pModel`: a P program in a check file, with the functions that it declares and leaves to others. */
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import { checkShape, isFunction, type Shapes, shapes } from '../core/option-shape.ts'
import { type ForeignFunctions, type PModel, registerPModel } from '../program/p-model.ts'

export type { PModel } from '../program/p-model.ts'

export interface PModelOptions {
  /**
   * Functions that the P program declares without a body, by their names; those of a machine as `'Machine.name'`. An int, float or
   * element of an enum is a number; a tuple or seq an array, a record an object, a set a Set and a map a Map; machines and events can
   * be compared and handed back. What a function returns may depend on its arguments alone.
   */
  readonly foreign?: ForeignFunctions
  /** Of the tests that the program declares, this one; all of them unless told otherwise. */
  readonly test?: string
  /** Read P as it was before some of its words became keywords. */
  readonly legacy?: boolean
}

const optionShapes: Shapes<Required<PModelOptions>> = {
  foreign: shapes.record,
  test: shapes.text,
  legacy: shapes.flag,
}

/** Names a P program by its path from the check file: `export default pModel('./model.p', { foreign: { max: … } })`. */
export function pModel(path: string, options: PModelOptions = {}): PModel {
  const { stack } = new Error()
  const mistake = (message: string, hint: string): Diagnostic => ({ code: 'E107', message, hint, stack })
  if (typeof path !== 'string' || path.trim() === '')
    throw new DiagnosticError(mistake('pModel() needs the path of a P program', "write pModel('./model.p')"))
  checkShape(options, optionShapes, { of: 'pModel()', stack })
  const { foreign = {}, test, legacy } = options
  const unfit = Object.keys(foreign).find((name) => !isFunction(foreign[name]))
  if (unfit !== undefined)
    throw new DiagnosticError(mistake(`foreign.${unfit} is not a function`, `write ${unfit}: (a, b) => …`))
  return registerPModel({ path, foreign: { ...foreign }, test, legacy, stack })
}
