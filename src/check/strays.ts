/**
 * What code of the user's does when nobody has called it: a promise that is rejected and that nobody looks at, a late callback that throws, a
 * call that would end the process. Node ends the process for each, with a status that says something else; while somebody watches, it is a
 * mistake in the code. Nobody knows of a rejection before that code has ended and all others had their turn.
 */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import { isToldMistake, running } from '../core/running.ts'
import { isError, thrownBy } from '../core/thrown.ts'
import { isFromBundle, isOwnStack } from './source-places.ts'

export interface Strays {
  /** The first mistake, if there was one since. */
  settled(): Promise<Diagnostic | undefined>
  release(): void
}

/** What a watcher looks after: a file that is loaded, a check, or the process, which no code but that of the files would end. */
export type Watched = 'loading' | 'check' | 'process'

interface Watcher {
  readonly of: Watched
  readonly found: Diagnostic[]
  /** What is wrong with us. */
  defect?: unknown
}

const watching: Watcher[] = []
/** As it is before it is a trap for processes. */
const { setImmediate: nextTurn } = timers

export function watchStrays(of: Watched): Strays {
  const watcher: Watcher = { of, found: [] }
  if (watching.length === 0) begin()
  watching.push(watcher)
  return {
    settled: async () => {
      await new Promise<void>((resolve) => nextTurn(resolve))
      if (watcher.defect !== undefined) throw watcher.defect
      return watcher.found[0]
    },
    release: () => {
      const at = watching.indexOf(watcher)
      if (at < 0) return
      watching.splice(at, 1)
      if (watching.length === 0) end()
    },
  }
}

/** Of the process, before the last word is said: the mistakes that nobody was told of. */
export async function leftBehind(): Promise<readonly Diagnostic[]> {
  await new Promise<void>((resolve) => nextTurn(resolve))
  const [first] = watching
  return first?.of === 'process' ? first.found.splice(0).slice(0, 1) : []
}

type AnyFunction = (...args: unknown[]) => unknown

let restorers: (() => void)[] = []

function begin(): void {
  process.on('unhandledRejection', rejected)
  process.on('uncaughtException', threw)
  for (const name of ['exit', 'reallyExit', 'abort', 'kill'] as const) keepProcess(name)
  syncBuiltinESMExports()
}

function end(): void {
  process.off('unhandledRejection', rejected)
  process.off('uncaughtException', threw)
  for (const restore of restorers.reverse()) restore()
  restorers = []
  syncBuiltinESMExports()
}

/** Whoever began to watch last has called the code that dropped it. */
function rejected(reason: unknown): void {
  if (isToldMistake(reason)) return
  watching.at(-1)?.found.push(unlooked(reason))
}

/** A callback has been left behind by a file, or by a check, and comes when it likes: what is checked meanwhile has no part in it. */
function threw(reason: unknown): void {
  const first = watching[0]
  if (first?.of === 'process' && isError(reason) && isOwnStack(reason.stack) && !(reason instanceof DiagnosticError))
    first.defect ??= reason
  else found(reason instanceof DiagnosticError ? reason.diagnostic : late(reason))
}

function found(diagnostic: Diagnostic): void {
  const last = watching.at(-1)
  const watcher = last?.of === 'loading' ? last : watching[0]
  watcher?.found.push(diagnostic)
}

/** Processes have a trap of their own, which lies below this one or above it. */
function keepProcess(name: 'exit' | 'reallyExit' | 'abort' | 'kill'): void {
  const before = Object.getOwnPropertyDescriptor(process, name)
  const original = before?.value as AnyFunction | undefined
  if (before === undefined || original === undefined) return
  const kept = function (this: unknown, ...args: unknown[]): unknown {
    const isOther = name === 'kill' && args[0] !== process.pid && args[0] !== 0
    if (!isOther && running.process === undefined && watching.length > 0) refuseEnd(name)
    return original.apply(this, args)
  }
  Object.defineProperty(process, name, { ...before, value: kept })
  restorers.push(() => Object.defineProperty(process, name, before))
}

function refuseEnd(name: string): void {
  const { stack } = new Error()
  // Others may have called us, and may end what is theirs.
  if (watching[0]?.of !== 'process' && !isFromBundle(stack)) return
  const diagnostic: Diagnostic = {
    code: 'E114',
    message: `process.${name}() was called, which would end the command and take the results of all files with it`,
    hint: 'throw an error to say that the file cannot be checked; the exit status is that of the checks',
    stack,
  }
  // The code may catch what is thrown.
  found(diagnostic)
  throw new DiagnosticError(diagnostic)
}

function late(reason: unknown): Diagnostic {
  const { message, stack } = thrownBy(reason)
  return {
    code: 'E114',
    message: `a callback threw when nobody was there to catch it: ${message}`,
    hint: 'remove the timer or listener at the top level; what is to be checked happens in a process',
    stack,
  }
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
