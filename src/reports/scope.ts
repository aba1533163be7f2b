/** Verdicts in words: one sentence that says what was explored, so that nobody takes "no violation found" for "correct". */
import { type FaultBudget, type FaultName, faultNames } from '../core/faults.ts'
import type { Params } from '../core/trace.ts'
import { showValue } from '../core/value-text.ts'
import { areOfMachines, type BudgetName, type Counts, type Scope, type Verdict } from '../core/verdict.ts'

export function scopeSentence(verdict: Verdict): string {
  const { scope, counts } = verdict
  const setting = settingWords(scope)
  switch (verdict.kind) {
    case 'proved':
      return `for every number of processes (${scope.engine}), ${setting}`
    case 'verified':
      return `${allExecutions(verdict)}, ${setting}`
    case 'passed':
      if (scope.engine === 'replay') return `the recorded execution violates nothing, ${setting}`
      return `no violation in ${counted(total(counts), 'random execution')} (${scope.engine}, seed ${scope.seed}), ${setting}; not exhaustive`
    case 'violated': {
      const steps = verdict.counterexample.decisions.length
      const trace = `${number(steps)}-step trace`
      if (verdict.exhausted)
        return `${counted(1 + verdict.others.length, 'violation')} in ${explored(verdict)}, ${setting}`
      const isFirst = counts.states === undefined && total(counts) <= 1
      const found = isFirst ? 'found in the first execution' : `found after ${explored(verdict)}`
      return `${trace}, ${found}, ${setting}`
    }
    case 'incomplete':
      return `no violation in ${explored(verdict)} so far${share(verdict.explored)}, ${setting}; stopped by ${budgetWords[verdict.because]}`
  }
}

/** ' (61 %, estimated)'; nothing when too little was explored to say. */
function share(part: number): string {
  const percent = Math.floor(part * 100)
  return percent < 1 ? '' : ` (${percent} %, estimated)`
}

export const budgetWords: { readonly [name in BudgetName]: string } = {
  time: 'the time budget (--time)',
  executions: 'the budget of executions (--max-executions)',
  memory: 'the memory budget (--memory)',
  interrupt: 'an interrupt',
}

/** 'n = 4, fifo, no faults', and the bounds that change what is verified. */
function settingWords(scope: Scope): string {
  const words = [...paramWords(scope.params), scope.network, ...faultWords(scope.faults)]
  if (scope.maxSteps !== undefined) words.push(`at most ${counted(scope.maxSteps, 'step')} per process`)
  // Machines that wait for ever are none of a system's problems.
  const isOfMachines = scope.faults !== undefined && areOfMachines(scope.faults)
  if (scope.deadlock === 'allow' && !isOfMachines) words.push('deadlock allowed')
  return words.join(', ')
}

function faultWords(faults: Scope['faults']): readonly string[] {
  if (faults === undefined) return ['no faults']
  if (!areOfMachines(faults)) return [budgetOfFaults(faults)]
  const { loss, duplicates, crashes } = faults
  const words = [
    ...(loss ? ['loss'] : []),
    ...(duplicates > 0 ? [`at most ${counted(duplicates, 'duplicate')} per message`] : []),
    ...(crashes > 0 ? [`at most ${counted(crashes, 'crash')} per machine`] : []),
  ]
  return words.length === 0 ? ['no faults'] : words
}

const faultNouns: { readonly [name in FaultName]: string } = {
  crashes: 'crash',
  restarts: 'restart',
  losses: 'lost message',
  duplicates: 'duplicated message',
  partitions: 'partition',
}

/** 'at most 1 crash and 2 lost messages'. */
function budgetOfFaults(budget: FaultBudget): string {
  const items = faultNames.flatMap((name) => {
    const most = budget[name] ?? 0
    return most === 0 ? [] : [counted(most, faultNouns[name])]
  })
  const last = items.pop()
  if (last === undefined) return 'no faults'
  return `at most ${items.length === 0 ? last : `${items.join(', ')} and ${last}`}`
}

function paramWords(params: Params): readonly string[] {
  return Object.entries(params).map(([name, value]) => `${name} = ${showValue(value, 40)}`)
}

function allExecutions(verdict: Verdict): string {
  const { counts } = verdict
  if (counts.states !== undefined) return counts.states === 1 ? 'the only state' : `all ${explored(verdict)}`
  const blocked = counts.blocked === 0 ? '' : ` (${number(counts.blocked)} blocked)`
  return total(counts) === 1 ? `the only execution${blocked}` : `all ${explored(verdict)}${blocked}`
}

function explored({ scope, counts }: Verdict): string {
  if (counts.states === undefined) return counted(total(counts), 'execution')
  // Its states are those of single machines; a state of the system is made of several.
  return `${counted(counts.states, 'state')}${scope.engine === 'local' ? ' of machines' : ''}`
}

/** Every explored execution is either complete or blocked. */
function total(counts: Counts): number {
  return counts.executions + counts.blocked
}

/** '1 step', '1,204 steps'. */
export function counted(count: number, noun: string): string {
  const plural = /s$|sh$/.test(noun) ? 'es' : 's'
  return `${number(count)} ${noun}${count === 1 ? '' : plural}`
}

export function number(count: number): string {
  return count.toLocaleString('en')
}
