/**
 * Machines that are declared by what may happen next. Their actions in a state are asked for once, and all that comes of them is found together: to run a handler
 * anew for each option, as for a handler that chooses, would enumerate the actions again for every one of them.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { type FaultBudget, mostOf } from '../../core/faults.ts'
import { isFunction, shown } from '../../core/option-shape.ts'
import type { Violation } from '../../core/property.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import { freezeValue, type Value } from '../../core/value.ts'
import type { Announced, InternalEvent, LocalState } from '../../program/machines.ts'
import { type Handler, type MachineDefinition, nextTimer } from '../../program/system-definition.ts'
import { unaskedCall } from '../refinement/unasked-calls.ts'
import { notDeterministic } from './all-executed.ts'
import { isRecord, type Member } from './context.ts'
import { type Executed, failedIn, guarded, mistaken, noValue, otherKind } from './execute.ts'
import { askedAgain, comparesIdentities, together } from './likenesses.ts'
import { mistakenViolation } from './mistakes.ts'
import type { ValueNumbers } from './value-numbers.ts'

export interface NextAction {
  readonly name: string
  readonly after: unknown
  readonly announces?: readonly Value[]
}

/** A list must come to an end soon: nobody looks at the time, or at signals, while it is made. */
export const mostActions = 10_000
/** States in which nothing may happen that are asked about again: the first ones, and then one of so many. */
const auditedFirst = 64
const auditEvery = 1024
/** What comes of so many actions takes about a millisecond. */
const actionsPerBreath = 16

export const nextAction: InternalEvent = Object.freeze({ kind: 'timer', name: nextTimer, isAction: true })

const nothing: readonly never[] = Object.freeze([])
/** As short as may be, in a system that runs. */
const waits: ReadonlyMap<string, number> = new Map([[nextTimer, 1]])

export class NextActions {
  readonly #numbers: ValueNumbers
  #endings = 0
  /** In which nothing may happen, and then something may: what is wrong. */
  readonly #refused = new WeakMap<LocalState, Violation>()
  /** What may happen in a state is asked for when it is met, and when it is left. */
  #last: { readonly state: LocalState; readonly possible: readonly NextAction[] | Violation } | undefined

  constructor(numbers: ValueNumbers) {
    this.#numbers = numbers
  }

