/** Verdicts about recorded histories in words. */
import type { Counts, Verdict } from '../core/verdict.ts'
import type { Account } from './account.ts'
import { counted, stoppedBy } from './count-words.ts'
import { holdsWords } from './lines.ts'

export const callAccount: Account = {
  sentence,
  subject: ({ file, verdict }) => `${verdict.kind === 'verified' ? holdsWords(file, 'linearizable') : file}: `,
  facts: () => [],
  coverage: () => [],
}

function sentence(verdict: Verdict): string {
  const words = `${countWords(verdict.counts)}, specification ${verdict.scope.specification}`
  return verdict.kind === 'incomplete' ? `not settled: ${words}${stoppedBy(verdict.because)}` : words
}

function countWords({ calls = 0, processes = 0, pending = 0, failed = 0, parts = 0 }: Counts): string {
  return [
    calls === 0 ? 'it is empty' : `${counted(calls, 'call')} by ${counted(processes, 'process')}`,
    ...(failed === 0 ? [] : [`${counted(failed, 'failed call')} left out`]),
    ...(pending === 0 ? [] : [`${counted(pending, 'call')} without an end`]),
    ...(parts <= 1 ? [] : [`${counted(parts, 'independent part')}`]),
  ].join(', ')
}
