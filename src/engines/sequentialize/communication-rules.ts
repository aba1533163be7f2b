/** R-SEND and R-RECV (Brisk §4.1), and the unfolding and folding of members of sets (§4.2, Figure 4.6). */
import type { StatementOf } from '../../program/icet.ts'
import { candidatesOf, type Kinds, setOf } from './candidates.ts'
import {
  type Configuration,
  commonOf,
  type Entry,
  endsOf,
  lostIn,
  mapStore,
  memberOf,
  mentions,
  type Party,
  sameEntry,
  someOf,
} from './configuration.ts'
import { partyAt, valueFor } from './local-rules.ts'
import { headOf, keyOfPosition, next } from './position.ts'
import type { ProofStep } from './proof.ts'
import { Refusal } from './refusal.ts'
import type { State } from './state.ts'
import { mayMatch } from './static-facts.ts'
import { forget, joinValues, mapLeaves, perhapsUnset, processValue, unknown, type Value } from './value.ts'
import { partyText } from './value-text.ts'

export function send(state: State, step: Extract<ProofStep, { rule: 'send' }>): void {
  const party = partyAt(state, step.party, step.statement)
  const statement = headOf(party.position)
  if (statement?.kind !== 'send') throw new Refusal('no such step', 'not a send')
  const { configuration } = state
  const to = valueFor(state, party, statement.to)
  if (to.kind !== 'process' || to.id !== step.to || !isIndividual(configuration, to.id)) {
    const message = 'it cannot be told to which process this goes'
    throw new Refusal('indiscriminate communication', message, { statements: [statement.id] })
  }
  const value = valueFor(state, party, statement.message)
  const entry: Entry = {
    kinds: kindsOf(state, value),
    value,
    count: undefined,
    site: statement.id,
    isInterleaved: false,
  }
  configuration.setQueue(party.id, to.id, [...configuration.queue(party.id, to.id), entry])
  configuration.update(party.id, { position: next(party.position) })
}

function isIndividual(configuration: Configuration, id: string): boolean {
  const form = configuration.parties.get(id)?.form
  return form === 'one' || form === 'member'
}

function kindsOf({ configuration }: State, value: Value): Kinds {
  if (value.kind !== 'record') return value.kind === 'symbol' || value.kind === 'term' ? undefined : []
  const kind = value.fields.get('kind')
  if (kind === undefined) return []
  if (kind.kind === 'constant') return typeof kind.value === 'string' ? [kind.value] : []
  if (kind.kind !== 'symbol') return undefined
  const domain = configuration.domains.get(kind.id)
  return domain?.every((option) => typeof option === 'string') ? domain : undefined
}

export function receive(state: State, step: Extract<ProofStep, { rule: 'receive' }>): void {
  const party = partyAt(state, step.party, step.statement)
  const statement = headOf(party.position)
  if (statement?.kind !== 'receive') throw new Refusal('no such step', 'not a receive')
  if (state.configuration.parties.get(step.from)?.form === 'set') {
    throw new Refusal('no such step', `${step.from} is a set: a member of it has to be told apart`)
  }
  if (statement.from === undefined) checkSenders(state, party, statement, step.from)
  else checkSender(state, party, statement, step.from)
  const { configuration } = state
  const entries = configuration.queue(step.from, party.id)
  const index = firstMatch(entries, statement.kinds)
  checkOrder(state, statement, { from: step.from, entries, index })
  if (index === undefined) {
    throw new Refusal('unmatched receive', 'nothing that it takes is under way', { statements: [statement.id] })
  }
  configuration.setQueue(step.from, party.id, entries.toSpliced(index, 1))
  state.taken.push({ from: step.from, to: party.id, kinds: statement.kinds })
  const { value } = entries[index] as Entry
  configuration.assign(party.id, statement.variable, configuration.freshen(value, lostIn(party, statement.variable)))
  configuration.update(party.id, { position: next(party.position) })
}

/** The first message that the receive takes for certain, if it does not depend on what is unknown whether there is an earlier one. */
function firstMatch(entries: readonly Entry[], kinds: Kinds): number | undefined {
  for (const [index, entry] of entries.entries()) {
    if (!mayMatch(entry.kinds, kinds)) continue
    const isCertain = kinds === undefined || entry.kinds?.every((kind) => kinds.includes(kind)) === true
    return isCertain && entry.count === undefined ? index : undefined
  }
  return undefined
}

