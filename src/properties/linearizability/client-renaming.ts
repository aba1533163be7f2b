/** Exchanges of interchangeable values, as permutations of the templates clients are made from. */
import { permutations } from '../../collections/permutations.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import type { ClientArgument } from './client.ts'
import { type ClientSpace, type PoolArgument, type Template, templateKey } from './client-space.ts'

/** For each template, the number of its image. */
export type Renaming = readonly number[]

/**
 * A group, the identity first. All permutations are tried, so its cost grows with the factorial of the largest group of
 * interchangeable values that occur.
 */
export function renamingsOf(space: ClientSpace, templates: readonly Template[]): readonly Renaming[] {
  const identity = templates.map((_, at) => at)
  const renamings = new Map<string, Renaming>([[identity.join(), identity]])
  const numbers = new Map(templates.map((template, at) => [templateKey(template), at]))
  const setup = space.setup ?? []
  for (const exchange of exchanges(occurringGroups(space, templates))) {
    if (setup.some((call) => templateKey(call) !== templateKey(exchanged(call, exchange)))) continue
    const renaming = templates.map((template) => numbers.get(templateKey(exchanged(template, exchange))))
    if (isPermutation(renaming)) renamings.set(renaming.join(), renaming)
  }
  return [...renamings.values()]
}

function isPermutation(renaming: readonly (number | undefined)[]): renaming is readonly number[] {
  return renaming.every((image) => image !== undefined)
}

/** From the canonical text of a value to the value that takes its place. */
type Exchange = ReadonlyMap<string, Value>

interface Call<A> {
  readonly operation: string
  readonly args: readonly A[]
}

function exchanged<A extends ClientArgument | PoolArgument>({ operation, args }: Call<A>, exchange: Exchange): Call<A> {
  return {
    operation,
    args: args.map((argument) => {
      if (argument.kind !== 'value') return argument
      const key = encodeValue(argument.value)
      return exchange.has(key) ? { ...argument, value: exchange.get(key) } : argument
    }),
  }
}

function occurringGroups(space: ClientSpace, templates: readonly Template[]): readonly (readonly Value[])[] {
  const calls = [...templates, ...(space.setup ?? [])]
  const occurring = new Map<string, Value>()
  for (const { args } of calls)
    for (const argument of args)
      if (argument.kind === 'value') occurring.set(encodeValue(argument.value), argument.value)
  return (space.interchangeable ?? []).map((group) => {
    const keys = new Set(group.map(encodeValue))
    return [...occurring].flatMap(([key, value]) => (keys.has(key) ? [value] : []))
  })
}

function* exchanges(groups: readonly (readonly Value[])[]): Generator<Exchange, void> {
  const [group, ...others] = groups
  if (group === undefined) {
    yield new Map()
    return
  }
  for (const images of permutations(group))
    for (const exchange of exchanges(others))
      yield new Map([...exchange, ...group.map((value, at) => [encodeValue(value), images[at]] as const)])
}
