/**
 * A state and a call in which parts of the call are the very objects that stand in the state, where they are equal. An operation is given copies, so that to
 * ask whether they are one object is to get the answer no, always: who asks sees something else here.
 */
import { copyValue } from '../../core/copy-value.ts'
import { encodeValue, freezeValue, type Value } from '../../core/value.ts'

export interface StateAndCall<Call> {
  readonly state: Value
  readonly call: Call
}

/** Nothing, if no part of the call is in the state. What stands in both is frozen, as nobody could tell whose it is; the same parts are in `apart`. */
export function withSharedParts<Call>(
  state: Value,
  call: Call,
): { readonly shared: StateAndCall<Call>; readonly apart: StateAndCall<Call> } | undefined {
  const [whole, other] = [copyValue(state), copyValue(state)]
  const [parts, others] = [[...partsOf(whole)], [...partsOf(other)]]
  const texts = parts.map((part) => encodeValue(part as Value))
  const taken = new Set<number>()
  const replaced = (part: unknown): unknown => {
    if (!isPart(part)) return part
    const text = encodeValue(part as Value)
    const at = texts.findIndex((one, place) => one === text && !taken.has(place))
    if (at < 0) return Array.isArray(part) ? part.map(replaced) : fieldsOf(part, replaced)
    taken.add(at)
    return parts[at]
  }
  const calling = fieldsOf(copyValue(call) as object, replaced)
  if (taken.size === 0) return undefined
  for (const at of taken) for (const part of [parts[at], others[at]]) freezeValue(part)
  return {
    shared: { state: whole as Value, call: Object.freeze(calling) as Call },
    apart: { state: other as Value, call },
  }
}

/** All that stands in a value and could be compared by what it is, but for the value itself; what is empty is not worth it. */
function* partsOf(value: unknown): Generator<object, void> {
  for (const part of within(value)) {
    if (isPart(part)) yield part
    yield* partsOf(part)
  }
}

function within(value: unknown): readonly unknown[] {
  if (value instanceof Map) return [...value].flat()
  if (value instanceof Set || Array.isArray(value)) return [...value]
  return isPart(value) ? Object.values(value) : []
}

function isPart(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.keys(value).length > 0
}

function fieldsOf(record: object, change: (part: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(record).map(([key, part]) => [key, change(part)]))
}
