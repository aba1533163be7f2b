/**
 * Which process is running user code right now. The model, the determinism guard and the loop counter need to know, and user
 * code sits between them and whoever resumed it, so it is the one piece of state that cannot be passed along.
 */
import { type Diagnostic, DiagnosticError } from './diagnostic.ts'

interface Running {
  /** Id of the process whose code runs, or nobody. */
  process: string | undefined
  /** Loop iterations left before the next operation; see `model/coroutine.ts`. */
  fuel: number
  /** Calls of async functions begun but not awaited so far. */
  unawaited: number
  /** Where the last of them was made, when places are captured. */
  unawaitedAt: string | undefined
  /** Where the last operation was made whose answer is known at once, when places are captured: such operations are shared. */
  settledAt: string | undefined
  /** Operations made and not performed so far, and, when places are captured, which. */
  unperformed: number
  readonly made: { readonly kind: string; readonly stack: string | undefined }[]
  /** The mistake the process made, kept here because user code may catch what is thrown. */
  mistake: Diagnostic | undefined
}

export const running: Running = {
  process: undefined,
  fuel: 0,
  unawaited: 0,
  unawaitedAt: undefined,
  settledAt: undefined,
  unperformed: 0,
  made: [],
  mistake: undefined,
}

/** Told of arrays that become a text, or a number, while a check runs: the language reads all their elements for it. */
export const conversions: { ofArray: ((array: unknown) => void) | undefined } = { ofArray: undefined }

/** Another process runs now, or the same one after its operation. */
export function forgetOperations(): void {
  running.unperformed = 0
  running.made.length = 0
}

/** Loop iterations a process may make between two operations. */
export const loopLimit = 10_000_000

/** Processes that may begin in one execution. */
export const processLimit = 2_000

export function tooManyProcesses(process: string): DiagnosticError {
  return new DiagnosticError({
    code: 'E203',
    message: `more than ${processLimit.toLocaleString('en')} processes began in one execution, the last one "${shortened(process)}"`,
    hint: 'every execution must end: bound the number of processes that are spawned',
  })
}

function shortened(id: string): string {
  return id.length <= 60 ? id : `${id.slice(0, 30)}…${id.slice(-29)}`
}

/** Reports the mistake of the running process from inside its own code, so that the stack shows the user's line. */
export function mistake(...made: readonly [Diagnostic, ...Diagnostic[]]): never {
  const here = deepStack()
  const [first, ...others] = made.map((diagnostic) => ({ ...diagnostic, stack: diagnostic.stack ?? here }))
  const error = new DiagnosticError(first as Diagnostic, ...others)
  // Declarations are made where no process runs, and must not become the mistake of one that runs later.
  if (running.process === undefined) throw error
  // A process has one mistake: what it says is all that is wrong with the call.
  const told = others.length === 0 ? error.diagnostic : together(error.diagnostics)
  running.mistake ??= told
  throw new DiagnosticError(told)
}

function together(all: readonly Diagnostic[]): Diagnostic {
  const joined = (texts: readonly string[], between: string): string => [...new Set(texts)].join(between)
  const message = joined(
    all.map((one) => one.message),
    '; ',
  )
  const hint = joined(
    all.map((one) => one.hint),
    '; ',
  )
  return { ...(all[0] as Diagnostic), message, hint }
}

/** Runs code of the user's that is no process: clocks, randomness and endless loops are mistakes there as well. */
export function runAs<Answer>(name: string, code: () => Answer): Answer {
  const { process, fuel, mistake: before } = running
  Object.assign(running, { process: name, fuel: loopLimit, mistake: undefined })
  try {
    const answer = code()
    throwMistake()
    return answer
  } catch (error) {
    // It may have been caught, and something else thrown in its place.
    throwMistake()
    throw error
  } finally {
    Object.assign(running, { process, fuel, mistake: before })
  }
}

function throwMistake(): void {
  if (running.mistake !== undefined) throw new DiagnosticError(running.mistake)
}

/** Between the user's line and here there may be more of our own frames than a stack shows by default. */
function deepStack(): string | undefined {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  const { stack } = new Error()
  Error.stackTraceLimit = before
  return stack
}
