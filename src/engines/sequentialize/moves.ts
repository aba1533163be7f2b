/** Moves of individuals, as far as they go by themselves. */
import { type Statement, statementsOf } from '../../program/icet.ts'
import { type Attempt, type AttemptDriver, adopt, copyOf, type SearchScope } from './attempt.ts'
import { candidatesOf } from './candidates.ts'
import { endsOf, memberOf, mentions, type Party } from './configuration.ts'
import { isNothing, roundsAt } from './empty-rules.ts'
import { joinStates } from './join.ts'
import { apply } from './kernel.ts'
import { decide } from './knowledge.ts'
import { cases, tryValue } from './local-rules.ts'
import { headOf, isIterated, liveVariables } from './position.ts'
import type { ProofStep } from './proof.ts'
import type { State } from './state.ts'

export class Moves {
  readonly #strategy: AttemptDriver

  constructor(strategy: AttemptDriver) {
    this.#strategy = strategy
  }

  /** Until no individual can move without a loop. */
  settle(attempt: Attempt, scope: SearchScope): void {
    for (let isMoving = true; isMoving; ) {
      isMoving = false
      for (const id of [...attempt.state.configuration.parties.keys()]) {
        while (this.#isIndividual(attempt, scope, id) && this.#advance(attempt, scope, id)) {
          isMoving = true
          if (attempt.isFinished) return
        }
      }
    }
  }

