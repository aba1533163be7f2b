/** The code of an expression, and where its value can be found as long as it waits to be used. */
import type { Variable } from './flow.ts'
import type { Code } from './output.ts'

export interface Value {
  readonly code: Code
  /** Holds the value once the code has been evaluated. */
  readonly variable: Variable | undefined
  /** Evaluates to the same in every execution, so a waiting value says nothing about the state. */
  readonly isConstant: boolean
  /** The code is the bare name of the variable, so it can stand later or twice. */
  readonly isName: boolean
}

/** A literal, a global, a name of the module: never live, because it is there again when the code is run again. */
export function constant(code: Code): Value {
  return { code, variable: undefined, isConstant: true, isName: true }
}

/** A value that nothing holds. */
export function transient(code: Code): Value {
  return { code, variable: undefined, isConstant: false, isName: false }
}

/** A name. */
export function named(variable: Variable, code: Code = variable.code): Value {
  return { code, variable, isConstant: false, isName: true }
}

/** Code that leaves its value in a variable. */
export function stored(code: Code, variable: Variable): Value {
  return { code, variable, isConstant: false, isName: false }
}
