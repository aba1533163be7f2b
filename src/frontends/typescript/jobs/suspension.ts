/** How emitted code suspends, which depends on who drives the generators. */
import type { Node } from 'oxc-parser'
import type { Edits } from '../edits.ts'

export interface Suspension {
  /** Opens a parenthesis around what is awaited where the node stands. */
  awaited(edits: Edits, isGenerator: boolean, node: Node): string
  /** Opens a parenthesis around a generator whose every value is awaited. */
  each(edits: Edits, isGenerator: boolean): string
}

/** The driver is handed what is awaited: `yield (e)`. */
export const handsOver: Suspension = {
  awaited: () => 'yield (',
  each: () => 'yield* (',
}

/** The driver performs what the helper makes of it: `yield* $allways.awaited(e)`. Async generators await promises and nothing else. */
export const performs: Suspension = {
  awaited: (edits, isGenerator) =>
    isGenerator ? `yield ${edits.helper('promised')}(` : `yield* ${edits.helper('awaited')}(`,
  each: (edits, isGenerator) => `yield* ${edits.helper(isGenerator ? 'promisedEach' : 'awaitedEach')}(`,
}
