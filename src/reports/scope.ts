/** Verdicts in words: one sentence that says what was explored, so that nobody takes "no violation found" for "correct". */
import type { Params } from '../core/trace.ts'
import { showValue } from '../core/value-text.ts'
import { type BudgetName, exploredIn, type Faults, type Scope, type Verdict } from '../core/verdict.ts'

export function scopeSentence(verdict: Verdict): string {
  const { scope } = verdict
  const setting = settingWords(scope)
  switch (verdict.kind) {
    case 'proved':
      return `for every number of processes (${scope.engine}), ${setting}`
    case 'verified':
      return `${allExecutions(verdict)}, ${setting}`
    case 'passed':
      if (scope.engine === 'replay') return `the recorded execution violates nothing, ${setting}`
      return `no violation in ${counted(total(verdict), 'random execution')} (${scope.engine}, seed ${scope.seed}), ${setting}; not exhaustive`
    case 'violated': {
      const found = verdict.evidence.filter(({ kind }) => kind === 'execution')
      const trace = `${number(found[0]?.decisions.length ?? 0)}-step trace`
      if (verdict.exhausted) return `${counted(found.length, 'violation')} in ${explored(verdict)}, ${setting}`
      const isFirst = scope.counted.noun === 'execution' && total(verdict) <= 1
      const when = isFirst ? 'found in the first execution' : `found after ${explored(verdict)}`
      return `${trace}, ${when}, ${setting}`
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
  if (scope.deadlock === 'allow' && scope.faults === undefined) words.push('deadlock allowed')
  return words.join(', ')
}

function faultWords(faults: Faults | undefined): readonly string[] {
  const { loss = false, duplicates = 0, crashes = 0 } = faults ?? {}
  const words = [
    ...(loss ? ['loss'] : []),
    ...(duplicates > 0 ? [`at most ${counted(duplicates, 'duplicate')} per message`] : []),
    ...(crashes > 0 ? [`at most ${counted(crashes, 'crash')} per machine`] : []),
  ]
  return words.length === 0 ? ['no faults'] : words
}

function paramWords(params: Params): readonly string[] {
  return Object.entries(params).map(([name, value]) => `${name} = ${showValue(value, 40)}`)
}

function allExecutions(verdict: Verdict): string {
  const { blocked = 0 } = verdict.counts
  const among = blocked === 0 ? '' : ` (${number(blocked)} blocked)`
  const isOnly = total(verdict) === 1
  return isOnly ? `the only ${verdict.scope.counted.noun}${among}` : `all ${explored(verdict)}${among}`
}

/** '24 executions', '1,204 states of machines'. */
function explored(verdict: Verdict): string {
  const { noun, of } = verdict.scope.counted
  return `${counted(total(verdict), noun)}${of === undefined ? '' : ` of ${of}`}`
}

function total({ counts, scope }: Verdict): number {
  return exploredIn(counts, scope.counted)
}

/** '1 step', '1,204 steps'. */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith('s') ? 'es' : 's'
  return `${number(count)} ${noun}${count === 1 ? '' : plural}`
}

export function number(count: number): string {
  return count.toLocaleString('en')
}
