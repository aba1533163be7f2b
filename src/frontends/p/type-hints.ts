/** What to do about types that do not fit. */
import type { Type } from './type.ts'
import { typeText } from './type-relations.ts'

/** The expected type is undefined where several would do. */
export function hintFor(expected: Type | undefined, found: Type): string {
  if (expected?.kind === 'machine' && found.kind === 'machine') return hintForMachines(expected, found)
  switch (found.kind) {
    case 'any':
    case 'data':
      return `say what the value is: "… as ${expected === undefined ? 'T' : typeText(expected)}", which is checked when it happens`
    case 'null':
      return 'only a "machine", an "event", an "any" or "data" can be "null"; a machine that is called by its name cannot'
    case 'enum':
      if (expected?.kind === 'int') return 'convert it: "… to int"'
      break
    case 'int':
      if (expected?.kind === 'float') return 'convert it: "… to float", or write "1.0"'
      break
    case 'float':
      if (expected?.kind === 'int') return 'convert it: "… to int", which cuts off the fraction'
      break
    case 'tuple':
      if (expected?.kind === 'record')
        return `give the items their names: (${expected.fields.map(({ name }) => `${name} = …`).join(', ')})`
      break
    case 'record':
      if (expected?.kind === 'tuple') return 'leave the names out: a tuple with names is another type than one without'
      if (expected?.kind === 'record') return 'named tuples agree in names, their order, and types'
      break
    default:
      break
  }
  return expected?.kind === 'data' ? '"data" holds no references to machines' : 'nothing is converted by itself'
}

type MachineType = Type & { readonly kind: 'machine' }

/** Types of machines are what may be sent to them. */
function hintForMachines(expected: MachineType, found: MachineType): string {
  if (found.name === undefined) return `say what machine it is: "… as ${expected.name}", or "… to ${expected.name}"`
  const difference =
    missingFrom(found, expected) ??
    missingFrom(expected, found) ??
    'types of machines agree if the same events may be sent'
  return `${difference}; "… to ${expected.name}" gives permissions up`
}

function missingFrom(left: MachineType, right: MachineType): string | undefined {
  if (left.receives === undefined) return undefined
  const event = right.receives?.find((name) => !left.receives?.includes(name))
  if (right.receives !== undefined && event === undefined) return undefined
  return event === undefined
    ? `"${right.name}" may be sent everything, "${left.name}" may not`
    : `"${right.name}" may be sent "${event}", "${left.name}" may not`
}
