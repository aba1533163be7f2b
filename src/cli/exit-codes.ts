/** What the process says to the shell. */
import { type Verdict, vacuityIn } from '../core/verdict.ts'

export const exitCodes = { ok: 0, violated: 1, mistake: 2, incomplete: 3, internal: 70 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** From harmless to bad: the worst of several results is what the shell is told. */
const byBadness: readonly ExitCode[] = [0, 3, 1, 2, 70]

export function worse(left: ExitCode, right: ExitCode): ExitCode {
  return byBadness.indexOf(left) >= byBadness.indexOf(right) ? left : right
}

interface Leniency {
  readonly allowIncomplete?: boolean | undefined
  /** What never happened makes a verdict that holds a failed check. */
  readonly strict?: boolean | undefined
}

export function exitCodeOf(verdict: Verdict, { allowIncomplete = false, strict = false }: Leniency): ExitCode {
  switch (verdict.kind) {
    case 'proved':
    case 'verified':
    case 'passed':
      return strict && vacuityIn(verdict).length > 0 ? exitCodes.violated : exitCodes.ok
    case 'violated':
      return exitCodes.violated
    case 'incomplete':
      return allowIncomplete ? exitCodes.ok : exitCodes.incomplete
  }
}
