/** Steps of one process that concern no other, and the split into cases where it is not known how one goes on. */
import type { Statement, StatementOf } from '../../program/icet.ts'
import { memberOf, type Party } from './configuration.ts'
import { joinStates } from './join.ts'
import { decide, evaluate } from './knowledge.ts'
import { enter, headOf, isInIteration, leaveWhile, next, type Position } from './position.ts'
import type { ProofStep } from './proof.ts'
import { Refusal } from './refusal.ts'
import { assume, type State } from './state.ts'
import { constant, processValue, unknown, type Value } from './value.ts'

/** The party, if it is an individual whose next statement is the one a step names. */
export function partyAt(state: State, id: string, statement: number): Party {
  const party = state.configuration.parties.get(id)
  if (party === undefined) throw new Refusal('no such step', `there is no ${id}`)
  if (party.form === 'set') throw new Refusal('no such step', `${id} is a set, which does nothing as a whole`)
  if (headOf(party.position)?.id !== statement) {
    throw new Refusal('no such step', `${id} is not at statement ${statement}`)
  }
  return party
}

export function valueFor(state: State, party: Party, expression: Parameters<typeof evaluate>[0]): Value {
  return evaluate(expression, { self: party.id, store: party.store }, state.configuration)
}

/** For those who look for a step: unknown also where evaluating it fails. */
export function tryValue(state: State, party: Party, expression: Parameters<typeof evaluate>[0]): Value {
  try {
    return valueFor(state, party, expression)
  } catch (error) {
    if (error instanceof Refusal) return unknown
    throw error
  }
}

export function localStep(state: State, { party: id, statement: number }: Extract<ProofStep, { rule: 'step' }>): void {
  const party = partyAt(state, id, number)
  const statement = headOf(party.position) as Statement
  const { configuration } = state
  switch (statement.kind) {
    case 'assign':
      configuration.assign(id, statement.variable, valueFor(state, party, statement.value))
      return configuration.update(id, { position: next(party.position) })
    case 'choose':
      configuration.assign(id, statement.variable, chosen(state, party, statement))
      return configuration.update(id, { position: next(party.position) })
    case 'pick':
      pick(state, party, statement)
      return configuration.update(id, { position: next(party.position) })
    case 'if': {
      const truth = decide(valueFor(state, party, statement.condition), configuration)
      if (truth === undefined) throw new Refusal('no such step', 'the condition is not decided')
      return configuration.update(id, {
        position: enter(party.position, truth ? statement.then : statement.otherwise, 'plain'),
      })
    }
    case 'while':
      if (statement.body.length === 0) throw new Refusal('no such step', 'an empty loop for ever')
      return configuration.update(id, { position: enter(party.position, statement.body, 'while') })
    case 'break':
    case 'continue':
    case 'end':
      return configuration.update(id, { position: leave(party.position, statement) })
    case 'assume':
    case 'assert':
      return hold(state, party, statement)
    case 'fail':
      return fail(state, party, statement)
    default:
      throw new Refusal('no such step', `${statement.kind} is not a step of one process`, {
        statements: [statement.id],
      })
  }
}

function chosen(state: State, party: Party, statement: StatementOf<'choose'>): Value {
  const options = statement.options.map((option) => valueFor(state, party, option))
  const constants = options.flatMap((option) => (option.kind === 'constant' ? [option.value] : []))
  if (options.length === 0 || constants.length < options.length) {
    throw new Refusal('no such step', 'the options are not all constants')
  }
  return options.length === 1 ? (options[0] as Value) : state.configuration.freshSymbol(constants)
}

/**
 * The member that is told apart stands for the one picked, which may be any: so it must not have been told apart for a reason,
 * such as being one of those that no iteration has been about.
 */
function pick(state: State, party: Party, { variable, set, id }: StatementOf<'pick'>): void {
  const member = state.configuration.parties.get(memberOf(set))
  if (member === undefined || !member.isFree || state.loops.some(({ over }) => over === set)) {
    throw new Refusal('indiscriminate communication', `another member of ${set} may be picked`, { statements: [id] })
  }
  state.configuration.update(member.id, { isFree: false })
  state.configuration.assign(party.id, variable, processValue(member.id))
}

function leave(position: Position, statement: StatementOf<'break' | 'continue' | 'end'>): Position {
  const left =
    statement.kind === 'end'
      ? isInIteration(position)
        ? undefined
        : []
      : leaveWhile(position, statement.kind === 'break')
  if (left === undefined) {
    const message = 'a loop that runs so many times is left early'
    throw new Refusal('loop-carried termination', message, { statements: [statement.id] })
  }
  return left
}

