/** What the process says to the shell. */
import type { VerdictKind } from '../core/verdict.ts'

export const exitCodes = { ok: 0, violated: 1, mistake: 2, incomplete: 3, internal: 70 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** From harmless to bad: the worst of several results is what the shell is told. */
const byBadness: readonly ExitCode[] = [0, 3, 1, 2, 70]

export function worse(left: ExitCode, right: ExitCode): ExitCode {
  return byBadness.indexOf(left) >= byBadness.indexOf(right) ? left : right
}

export function exitCodeOf(verdict: VerdictKind, allowIncomplete: boolean): ExitCode {
  switch (verdict) {
    case 'proved':
    case 'verified':
    case 'passed':
      return exitCodes.ok
    case 'violated':
      return exitCodes.violated
    case 'incomplete':
      return allowIncomplete ? exitCodes.ok : exitCodes.incomplete
  }
}
