/** Verdicts about classes in words: which clients, which interleavings, and who says what is right. */
import { evidenceOf } from '../core/evidence.ts'
import { type Counts, operationsIn, type Scope, type Verdict } from '../core/verdict.ts'
import type { Account } from './account.ts'
import { stepCount } from './client-steps.ts'
import { counted, number, stoppedBy, violationSoFar } from './count-words.ts'
import { holdsWords } from './lines.ts'
import type { Reported } from './result.ts'

export const clientAccount: Account = { sentence, subject, facts, coverage }

function sentence(verdict: Verdict): string {
  const { scope, counts } = verdict
  const { clients = 0 } = counts
  const explored = exploredWords(counts)
  switch (verdict.kind) {
    case 'passed': {
      if (scope.isReplay === true) return ['the recorded execution violates nothing', ...replayWords(scope)].join(', ')
      const sampled = `no violation in ${explored} of ${clientWords(scope, clients)} (${scope.engine}, seed ${scope.seed})`
      return `${[sampled, ...settingWords(scope)].join(', ')}; not exhaustive`
    }
    case 'violated': {
      const [first, ...others] = evidenceOf(verdict.evidence, 'execution')
      const steps = `${number(first?.client === undefined ? 0 : stepCount(first.client))}-step trace`
      if (scope.isReplay === true) return [`${steps}, repeated alone`, ...replayWords(scope)].join(', ')
      const isGoingOn = others.length > 0
      const after = `found ${isGoingOn ? 'beside' : 'after'} ${counted(clients, 'client')}${isGoingOn ? ' that hold' : ''}`
      const before = clients === 0 ? 'found in the first client' : after
      const met = isGoingOn || verdict.exhausted ? explored : beforeWords(counts)
      const words = [steps, `${before}${within(scope)}`, ...settingWords(scope), met].join(', ')
      const causes = verdict.unexplained === undefined ? '' : `; causes were not found${stoppedBy(verdict.unexplained)}`
      return `${words}${stoppedBy(verdict.because, verdict.unconfirmed)}${causes}`
    }
    case 'incomplete': {
      const done = `${violationSoFar(verdict)} in ${number(clients)} of ${counted(verdict.outOf ?? 0, 'client')}${within(scope)} so far`
      const words = [done, ...settingWords(scope), explored].join(', ')
      return `${words}${stoppedBy(verdict.because)}`
    }
    default:
      return [clientWords(scope, clients), ...settingWords(scope), explored].join(', ')
  }
}

/** '1,204 states', or executions for engines that remember none. */
function exploredWords({ states, executions = 0, blocked = 0 }: Counts): string {
  return states === undefined ? counted(executions + blocked, 'execution') : counted(states, 'state')
}

/** What was explored before a violation was met, which is in no count. */
function beforeWords(counts: Counts): string {
  if (counts.states !== undefined) return exploredWords(counts)
  const { executions = 0, blocked = 0 } = counts
  return executions + blocked === 0 ? 'in the first execution' : `after ${exploredWords(counts)}`
}

/** '36 clients of up to 2 processes × 2 calls' */
export function clientWords(scope: Scope, clients: number): string {
  if (areBounded(scope)) return `${counted(clients, 'client')}${within(scope)}`
  return clients === 1 ? 'the client given' : `the ${counted(clients, 'client')} given`
}

/** Whether the clients are all within bounds, and not some that were given. */
export function areBounded({ params }: Scope): boolean {
  return params.processes !== undefined
}

function within(scope: Scope): string {
  if (!areBounded(scope)) return ''
  const { processes, calls } = scope.params
  return ` of up to ${counted(Number(processes), 'process')} × ${counted(Number(calls), 'call')}`
}

/** What is not as it is by default is said; how finely steps are cut always is. */
function settingWords(scope: Scope): readonly string[] {
  if (scope.order === 'jobs') return ["JavaScript's own job order from every order of starts", ...judgedWords(scope)]
  const cut = scope.granularity === 'await' ? 'every interleaving at awaits' : 'every interleaving of accesses'
  return [cut, ...judgedWords(scope)]
}

/** A replay is one execution: it has steps and no interleavings to speak of. */
function replayWords(scope: Scope): readonly string[] {
  if (scope.order === 'jobs') return ["in JavaScript's own job order", ...judgedWords(scope)]
  return [scope.granularity === 'await' ? 'from await to await' : 'access by access', ...judgedWords(scope)]
}

function judgedWords({ criterion, specification, deadlock }: Scope): readonly string[] {
  return [
    ...(criterion === 'outcomes' ? ['results alone, whatever the order in time'] : []),
    ...(specification === undefined ? [] : [`specification ${specification}`]),
    ...(deadlock === 'allow' ? ['deadlock allowed'] : []),
  ]
}

function subject({ program, verdict }: Reported): string {
  const { criterion = 'linearizable' } = verdict.scope
  return `${verdict.kind === 'verified' ? holdsWords(program, criterion) : program}: `
}

function facts({ file, verdict: { kind, scope, counts } }: Reported): readonly string[] {
  if (scope.isReplay === true && kind === 'passed') return [file]
  return [
    file,
    searchWords(scope),
    ...(counts.transitions === undefined ? [] : [counted(counts.transitions, 'transition')]),
    ...(counts.finals === undefined ? [] : [counted(counts.finals, 'final state')]),
    ...(counts.events === undefined ? [] : [counted(counts.events, 'step')]),
    ...(scope.options?.stateless === true ? [counted(counts.traces ?? 0, 'path')] : []),
  ]
}

/** 'stateful, lazy reduction' */
export function searchWords({ engine, options = {}, seed }: Scope): string {
  const { reduction, static: safeSets, stateless, order } = options
  const reduced = reduction === 'none' ? 'no reduction' : `${reduction} reduction`
  return [
    engine,
    ...(reduction === undefined ? [] : [reduced]),
    ...(safeSets === false ? ['without safe sets'] : []),
    ...(stateless === true ? ['states not remembered'] : []),
    ...(order === 'random' ? [`random order, seed ${seed}`] : []),
  ].join(', ')
}

function coverage(verdict: Verdict): readonly string[] {
  if (verdict.kind === 'passed') {
    return verdict.scope.isReplay === true
      ? ['the violation that was recorded does not come about any more']
      : ['other executions may still fail; allways linearize explores all of them', ...operationWords(verdict)]
  }
  if (verdict.kind === 'incomplete') {
    const left = (verdict.outOf ?? 0) - (verdict.counts.clients ?? 0)
    return [`not everything was explored: ${counted(left, 'client')} left`]
  }
  const others = areBounded(verdict.scope) ? 'larger clients' : 'other clients'
  return [`covered: every execution of all these clients; ${others} may still fail`, ...operationWords(verdict)]
}

/** 'calls: pop 12 returned, 3 threw; push 15 returned' */
function operationWords(verdict: Verdict): readonly string[] {
  const words = operationsIn(verdict).map(({ operation, returned, threw, waited }) => {
    const came = [
      ...(returned > 0 || threw + waited === 0 ? [`${number(returned)} returned`] : []),
      ...(threw > 0 ? [`${number(threw)} threw`] : []),
      ...(waited > 0 ? [`${number(waited)} waited`] : []),
    ]
    return `${operation} ${came.join(', ')}`
  })
  return words.length === 0 ? [] : [`calls: ${words.join('; ')}`]
}