/** What some members sent, and what iterations left, has no order that the rules know, unless it is all the same. */
function checkOrder(
  { configuration }: State,
  { kinds, id }: StatementOf<'receive'>,
  {
    from,
    entries,
    index,
  }: { readonly from: string; readonly entries: readonly Entry[]; readonly index: number | undefined },
): void {
  const first = index === undefined ? undefined : entries[index]
  if (first === undefined) return
  const isOfSome = !configuration.parties.has(from)
  const other = entries.find(
    (entry, at) =>
      at !== index &&
      mayMatch(entry.kinds, kinds) &&
      (isOfSome || (entry.isInterleaved && entry.count !== undefined && first.isInterleaved)) &&
      !sameEntry({ ...entry, count: undefined }, first),
  )
  if (other === undefined) return
  throw new Refusal('indiscriminate communication', 'another message may come before this one', {
    statements: [id, other.site],
  })
}

function checkSender(state: State, party: Party, statement: StatementOf<'receive'>, from: string): void {
  const sender = valueFor(state, party, statement.from as NonNullable<typeof statement.from>)
  if (sender.kind !== 'process' || sender.id !== from) {
    const message = 'it cannot be told from which process this is to come'
    throw new Refusal('indiscriminate communication', message, { statements: [statement.id] })
  }
  const set = setOf(state.configuration, from)
  const earlier = set === undefined ? [] : state.configuration.queue(someOf(set), party.id)
  if (earlier.some(({ kinds }) => mayMatch(kinds, statement.kinds))) {
    throw new Refusal('indiscriminate communication', `a message of some member of ${set} may be earlier`, {
      statements: [statement.id],
    })
  }
}

/** From anyone: every sender an execution may have must be the one named here, or one that the named member stands for. */
function checkSenders(state: State, party: Party, statement: StatementOf<'receive'>, from: string): void {
  const { configuration, facts } = state
  const { from: possible, byIgnorance } = candidatesOf(configuration, facts, party, statement.kinds)
  const sender = configuration.parties.get(from)
  const others = possible.filter((id) => id !== from)
  const set = sender?.form === 'member' ? sender.process.name : undefined
  const isChosen = others.length === 1 && others[0] === set && sender?.isFree === true
  if (others.length > 0 && !isChosen) {
    const isOneSet = set !== undefined && others.every((id) => setOf(configuration, id) === set)
    throw new Refusal(
      isOneSet ? 'indiscriminate communication' : 'asymmetric race',
      `this receive may also take a message from ${set !== undefined && isOneSet ? `another ${set}` : others.map(partyText).join(', ')}`,
      { statements: [statement.id] },
    )
  }
  if (isChosen) configuration.update(from, { isFree: false })
  const { id: receiver, process } = party
  state.reliances.push({
    receiver,
    process: process.name,
    kinds: statement.kinds,
    byIgnorance,
    statement: statement.id,
  })
}

/** An arbitrary member, told apart from the others. */
export function unfold(state: State, set: string, isFree = true): void {
  const { configuration } = state
  const whole = configuration.parties.get(set)
  if (whole?.form !== 'set') throw new Refusal('no such step', `no set of processes is called ${set}`)
  const id = memberOf(set)
  if (configuration.parties.has(id)) {
    throw new Refusal('indiscriminate communication', `a second member of ${set} would have to be told apart`)
  }
  if (!state.hasMembers(whole.process)) {
    throw new Refusal('unmatched receive', `${set} may have no members`)
  }
  const bornAt = configuration.nextSymbol
  const named = (value: Value): Value =>
    mapLeaves(value, (leaf) => (leaf.kind === 'self' && leaf.set === set ? processValue(id) : leaf))
  const own = (value: Value): Value => named(configuration.freshen(value))
  // Many messages have a value each, of which none is told apart yet.
  const ownOf = ({ value, count }: Entry): Value => (count === undefined ? own(value) : named(value))
  const store = mapStore(whole.store, own)
  configuration.parties.set(id, { ...whole, id, form: 'member', store, isFree, bornAt })
  for (const [key, entries] of [...configuration.queues]) {
    const [from, to] = endsOf(key)
    const owned = entries.map((entry) => ({ ...entry, value: ownOf(entry) }))
    if (from === set) configuration.setQueue(id, to, owned)
    if (to === set) configuration.setQueue(from, id, owned)
  }
}