  #isIndividual({ state }: Attempt, scope: SearchScope, id: string): boolean {
    const form = state.configuration.parties.get(id)?.form
    return form !== undefined && form !== 'set' && scope.isActive(id)
  }

  #advance(attempt: Attempt, scope: SearchScope, id: string): boolean {
    const party = attempt.state.configuration.party(id)
    const head = headOf(party.position)
    switch (head?.kind) {
      case 'assign':
      case 'break':
      case 'continue':
      case 'end':
      case 'assume':
      case 'assert':
        return this.try(attempt, { rule: 'step', party: id, statement: head.id })
      case 'pick':
        if (!attempt.state.configuration.parties.get(memberOf(head.set))?.isFree) return false
        return this.try(attempt, { rule: 'step', party: id, statement: head.id })
      case 'choose':
        // What a single process chooses may decide what whole sets do: the cases have to be told apart before their loops.
        if (scope.iteration === undefined && this.#strategy.mayFork(head.options.length)) {
          return this.#split(attempt, scope, id, head)
        }
        if (isLeftForLater(attempt, scope, party)) return false
        if (this.try(attempt, { rule: 'step', party: id, statement: head.id })) return true
        return this.#split(attempt, scope, id, head)
      case 'if':
        if (decide(tryValue(attempt.state, party, head.condition), attempt.state.configuration) !== undefined) {
          return this.try(attempt, { rule: 'step', party: id, statement: head.id })
        }
        return isLocal(head) ? this.#splitLocally(attempt, id, head) : this.#split(attempt, scope, id, head)
      case 'send': {
        const to = tryValue(attempt.state, party, head.to)
        return this.try(attempt, {
          rule: 'send',
          party: id,
          statement: head.id,
          to: to.kind === 'process' ? to.id : '',
        })
      }
      case 'receive':
        return sendersFor(attempt.state, party).some((from) =>
          this.try(attempt, { rule: 'receive', party: id, statement: head.id, from }),
        )
      case 'fail':
        attempt.isFinished = this.try(attempt, { rule: 'step', party: id, statement: head.id })
        return attempt.isFinished
      case 'while':
        return this.#enterToReceive(attempt, id)
      case 'each':
      case 'repeat':
        return (
          isNothing(attempt.state, roundsAt(attempt.state, id)) &&
          this.try(attempt, { rule: 'skip', party: id, statement: head.id })
        )
      default:
        return false
    }
  }

  /** On a copy, because `apply` uses its state up even if it refuses. */
  try(attempt: Attempt, step: ProofStep): boolean {
    this.#strategy.spend()
    try {
      attempt.state = apply(attempt.state.copy(), step)
      attempt.steps.push(step)
      return true
    } catch (error) {
      this.#strategy.note(error)
      return false
    }
  }

  /** Into a loop that begins by taking a message which is there. */
  #enterToReceive(attempt: Attempt, id: string): boolean {
    const entered = copyOf(attempt)
    for (;;) {
      const party = entered.state.configuration.party(id)
      const head = headOf(party.position)
      if (head?.kind === 'receive') {
        const isTaken = sendersFor(entered.state, party).some((from) =>
          this.try(entered, { rule: 'receive', party: id, statement: head.id, from }),
        )
        if (isTaken) adopt(attempt, entered)
        return isTaken
      }
      if (head?.kind !== 'while' && head?.kind !== 'assign') return false
      if (!this.try(entered, { rule: 'step', party: id, statement: head.id })) return false
    }
  }

  /** Cases that concern the process alone are common again after the statement. */
  #splitLocally(attempt: Attempt, id: string, statement: Statement): boolean {
    const depth = attempt.state.configuration.party(id).position.length
    const arms: (readonly ProofStep[])[] = []
    const ended: State[] = []
    // No other party moves inside of a case, or the cases could not be joined after the statement.
    const alone: SearchScope = { iteration: undefined, isActive: () => false }
    for (const arm of cases(attempt.state, id, statement.id)) {
      const inner: Attempt | undefined = arm && { state: arm, steps: [], isFinished: false }
      while (inner !== undefined && !inner.state.isExcluded) {
        const { position } = inner.state.configuration.party(id)
        const isInside = position.length > depth || headOf(position) === statement
        if (!isInside) break
        if (!this.#advance(inner, alone, id)) return false
      }
      arms.push(inner?.steps ?? [])
      if (inner !== undefined) ended.push(inner.state)
    }
    attempt.state = joinStates(ended, statement.id)
    attempt.steps.push({ rule: 'branch', party: id, statement: statement.id, arms })
    attempt.isFinished = attempt.state.isExcluded
    return true
  }

  /** Other cases go to the goal, each for itself. */
  #split(attempt: Attempt, scope: SearchScope, id: string, statement: Statement): boolean {
    const arms: (readonly ProofStep[])[] = []
    const ended: State[] = []
    for (const arm of cases(attempt.state, id, statement.id)) {
      if (arm === undefined) {
        arms.push([])
        continue
      }
      const inner: Attempt = { state: arm, steps: [], isFinished: false }
      this.#strategy.drive(inner, scope)
      arms.push(inner.steps)
      ended.push(inner.state)
    }
    attempt.state = joinStates(ended, statement.id)
    attempt.steps.push({ rule: 'branch', party: id, statement: statement.id, arms })
    attempt.isFinished = true
    return true
  }

  /** Sets of which it is known that they have no members. */
  emptied(attempt: Attempt): boolean {
    for (const { id, form, process, isEmpty } of attempt.state.configuration.parties.values()) {
      if (form !== 'set' || isEmpty || !isNothing(attempt.state, process.count)) continue
      if (this.try(attempt, { rule: 'empty', set: id })) return true
    }
    return false
  }

  /** A party needs a member of a set of which none is told apart: to pick it, or to receive from it. */
  tellApart(attempt: Attempt, scope: SearchScope): boolean {
    const { state } = attempt
    for (const party of state.configuration.parties.values()) {
      if (party.form === 'set' || !scope.isActive(party.id)) continue
      const set = neededBy(state, party)
      if (set === undefined) continue
      if (scope.iteration === undefined && !this.#strategy.isNew(`${set} ${state.configuration.shape()}`)) continue
      if (this.try(attempt, { rule: 'unfold', set })) return true
    }
    return false
  }

  /** Members that are where the others are, and that no other party and no message will mention again. */
  foldForgotten(attempt: Attempt): boolean {
    const { configuration } = attempt.state
    for (const { id, form, process } of configuration.parties.values()) {
      if (form !== 'member' || isSpokenOf(attempt.state, id)) continue
      if (this.try(attempt, { rule: 'fold', set: process.name })) return true
    }
    return false
  }

  /** A party waits for a process that stands before a loop. */
  demand(attempt: Attempt, scope: SearchScope): boolean {
    const { state } = attempt
    for (const party of state.configuration.parties.values()) {
      if (party.form === 'set' || !scope.isActive(party.id)) continue
      for (const id of awaitedBy(state, party)) {
        const awaited = state.configuration.parties.get(id)
        const head = awaited === undefined || awaited.form === 'set' ? undefined : headOf(awaited.position)
        if (head?.kind !== 'while' || !scope.isActive(id)) continue
        if (this.try(attempt, { rule: 'step', party: id, statement: head.id })) return true
      }
    }
    return false
  }

  /** At the end of an iteration: members that it told apart on the way. */
  foldAll(attempt: Attempt, scope: SearchScope): void {
    const known = scope.iteration?.before.configuration.parties
    for (const { id, form, process } of [...attempt.state.configuration.parties.values()]) {
      if (form === 'member' && !known?.has(id)) this.try(attempt, { rule: 'fold', set: process.name })
    }
  }
}