function hold(state: State, party: Party, statement: StatementOf<'assume' | 'assert'>): void {
  const { configuration } = state
  const condition = valueFor(state, party, statement.condition)
  const truth = decide(condition, configuration)
  if (truth === false) {
    throw new Refusal('possible failure', 'the condition is false', { statements: [statement.id] })
  }
  if (truth === undefined && statement.kind === 'assume') {
    // A process that stops there has sent what it has sent: the others go on without it.
    throw new Refusal('possible failure', 'the process may stop here', { statements: [statement.id] })
  }
  if (truth === undefined) {
    oblige(state, party, statement.id, condition)
  }
  if (truth === undefined) assume(configuration, condition, true)
  const after = configuration.party(party.id)
  configuration.update(party.id, { position: next(after.position) })
}

/** What is known here has to be shown to contradict itself. Where nothing is known it does not. */
function fail(state: State, party: Party, { id }: StatementOf<'fail'>): void {
  if (state.configuration.truths.size === 0) {
    throw new Refusal('possible failure', `${party.process.name} may fail`, { statements: [id] })
  }
  oblige(state, party, id, constant(false))
  state.isExcluded = true
}

/** The condition is to be shown from what is known here. */
function oblige(state: State, party: Party, statement: number, condition: Value): void {
  const { configuration, facts, obligations } = state
  const { truths, domains, indices, lost } = configuration
  obligations.push({
    statement,
    process: party.process.name,
    condition,
    truths: [...truths.values()],
    domains,
    indices,
    sets: facts.sizes,
    names: symbolNames(configuration, party),
    lost,
    rounds: state.loops.flatMap(({ count }) => (count === undefined ? [] : [count])),
  })
}

/** By variable, those of the process itself first: 'yes' rather than 'vote.yes', and 'acceptor.vote' of another one. */
function symbolNames({ parties }: State['configuration'], own: Party): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  const note = (value: Value, name: string): void => {
    if (value.kind === 'symbol' && !names.has(value.id)) names.set(value.id, name)
  }
  const noteFields = (value: Value, name: string): void => {
    note(value, name)
    if (value.kind === 'record') for (const [field, part] of value.fields) noteFields(part, `${name}.${field}`)
  }
  for (const party of [own, ...[...parties.values()].filter((one) => one !== own)]) {
    const owner = party === own ? '' : `${party.process.name}.`
    for (const [variable, value] of party.store) note(value, `${owner}${variable}`)
    for (const [variable, value] of party.store) noteFields(value, `${owner}${variable}`)
  }
  return names
}

/** Every case of an undecided condition or a choice, each as its own state; cases that cannot be are undefined. */
export function cases(state: State, id: string, number: number): readonly (State | undefined)[] {
  const party = partyAt(state, id, number)
  const statement = headOf(party.position) as Statement
  if (statement.kind === 'if') {
    const condition = valueFor(state, party, statement.condition)
    if (decide(condition, state.configuration) !== undefined) {
      throw new Refusal('no such step', 'the condition is decided')
    }
    return [true, false].map((holds) => {
      const arm = state.copy()
      if (!assume(arm.configuration, condition, holds)) return undefined
      const block = holds ? statement.then : statement.otherwise
      arm.configuration.update(id, { position: enter(party.position, block, 'plain') })
      return arm
    })
  }
  if (statement.kind === 'choose') {
    return statement.options.map((option) => {
      const arm = state.copy()
      arm.configuration.assign(id, statement.variable, valueFor(arm, party, option))
      arm.configuration.update(id, { position: next(party.position) })
      return arm
    })
  }
  throw new Refusal('no such step', `${statement.kind} has no cases`)
}

export function branch(
  state: State,
  step: Extract<ProofStep, { rule: 'branch' }>,
  run: (arm: State, steps: readonly ProofStep[]) => State,
): State {
  const arms = cases(state, step.party, step.statement)
  if (arms.length !== step.arms.length) throw new Refusal('no such step', `there are ${arms.length} cases`)
  const ended = arms.flatMap((arm, index) => {
    return arm === undefined ? [] : [run(arm, step.arms[index] as readonly ProofStep[])]
  })
  if (ended.length === 0) throw new Refusal('no such step', 'no case is possible')
  return joinStates(ended, step.statement)
}