/** The member is where all others are: it need not be told apart any longer. What it sent on the side was sent by some member. */
export function fold(state: State, set: string): void {
  const { configuration } = state
  const id = memberOf(set)
  const [whole, member] = [configuration.parties.get(set), configuration.parties.get(id)]
  if (whole === undefined || member === undefined)
    throw new Refusal('no such step', `no member of ${set} is told apart`)
  if (state.loops.some(({ over }) => over === set)) {
    throw new Refusal('no such step', `an iteration is about the member of ${set}`)
  }
  if (keyOfPosition(whole.position) !== keyOfPosition(member.position)) {
    throw new Refusal('indiscriminate communication', `one member of ${set} is not where the others are`)
  }
  if (configuration.queue(id, id).length > 0) {
    throw new Refusal('superfluous send', `a member of ${set} leaves a message to itself`)
  }
  foldQueues(configuration, set, member)
  const { domainOf } = configuration
  const store = new Map<string, Value>()
  for (const variable of new Set([...whole.store.keys(), ...member.store.keys()])) {
    const [common, own] = [whole.store.get(variable), member.store.get(variable)]
    const isUnset = common === undefined || own === undefined
    const both = (): Value =>
      joinValues(common as Value, commonOf(own as Value, set, member.bornAt, domainOf), [domainOf, domainOf])
    store.set(variable, isUnset ? perhapsUnset(unknown) : both())
  }
  configuration.parties.set(set, { ...whole, store })
  forgetMember(configuration, id)
}

function foldQueues(configuration: Configuration, set: string, member: Party): void {
  for (const other of [...configuration.parties.keys()]) {
    if (other === member.id || other === set) continue
    const surplus = surplusOf(configuration, { from: member.id, to: other }, { set, member })
    const own = (leaf: Value): boolean => leaf.kind === 'process' && leaf.id === member.id
    const some = surplus.map((entry) => ({
      ...entry,
      value: forget(
        entry.value,
        (leaf) => own(leaf) || (leaf.kind === 'symbol' && leaf.id >= member.bornAt),
        configuration.domainOf,
      ),
    }))
    configuration.setQueue(someOf(set), other, [...configuration.queue(someOf(set), other), ...some])
    const [unread] = surplusOf(configuration, { from: other, to: member.id }, { set, member })
    if (unread !== undefined) {
      throw new Refusal('superfluous send', `one member of ${set} has a message it does not take`, {
        statements: [unread.site],
      })
    }
    configuration.setQueue(member.id, other, [])
    configuration.setQueue(other, member.id, [])
  }
}

/** What is under way for or from the member beyond what is for or from each member. */
function surplusOf(
  configuration: Configuration,
  { from, to }: { readonly from: string; readonly to: string },
  { set, member }: { readonly set: string; readonly member: Pick<Party, 'id' | 'bornAt'> },
): readonly Entry[] {
  const ofSet = (id: string): string => (id === member.id ? set : id)
  const own = configuration.queue(from, to)
  const common = configuration.queue(ofSet(from), ofSet(to))
  const { domainOf } = configuration
  const isCommon = common.every((entry, index) => {
    const mine = own[index]
    if (mine === undefined) return false
    const value = commonOf(mine.value, set, member.bornAt, domainOf)
    // It may be known of the member's own which of the values it is that all of them may have.
    return sameEntry(entry, { ...mine, value: joinValues(entry.value, value, [domainOf, domainOf]) })
  })
  if (!isCommon) {
    const statements = common.map(({ site }) => site)
    throw new Refusal('superfluous send', `the message of one ${set} is taken, those of the others are not`, {
      statements,
    })
  }
  return own.slice(common.length)
}

/** Where the member is still known, some value takes its place. */
function forgetMember(configuration: Configuration, id: string): void {
  configuration.parties.delete(id)
  const value = configuration.freshSymbol()
  configuration.substitute((leaf) => (leaf.kind === 'process' && leaf.id === id ? value : leaf))
  configuration.truths = new Map([...configuration.truths].filter(([, { condition }]) => !mentions(condition, id)))
}