  /** Whether anything may happen: what is wrong with the actions does. */
  isOver(member: Member, state: LocalState): boolean {
    const possible = this.#possible(member, state)
    if (!isList(possible) || possible.length > 0) return false
    // Nobody handles a state in which nothing may happen, so that this is the place to ask again.
    const ending = this.#endings++
    if (ending >= auditedFirst && ending % auditEvery > 0) return true
    const like = together(state)
    if (this.#isEmpty(member, like)) return true
    const isByChance = askedAgain.some((one) => this.#isEmpty(member, one === 0 ? state : like) === (one === 1))
    this.#refused.set(state, isByChance ? notDeterministic(member, nextAction) : comparesIdentities(member))
    this.#last = undefined
    return false
  }

  #isEmpty(member: Member, state: LocalState): boolean {
    const possible = this.#asked(member, state)
    return isList(possible) && possible.length === 0
  }

  /** It is known what is wrong in this state. */
  isRefused(state: LocalState): boolean {
    return this.#refused.has(state)
  }

  *executed(member: Member, state: LocalState): Unhurried<readonly Executed[]> {
    const possible = this.#possible(member, state)
    // Whoever asks again wants to know whether it is still so.
    this.#last = undefined
    if (!isList(possible)) return [failedIn(state, possible)]
    const options = [possible.length]
    const names = distinctNames(possible)
    const executed: Executed[] = []
    for (const [at, action] of possible.entries()) {
      if (at % actionsPerBreath === actionsPerBreath - 1) yield
      executed.push(this.#taken(member, state, { action, name: names[at] as string, at, options }))
    }
    return executed
  }

  #possible(member: Member, state: LocalState): readonly NextAction[] | Violation {
    if (this.#last?.state === state) return this.#last.possible
    const refused = this.#refused.get(state)
    if (refused !== undefined) return refused
    const possible = this.#asked(member, state)
    this.#last = { state, possible }
    return possible
  }

  #asked(member: Member, state: LocalState): readonly NextAction[] | Violation {
    const { definition, setup } = member
    const next = definition.next as Handler
    member.ran?.note(next, undefined)
    const returned = guarded(member, () => listed(member, next(state.data, setup)))
    return 'problem' in returned ? returned.problem : (returned.value as readonly NextAction[] | Violation)
  }

  #taken(member: Member, before: LocalState, { action, name, at, options }: Taking): Executed {
    const { after, announces = nothing } = action
    const made = isFunction(after) ? guarded(member, after as () => unknown) : { value: after }
    const chosen = { choices: [at], chose: [name], options }
    if ('problem' in made) return { ...failedIn(before, made.problem), ...chosen }
    const wrong = this.#problemWith(member, before, { name, data: made.value })
    if (wrong !== undefined) return { ...failedIn(before, wrong), ...chosen }
    const unasked = announces.map((event) => unaskedCall(event, member)).find((one) => one !== undefined)
    if (unasked !== undefined) return { ...failedIn(before, mistaken(member, unasked)), ...chosen }
    const state = Object.freeze({ ...before, data: this.#numbers.shared(made.value as Value) })
    member.fields?.met(state.data)
    const announced: readonly Announced[] =
      announces.length === 0 ? nothing : announces.map((event) => Object.freeze({ event, after: 0 }))
    return { state, sent: nothing, announced, born: nothing, waits, violation: undefined, ...chosen }
  }

  /** What is wrong with the state that an action leaves, which is frozen by that. */
  #problemWith(
    member: Member,
    before: LocalState,
    { name, data }: { readonly name: string; readonly data: unknown },
  ): Violation | undefined {
    const action = `action ${JSON.stringify(name)}`
    const frozen = guarded(member, () => freezeValue(data, { frozen: this.#numbers }))
    if ('problem' in frozen) return frozen.problem
    const problem = frozen.value as ReturnType<typeof freezeValue>
    if (problem !== undefined) return noValue(member, problem, `, after ${action}`)
    return isRecord(data) === isRecord(before.data) ? undefined : otherKind(member, action, [before.data, data])
  }
}

/** One of the actions in a state. */
interface Taking {
  readonly action: NextAction
  /** By which it is told from the others. */
  readonly name: string
  readonly at: number
  readonly options: readonly number[]
}

/** Names of actions; where several have the same one, with a number. */
function distinctNames(possible: readonly NextAction[]): readonly string[] {
  const names = possible.map(({ name }) => name)
  if (new Set(names).size === names.length) return names
  return names.map((name, at) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (action ${at + 1})`,
  )
}

export function isList(possible: readonly NextAction[] | Violation): possible is readonly NextAction[] {
  return Array.isArray(possible)
}

/** The actions, checked: a misspelt field would be passed over. */
export function listed(member: Member, returned: unknown): readonly NextAction[] | Violation {
  if (!Array.isArray(returned)) return wrongActions(member, `"next" returned ${shown(returned)}`)
  if (returned.length > mostActions)
    return wrongActions(
      member,
      `"next" returned ${returned.length} actions for one state, and ${mostActions} are too many to look at in a step`,
    )
  for (const action of returned as readonly unknown[]) {
    const problem = problemWith(action)
    if (problem !== undefined) return wrongActions(member, problem)
  }
  return returned as readonly NextAction[]
}

function problemWith(action: unknown): string | undefined {
  if (typeof action !== 'object' || action === null) return `"next" has ${shown(action)} among its actions`
  const { name, after, announces } = action as Partial<NextAction>
  if (typeof name !== 'string' || name === '') return `an action has ${shown(name)} as its "name"`
  if (after === undefined) return `action ${JSON.stringify(name)} does not say what comes "after" it`
  for (const field in action) {
    if (field !== 'name' && field !== 'after' && field !== 'announces')
      return `action ${JSON.stringify(name)} has no part ${JSON.stringify(field)}`
  }
  if (announces === undefined) return undefined
  if (!Array.isArray(announces)) return `"announces" of action ${JSON.stringify(name)} is ${shown(announces)}`
  const empty = announces.findIndex((event) => event === undefined || event === null)
  if (empty >= 0) return `action ${JSON.stringify(name)} announces ${shown(announces[empty])}`
  const problem = freezeValue(announces)
  return (
    problem &&
    `what action ${JSON.stringify(name)} announces is not a value: announces${problem.path} is ${problem.found}`
  )
}

/** All parties would crash at once. */
export function refuseCrashes({ name, stack }: MachineDefinition, faults: FaultBudget): void {
  if (mostOf(faults, 'crashes') + mostOf(faults, 'restarts') === 0) return
  throw new DiagnosticError({
    code: 'E234',
    message: `machine "${name}" is declared by its actions, and cannot crash`,
    hint: 'what a party forgets when it crashes is an action: leave crashes and restarts out of "faults"',
    stack,
  })
}

function wrongActions(member: Member, message: string): Violation {
  const { definition, setup } = member
  const hint =
    "next: (state) => [{ name: 'what happens', after: { ...state }, announces: [] }]; an empty list where it ends"
  const told: Diagnostic = {
    code: 'E234',
    message: `${message}, in machine "${setup.self}"`,
    hint,
    stack: definition.stack,
  }
  return mistakenViolation('exception', told, setup.self)
}
