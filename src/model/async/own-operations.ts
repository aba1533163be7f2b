/** Operations that the program did not write: they stand for what several of its own wait for. */
import type { Operation } from '../../core/operation.ts'
import { running } from '../../core/running.ts'

export type Asked = Pick<Operation, 'kind' | 'where' | 'detail' | 'stack'>

/** Nothing of the program runs from here on. */
export class Stopped extends Error {}

/** The process does not know of it. */
export function withoutNotice(make: () => Operation): Operation {
  const { async, process } = running
  running.async = undefined
  running.process = undefined
  try {
    return make()
  } finally {
    running.async = async
    running.process = process
  }
}

/** Waits for ever. */
export function stuck(stack: string | undefined): Asked {
  const where = { waitsFor: 'a promise that nobody can settle', takes: () => false }
  return { kind: 'receive', where, detail: undefined, stack }
}
