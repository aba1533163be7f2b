/**
 * One arbitrary iteration for all: R-LOOP-UPD, R-LOOP-REPEAT, pairs of loops and symmetric removal (Brisk §4.2) in one rule.
 *
 * The loops of the leaders run together. Before the iteration nothing is known about the variables it changes (the havoc of
 * the paper's rules, here for every party the iteration involves). After it, all others are where they were. Each iteration
 * may be about another member of a set, which stays where it got; then no member that was moved on may still send what a
 * receive of the next iterations could take: the order in which members take part is the order in which an execution has them.
 * A message per iteration that no party takes is, after the loop, as many messages as iterations, unless iterations take such
 * messages: of the same kinds, from any member of the same set to any member of the same set, as the next iteration may be
 * about a member that an earlier one was about.
 */
import {
  type Count,
  type Expression,
  expressionsOf,
  partsOf,
  type Statement,
  type StatementOf,
  statementsOf,
} from '../../program/icet.ts'
import { spoils } from './candidates.ts'
import { unfold } from './communication-rules.ts'
import {
  type Configuration,
  commonOf,
  declarationOf,
  type Entry,
  endsOf,
  isSameCount,
  lostIn,
  mapStore,
  memberOf,
  type Party,
  sameEntry,
} from './configuration.ts'
import { checkAmong, valuesOf } from './few-values.ts'
import { partyAt } from './local-rules.ts'
import { enter, headOf, isIterated, keyOfPosition, next } from './position.ts'
import type { Iterate, ProofStep } from './proof.ts'
import { type Changed, Refusal } from './refusal.ts'
import type { State } from './state.ts'
import { mayMatch } from './static-facts.ts'
import {
  forget,
  hasUnknown,
  isUnset,
  keyOf,
  leavesOf,
  perhapsUnset,
  processValue,
  unknown,
  unknownAmong,
  type Value,
} from './value.ts'
import { partyText } from './value-text.ts'

type Loop = StatementOf<'each' | 'repeat'>
export type Opened = Omit<Iterate, 'body'>

export function iterate(state: State, step: Iterate, run: (state: State, steps: readonly ProofStep[]) => State): State {
  return closeIteration(state, run(openIteration(state, step), step.body), step)
}

/** The state in which an arbitrary iteration begins. */
export function openIteration(state: State, step: Opened): State {
  const loops = step.leaders.map(({ party, statement }) => loopAt(state, party, statement))
  const count = countOf(state, step, loops)
  const inner = state.inside({ count, over: step.over })
  havoc(inner.configuration, step.havoc)
  if (step.over !== undefined)
    unfold(
      inner,
      step.over,
      loops.every((loop) => !namesMember(loop)),
    )
  // Loops that run together are in the same round.
  const round = count === undefined ? inner.configuration.freshSymbol() : inner.configuration.freshIndex(count)
  for (const { party } of step.leaders) begin(inner.configuration, party, step.over, round)
  takeOne(inner.configuration, step, count)
  return inner
}

/** The state after the loop, from the one in which an iteration has ended. */
export function closeIteration(state: State, ended: State, step: Opened): State {
  const before = openIteration(state, step)
  if (ended.isExcluded) {
    const statements = ended.obligations.map(({ statement }) => statement)
    throw new Refusal('possible failure', 'every round may fail', { statements })
  }
  checkParties(before.configuration, ended.configuration, step)
  checkAmong(state.configuration, ended.configuration, step.havoc)
  const left = leftOver(before.configuration, ended, step)
  if (step.over !== undefined) checkMoved(ended, step.over)
  checkGrowth(ended, left)
  const count = before.loops.at(-1)?.count
  return conclude(state, ended, step, { left, count, bornAt: state.configuration.nextSymbol })
}

function loopAt(state: State, party: string, statement: number): Loop {
  const head = headOf(partyAt(state, party, statement).position) as Statement
  if (head.kind !== 'each' && head.kind !== 'repeat') throw new Refusal('no such step', `${party} is at no loop`)
  return head
}

/** How often they all run. */
function countOf(state: State, { over, leaders }: Opened, loops: readonly Loop[]): Count | undefined {
  if (new Set(leaders.map(({ party }) => party)).size < leaders.length)
    throw new Refusal('no such step', 'twice one leader')
  const sizeOf = (set: string): Count | undefined => state.facts.process(set).count
  if (over !== undefined && state.configuration.parties.get(over)?.form !== 'set') {
    throw new Refusal('no such step', `no set of processes is called ${over}`)
  }
  const counts = loops.map((loop) => (loop.kind === 'each' ? sizeOf(loop.set) : loop.count))
  if (over !== undefined) counts.push(sizeOf(over))
  const [first, ...others] = counts
  if (counts.length === 0) throw new Refusal('no such step', 'nothing to iterate')
  if (others.some((other) => !isSameCount(first, other))) throw new Refusal('no such step', 'not equally often')
  for (const loop of loops) {
    if (namesMember(loop) && loop.set !== over) throw new Refusal('no such step', 'each iteration names its own member')
  }
  return first
}

