/** What happens to calls with mistakes: a refusal that helps, or a verdict; never a failure of ours, and no option that is ignored. */
import { checkResult } from '../../src/check/check.ts'
import { located } from '../../src/check/locate.ts'
import { type Diagnostic, DiagnosticError } from '../../src/core/diagnostic.ts'
import { Random } from '../../src/core/random.ts'
import { CheckFailedError } from '../../src/index.ts'
import { isProgram } from '../../src/program/program.ts'
import { validCalls } from './calls.ts'
import { ignoredIn } from './ignored.ts'
import { evaluated, imports } from './loaded.ts'
import { type MutatedCall, mutated, own } from './mutate.ts'

export interface Mutation extends MutatedCall {
  readonly source: string
}

export interface Outcome {
  readonly said: 'refused' | 'verified' | 'violated' | 'incomplete'
  /** What is wrong with it, in few words that are the same for all of a kind, and with details. */
  readonly problem?: { readonly kind: string; readonly words: string } | undefined
  /** The refusal. */
  readonly told?: string
}

export function mutation(seed: number): Mutation {
  const random = new Random(seed)
  const valid = random.pick(validCalls)
  const one = mutated(valid, random)
  // A function, because a replacement text has a syntax of its own.
  return { ...one, source: `${imports}${valid.around.replace('CALL', () => one.text)}\n` }
}

export async function outcomeOf({ source, ...call }: Mutation): Promise<Outcome> {
  return withoutIgnored(await outcomeOfSource(source, call.words), call)
}

/** Of a file without a mistake that is known. */
export async function outcomeOfSource(source: string, words = ''): Promise<Outcome> {
  try {
    return await performed(source)
  } catch (error) {
    return failed(error, words)
  }
}

export function withoutIgnored(outcome: Outcome, call: Omit<MutatedCall, 'text'>): Outcome {
  const { kind, words, unknown = [] } = call
  // A search that was cut may not have come to it.
  const isPassed = outcome.said === 'verified' || outcome.said === 'violated'
  const isIgnored = kind === 'name' && !own.test(words.split(' → ')[0] ?? '') && isPassed
  if (isIgnored) return { ...outcome, problem: { kind: 'an option is ignored', words } }
  const ignored = isPassed ? ignoredIn(call) : undefined
  if (ignored !== undefined) return { ...outcome, problem: { kind: ignored, words } }
  const untold = unknown.filter((name) => !(outcome.told ?? '').includes(name))
  if (outcome.problem !== undefined || untold.length === 0) return outcome
  return { ...outcome, problem: { kind: 'one of two mistakes is told', words: `${words}: ${outcome.told}` } }
}

const budget = { time: 1000 }

async function performed(source: string): Promise<Outcome> {
  const exported = evaluated(source)
  if (isProgram(exported)) return said(await checkResult(exported, budget))
  const { checked } = (exported ?? {}) as { readonly checked?: () => unknown }
  if (checked === undefined) return { said: 'refused' }
  const result = await checked()
  const { ok, kind } = (result ?? {}) as { readonly ok?: boolean; readonly kind?: string }
  if (ok !== undefined) return said(result as Awaited<ReturnType<typeof checkResult>>)
  return { said: kind === 'incomplete' ? kind : 'verified' }
}

export function said(result: Awaited<ReturnType<typeof checkResult>>): Outcome {
  if (!result.ok) return refused(result.diagnostics)
  const { kind } = result.value
  return { said: kind === 'violated' || kind === 'incomplete' ? kind : 'verified' }
}

export function failed(error: unknown, words: string): Outcome {
  if (error instanceof DiagnosticError) return refused(error.diagnostics.map(located))
  if (error instanceof CheckFailedError)
    return error.verdict === undefined ? refused(error.diagnostics) : { said: 'violated' }
  const { stack = '', message = '' } = error instanceof Error ? error : {}
  // Some callers throw what is no error; it can come from nowhere else.
  if (!(error instanceof Error)) return { said: 'refused' }
  // The caller's own line may fail: what it computed is not ours.
  const [first = ''] = stack.split('\n').filter((line) => /^\s+at /.test(line))
  if (first.includes('hostile.check.ts') || /read$/.test(message)) return { said: 'refused' }
  return {
    said: 'refused',
    problem: { kind: 'a failure of ours', words: `${words}: ${stack.split('\n').slice(0, 3).join(' ')}` },
  }
}

function refused(diagnostics: readonly Diagnostic[]): Outcome {
  const [poor] = diagnostics.flatMap((diagnostic) => {
    const { code, hint, place, message } = located(diagnostic)
    const missing = [
      ...(hint === undefined || hint === '' ? ['hint'] : []),
      ...(place === undefined || !place.file.endsWith('hostile.check.ts') ? ['place'] : []),
    ]
    return missing.length === 0 ? [] : [{ kind: `${code} without ${missing.join(', ')}`, words: message.slice(0, 200) }]
  })
  return { said: 'refused', problem: poor, told: diagnostics.map(({ message }) => message).join('\n') }
}
