/** Numbers and budgets in words. */

import { grouped } from '../core/grouped.ts'
import type { BudgetName, Incomplete } from '../core/verdict.ts'

export const budgetWords: { readonly [name in BudgetName]: string } = {
  time: 'the time budget (--time)',
  executions: 'the budget of executions (--max-executions)',
  memory: 'the memory budget (--memory)',
  units: 'the budget of units of work (--units)',
  interrupt: 'an interrupt',
  steps: 'the bound on steps (--max-steps)',
}

/** '; stopped by the time budget (--time)', '; stopped by an interrupt before 12 more were confirmed' */
export function stoppedBy(because: BudgetName | undefined, unconfirmed = 0): string {
  if (because === undefined) return ''
  const before =
    unconfirmed === 0 ? '' : ` before ${number(unconfirmed)} more ${unconfirmed === 1 ? 'was' : 'were'} confirmed`
  return `; stopped by ${budgetWords[because]}${before}`
}

/** 'no violation', as far as that is known. */
export function violationSoFar({ isUnconfirmed }: Pick<Incomplete, 'isUnconfirmed'>): string {
  return isUnconfirmed === true ? 'a violation that is not confirmed' : 'no violation'
}

/** '1 step', '1,204 steps'. */
export function counted(count: number, noun: string): string {
  const plural = /s$|sh$/.test(noun) ? 'es' : 's'
  return `${number(count)} ${noun}${count === 1 ? '' : plural}`
}

export function number(count: number): string {
  // Digits that are not known are not written.
  if (count > Number.MAX_SAFE_INTEGER) return `at least 10^${Math.floor(Math.log10(count))}`
  return grouped(count)
}
