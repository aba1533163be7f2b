/** Tries loops and sets: one arbitrary iteration, driven like a program of its own, and given up if it does not come out. */
import { type Count, type Statement, type StatementOf, statementsOf } from '../../program/icet.ts'
import type { Attempt, AttemptDriver, SearchScope } from './attempt.ts'
import { endsOf, isSameCount, memberOf, type Party } from './configuration.ts'
import { closeIteration, type Opened, openIteration } from './iterate-rule.ts'
import { apply } from './kernel.ts'
import { awaitedBy } from './moves.ts'
import { headOf, isIterated, keyOfPosition } from './position.ts'
import type { Iterate, ProofStep } from './proof.ts'
import { type Changed, Refusal } from './refusal.ts'
import type { State } from './state.ts'
import { mayMatch } from './static-facts.ts'

export class Iterations {
  readonly #strategy: AttemptDriver

  constructor(strategy: AttemptDriver) {
    this.#strategy = strategy
  }

  /** The loop of some individual. */
  loops(attempt: Attempt, scope: SearchScope): boolean {
    for (const party of attempt.state.configuration.parties.values()) {
      if (party.form === 'set' || !scope.isActive(party.id) || loopOf(party) === undefined) continue
      for (const over of this.#overs(attempt.state, party)) {
        if (this.#tryTogether(attempt, [party.id], over)) return true
      }
    }
    return false
  }

  /** What members do before a message reaches them, so that sets stand where their members come back to. */
  preludes(attempt: Attempt): boolean {
    const { configuration } = attempt.state
    for (const { id, form, position } of configuration.parties.values()) {
      if (form !== 'set' || headOf(position)?.kind !== 'assign') continue
      if (this.#tryPrelude(attempt, id)) return true
    }
    return false
  }

  /** Every member of some set, as far as each gets. */
  sets(attempt: Attempt): boolean {
    for (const { id, form, position, isEmpty } of attempt.state.configuration.parties.values()) {
      if (form !== 'set' || isEmpty || position.length === 0) continue
      const before = positionIn(attempt.state, id)
      const tried: Attempt = { state: attempt.state, steps: [], isFinished: false }
      if (!this.#tryOver(tried, [], id) || positionIn(tried.state, id) === before) continue
      attempt.state = tried.state
      attempt.steps.push(...tried.steps)
      return true
    }
    return false
  }

  /** Sets that iterations may be about, the likeliest first. */
  #overs(state: State, party: Party): readonly (string | undefined)[] {
    const loop = loopOf(party) as StatementOf<'each' | 'repeat'>
    if (loop.kind === 'each') return [loop.set, undefined]
    const sets = [...state.configuration.parties.values()]
      .filter(({ form, process }) => form === 'set' && isSameCount(process.count, loop.count))
      .map(({ id }) => id)
    const isGathering = [...statementsOf(loop.body)].some((statement) => isWildcard(statement))
    return isGathering ? [...sets, undefined] : [undefined, ...sets]
  }

  /** Loops that wait for each other run together. */
  #tryTogether(attempt: Attempt, leaders: readonly string[], over: string | undefined): boolean {
    const together = [...leaders]
    for (;;) {
      const waitsFor = new Set<string>()
      if (this.#tryOver(attempt, together, over, waitsFor)) return true
      const count = loopCount(attempt.state, together[0] as string)
      const partner = [...waitsFor].find(
        (id) => !together.includes(id) && count !== undefined && isSameCount(loopCount(attempt.state, id), count),
      )
      if (partner === undefined) return false
      together.push(partner)
    }
  }

  #tryPrelude(attempt: Attempt, set: string): boolean {
    const member = memberOf(set)
    return this.#tryStep(attempt, [], set, (inner) => {
      for (;;) {
        const head = headOf(inner.state.configuration.party(member).position)
        if (head?.kind !== 'assign') return
        const step: ProofStep = { rule: 'step', party: member, statement: head.id }
        inner.state = apply(inner.state, step)
        inner.steps.push(step)
      }
    })
  }

  #tryOver(
    attempt: Attempt,
    leaders: readonly string[],
    over: string | undefined,
    waitsFor: Set<string> = new Set(),
  ): boolean {
    return this.#tryStep(attempt, leaders, over, (inner, before) => {
      const scope = { iteration: { before, leaders, over }, isActive: activeIn(before, leaders, over) }
      this.#strategy.drive(inner, scope)
      for (const party of inner.state.configuration.parties.values()) {
        if (party.form === 'set' || !scope.isActive(party.id)) continue
        for (const id of awaitedBy(inner.state, party)) waitsFor.add(id)
      }
    })
  }

  /** With less and less known beforehand, until an iteration changes nothing that is known. */
  #tryStep(
    attempt: Attempt,
    leaders: readonly string[],
    over: string | undefined,
    drive: (inner: Attempt, before: State) => void,
  ): boolean {
    const { state } = attempt
    let havoc: readonly Changed[] = []
    for (;;) {
      this.#strategy.spend()
      try {
        const opened: Opened = {
          rule: 'iterate',
          leaders: leadersAt(state, leaders),
          over,
          takes: takesOf(state, leaders),
          havoc,
        }
        const before = openIteration(state, opened)
        const inner: Attempt = { state: before.copy(), steps: [], isFinished: false }
        drive(inner, before)
        attempt.state = closeIteration(state, inner.state, opened)
        attempt.steps.push({ ...opened, body: inner.steps } satisfies Iterate)
        return true
      } catch (error) {
        if (!(error instanceof Refusal) || error.changed.length === 0) {
          this.#strategy.note(error)
          return false
        }
        const isLess = (one: Changed): boolean =>
          error.changed.some(({ party, variable }) => party === one.party && variable === one.variable)
        havoc = [...havoc.filter((one) => !isLess(one)), ...error.changed]
      }
    }
  }
}