/**
 * The member an iteration is about, when the iteration has nothing left to do with it: after the choice it would no longer be
 * known that what the member has chosen and what it has sent are the same.
 */
function isLeftForLater({ state }: Attempt, { iteration }: SearchScope, party: Party): boolean {
  if (iteration === undefined || iteration.over === undefined || party.id !== memberOf(iteration.over)) return false
  if (party.isFree) return false
  return iteration.leaders.every((id) => isIterated(state.configuration.party(id).position))
}

function isSpokenOf({ configuration }: State, member: string): boolean {
  for (const { id, position, store } of configuration.parties.values()) {
    if (id === member) continue
    for (const variable of liveVariables(position)) {
      const value = store.get(variable)
      if (value !== undefined && mentions(value, member)) return true
    }
  }
  return [...configuration.queues].some(
    ([key, entries]) => endsOf(key)[0] !== member && entries.some(({ value }) => mentions(value, member)),
  )
}

/** Concerns the process alone, and goes on after itself in any case. */
function isLocal(statement: Statement): boolean {
  const local = ['assign', 'choose', 'if', 'assume', 'assert', 'fail']
  return [...statementsOf([statement])].every(({ kind }) => local.includes(kind))
}

/** Whose message a receive could take now. */
function sendersFor(state: State, party: Party): readonly string[] {
  const head = headOf(party.position)
  if (head?.kind !== 'receive') return []
  if (head.from !== undefined) {
    const from = tryValue(state, party, head.from)
    return from.kind === 'process' && state.configuration.queue(from.id, party.id).length > 0 ? [from.id] : []
  }
  const { from } = candidatesOf(state.configuration, state.facts, party, head.kinds)
  return from.filter(
    (id) => state.configuration.parties.get(id)?.form !== 'set' && state.configuration.queue(id, party.id).length > 0,
  )
}

/** Whom a blocked receive waits for. */
export function awaitedBy(state: State, party: Party): readonly string[] {
  const head = headOf(party.position)
  if (head?.kind !== 'receive') return []
  if (head.from !== undefined) {
    const from = tryValue(state, party, head.from)
    return from.kind === 'process' ? [from.id] : []
  }
  return candidatesOf(state.configuration, state.facts, party, head.kinds).from
}

function neededBy(state: State, party: Party): string | undefined {
  const { configuration } = state
  const head = headOf(party.position)
  if (head?.kind === 'pick') return configuration.parties.has(memberOf(head.set)) ? undefined : head.set
  if (head?.kind !== 'receive' || head.from !== undefined) return undefined
  const [only, ...others] = awaitedBy(state, party)
  if (only === undefined || others.length > 0) return undefined
  const set = configuration.parties.get(only)
  if (set?.form !== 'set' || configuration.parties.has(memberOf(only))) return undefined
  return only
}
