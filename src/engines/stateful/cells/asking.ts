/**
 * A rule is asked about a state twice: about the state itself, and about views of it that tell what is read. What it says then is kept as what it changes: cells
 * with their values afterwards. A part that comes back as the view that was given is the same afterwards, whatever is in it.
 */
import { DiagnosticError } from '../../../core/diagnostic.ts'
import { sameViolation, type Violation } from '../../../core/property.ts'
import { encodeInOrder, type Value } from '../../../core/value.ts'
import type { ActionRules, LocalState, RuleAction, SystemInvariant } from '../../../program/machines.ts'
import { changedView } from '../../../semantics/machines/changed-views.ts'
import { partOf, recorded } from '../../../semantics/machines/state-views.ts'
import { type Layout, UnfitError } from './layout.ts'

/** What an action does to a state, of all states that a rule cannot tell apart. */
export interface Change {
  readonly cells: readonly number[]
  /** By cell: the number of its value afterwards. */
  readonly values: readonly number[]
  readonly announced: readonly Value[]
}

export interface Asked {
  readonly changes: readonly Change[]
  /** All that it depends on, in the order in which the rule looked at it. */
  readonly looks: ReadonlySet<number>
}

/** What a rule says of a state with these values in its cells; nothing if something is wrong with it. */
export function askRule(rules: ActionRules, rule: number, layout: Layout, values: Int32Array): Asked | undefined {
  const data = layout.data(values)
  const looks = new Set<number>()
  const seen = rules.seen(rule, recorded(layout.part, data, layout.listener(looks)))
  const asked = rules.asked(rule, data)
  if (asked === undefined) return undefined
  const changes = asked.map((action, at) => {
    const view = seen?.length === asked.length ? seen[at] : undefined
    return view !== undefined && isSame(action, view) ? changed(layout, action, view.after) : undefined
  })
  if (!changes.includes(undefined)) return { changes: changes as readonly Change[], looks }
  // What looks at an object by other means than its properties cannot be told: then it may depend on everything.
  for (const look of layout.looks) looks.add(look)
  return { changes: asked.map((action) => compared(layout, values, action)), looks }
}

/** What an invariant says of a state, and all that it depends on. */
export function askInvariant(
  { violation, seen = violation }: SystemInvariant,
  start: LocalState,
  layout: Layout,
  values: Int32Array,
): { readonly violation: Violation | undefined; readonly looks: ReadonlySet<number> } {
  const data = layout.data(values)
  const looks = new Set<number>()
  const view = { ...start, data: recorded(layout.part, data, layout.listener(looks)) as Value }
  const said = violation([{ ...start, data }])
  if (!isSaid(() => seen([view]), said)) for (const look of layout.looks) looks.add(look)
  return { violation: said, looks }
}

/** Whether the same is said of views; they may be refused where the states themselves are not. */
function isSaid(ask: () => Violation | undefined, said: Violation | undefined): boolean {
  try {
    const seen = ask()
    return seen === undefined || said === undefined ? seen === said : sameViolation(seen, said)
  } catch (error) {
    if (error instanceof DiagnosticError) return false
    throw error
  }
}

/** What differs between a state and the one that an action leaves. */
function compared(layout: Layout, before: Int32Array, { after, announced }: RuleAction): Change {
  const [cells, values]: [number[], number[]] = [[], []]
  layout.numbers(after, (cell, number) => {
    if (before[cell] === number) return
    cells.push(cell)
    values.push(number)
  })
  return { cells, values, announced }
}

/** The same, looking at nothing that came back as it was given. Nothing if the view says something else. */
function changed(layout: Layout, action: RuleAction, view: unknown): Change | undefined {
  const [cells, values]: [number[], number[]] = [[], []]
  const compare = (piece: Layout['root'], after: Value, seen: unknown): boolean => {
    if (partOf(seen) === piece.part) return true
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
    if (made !== undefined && partOf(made.view) === piece.part)
      return [...made.items].every(([at, item]) =>
        compare(piece.pieces[at] as Layout['root'], fields[at] as Value, item),
      )
    if (!isLike(layout, piece, seen)) return false
    return piece.pieces.every((one, at) => {
      const key = piece.keys[at] as string
      return compare(one, fields[key], (seen as { readonly [key: string]: unknown })[key])
    })
  }
  return compare(layout.root, action.after, view) ? { cells, values, announced: action.announced } : undefined
}

function isLike(layout: Layout, piece: Exclude<Layout['root'], { readonly cell: number }>, seen: unknown): boolean {
  try {
    layout.fields(piece, seen as Value)
    return true
  } catch (error) {
    if (error instanceof UnfitError) return false
    throw error
  }
}

function isSame(action: RuleAction, { name, announced }: RuleAction): boolean {
  return action.name === name && encodeInOrder(action.announced) === encodeInOrder(announced)
}
