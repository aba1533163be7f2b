/** What prove says of a program against what check finds at its smallest sizes: the oracle is the program's own execution. */
import { checkResult } from '../../src/check/check.ts'
import { realHost } from '../../src/check/host.ts'
import { proveProgram, termOf } from '../../src/check/prove/prove.ts'
import { findingsIn } from '../../src/core/evidence.ts'
import { sequentialize } from '../../src/engines/sequentialize/sequentialize.ts'
import type { Program } from '../../src/program/program.ts'

export interface Judged {
  /** What prove says; `refused` if it understands the program too little, `failed` if it broke. */
  readonly said: 'proved' | 'violated' | 'incomplete' | 'refused' | 'failed'
  /** What check finds, from the least size to the first that is wrong: '✓', '…' if that takes too long, or what is wrong. */
  readonly truth: readonly string[]
  /** In what way the two contradict each other. */
  readonly problem: string | undefined
  /** The codes of what is refused. */
  readonly codes: readonly string[]
}

export interface JudgeOptions {
  readonly largest: number
  /** At each size. */
  readonly executions: number
  /** For what prove explores by itself. */
  readonly milliseconds: number
}

export const usual: JudgeOptions = { largest: 3, executions: 300, milliseconds: 60_000 }

/** Sizes are explored as far as what prove says can be contradicted by them. */
export async function judged(program: Program, options: JudgeOptions = usual): Promise<Judged> {
  const least = program.every.n?.least ?? 0
  const largest = program.every.n === undefined ? least : options.largest
  const answer = await answerOf(program, options)
  const truth: string[] = []
  if (claims(answer))
    for (let n = least; n <= largest && !isWrong(truth.at(-1)); n++) truth.push(await truthAt(program, n, options))
  return { said: answer.said, codes: answer.codes, truth, problem: problemOf(answer, truth, least) }
}

function claims({ said }: Answer): boolean {
  return said === 'proved' || said === 'violated'
}

function isWrong(truth: string | undefined): boolean {
  return truth !== undefined && truth !== '✓' && truth !== '…'
}

/** Whether assertions are left to the solver, which takes a second to begin. */
export function needsSolver(program: Program): boolean {
  const term = termOf(program)
  return term.ok && sequentialize(term.value).kind === 'assertions left'
}

async function truthAt(program: Program, n: number, { executions }: JudgeOptions): Promise<string> {
  const params = program.every.n === undefined ? {} : { n }
  const result = await checkResult(program, { params, engine: 'dpor', maxExecutions: executions })
  if (!result.ok) return result.diagnostics.map(({ code }) => code).join(' ')
  const { kind, evidence } = result.value
  if (kind === 'violated') return findingsIn(evidence)[0]?.violation.kind ?? 'violated'
  return kind === 'incomplete' ? '…' : '✓'
}

interface Answer extends Pick<Judged, 'said' | 'codes'> {
  /** Where it is violated. */
  readonly at?: unknown
  readonly failure?: string | undefined
}

async function answerOf(program: Program, { milliseconds }: JudgeOptions): Promise<Answer> {
  try {
    const proved = await proveProgram(program, { milliseconds, now: () => realHost.now() })
    if (!proved.ok) return { said: 'refused', codes: proved.diagnostics.map(({ code }) => code) }
    const { checked, request, refused = [] } = proved.value
    const codes = refused.map(({ code }) => code)
    const { kind } = checked.verdict
    if (kind === 'violated') return { said: kind, at: request.setting.params.n ?? 0, codes }
    return { said: kind === 'proved' ? kind : codes.length > 0 ? 'refused' : 'incomplete', codes }
  } catch (error) {
    return { said: 'failed', codes: [], failure: error instanceof Error ? error.message : String(error) }
  }
}

function problemOf(answer: Answer, truth: readonly string[], least: number): string | undefined {
  const at = truth.findIndex(isWrong)
  if (answer.said === 'failed') return `prove breaks: ${answer.failure}`
  if (answer.said === 'proved' && at >= 0) return `proved, but with n = ${least + at}: ${truth[at]}`
  if (answer.said === 'violated' && truth[Number(answer.at) - least] === '✓')
    return `violated with n = ${String(answer.at)}, but check holds there`
  return undefined
}
