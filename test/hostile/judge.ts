/** What prove says of a program against what check finds at its smallest sizes: the oracle is the program's own execution. */
import { checkResult } from '../../src/check/check.ts'
import { proveProgram } from '../../src/check/prove/prove.ts'
import { evidenceOf, findingsIn } from '../../src/core/evidence.ts'
import type { Program } from '../../src/program/program.ts'

export interface Judged {
  /** What prove says; `refused` if it understands the program too little, `failed` if it broke. */
  readonly said: 'proved' | 'violated' | 'incomplete' | 'refused' | 'failed'
  /** What check finds, from the least size on: '✓', '…' if that takes too long, or what is wrong. */
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

export const usual: JudgeOptions = { largest: 3, executions: 300, milliseconds: 2000 }

export async function judged(program: Program, options: JudgeOptions = usual): Promise<Judged> {
  const least = program.every.n?.least ?? 0
  const truth: string[] = []
  for (let n = least; n <= options.largest; n++) truth.push(await truthAt(program, n, options))
  const answer = await answerOf(program, options)
  return { said: answer.said, codes: answer.codes, truth, problem: problemOf(answer, truth, least) }
}

async function truthAt(program: Program, n: number, { executions }: JudgeOptions): Promise<string> {
  const result = await checkResult(program, { params: { n }, engine: 'dpor', maxExecutions: executions })
  if (!result.ok) return result.diagnostics.map(({ code }) => code).join(' ')
  const { kind, evidence } = result.value
  if (kind === 'violated') return findingsIn(evidence)[0]?.violation.kind ?? 'violated'
  return kind === 'incomplete' ? '…' : '✓'
}

interface Answer extends Pick<Judged, 'said' | 'codes'> {
  /** Where it is violated. */
  readonly at?: unknown
  readonly refutes?: string | undefined
  readonly failure?: string | undefined
}

async function answerOf(program: Program, { milliseconds }: JudgeOptions): Promise<Answer> {
  try {
    const proved = await proveProgram(program, { milliseconds, now: () => performance.now() })
    if (!proved.ok) return { said: 'refused', codes: proved.diagnostics.map(({ code }) => code) }
    const { checked, request } = proved.value
    const { kind, evidence } = checked.verdict
    const [proof] = evidenceOf(evidence, 'proof')
    const refutes = proof?.assertions.find(({ answer }) => answer === 'refuted')?.message
    if (kind === 'violated') return { said: kind, at: request.setting.params.n, codes: [] }
    return { said: kind === 'proved' ? kind : 'incomplete', refutes, codes: [] }
  } catch (error) {
    return { said: 'failed', codes: [], failure: error instanceof Error ? error.message : String(error) }
  }
}

function problemOf(answer: Answer, truth: readonly string[], least: number): string | undefined {
  const isWrong = (one: string | undefined): boolean => one !== undefined && one !== '✓' && one !== '…'
  const at = truth.findIndex(isWrong)
  if (answer.said === 'failed') return `prove breaks: ${answer.failure}`
  if (answer.said === 'proved' && at >= 0) return `proved, but with n = ${least + at}: ${truth[at]}`
  if (answer.said === 'violated' && truth[Number(answer.at) - least] === '✓')
    return `violated with n = ${String(answer.at)}, but check holds there`
  if (answer.refutes !== undefined && truth.every((one) => one === '✓'))
    return `refuted, but no size up to ${least + truth.length - 1} shows it: ${answer.refutes}`
  return undefined
}
