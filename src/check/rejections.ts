/**
 * Promises that are rejected and that nobody looks at. Node ends the process for one, with the status that says that a program was found to be wrong;
 * while somebody watches, it is a mistake in the code that dropped it. Nobody knows of one before that code has ended and all others had their turn.
 */
import timers from 'node:timers'
import type { Diagnostic } from '../core/diagnostic.ts'
import { thrownBy } from '../core/thrown.ts'

export interface Rejections {
  /** The mistake, if there was one since. */
  settled(): Promise<Diagnostic | undefined>
  release(): void
}

/** Whoever began to watch last is told. */
const watching: unknown[][] = []
/** As it is before it is a trap for processes. */
const { setImmediate: nextTurn } = timers

export function watchRejections(): Rejections {
  const dropped: unknown[] = []
  if (watching.length === 0) process.on('unhandledRejection', told)
  watching.push(dropped)
  return {
    settled: async () => {
      await new Promise<void>((resolve) => nextTurn(resolve))
      return dropped.length === 0 ? undefined : unlooked(dropped[0])
    },
    release: () => {
      const at = watching.indexOf(dropped)
      if (at < 0) return
      watching.splice(at, 1)
      if (watching.length === 0) process.off('unhandledRejection', told)
    },
  }
}

function told(reason: unknown): void {
  watching.at(-1)?.push(reason)
}

function unlooked(reason: unknown): Diagnostic {
  const { message, stack } = thrownBy(reason)
  return {
    code: 'E211',
    message: `a promise was rejected, and nobody awaits it: ${message}`,
    hint: 'await it, or catch what it is rejected with; a function that is called in a check returns a value, and no promise',
    stack,
  }
}
