/** Verdicts about logs of running machines in words: they speak of one run, and of no other. */
import { evidenceOf } from '../core/evidence.ts'
import { showValue } from '../core/value-text.ts'
import type { Scope, Verdict } from '../core/verdict.ts'
import type { Account } from './account.ts'
import { counted, stoppedBy } from './count-words.ts'

export const logAccount: Account = {
  sentence,
  subject: ({ program }, { dash }) => `${program} ${dash} `,
  facts: ({ file, verdict: { scope, counts } }) => [file, scope.engine, counted(counts.states ?? 0, 'state')],
  coverage,
}

function sentence(verdict: Verdict): string {
  const { scope } = verdict
  const words = `${callWords(verdict)}${paramWords(scope)}`
  switch (verdict.kind) {
    case 'violated':
      return `this run, ${words}: a call is refused in every order that the log allows`
    case 'incomplete':
      if (evidenceOf(verdict.evidence, 'undecided').length > 0)
        return `open whether this run refines ${scope.specification}, ${words}: a call is refused in one order that the log allows, and none in another`
      return `not settled: this run, ${words}${stoppedBy(verdict.because)}`
    default:
      return `this run refines ${scope.specification} in every order that the log allows, ${words}`
  }
}

/** '12 calls in 340 events of 3 machines' */
function callWords({ counts: { calls = 0, events = 0, machines = 0 } }: Verdict): string {
  return `${counted(calls, 'call')} in ${counted(events, 'event')} of ${counted(machines, 'machine')}`
}

function paramWords({ params }: Scope): string {
  return Object.entries(params)
    .map(([name, value]) => `, ${name} = ${showValue(value, 40)}`)
    .join('')
}

function coverage({ kind, scope: { unended = [], failed = [] } }: Verdict): readonly string[] {
  const [whose, who] =
    unended.length === 1 ? ['the log of', 'does not say that it'] : ['logs of', 'do not say that they']
  const ends = `${whose} ${unended.join(', ')} ${who} stopped: what was announced after the last line is not known`
  const others = kind === 'passed' ? ['other runs may still fail; allways check explores all executions'] : []
  return [...(unended.length === 0 ? [] : [ends]), ...failures(failed), ...others]
}

const mostLines = 3

/** A handler that fails changes and announces nothing, so that no call tells of it. */
function failures(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return []
  const shown = lines.slice(0, mostLines).join(', ')
  const more = lines.length > mostLines ? ` and ${lines.length - mostLines} more` : ''
  return [`${counted(lines.length, 'handler')} failed in this run, which is not judged: ${shown}${more}`]
}
