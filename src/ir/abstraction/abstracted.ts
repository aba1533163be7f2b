/** A program over classes of values: what it does includes what the program does with any values of these classes. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { Ir } from '../ir.ts'
import type { Abstraction } from './abstraction.ts'
import { Classes } from './classes.ts'
import { FunctionRewrite } from './function-rewrite.ts'
import { refusalsIn } from './refusals.ts'

/** What of a program cannot be said of classes. */
export function notAbstractable(ir: Ir, abstractions: readonly Abstraction[]): readonly Diagnostic[] {
  return refusalsIn(ir, new Classes(abstractions), abstractions)
}

/** Of a program that can be abstracted. */
export function abstracted(ir: Ir, abstractions: readonly Abstraction[]): Ir {
  const classes = new Classes(abstractions)
  return {
    ...ir,
    events: ir.events.map(({ name, payload }) => ({ name, payload: payload && classes.typeOf(payload) })),
    machines: ir.machines.map((machine) => ({
      ...machine,
      fields: machine.fields.map(({ name, type }) => ({ name, type: classes.typeOf(type) })),
    })),
    functions: ir.functions.map((one) => new FunctionRewrite(classes, abstractions).rewritten(one)),
  }
}