/** In an iteration: those it is about, those told apart in it, and those who stand before a loop for ever and come back to it. */
function activeIn(before: State, leaders: readonly string[], over: string | undefined): (id: string) => boolean {
  const { parties } = before.configuration
  return (id) => {
    const party = parties.get(id)
    if (party === undefined || leaders.includes(id) || (over !== undefined && id === memberOf(over))) return true
    return headOf(party.position)?.kind === 'while'
  }
}

function loopOf({ position }: Party): StatementOf<'each' | 'repeat'> | undefined {
  const head = isIterated(position) ? undefined : headOf(position)
  return head?.kind === 'each' || head?.kind === 'repeat' ? head : undefined
}

function loopCount(state: State, id: string): Count | undefined {
  const party = state.configuration.parties.get(id)
  const loop = party === undefined || party.form === 'set' ? undefined : loopOf(party)
  return loop?.kind === 'each' ? state.facts.process(loop.set).count : loop?.count
}

function isWildcard(statement: Statement): boolean {
  return statement.kind === 'receive' && statement.from === undefined
}

function leadersAt(state: State, leaders: readonly string[]): Iterate['leaders'] {
  return leaders.map((party) => ({
    party,
    statement: headOf(state.configuration.party(party).position)?.id ?? -1,
  }))
}

/** Messages to a leader, as many as it iterates, of kinds that it receives in its loop. */
function takesOf(state: State, leaders: readonly string[]): Iterate['takes'] {
  return [...state.configuration.queues].flatMap(([key, entries]) => {
    const [from, to] = endsOf(key)
    const count = leaders.includes(to) ? loopCount(state, to) : undefined
    if (count === undefined) return []
    const body = loopOf(state.configuration.party(to))?.body ?? []
    const index = entries.findIndex(
      (entry) =>
        entry.count !== undefined &&
        isSameCount(entry.count, count) &&
        [...statementsOf(body)].some(
          (statement) => statement.kind === 'receive' && mayMatch(entry.kinds, statement.kinds),
        ),
    )
    return index < 0 ? [] : [{ from, to, index }]
  })
}

function positionIn(state: State, id: string): string {
  return keyOfPosition(state.configuration.party(id).position)
}
