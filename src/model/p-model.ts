/** `pModel`: a P program in a check file, with the functions that it declares and leaves to others, and types that are known by classes alone. */
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import {
  checkNoMore,
  checkShape,
  isFunction,
  isPlainObject,
  needed,
  type Shapes,
  shape,
  shapes,
  shown,
} from '../core/option-shape.ts'
import { type AbstractionOptions, type ForeignFunctions, type PModel, registerPModel } from '../program/p-model.ts'
import { abstractObjectOf, type CalledByEvents, type EventCalls, type Refined } from '../program/refinement.ts'

export type { AbstractionOptions, PModel } from '../program/p-model.ts'

/** A specification that a P program refines. */
export interface PRefinement {
  /** What `specification(…)` or `qtree(…)` made. */
  readonly object: Refined
  /**
   * By the names of events that the program sends or announces: what each means as a call of the object. The payload is as foreign functions get it; what is
   * returned may depend on it alone.
   */
  readonly calls: EventCalls
}

export interface PModelOptions {
  /**
   * Functions that the P program declares without a body, by their names; those of a machine as `'Machine.name'`. An int, float or
   * element of an enum is a number; a tuple or seq an array, a record an object, a set a Set and a map a Map; machines and events can
   * be compared and handed back. What a function returns may depend on its arguments alone.
   */
  readonly foreign?: ForeignFunctions
  /**
   * Types of the P program, by their names, whose values are known by classes alone: the program is then explored for all values of these types at once.
   * Values of such a type can be compared, kept, sent and used as keys, and nothing else.
   */
  readonly abstract?: { readonly [type: string]: AbstractionOptions }
  /** Specifications that the program refines: no call of them is refused, in any execution. */
  readonly refines?: readonly PRefinement[]
  /** Of the tests that the program declares, this one; all of them unless told otherwise. */
  readonly test?: string
  /** Read P as it was before some of its words became keywords. */
  readonly legacy?: boolean
}

const optionShapes: Shapes<Required<PModelOptions>> = {
  foreign: shapes.record,
  abstract: shapes.record,
  refines: shapes.list,
  test: shapes.text,
  legacy: shapes.flag,
}

const refinementShapes: Shapes<PRefinement> = {
  object: needed(shapes.anything),
  calls: needed(shapes.record),
}

const isTexts = shapes.texts.fits

const abstractionShapes: Shapes<Required<AbstractionOptions>> = {
  classes: needed(
    shape(
      "an object that says of each class whether it is 'one' value, 'many', or these elements of an enum",
      (value) =>
        isRecordOf(value, (one) => one === 'one' || one === 'many' || (isTexts(one) && (one as string[]).length > 0)),
    ),
  ),
  functions: shape('an object with a list of classes for each function', (value) =>
    isRecordOf(value, (one) => isTexts(one) && (one as string[]).length > 0),
  ),
  default: shapes.text,
}

function isRecordOf(value: unknown, isFit: (one: unknown) => boolean): boolean {
  return isPlainObject(value) && Object.values(value as object).every(isFit)
}

/** Names a P program by its path from the check file: `export default pModel('./model.p', { foreign: { max: … } })`. */
export function pModel(path: string, options?: PModelOptions): PModel
export function pModel(path: string, options: PModelOptions = {}, ...extra: readonly unknown[]): PModel {
  checkNoMore(extra, 'pModel(path, options)')
  const { stack } = new Error()
  const mistake = (message: string, hint: string): Diagnostic => ({ code: 'E107', message, hint, stack })
  if (typeof path !== 'string' || path.trim() === '')
    throw new DiagnosticError(mistake('pModel() needs the path of a P program', "write pModel('./model.p')"))
  checkShape(options, optionShapes, { of: 'pModel()', stack })
  const { foreign = {}, abstract = {}, refines = [], test, legacy } = options
  for (const [type, one] of Object.entries(abstract))
    checkShape(one, abstractionShapes, { of: `abstract.${type}`, stack })
  const unfit = Object.keys(foreign).find((name) => !isFunction(foreign[name]))
  if (unfit !== undefined)
    throw new DiagnosticError(mistake(`foreign.${unfit} is not a function`, `write ${unfit}: (a, b) => …`))
  const refined = refines.map((one, at) => {
    checkShape(one, refinementShapes, { of: `refines[${at}]`, stack })
    return refinedBy(one, mistake)
  })
  const names = refined.map(({ object: { name } }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined)
    throw new DiagnosticError(mistake(`two specifications are named "${twice}"`, 'give each a name of its own'))
  if (refined.length > 0 && Object.keys(abstract).length > 0)
    throw new DiagnosticError(
      mistake(
        'pModel() has both "refines" and "abstract", and calls have values, not classes of them',
        'leave one of them out',
      ),
    )
  const given = { foreign: { ...foreign }, abstract: { ...abstract }, refines: refined }
  return registerPModel({ path, ...given, test, legacy, stack })
}

function refinedBy(
  { object, calls }: PRefinement,
  mistake: (message: string, hint: string) => Diagnostic,
): CalledByEvents {
  const found = abstractObjectOf(object)
  const example = 'refines: [{ object: register, calls: { eWrite: ({ token }) => register.write({ token }) } }]'
  if (found === undefined)
    throw new DiagnosticError(mistake(`"object" of refines is ${shown(object)}, and not a specification`, example))
  const events = Object.keys(calls)
  if (events.length === 0)
    throw new DiagnosticError(mistake(`"calls" of specification "${found.name}" names no events`, example))
  const unfit = events.find((event) => !isFunction(calls[event]))
  if (unfit !== undefined)
    throw new DiagnosticError(
      mistake(`"${unfit}" in "calls" of specification "${found.name}" is not a function`, example),
    )
  return { object: found, calls: { ...calls } }
}
