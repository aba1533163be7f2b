/**
 * Machines that are declared by their actions, rule by rule: for searches that ask a rule once for all states in which it sees the same. Such a search does without what
 * handlers are checked for; wherever something is wrong it is told nothing, and turns to those who handle whole states.
 */
import { isFunction } from '../../core/option-shape.ts'
import type { Violation } from '../../core/property.ts'
import { encodeInOrder, fingerprintText, freezeValue, type Value } from '../../core/value.ts'
import type { ActionRules, AlikeRules, RuleAction } from '../../program/machines.ts'
import type { Handler } from '../../program/system-definition.ts'
import { callsFirst } from '../refinement/calls-first.ts'
import { unaskedCall } from '../refinement/unasked-calls.ts'
import { notDeterministic } from './all-executed.ts'
import type { Again, Calls } from './calls.ts'
import { isRecord, type Member } from './context.ts'
import { guarded } from './execute.ts'
import { mistakeBehind } from './mistakes.ts'
import { isList, listed, type NextAction, nextAction } from './next-actions.ts'

export function rulesOf(member: Member): ActionRules | undefined {
  const { next, rules = next && [next] } = member.definition
  if (rules === undefined) return undefined
  return {
    count: rules.length,
    alike: alikeIn(member),
    asked: (rule, data) => {
      const all = saidBy(member, rules[rule] as Handler, data)?.map((action) => taken(member, data, action))
      return all === undefined || all.includes(undefined) ? undefined : (all as readonly RuleAction[])
    },
    seen: (rule, view) => {
      const all = saidBy(member, rules[rule] as Handler, view)?.map((action) => ({
        action,
        made: madeBy(member, action),
      }))
      if (all === undefined || all.some(({ made }) => made === undefined)) return undefined
      return all.map(({ action, made }) => {
        return { name: action.name, after: made?.value as Value, announced: announcedBy(member, action) }
      })
    },
  }
}

function alikeIn(member: Member): AlikeRules | undefined {
  const { alike } = member.definition
  if (alike === undefined) return undefined
  const said = (code: () => unknown): unknown => {
    const made = guarded(member, code)
    return 'problem' in made ? undefined : made.value
  }
  return {
    parties: (data) => {
      const parties = said(() => alike.parties(data))
      return Array.isArray(parties) ? parties.length : undefined
    },
    renamed: (data, order) => said(() => alike.renamed(data, order)) as Value | undefined,
  }
}

/** Whether two actions are one as far as it shows before they are taken. */
export function isSameAction(action: RuleAction, { name, announced }: RuleAction): boolean {
  return action.name === name && encodeInOrder(action.announced) === encodeInOrder(announced)
}

/** Whether the same is said of a state. */
export function isSameList(some: readonly RuleAction[], others: readonly RuleAction[] | undefined): boolean {
  return (
    some.length === others?.length &&
    some.every((one, at) => {
      const other = others[at] as RuleAction
      return isSameAction(one, other) && encodeInOrder(one.after) === encodeInOrder(other.after)
    })
  )
}

/**
 * Rules whose answers are kept for an audit, which asks again in this system and in another one. What was asked and answered is not kept for that where it can be
 * made again.
 */
export function notedRules<System>(
  rules: ActionRules,
  member: Member,
  { calls, rulesIn }: { readonly calls: Calls<System>; readonly rulesIn: (system: System) => ActionRules | undefined },
): ActionRules {
  return {
    ...rules,
    asked: (rule, data, remembered) => {
      const said = rules.asked(rule, data)
      const place = calls.place()
      if (place === undefined) return said
      const isSame = sameAgain(rule, remembered?.() ?? (() => data), textOf(said))
      calls.keep(place, asking(rulesIn, isSame, member))
      return said
    },
  }
}

// Both are made where nothing else is in sight: a function keeps all that is around it.

function asking<System>(
  rulesIn: (system: System) => ActionRules | undefined,
  isSame: (rules: ActionRules) => boolean,
  member: Member,
): Again<System> {
  return (system) => {
    const rules = rulesIn(system)
    return rules === undefined || isSame(rules) ? undefined : mistakeBehind(notDeterministic(member, nextAction))
  }
}

function sameAgain(rule: number, made: () => Value, same: string): (rules: ActionRules) => boolean {
  return (rules) => textOf(rules.asked(rule, made())) === same
}

function textOf(said: readonly RuleAction[] | undefined): string {
  return fingerprintText(encodeInOrder(said?.map(({ name, after, announced }) => [name, after, announced])))
}

function saidBy(member: Member, rule: Handler, data: unknown): readonly NextAction[] | undefined {
  const returned = guarded(member, () => listed(member, rule(data, member.setup)))
  if ('problem' in returned) return undefined
  const said = returned.value as readonly NextAction[] | Violation
  return isList(said) ? said : undefined
}

/** The state that an action leaves, as it was made. */
function madeBy(member: Member, { after }: NextAction): { readonly value: unknown } | undefined {
  if (!isFunction(after)) return { value: after }
  const made = guarded(member, after as () => unknown)
  return 'problem' in made ? undefined : made
}

function taken(member: Member, before: Value, action: NextAction): RuleAction | undefined {
  const { name, announces = [] } = action
  const made = madeBy(member, action)
  if (made === undefined || announces.some((event) => unaskedCall(event, member) !== undefined)) return undefined
  const frozen = guarded(member, () => freezeValue(made.value))
  if ('problem' in frozen || frozen.value !== undefined) return undefined
  if (isRecord(made.value) !== isRecord(before)) return undefined
  return { name, after: made.value as Value, announced: announcedBy(member, action) }
}

function announcedBy({ refines = [] }: Member, { announces = [] }: NextAction): readonly Value[] {
  const announced = announces.map((event) => ({ event, after: 0 }))
  return callsFirst(announced, refines).map(({ event }) => event)
}
