/** Machines that something refers to: who is referred to nowhere else hears from nobody else. */
import type { Frame, MachineState, Message } from './configuration.ts'
import type { IrValue, MachineRef } from './value.ts'

type Refs = ReadonlySet<MachineRef>

const noRefs: Refs = new Set()
/** Values never change, and equal ones are one object. */
const known = new WeakMap<object, Refs>()

/** In a value, however deep. */
export function refsIn(value: IrValue): Refs {
  if (typeof value !== 'object' || value === null) return noRefs
  if (value.kind === 'machine') return new Set([value])
  if (value.kind === 'float' || value.kind === 'event') return noRefs
  const before = known.get(value)
  if (before !== undefined) return before
  const items = value.kind === 'map' ? [...value.keys, ...value.values] : value.items
  const found = union(items.map(refsIn))
  known.set(value, found)
  return found
}

/** In all that a machine has: fields, what it waits to take, and what it is in the middle of. Itself is not counted, unless it says so. */
export function refsOf({ fields, inbox, argument, paused }: MachineState): Refs {
  const values: IrValue[] = [...fields, argument, ...inbox.map(({ payload }: Message) => payload)]
  if (paused !== undefined) {
    for (let one: Frame | undefined = paused.frame; one !== undefined; one = one.below) values.push(...one.locals)
    for (const item of paused.agenda) if ('payload' in item) values.push(item.payload)
    if (paused.waits.kind === 'send') values.push(paused.waits.to, paused.waits.payload)
  }
  return union(values.map(refsIn))
}

function union(sets: readonly Refs[]): Refs {
  const some = sets.filter(({ size }) => size > 0)
  if (some.length <= 1) return some[0] ?? noRefs
  return new Set(some.flatMap((one) => [...one]))
}
