/** Functions of a program that its transform made of others: which kind they were is known of them, and nothing else can become one. */
import { Given } from './stamp.ts'

export type LoweredKind = 'async' | 'async generator' | 'generator' | 'function'

class Lowered extends Given {
  #kind: LoweredKind

  constructor(callable: object, kind: LoweredKind) {
    super(callable)
    this.#kind = kind
  }

  static become(callable: object, kind: LoweredKind): void {
    if (#kind in callable) callable.#kind = kind
    else new Lowered(callable, kind)
  }

  static kindOf(callable: object): LoweredKind | undefined {
    return #kind in callable ? callable.#kind : undefined
  }
}

/** Which kind of function it was before it was lowered. */
export function loweredKind(candidate: unknown): LoweredKind | undefined {
  return typeof candidate === 'function' ? Lowered.kindOf(candidate) : undefined
}

export function isLowered(callable: unknown): boolean {
  return loweredKind(callable) !== undefined
}

export function becomeLowered(callable: object, kind: LoweredKind): void {
  Lowered.become(callable, kind)
}
