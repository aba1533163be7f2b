/** Verdicts in words: one sentence that says what was explored, so that nobody takes "no violation found" for "correct". */
import type { Verdict } from '../core/verdict.ts'
import type { Account } from './account.ts'
import { callAccount } from './call-account.ts'
import { clientAccount } from './client-account.ts'
import { executionAccount } from './execution-account.ts'
import { logAccount } from './log-account.ts'
import { proofAccount } from './proof-account.ts'

export function scopeSentence(verdict: Verdict): string {
  return accountOf(verdict).sentence(verdict)
}

/** By what was counted; executions and states are told alike. */
const accounts: { readonly [noun: string]: Account } = {
  client: clientAccount,
  call: callAccount,
  size: proofAccount,
  'announced call': logAccount,
}

export function accountOf({ scope }: Verdict): Account {
  return accounts[scope.counted.noun] ?? executionAccount
}
