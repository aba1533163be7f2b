/** What is known of values only when a program runs: payloads of events that are, and values that are written elsewhere. */
import type { Ir, IrFunction, IrType } from './ir.ts'

/** Whether an event that is sent, announced or raised is the value of a variable: then it may be given what it does not carry. */
export function namesEventsLate({ functions }: Ir): boolean {
  return functions.some(doesNameLate)
}

function doesNameLate({ blocks }: IrFunction): boolean {
  return blocks.some(({ instructions, end }) =>
    [...instructions, end].some(
      (one) =>
        (one.kind === 'send' || one.kind === 'announce' || one.kind === 'raise') && one.event.kind !== 'constant',
    ),
  )
}

/** Whether values of a type, or parts of them, come from functions that are written elsewhere. */
export function isWrittenElsewhere(type: IrType): boolean {
  switch (type.kind) {
    case 'foreign':
      return true
    case 'seq':
    case 'set':
      return isWrittenElsewhere(type.of)
    case 'map':
      return isWrittenElsewhere(type.key) || isWrittenElsewhere(type.value)
    case 'tuple':
      return type.items.some(isWrittenElsewhere)
    case 'record':
      return type.fields.some((field) => isWrittenElsewhere(field.type))
    default:
      return false
  }
}