function namesMember(loop: Loop): loop is StatementOf<'each'> {
  return loop.kind === 'each' && reads(loop.body, loop.variable)
}

function reads(body: readonly Statement[], variable: string): boolean {
  const isRead = (expression: Expression): boolean =>
    [...partsOf(expression)].some((part) => part.kind === 'variable' && part.name === variable)
  return [...statementsOf(body)].some((statement) => expressionsOf(statement).some(isRead))
}

function havoc(configuration: Configuration, changed: readonly Changed[]): void {
  for (const { party: id, variable, among } of changed) {
    const party = configuration.parties.get(id)
    if (party === undefined) throw new Refusal('no such step', `there is no ${id}`)
    const known = party.store.get(variable)
    const anything = known === undefined || isUnset(known) ? perhapsUnset(unknown) : unknownAmong(among)
    const lost = { ...lostIn(party, variable), isCarried: true }
    configuration.assign(id, variable, party.form === 'set' ? anything : configuration.freshen(anything, lost))
  }
}

function begin(configuration: Configuration, id: string, over: string | undefined, round: Value): void {
  const { position } = configuration.party(id)
  const loop = headOf(position) as Loop
  if (loop.kind === 'repeat') configuration.assign(id, loop.index, round)
  else {
    const isMember = loop.set === over && namesMember(loop)
    configuration.assign(id, loop.variable, isMember ? processValue(memberOf(loop.set)) : configuration.freshSymbol())
  }
  configuration.update(id, { position: enter(position, loop.body, 'iteration') })
}

/** Of as many messages as there are iterations, this one's. */
function takeOne(configuration: Configuration, { takes }: Opened, count: Count | undefined): void {
  for (const { from, to, index } of takes) {
    const entries = configuration.queue(from, to)
    const entry = entries[index]
    if (count === undefined || entry?.count === undefined || !isSameCount(entry.count, count)) {
      throw new Refusal('no such step', `there are not as many messages from ${from} to ${to} as iterations`)
    }
    configuration.setQueue(from, to, entries.with(index, { ...entry, count: undefined }))
  }
}

function checkParties(before: Configuration, after: Configuration, step: Opened): void {
  const changed: Changed[] = []
  for (const id of after.parties.keys()) {
    if (!before.parties.has(id))
      throw new Refusal('indiscriminate communication', `more than one ${partyText(id)} takes part in a round`)
  }
  for (const [id, party] of before.parties) {
    if (step.over !== undefined && id === memberOf(step.over)) continue
    const ended = after.parties.get(id)
    if (ended === undefined) throw new Refusal('no such step', `${id} is no longer told apart`)
    const isLeader = step.leaders.some((leader) => leader.party === id)
    if (isLeader ? !isIterated(ended.position) : keyOfPosition(ended.position) !== keyOfPosition(party.position)) {
      throw notBack(ended, isLeader)
    }
    if (ended.bornAt !== party.bornAt) {
      throw new Refusal('indiscriminate communication', `another member of ${party.process.name} is told apart`)
    }
    if (ended.isFree !== party.isFree) {
      throw new Refusal('indiscriminate communication', `every iteration chooses a member of ${party.process.name}`)
    }
    for (const variable of new Set([...party.store.keys(), ...ended.store.keys()])) {
      const [first, last] = [party.store.get(variable), ended.store.get(variable)]
      if (first !== undefined && last !== undefined && keyOf(first) === keyOf(last)) continue
      if (step.havoc.some((one) => one.party === id && one.variable === variable)) continue
      const among = valuesOf([
        [first, before],
        [last, after],
      ])
      changed.push({ party: id, variable, ...(among === undefined ? {} : { among }) })
    }
  }
  if (changed.length > 0) throw new Refusal('no such step', 'an iteration changes variables', { changed })
}

function notBack({ process, position }: Party, isLeader: boolean): Refusal {
  const at = headOf(position)
  const statements = at === undefined ? [] : [at.id]
  if (isLeader && at?.kind === 'receive') {
    return new Refusal('unmatched receive', `${process.name} waits in its loop`, { statements })
  }
  return new Refusal('indiscriminate communication', `${process.name} is not where it was before the iteration`, {
    statements,
  })
}

interface Leftover {
  readonly from: string
  readonly to: string
  /** Without what this iteration took and added. */
  readonly kept: readonly Entry[]
  /** Sent by this iteration; others will have sent as many. */
  readonly added: readonly Entry[]
}

