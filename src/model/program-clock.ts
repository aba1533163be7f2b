/** What a program says of the clocks of its processes. */
import { mostOf } from '../core/faults.ts'
import { mistake } from '../core/running.ts'
import type { Setting } from '../core/setting.ts'
import type { Runnable } from '../program/program.ts'
import { clockId, serveClock } from './async/synchronous-clock.ts'

interface Declared {
  readonly clock?: 'any' | 'synchronous'
  readonly clockSkew?: unknown
}

/** Nothing if nothing is known of them. */
export interface SynchronousClock {
  readonly program: string
  readonly skew: number
}

export function clockOf(program: string, { clock, clockSkew = 0 }: Declared): SynchronousClock | undefined {
  const isTime = typeof clockSkew === 'number' && clockSkew >= 0 && clockSkew < Number.POSITIVE_INFINITY
  if (!isTime)
    mistake({
      code: 'E107',
      message: `clockSkew of program "${program}" is no number of milliseconds`,
      hint: "{ clock: 'synchronous', clockSkew: 10 }",
    })
  if (clock !== 'synchronous' && clockSkew !== 0)
    mistake({
      code: 'E107',
      message: `program "${program}" has a clockSkew, and nothing is known of its clocks`,
      hint: "clocks that differ by so much at most are { clock: 'synchronous', clockSkew: 10 }",
    })
  return clock === 'synchronous' ? { program, skew: clockSkew as number } : undefined
}

/** The process that has the time goes on whatever others do: one that crashes would leave its timers behind. */
export function synchronousFrom(
  clock: SynchronousClock | undefined,
  { faults }: Setting,
): Pick<Runnable, 'isSynchronous' | 'beside'> {
  if (clock === undefined) return {}
  if (mostOf(faults, 'crashes') > 0)
    mistake({
      code: 'E107',
      message: `program "${clock.program}" has synchronous clocks, and its processes may crash`,
      hint: "leave out the crashes, or clock: 'synchronous'",
    })
  return {
    isSynchronous: true,
    beside: [{ id: clockId, body: serveClock, args: [clock.skew], shownAs: clockId, isPrivate: true }],
  }
}
