/** Jumps: where they go, and what has to be said on the way so that ICET can follow. */
import type { Node } from 'oxc-parser'
import type { Statement } from '../../../program/icet.ts'
import type { FunctionLike } from '../syntax.ts'

export interface LoopAround {
  readonly kind: 'while' | 'each' | 'repeat'
  /** Of `while`: leaving the loop is leaving the function, as nothing comes after it. */
  readonly endsFunction?: boolean
  /** Something in it leaves it for what stands behind it. */
  isLeft: boolean
  /** Something in it leaves it in order to leave the function. */
  returns: boolean
  /** Of a loop with a number of rounds: the end of the round. */
  round: Boundary | undefined
  /** Jumps out of it that ICET has no statement for. */
  readonly exits: Exit[]
}

/** A loop with a number of rounds is left by doing nothing in the rounds that remain; then the jump goes on from there. */
interface Exit {
  /** The variable that says that the loop was left so. */
  readonly flag: string
  /** Undefined: to what stands behind the loop. */
  readonly to: Jump | undefined
}

/** The end of a part of the source that code inside it may jump to. */
export interface Boundary {
  readonly loops: number
}

/** A jump forward, at the end of a block. */
export interface Fall {
  readonly boundary: Boundary
  readonly block: Statement[]
  readonly node: Node
}

export type Jump =
  | { readonly kind: 'end' }
  | { readonly kind: 'fall'; readonly boundary: Boundary }
  | { readonly kind: 'loop'; readonly loop: LoopAround; readonly how: 'break' | 'continue' }

/** A function in the middle of its body. */
export interface Activation {
  readonly node: FunctionLike
  readonly outer: Activation | undefined
  readonly returnTo: Jump
  /** Where the returned value goes; undefined: the caller does not use it. */
  readonly result: string | undefined
  /** Statements after which the function is over. */
  readonly tails: ReadonlySet<Node>
  /** If it calls itself in the end: its loop, and the variables of parameters that change. */
  readonly recursion: { readonly loop: LoopAround; readonly parameters: readonly (string | undefined)[] } | undefined
}

export function isSameJump(left: Jump | undefined, right: Jump | undefined): boolean {
  if (left === undefined || right === undefined || left.kind !== right.kind) return left === right
  switch (left.kind) {
    case 'end':
      return true
    case 'fall':
      return right.kind === 'fall' && left.boundary === right.boundary
    case 'loop':
      return right.kind === 'loop' && left.loop === right.loop && left.how === right.how
  }
}

/** Whether ICET has a statement for the jump, or it is one to the end of something around, seen from these loops. */
export function isDirect(to: Jump, loops: readonly LoopAround[]): boolean {
  const inner = loops.at(-1)
  switch (to.kind) {
    case 'end':
      return loops.every(({ kind }) => kind === 'while')
    case 'loop':
      return inner === to.loop && inner.kind === 'while'
    case 'fall':
      if (loops.length <= to.boundary.loops) return true
      return loops.length === to.boundary.loops + 1 && inner?.kind === 'while' && inner.endsFunction === true
  }
}
