/** Where a process stands in its code, what it may still do, and which of its variables it may still read. */
import {
  assignedBy,
  type Expression,
  expressionsOf,
  partsOf,
  type Statement,
  type StatementOf,
  statementsOf,
} from '../../program/icet.ts'

export interface BlockFrame {
  /** Shared with the program: its identity and the first id in it name the block. */
  readonly block: readonly Statement[]
  readonly at: number
  /** What happens at the end of the block: go on after the statement outside, at its head again, or stop. */
  readonly role: 'plain' | 'while' | 'iteration'
}

/** Innermost last; empty when the process has ended. */
export type Position = readonly BlockFrame[]

export function start(body: readonly Statement[]): Position {
  return settle([{ block: body, at: 0, role: 'plain' }])
}

export function headOf(position: Position): Statement | undefined {
  const top = position.at(-1)
  return top?.block[top.at]
}

/** Past the end of the one iteration of a loop it was to run. */
export function isIterated(position: Position): boolean {
  const top = position.at(-1)
  return top !== undefined && top.role === 'iteration' && top.at === top.block.length
}

export function keyOfPosition(position: Position): string {
  return position.map(({ block, at, role }) => `${block[0]?.id ?? ''}${role.charAt(0)}${at}`).join('/')
}

export function next(position: Position): Position {
  const top = position.at(-1) as BlockFrame
  return settle([...position.slice(0, -1), { ...top, at: top.at + 1 }])
}

export function enter(position: Position, block: readonly Statement[], role: BlockFrame['role']): Position {
  return settle([...position, { block, at: 0, role }])
}

/** Out of the innermost `while`, or to its head again; undefined where the one iteration of another loop is in the way. */
export function leaveWhile(position: Position, isBreak: boolean): Position | undefined {
  for (let depth = position.length - 1; depth > 0; depth--) {
    const { role } = position[depth] as BlockFrame
    if (role === 'iteration') return undefined
    if (role !== 'while') continue
    const outside = position.slice(0, depth)
    return isBreak ? next(outside) : outside
  }
  return undefined
}

/** Whether some frame is an iteration that is being proved. */
export function isInIteration(position: Position): boolean {
  return position.some(({ role }) => role === 'iteration')
}

function settle(position: Position): Position {
  let settled = position
  for (;;) {
    const top = settled.at(-1)
    if (top === undefined || top.at < top.block.length || top.role === 'iteration') return settled
    const outside = settled.slice(0, -1)
    const below = outside.at(-1)
    if (below === undefined) return []
    settled = top.role === 'while' ? outside : [...outside.slice(0, -1), { ...below, at: below.at + 1 }]
  }
}

/** Every statement the process may still perform. */
export function* futureOf(position: Position): Generator<Statement> {
  for (const [depth, { block, at }] of position.entries()) {
    const inner = position[depth + 1]
    yield* statementsOf(block.slice(inner?.role === 'plain' ? at + 1 : at))
  }
}

/** Variables that may be read before they are set again. */
export function liveVariables(position: Position): ReadonlySet<string> {
  let after: Live = { next: nothing, broken: nothing, continued: nothing }
  for (const [depth, { block, at }] of position.entries()) {
    const inner = position[depth + 1]
    if (inner === undefined) return liveIn(block, at, after)
    after = insideOf(block, at, inner.role, after)
  }
  return nothing
}

const nothing: ReadonlySet<string> = new Set()

/** Live after a block, at the exit of the loop it is in, and at its head. */
interface Live {
  readonly next: ReadonlySet<string>
  readonly broken: ReadonlySet<string>
  readonly continued: ReadonlySet<string>
}

function insideOf(block: readonly Statement[], at: number, role: BlockFrame['role'], after: Live): Live {
  const rest = { ...after, next: liveIn(block, at + 1, after) }
  if (role === 'plain') return rest
  const head = liveAtHead(block[at] as StatementOf<'while' | 'each' | 'repeat'>, rest)
  return role === 'while' ? { next: head, broken: rest.next, continued: head } : { ...rest, next: head }
}

function liveIn(block: readonly Statement[], at: number, after: Live): ReadonlySet<string> {
  let live = after.next
  for (let index = block.length - 1; index >= at; index--) {
    live = liveBefore(block[index] as Statement, { ...after, next: live })
  }
  return live
}

function liveBefore(statement: Statement, after: Live): ReadonlySet<string> {
  switch (statement.kind) {
    case 'break':
      return after.broken
    case 'continue':
      return after.continued
    case 'end':
    case 'fail':
      return nothing
    case 'if':
      return union(
        readsOf(expressionsOf(statement)),
        union(liveIn(statement.then, 0, after), liveIn(statement.otherwise, 0, after)),
      )
    case 'while':
    case 'each':
    case 'repeat':
      return liveAtHead(statement, after)
    default: {
      const live = new Set(after.next)
      live.delete(assignedBy(statement) ?? '')
      return union(live, readsOf(expressionsOf(statement)))
    }
  }
}

function liveAtHead(loop: StatementOf<'while' | 'each' | 'repeat'>, after: Live): ReadonlySet<string> {
  let head: ReadonlySet<string> = loop.kind === 'while' ? nothing : after.next
  for (;;) {
    const inner: Live =
      loop.kind === 'while' ? { next: head, broken: after.next, continued: head } : { ...after, next: head }
    const body = new Set(liveIn(loop.body, 0, inner))
    body.delete(assignedBy(loop) ?? '')
    const grown = union(head, body)
    if (grown.size === head.size) return head
    head = grown
  }
}

function readsOf(expressions: readonly Expression[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const expression of expressions) {
    for (const part of partsOf(expression)) if (part.kind === 'variable') names.add(part.name)
  }
  return names
}

function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...left, ...right])
}
