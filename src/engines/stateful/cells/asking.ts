/**
 * A rule is asked about a state several times: about the state itself, about states that look like it, and about views of it that tell what is read. What it says
 * then is kept as what it changes: cells with their values afterwards. A part that comes back as the view that was given is the same afterwards, whatever is in it.
 */
import { DiagnosticError } from '../../../core/diagnostic.ts'
import { sameViolation, type Violation } from '../../../core/property.ts'
import { encodeInOrder, type Value } from '../../../core/value.ts'
import type { ActionRules, LocalState, RuleAction, SystemInvariant } from '../../../program/machines.ts'
import { isSameAction, isSameList } from '../../../semantics/machines/action-rules.ts'
import { changedView } from '../../../semantics/machines/changed-views.ts'
import { isLike, type Layout, type Looking } from '../../../semantics/machines/layout.ts'
import { likenesses } from '../../../semantics/machines/likenesses.ts'
import { partOf, recorded } from '../../../semantics/machines/state-views.ts'
import type { Question } from './answers.ts'

/** What an action does to a state, of all states that a rule cannot tell apart. */
export interface Change {
  readonly cells: readonly number[]
  /** By cell: the number of its value afterwards. */
  readonly values: readonly number[]
  readonly announced: readonly Value[]
}

/** What is said of a state by an invariant. */
export interface Judgement {
  readonly violation: Violation | undefined
}

/** What a rule says of states: nothing if something is wrong with it. */
export function questionOfRule(rules: ActionRules, rule: number, layout: Layout): Question<readonly Change[]> {
  const again = (values: Int32Array) => {
    const data = layout.data(values)
    return rules.asked(rule, data)?.map((action) => compared(layout, { values, data }, action))
  }
  const isSame = (values: Int32Array, some: readonly Change[], others: readonly Change[]) =>
    some.length === others.length && some.every((one, at) => isSameFrom(values, one, others[at] as Change))
  return {
    ask(values) {
      const data = layout.data(values)
      const asked = rules.asked(rule, data)
      if (asked === undefined) return undefined
      if (!likenesses(data).every((like) => isSameList(asked, rules.asked(rule, like)))) return undefined
      const { said, looks } = lookingAt(layout, (looking) => {
        const seen = rules.seen(rule, recorded(layout.part, data, looking.listener))
        const changes = asked.map((action, at) => {
          const view = seen?.length === asked.length ? seen[at] : undefined
          return view !== undefined && isSameAction(action, view)
            ? changed({ layout, looking }, action, view.after)
            : undefined
        })
        return changes.includes(undefined) ? undefined : (changes as readonly Change[])
      })
      const whole = asked.map((action) => compared(layout, { values, data }, action))
      if (said !== undefined) return isSame(values, said, whole) ? { said, looks } : undefined
      // What looks at an object by other means than its properties cannot be told: then it may depend on everything.
      return { said: whole, looks: allOf(layout, looks) }
    },
    again,
    isSame,
  }
}

/** What an invariant says of states. */
export function questionOfInvariant(
  { violation, seen = violation }: SystemInvariant,
  start: LocalState,
  layout: Layout,
): Question<Judgement> {
  const asked = (data: Value) => ({ violation: violation([{ ...start, data }]) })
  const isSame = (one: Judgement, other: Judgement) => isSameJudgement(one, other)
  return {
    ask(values) {
      const data = layout.data(values)
      const said = asked(data)
      if (!likenesses(data).every((like) => isSame(said, asked(like)))) return undefined
      const { said: isSeen, looks } = lookingAt(layout, ({ listener }) => {
        const view = { ...start, data: recorded(layout.part, data, listener) as Value }
        return isSaid(() => ({ violation: seen([view]) }), said)
      })
      return { said, looks: isSeen ? looks : allOf(layout, looks) }
    },
    again: (values) => asked(layout.data(values)),
    isSame: (_, one, other) => isSame(one, other),
  }
}

function lookingAt<Said>(
  layout: Layout,
  ask: (looking: Looking) => Said,
): { readonly said: Said; readonly looks: Set<number> } {
  const looking = layout.looking()
  const said = ask(looking)
  looking.isOver = true
  return { said, looks: looking.looks }
}

function allOf(layout: Layout, looks: Set<number>): ReadonlySet<number> {
  for (const look of layout.looks) looks.add(look)
  return looks
}

/** Whether the same is said of views; they may be refused where the states themselves are not. */
function isSaid(ask: () => Judgement, said: Judgement): boolean {
  try {
    return isSameJudgement(ask(), said)
  } catch (error) {
    if (error instanceof DiagnosticError) return false
    throw error
  }
}

function isSameJudgement({ violation: one }: Judgement, { violation: other }: Judgement): boolean {
  return one === undefined || other === undefined ? one === other : sameViolation(one, other)
}

/** What differs between a state and the one that an action leaves. */
function compared(
  layout: Layout,
  before: { readonly values: Int32Array; readonly data: Value },
  { after, announced }: RuleAction,
): Change {
  const [cells, values]: [number[], number[]] = [[], []]
  layout.changedNumbers(before.data, after, (cell, number) => {
    if (before.values[cell] === number) return
    cells.push(cell)
    values.push(number)
  })
  return { cells, values, announced }
}

/** Whether two changes make the same of a state. */
function isSameFrom(before: Int32Array, one: Change, other: Change): boolean {
  const [some, others] = [one, other].map(
    ({ cells, values }) =>
      new Map(cells.flatMap((cell, at) => (values[at] === before[cell] ? [] : [[cell, values[at]] as const]))),
  ) as [Map<number, number>, Map<number, number>]
  const isSameAfter = some.size === others.size && [...some].every(([cell, value]) => others.get(cell) === value)
  return isSameAfter && encodeInOrder(one.announced) === encodeInOrder(other.announced)
}

/** The same, looking at nothing that came back as it was given. Nothing if the view says something else. */
function changed(
  { layout, looking }: { readonly layout: Layout; readonly looking: Looking },
  action: RuleAction,
  view: unknown,
): Change | undefined {
  const [cells, values]: [number[], number[]] = [[], []]
  const compare = (piece: Layout['root'], after: Value, seen: unknown): boolean => {
    if (partOf(seen, looking.listener) === piece.part) return true
    if ('cell' in piece) {
      const text = encodeInOrder(after)
      if (encodeInOrder(seen as Value) !== text) return false
      // Also where it is what it was: other states that the rule cannot tell from this one may hold something else there.
      cells.push(piece.cell)
      values.push(layout.number(piece.cell, after, text))
      return true
    }
    const fields = layout.fields(piece, after)
    const made = changedView(seen)
    if (made !== undefined && partOf(made.view, looking.listener) === piece.part)
      return [...made.items].every(([at, item]) =>
        compare(piece.pieces[at] as Layout['root'], fields[at] as Value, item),
      )
    if (!isLike(piece, seen)) return false
    return piece.pieces.every((one, at) => {
      const key = piece.keys[at] as string
      return compare(one, fields[key], (seen as { readonly [key: string]: unknown })[key])
    })
  }
  return compare(layout.root, action.after, view) ? { cells, values, announced: action.announced } : undefined
}
