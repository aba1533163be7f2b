/**
 * Whose messages a receive may take: those under way, and those that may still be sent before it takes one, the receiver
 * itself being blocked. This is the check of symmetric nondeterminism (Brisk §2.2, §5.2) made at the moment of each receive
 * instead of once for the program, so that what can no longer be sent does not count.
 *
 * The proof needs exactly this: whatever execution is given, the sender that a receive has in it must be one that the
 * sequentialization lets it have.
 */
import {
  type Configuration,
  commonOf,
  declarationOf,
  endsOf,
  memberOf,
  mentions,
  type Party,
  someOf,
} from './configuration.ts'
import { futureOf, liveVariables } from './position.ts'
import { mayMatch, type StaticFacts } from './static-facts.ts'
import { hasUnknown, type Value } from './value.ts'

export interface Candidates {
  /** Parties, among them sets, and "some of" sets. */
  readonly from: readonly string[]
  /** Whether other senders were left out, for the only reason that they cannot know the receiver. */
  readonly byIgnorance: boolean
}

/** Undefined: any kind. */
export type Kinds = readonly string[] | undefined

export function candidatesOf(
  configuration: Configuration,
  facts: StaticFacts,
  receiver: Party,
  kinds: Kinds,
): Candidates {
  const pending: string[] = []
  for (const [key, entries] of configuration.queues) {
    const [from, to] = endsOf(key)
    if (to === receiver.id && entries.some((entry) => mayMatch(entry.kinds, kinds))) pending.push(from)
  }
  const future = [...configuration.parties.values()].filter(
    (party) => party.id !== receiver.id && !party.isEmpty && maySend(facts, party, receiver, kinds),
  )
  const isNew = future.filter(({ id }) => !pending.includes(id))
  if (isNew.length === 0) return { from: pending, byIgnorance: false }
  if (receiver.form === 'member' && !isKnown(configuration, facts, receiver))
    return { from: pending, byIgnorance: true }
  return { from: [...pending, ...isNew.map(({ id }) => id)], byIgnorance: false }
}

/** Whether the party's remaining code holds a send that could be for the receiver. */
function maySend(facts: StaticFacts, party: Party, receiver: Party, kinds: Kinds): boolean {
  for (const statement of futureOf(party.position)) {
    if (statement.kind !== 'send' || statement.to.kind === 'self') continue
    const site = facts.site(statement)
    if (site.targets.has(receiver.process.name) && mayMatch(site.kinds, kinds)) return true
  }
  return false
}

/** Whether a party other than the member itself may come to know it, while it stays where it is. */
function isKnown(configuration: Configuration, facts: StaticFacts, member: Party): boolean {
  for (const party of configuration.parties.values()) {
    if (party.id !== member.id && mayKnow(facts, party, member.process.name, member.id)) return true
  }
  for (const [key, entries] of configuration.queues) {
    if (endsOf(key)[1] === member.id) continue
    if (
      entries.some(({ value, site }) => mayBe(value, member.id, facts.siteById(site)?.carries, member.process.name))
    ) {
      return true
    }
  }
  return false
}

/** Whether what the party may still read, or the set it may still go through, holds the member. */
function mayKnow(facts: StaticFacts, party: Party, set: string, member: string): boolean {
  for (const statement of futureOf(party.position)) {
    if ((statement.kind === 'each' || statement.kind === 'pick') && statement.set === set) return true
  }
  for (const variable of liveVariables(party.position)) {
    const value = party.store.get(variable)
    if (value !== undefined && mayBe(value, member, facts.mayName(party.process.name, variable), set)) return true
  }
  return false
}

function mayBe(value: Value, member: string, names: ReadonlySet<string> | undefined, set: string): boolean {
  return mentions(value, member) || (hasUnknown(value) && names?.has(set) !== false)
}

/** A receive that relied on who can send to it; members that were moved on by earlier iterations must not spoil that. */
export interface Reliance {
  readonly receiver: string
  readonly process: string
  readonly kinds: Kinds
  /** See `Candidates`. */
  readonly byIgnorance: boolean
  readonly statement: number
}

/** Whether a member where an iteration leaves it could still be a sender to a receive of the next iterations. */
export function spoils(facts: StaticFacts, configuration: Configuration, moved: Party, reliance: Reliance): boolean {
  for (const [key, entries] of configuration.queues) {
    const [from, to] = endsOf(key)
    if (from !== moved.id || to === moved.id || declarationOf(to) !== reliance.process) continue
    if (entries.some(({ kinds }) => mayMatch(kinds, reliance.kinds))) return true
  }
  const receiver = { ...moved, id: reliance.receiver, process: facts.process(reliance.process) }
  if (!maySend(facts, moved, receiver, reliance.kinds)) return false
  if (!reliance.byIgnorance) return true
  const set = moved.process.name
  const store = new Map(
    [...moved.store].map(([name, value]) => [name, commonOf(value, set, moved.bornAt, configuration.domainOf)]),
  )
  return mayKnow(facts, { ...moved, store }, reliance.process, memberOf(reliance.process))
}

/** The sets a party id stands for some or each of. */
export function setOf(configuration: Configuration, id: string): string | undefined {
  for (const { form, process } of configuration.parties.values()) {
    if (form === 'set' && (id === process.name || id === someOf(process.name) || id === memberOf(process.name))) {
      return process.name
    }
  }
  return undefined
}
