/** What is common to the states that cases have led to (Brisk §4.2, R-BRANCH: every branch must reach the same rest). */
import { Configuration, type Entry, endsOf, isSameCount, lostIn, type Party } from './configuration.ts'
import { keyOfPosition } from './position.ts'
import { Refusal } from './refusal.ts'
import { State } from './state.ts'
import type { StaticFacts } from './static-facts.ts'
import { type DomainOf, joinValues, perhapsUnset, unknown, type Value } from './value.ts'

/** Of cases that failures exclude, only what has to be shown for that is left. */
export function joinStates(states: readonly State[], statement: number): State {
  const [first, ...others] = states.filter(({ isExcluded }) => !isExcluded)
  const excluded = states.filter(({ isExcluded }) => isExcluded)
  const joined =
    first === undefined
      ? excluded[0]?.copy()
      : others.reduce((left, right) => joinTwo(left, right, statement), first.copy())
  if (joined === undefined) throw new Refusal('possible failure', 'no case is possible', { statements: [statement] })
  const open = excluded.flatMap(({ obligations }) => obligations)
  joined.obligations = [...new Set([...joined.obligations, ...open])]
  return joined
}

function joinTwo(left: State, right: State, statement: number): State {
  const configuration = new Configuration(left.configuration)
  configuration.skipSymbols(right.configuration.nextSymbol)
  joinKnowledge(configuration, left.configuration, right.configuration)
  const domainsOf = [left.configuration.domainOf, right.configuration.domainOf] as const
  const ids = new Set([...left.configuration.parties.keys(), ...right.configuration.parties.keys()])
  for (const id of ids) {
    const [a, b] = [left.configuration.parties.get(id), right.configuration.parties.get(id)]
    if (a === undefined || b === undefined) throw different(`only one case tells a member of ${id} apart`, statement)
    configuration.parties.set(id, joinParties(configuration, a, b, { statement, domainsOf }))
  }
  joinQueues(configuration, left, right, statement)
  const state = new State(left.facts, configuration)
  state.loops = left.loops
  state.reliances = [...left.reliances, ...right.reliances]
  state.taken = [...new Set([...left.taken, ...right.taken])]
  state.obligations = [...new Set([...left.obligations, ...right.obligations])]
  return state
}

interface Joining {
  /** With the cases. */
  readonly statement: number
  readonly domainsOf: readonly [DomainOf, DomainOf]
}

function joinParties(
  configuration: Configuration,
  left: Party,
  right: Party,
  { statement, domainsOf }: Joining,
): Party {
  if (left.isEmpty) return right
  if (right.isEmpty) return left
  if (keyOfPosition(left.position) !== keyOfPosition(right.position)) {
    throw different(`${left.process.name} ends the cases at different places`, statement)
  }
  const store = new Map<string, Value>()
  for (const [variable, value] of left.store) {
    const other = right.store.get(variable)
    const joined = other === undefined ? perhapsUnset(unknown) : joinValues(value, other, domainsOf)
    store.set(variable, left.form === 'set' ? joined : configuration.freshen(joined, lostIn(left, variable)))
  }
  for (const variable of right.store.keys()) {
    const either = perhapsUnset(unknown)
    if (!store.has(variable))
      store.set(variable, left.form === 'set' ? either : configuration.freshen(either, lostIn(left, variable)))
  }
  const bornAt = Math.min(left.bornAt, right.bornAt)
  return { ...left, store, isFree: left.isFree && right.isFree, bornAt }
}

function joinQueues(result: Configuration, left: State, right: State, statement: number): void {
  const [first, second] = [left.configuration.queues, right.configuration.queues]
  const domainsOf = [left.configuration.domainOf, right.configuration.domainOf] as const
  for (const key of new Set([...first.keys(), ...second.keys()])) {
    const [a, b] = [first.get(key) ?? [], second.get(key) ?? []]
    if (isOfEmpty(left, key) || isOfEmpty(right, key)) {
      const entries = isOfEmpty(left, key) ? b : a
      if (entries.length === 0) result.queues.delete(key)
      else result.queues.set(key, entries)
      continue
    }
    if (a.length !== b.length) {
      const site = (a[b.length] ?? b[a.length]) as Entry
      const message = 'this message is taken in one case of the branch and left over in the other'
      throw new Refusal('superfluous send', message, { statements: [site.site, statement] })
    }
    result.queues.set(
      key,
      a.map((entry, index) => joinEntries(entry, b[index] as Entry, { statement, domainsOf }, left.facts)),
    )
  }
}

/** From or to members that are not there: what the other case has is as true of them. */
function isOfEmpty({ configuration }: State, key: string): boolean {
  return endsOf(key).some((id) => configuration.parties.get(id)?.isEmpty === true)
}

function joinEntries(left: Entry, right: Entry, { statement, domainsOf }: Joining, facts: StaticFacts): Entry {
  if (!isSameCount(left.count, right.count)) throw different('messages differ in number', statement, left.site)
  const isInterleaved = left.isInterleaved || right.isInterleaved
  return {
    kinds: joinKinds(left.kinds, right.kinds),
    value: joinValues(left.value, right.value, domainsOf),
    count: left.count,
    site: siteForBoth(left.site, right.site, facts, statement),
    isInterleaved,
  }
}

/** One that has a kind and one that has none have no kinds in common that would be certain. */
function joinKinds(left: Entry['kinds'], right: Entry['kinds']): Entry['kinds'] {
  if (left === undefined || right === undefined) return undefined
  if ((left.length === 0) !== (right.length === 0)) return undefined
  return [...new Set([...left, ...right])]
}

/** The send by which to tell what the message may name. */
function siteForBoth(left: number, right: number, facts: StaticFacts, statement: number): number {
  const carried = (site: number): ReadonlySet<string> => facts.siteById(site)?.carries ?? new Set()
  const [first, second] = [carried(left), carried(right)]
  if ([...second].every((name) => first.has(name))) return left
  if ([...first].every((name) => second.has(name))) return right
  throw different('messages name different processes', statement, left, right)
}

function joinKnowledge(result: Configuration, left: Configuration, right: Configuration): void {
  result.truths = new Map([...left.truths].filter(([key, { holds }]) => right.truths.get(key)?.holds === holds))
  const domains = new Map(left.domains)
  for (const [symbol, values] of left.domains) {
    const other = right.domains.get(symbol)
    if (other === undefined) domains.delete(symbol)
    else domains.set(symbol, [...new Set([...values, ...other])])
  }
  result.domains = domains
  result.lost = new Map([...right.lost, ...left.lost])
  result.indices = new Map([...left.indices].filter(([symbol, count]) => isSameCount(right.indices.get(symbol), count)))
}

function different(message: string, ...statements: readonly number[]): Refusal {
  return new Refusal('loop-carried termination', message, { statements })
}