/** What the iteration leaves under way between those it is not about. */
function leftOver(before: Configuration, ended: State, step: Opened): readonly Leftover[] {
  const after = ended.configuration
  const member = step.over === undefined ? undefined : memberOf(step.over)
  const all: Leftover[] = []
  for (const key of new Set([...before.queues.keys(), ...after.queues.keys()])) {
    const [from, to] = endsOf(key)
    if (from === member || to === member || from === step.over || to === step.over) continue
    const takenAt = step.takes.filter((take) => take.from === from && take.to === to).map(({ index }) => index)
    const kept = (before.queues.get(key) ?? []).filter((_, index) => !takenAt.includes(index))
    const now = after.queues.get(key) ?? []
    if (now.length < kept.length || !kept.every((entry, index) => sameEntry(entry, now[index] as Entry))) {
      const statements = kept.map(({ site }) => site)
      throw new Refusal('superfluous send', 'an iteration does not take what it should, or takes more', { statements })
    }
    const added = now.slice(kept.length)
    if (added.some((entry) => isTaken(ended, from, to, entry))) {
      const statements = added.map(({ site }) => site)
      throw new Refusal('superfluous send', 'every iteration leaves a message that a later one takes', { statements })
    }
    all.push({ from, to, kept, added })
  }
  return all
}

/** Between any members, if they are sets: which ones it was may be different in a later iteration. */
function isTaken({ taken }: State, from: string, to: string, { kinds }: Entry): boolean {
  return taken.some(
    (one) =>
      declarationOf(one.from) === declarationOf(from) &&
      declarationOf(one.to) === declarationOf(to) &&
      mayMatch(kinds, one.kinds),
  )
}

/** Members that earlier iterations moved on must not be among those whose messages this iteration chose from. */
function checkMoved(ended: State, over: string): void {
  const { configuration, facts, reliances } = ended
  const moved = configuration.party(memberOf(over))
  if (configuration.queue(moved.id, moved.id).length > 0) {
    throw new Refusal('superfluous send', `a member of ${over} leaves a message to itself`)
  }
  for (const reliance of reliances) {
    if (!spoils(facts, configuration, moved, reliance)) continue
    throw new Refusal('indiscriminate communication', `a member of ${over} may take part in several iterations`, {
      statements: [reliance.statement],
    })
  }
}

/** Nor what earlier iterations left under way. */
function checkGrowth({ facts, reliances }: State, left: readonly Leftover[]): void {
  for (const { to, added } of left) {
    for (const { kinds, value, site } of added) {
      const spoiled = reliances.find(
        (reliance) =>
          (reliance.process === declarationOf(to) && mayMatch(kinds, reliance.kinds)) ||
          (reliance.byIgnorance && facts.siteById(site)?.carries.has(reliance.process) !== false && !isPlain(value)),
      )
      if (spoiled === undefined) continue
      throw new Refusal('superfluous send', 'a message that an iteration leaves may be taken by a later one', {
        statements: [site, spoiled.statement],
      })
    }
  }
}

function isPlain(value: Value): boolean {
  return !hasUnknown(value) && [...leavesOf(value)].every(({ kind }) => kind !== 'process' && kind !== 'self')
}

interface Conclusion {
  readonly left: readonly Leftover[]
  readonly count: Count | undefined
  readonly bornAt: number
}

function conclude(state: State, ended: State, step: Opened, { left, count, bornAt }: Conclusion): State {
  const result = state.copy()
  const { configuration } = result
  configuration.skipSymbols(ended.configuration.nextSymbol)
  havoc(configuration, step.havoc)
  for (const { party } of step.leaders) {
    const { position, store } = configuration.party(party)
    const loop = headOf(position) as Loop
    const own = new Map(store)
    const variable = loop.kind === 'each' ? loop.variable : loop.index
    if (variable !== undefined)
      own.set(variable, configuration.freshen(perhapsUnset(unknown), lostIn(configuration.party(party), variable)))
    configuration.update(party, { position: next(position), store: own })
  }
  const { domainOf } = ended.configuration
  const isOfIteration = (leaf: Value): boolean =>
    (leaf.kind === 'symbol' && leaf.id >= bornAt) ||
    (leaf.kind === 'process' && step.over !== undefined && leaf.id === memberOf(step.over))
  for (const { from, to, kept, added } of left) {
    const multiplied = added.map((entry) => {
      if (entry.count !== undefined) {
        throw new Refusal('superfluous send', 'messages are left by loops in loops', { statements: [entry.site] })
      }
      return { ...entry, count, value: forget(entry.value, isOfIteration, domainOf), isInterleaved: added.length > 1 }
    })
    configuration.setQueue(from, to, [...kept, ...multiplied])
  }
  if (step.over !== undefined) moveSet(configuration, ended.configuration, step.over, bornAt)
  result.include(ended)
  return result
}

/** Every member is where the one of the iteration got. */
function moveSet(configuration: Configuration, ended: Configuration, set: string, bornAt: number): void {
  const member = ended.party(memberOf(set))
  const common = (value: Value): Value => commonOf(value, set, bornAt, ended.domainOf)
  configuration.update(set, { position: member.position, store: mapStore(member.store, common) })
  const shared = (entries: readonly Entry[]): readonly Entry[] =>
    entries.map((entry) => ({ ...entry, value: common(entry.value) }))
  for (const key of [...configuration.queues.keys()]) if (endsOf(key).includes(set)) configuration.queues.delete(key)
  for (const [key, entries] of ended.queues) {
    const [from, to] = endsOf(key)
    if (from === member.id) configuration.setQueue(set, to, shared(entries))
    else if (to === member.id) configuration.setQueue(from, set, shared(entries))
  }
}
