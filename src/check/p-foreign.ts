/** Functions that a P program declares and does not write: those that nobody gave, where a test can reach a call of them. */
import type { Diagnostic, Place } from '../core/diagnostic.ts'
import type { ForeignFunctions, Ir, IrType } from '../ir/ir.ts'
import { codeFrame } from './source-places.ts'

/** Each once, where it is called first. */
export function unwrittenIn(ir: Ir, given: ForeignFunctions): readonly Diagnostic[] {
  const calls = new Map<string, Place>()
  const strange = new Map<string, { readonly type: string; readonly place: Place }>()
  for (const { blocks } of ir.functions) {
    for (const instruction of blocks.flatMap(({ instructions }) => instructions)) {
      if (instruction.kind !== 'foreign') continue
      const { name, args, returns, place } = instruction
      const [type] = [...args.map((arg) => arg.type), ...(returns ? [returns] : [])].flatMap(foreignTypes)
      if (!Object.hasOwn(given, name)) {
        if (!calls.has(name)) calls.set(name, place)
      } else if (type !== undefined && !strange.has(name)) strange.set(name, { type, place })
    }
  }
  const untold = [...strange].map(([name, { type, place }]): Diagnostic => {
    const message = `"${name}" takes or returns a value of the type "${type}", which is written elsewhere`
    return { code: 'E231', message, hint: `declare the type in P: "type ${type} = …;"`, place, frame: codeFrame(place) }
  })
  const unknown = [...calls].map(
    ([name, place]): Diagnostic => ({
      code: 'E231',
      message: `"${name}" is written elsewhere, and what it does is not known`,
      hint: `give it a body in P, with choose where its answer is not known; or in TypeScript: pModel('./model.p', { foreign: { ${property(name)}: … } })`,
      place,
      frame: codeFrame(place),
    }),
  )
  return [...unknown, ...untold]
}

/** Names of types without a meaning here that a type has in it. */
function foreignTypes(type: IrType): readonly string[] {
  switch (type.kind) {
    case 'foreign':
      return [type.name]
    case 'seq':
    case 'set':
      return foreignTypes(type.of)
    case 'map':
      return [type.key, type.value].flatMap(foreignTypes)
    case 'tuple':
      return type.items.flatMap(foreignTypes)
    case 'record':
      return type.fields.flatMap((field) => foreignTypes(field.type))
    default:
      return []
  }
}

/** Functions of machines have a dot in their names. */
function property(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}
