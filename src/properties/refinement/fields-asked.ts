/**
 * Which fields of a call, and of a state, the code of a specification reads: it is run once more with views of both, which tell. What is kept whole, or asked
 * for its fields, is read whole.
 */
import { nameMeant } from '../../core/did-you-mean.ts'
import { type LackedField, telling, waysIn } from '../../core/lacking-fields.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import type { AbstractCall, FieldsAsked, LackedOfCall } from '../../program/refinement.ts'

interface Asking {
  /** Of the specification. */
  readonly name: string
  /** Copies, which may be changed. */
  readonly state: Value
  readonly call: AbstractCall
  /** What the operation leaves of them; everything else that looks at calls has looked at this one as well. */
  run(state: Value, call: AbstractCall): unknown
}

export function fieldsAsked({ name, state, call, run }: Asking): FieldsAsked {
  const [ofCall, ofState]: [LackedField[], LackedField[]] = [[], []]
  const read = new Set<string>()
  const view = telling(
    call,
    (one) => ofCall.push(one),
    (way) => read.add(way.join('.')),
  )
  readKept(run(telling(state, (one) => ofState.push(one)) as Value, view as AbstractCall))
  const lacked: LackedOfCall[] = []
  // Further within, and in states, keys are often data: there only what is like another name is meant for it.
  for (const { way, beside } of ofCall) {
    const near = nameMeant(way.at(-1) as string, beside)
    const instead = near === undefined || read.has([...way.slice(0, -1), near].join('.')) ? undefined : near
    if (way.length === 1 || near !== undefined)
      lacked.push({ field: fieldOf(name, way, call), instead, name: way.length === 1 ? way[0] : undefined })
  }
  for (const { way, beside } of ofState)
    if (nameMeant(way.at(-1) as string, beside)) lacked.push({ field: fieldOf(name, way) })
  const own = Object.keys(call).filter((field) => field !== 'kind')
  const told = (isRead: boolean) =>
    own.filter((field) => read.has(field) === isRead).map((field) => fieldOf(name, [field], call))
  return { lacked, read: told(true), unread: told(false) }
}

export function* fieldsThere(name: string, call: AbstractCall, states: readonly Value[]): Generator<string, void> {
  for (const way of waysIn(call)) yield fieldOf(name, way, call)
  for (const state of states) for (const way of waysIn(state)) yield fieldOf(name, way)
}

function fieldOf(name: string, way: readonly string[], call?: AbstractCall): string {
  return `field "${way.join('.')}" of ${call === undefined ? `states of ${name}` : `calls of ${call.kind}`}`
}

/** A part of the call that the operation leaves in the state is a view, and tells that it is read. */
function readKept(left: unknown): void {
  try {
    encodeValue(left as Value)
  } catch {
    // What is no value is a mistake, and is told where the operation itself is asked.
  }
}
