/** Verdicts about classes in words: which clients, which interleavings, and who says what is right. */
import type { Criterion, ObjectScope } from '../core/object-verdict.ts'
import type { ReportedObject } from './object-result.ts'
import { accessSteps } from './object-steps.ts'
import { glyphsFor } from './paint.ts'
import { budgetWords, counted, number } from './scope.ts'
import { sectionWords } from './sections.ts'

export function objectScopeSentence(verdict: ReportedObject['verdict']): string {
  const { scope, counts } = verdict
  switch (verdict.kind) {
    case 'verified':
      return [clientWords(scope, counts.clients), ...settingWords(scope), counted(counts.states, 'state')].join(', ')
    case 'passed':
      return ['the recorded execution violates nothing', ...replayWords(scope)].join(', ')
    case 'violated': {
      const shown = accessSteps(verdict.counterexample, () => undefined, glyphsFor(false))
      const rows = shown.filter(({ kind }) => kind !== 'wait')
      const steps = `${number(rows.length)}-step trace`
      if (counts.states === 0) return [`${steps}, repeated alone`, ...replayWords(scope)].join(', ')
      const isGoingOn = verdict.others.length > 0
      const after = `found ${isGoingOn ? 'beside' : 'after'} ${counted(counts.clients, 'client')}${isGoingOn ? ' that hold' : ''}`
      const before = counts.clients === 0 ? 'found in the first client' : after
      return [steps, `${before}${within(scope)}`, ...settingWords(scope), counted(counts.states, 'state')].join(', ')
    }
    case 'incomplete': {
      const done = `no violation in ${number(counts.clients)} of ${counted(verdict.outOf, 'client')}${within(scope)} so far`
      const words = [done, ...settingWords(scope), counted(counts.states, 'state')].join(', ')
      return `${words}; stopped by ${budgetWords[verdict.because]}`
    }
  }
}

/** 'Stack is linearizable' */
export function holdsWords(name: string, criterion: Criterion): string {
  return criterion === 'linearizable'
    ? `${name} is linearizable`
    : `${name} returns only what some order of its calls explains`
}

export function brokenWords(name: string, criterion: Criterion): string {
  return criterion === 'linearizable'
    ? `${name} is not linearizable`
    : `${name} returns what no order of its calls explains`
}

/** '36 clients of up to 2 processes × 2 calls' */
export function clientWords({ bounds }: ObjectScope, clients: number): string {
  if (bounds !== undefined) return `${counted(clients, 'client')} of ${boundWords(bounds)}`
  return clients === 1 ? 'the client given' : `the ${counted(clients, 'client')} given`
}

function within({ bounds }: ObjectScope): string {
  return bounds === undefined ? '' : ` of ${boundWords(bounds)}`
}

function boundWords({ processes, calls }: NonNullable<ObjectScope['bounds']>): string {
  return `up to ${counted(processes, 'process')} × ${counted(calls, 'call')}`
}

/** What is not as it is by default is said; how finely steps are cut always is. */
function settingWords(scope: ObjectScope): readonly string[] {
  const { granularity } = scope
  return [
    granularity === 'access' ? 'every interleaving of accesses' : 'every interleaving at awaits',
    ...judgedWords(scope),
  ]
}

/** A replay is one execution: it has steps and no interleavings to speak of. */
function replayWords(scope: ObjectScope): readonly string[] {
  return [scope.granularity === 'access' ? 'access by access' : 'from await to await', ...judgedWords(scope)]
}

function judgedWords({ criterion, specification, deadlock, sections }: ObjectScope): readonly string[] {
  return [
    ...(criterion === 'outcomes' ? ['results alone, whatever the order in time'] : []),
    ...(specification === ownSpecification ? [] : [`specification ${specification}`]),
    ...(deadlock === 'allow' ? ['deadlock allowed'] : []),
    ...(sections.length === 0 ? [] : [`with ${sections.map((one) => sectionWords(one)).join(' and ')} atomic`]),
  ]
}

/** How the scope names the class itself as its own specification. */
const ownSpecification = 'the class itself, run sequentially'
