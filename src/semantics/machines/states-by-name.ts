/** The states of all machines as one object that knows its machines: a name that no machine can have is a mistake, and no state. */
import { nearestName } from '../../core/did-you-mean.ts'
import { ownView } from '../../core/plain-value.ts'
import { mistake } from '../../core/running.ts'
import type { Value } from '../../core/value.ts'
import type { LocalState } from '../../program/machines.ts'
import { changesState } from './state-views.ts'

type Named = { readonly [machine: string]: Value }

/** First those of the declaration, then others by name. Of Byzantine machines there is no state. */
export function byName(
  machines: readonly string[],
  states: readonly LocalState[],
  created: ReadonlyMap<string, LocalState> = new Map(),
  liars: readonly string[] = [],
): Named {
  const named: { [machine: string]: Value } = {}
  for (let at = 0; at < machines.length; at++) named[machines[at] as string] = (states[at] as LocalState).data
  for (const name of [...created.keys()].sort()) named[name] = (created.get(name) as LocalState).data
  return ownView(new Proxy(named, liars.length === 0 ? knowingNames : knowingLiars(liars)))
}

const changed = () => mistake(changesState)

const knowingNames: ProxyHandler<Named> = {
  get: (named, name) => (name in named || isAskedOfObjects(name) ? Reflect.get(named, name) : missing(named, name)),
  set: changed,
  defineProperty: changed,
  deleteProperty: changed,
}

function knowingLiars(liars: readonly string[]): ProxyHandler<Named> {
  return {
    ...knowingNames,
    get: (named, name, receiver) =>
      typeof name === 'string' && liars.includes(name) ? lying(name) : knowingNames.get?.(named, name, receiver),
  }
}

function lying(name: string): undefined {
  return mistake({
    code: 'E223',
    message: `the state of "${name}" is read, which is Byzantine and has none`,
    hint: `ask for what correct machines know: Object.values(states) leaves it out, and "${name}" in states is false`,
  })
}

/** By the language and by printers, of any object. */
function isAskedOfObjects(name: string | symbol): name is symbol {
  return typeof name === 'symbol' || name === 'then' || name === 'toJSON'
}

function missing(named: Named, name: string): undefined {
  const [creator, ...below] = name.split('/')
  // Below a machine stand those that it creates, which need not be there yet.
  if (below.length > 0 && Object.hasOwn(named, creator as string)) return undefined
  const known = Object.keys(named)
  const nearest = nearestName(name, known)
  const all = `machines are ${known.map((one) => JSON.stringify(one)).join(', ')}`
  return mistake({
    code: 'E223',
    message: `there is no machine ${JSON.stringify(name)}`,
    hint: nearest === undefined ? all : `did you mean "${nearest}"? ${all}`,
  })
}
