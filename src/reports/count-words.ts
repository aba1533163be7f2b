/** Numbers and budgets in words. */
import type { BudgetName } from '../core/verdict.ts'

export const budgetWords: { readonly [name in BudgetName]: string } = {
  time: 'the time budget (--time)',
  executions: 'the budget of executions (--max-executions)',
  memory: 'the memory budget (--memory)',
  interrupt: 'an interrupt',
}

/** '; stopped by the time budget (--time)' */
export function stoppedBy(because: BudgetName | undefined): string {
  return because === undefined ? '' : `; stopped by ${budgetWords[because]}`
}

/** '1 step', '1,204 steps'. */
export function counted(count: number, noun: string): string {
  const plural = /s$|sh$/.test(noun) ? 'es' : 's'
  return `${number(count)} ${noun}${count === 1 ? '' : plural}`
}

export function number(count: number): string {
  return count.toLocaleString('en')
}
