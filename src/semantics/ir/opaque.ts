/** Values of types that are written elsewhere: plain data that P keeps, compares and hands back, and does not look into. */
import type { CompositeValue, IrValue, TupleValue, Values } from './value.ts'

/** No field of a tuple of P has a blank in its name. */
const prefix = 'foreign '

export function opaqueOf(type: string, data: IrValue, values: Values): IrValue {
  return values.tuple([data], opaqueNames(type))
}

/** Of the only part of such a value, by its type. */
export function opaqueNames(type: string): readonly string[] {
  return [prefix + type]
}

/** Of a certain type, or of any. */
export function isOpaque({ names }: TupleValue, type?: string): boolean {
  const name = names?.[0]
  if (names?.length !== 1 || name === undefined) return false
  return type === undefined ? name.startsWith(prefix) : name === prefix + type
}

/** What is behind a value that P does not look into. */
export function dataBehind(value: CompositeValue): IrValue | undefined {
  return value.kind === 'tuple' && isOpaque(value) ? value.items[0] : undefined
}
