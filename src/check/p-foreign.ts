/** Functions that a P program declares and does not write: those that nobody gave, where a test can reach a call of them. */
import type { Diagnostic, Place } from '../core/diagnostic.ts'
import type { ForeignFunctions, Ir } from '../ir/ir.ts'
import { codeFrame } from './source-places.ts'

/** Each once, where it is called first. */
export function unwrittenIn(ir: Ir, given: ForeignFunctions): readonly Diagnostic[] {
  const calls = new Map<string, Place>()
  for (const { blocks } of ir.functions) {
    for (const instruction of blocks.flatMap(({ instructions }) => instructions)) {
      if (instruction.kind !== 'foreign') continue
      const { name, place } = instruction
      if (!Object.hasOwn(given, name) && !calls.has(name)) calls.set(name, place)
    }
  }
  return [...calls].map(
    ([name, place]): Diagnostic => ({
      code: 'E231',
      message: `"${name}" is written elsewhere, and what it does is not known`,
      hint: `give it a body in P, with choose where its answer is not known; or in TypeScript: pModel('./model.p', { foreign: { ${property(name)}: … } })`,
      place,
      frame: codeFrame(place),
    }),
  )
}

/** Functions of machines have a dot in their names. */
function property(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}
