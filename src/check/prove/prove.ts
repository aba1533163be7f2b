/**
 * For every number of processes: a search for a proof, and where it decides nothing, searches of small sizes. The three answers are
 * never mixed up: proved; violated, with an execution of certain sizes; and not canonical, which says nothing against the program.
 */
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { type BoundedSearch, evidenceOf } from '../../core/evidence.ts'
import type { Params } from '../../core/setting.ts'
import { exploredIn, type Verdict } from '../../core/verdict.ts'
import { proofEvidence, sequentialization, stepCount } from '../../engines/sequentialize/engine.ts'
import type { Proof } from '../../engines/sequentialize/proof.ts'
import type { Icet } from '../../program/icet.ts'
import type { Program } from '../../program/program.ts'
import { located } from '../locate.ts'
import { type CheckOptions, type CheckRequest, checkRequest } from '../request.ts'
import { type Checked, runCheck } from '../run.ts'
import { followed } from './confirm.ts'
import { smallSizes } from './sizes.ts'

export interface ProveOptions {
  /** For exploring small sizes, all together. */
  readonly milliseconds: number
  readonly signal?: AbortSignal | undefined
  /** Told before each search of small sizes. */
  readonly onSizes?: ((sizes: Params, done: number, of: number) => void) | undefined
  readonly reload?: (() => Promise<Program | undefined>) | undefined
  readonly now: () => number
}

/** The search that decided it, or the search for a proof with what small sizes have shown. */
export interface Proved {
  readonly request: CheckRequest
  readonly checked: Checked
  readonly options: CheckOptions
}

const searched: CheckOptions = { engine: sequentialization.name }

/** The term of a program, from its source. */
export function termOf(program: Program): Result<Icet> {
  const request = proofRequest(program)
  return request.ok ? success(request.value.explored.subject as Icet) : request
}

function proofRequest(program: Program): Result<CheckRequest> {
  if (Object.keys(program.every).length === 0) return failure(located(nothingToProve(program)))
  return requested(program, searched)
}

function requested(program: Program, options: CheckOptions): Result<CheckRequest> {
  const request = checkRequest(program, options)
  return request.ok ? request : failure(...request.diagnostics.map(located))
}

export async function proveProgram(program: Program, options: ProveOptions): Promise<Result<Proved>> {
  const startedAt = options.now()
  const request = proofRequest(program)
  if (!request.ok) return request
  const tried = await runCheck(request.value)
  if (!tried.ok) return tried
  const { verdict } = tried.value
  const proved = (decided: Verdict): Proved => {
    const checked = { verdict: decided, seconds: (options.now() - startedAt) / 1000 }
    return { request: request.value, checked, options: searched }
  }
  if (verdict.kind !== 'incomplete') return success(proved(verdict))
  const swept = await sweep(program, options)
  if (!swept.ok) return swept
  if ('checked' in swept.value) return success(swept.value)
  const bounded = swept.value
  const evidence = verdict.evidence.map((one) => (one.kind === 'proof' ? { ...one, bounded } : one))
  return success(proved({ ...verdict, evidence, because: bounded.because }))
}

/** Whether a proof that was written down is one of this program. What it leaves to be shown about data is shown again. */
export async function checkSavedProof(
  program: Program,
  { proof, file, now }: { readonly proof: Proof; readonly file: string } & Pick<ProveOptions, 'now'>,
): Promise<Result<Proved>> {
  const startedAt = now()
  const request = proofRequest(program)
  if (!request.ok) return request
  const icet = request.value.explored.subject as Icet
  const found = await followed(icet, proof)
  if ('problem' in found) return failure(doesNotProve(program, file, found.problem))
  const { assertions } = found
  const open = assertions.find(({ answer }) => answer !== 'proved')
  if (open !== undefined) {
    const { place, answer } = open
    return failure({ ...doesNotProve(program, file, `an assertion it leaves is ${answer}`), place })
  }
  const evidence = proofEvidence(icet, proof).map((one) => (one.kind === 'proof' ? { ...one, assertions } : one))
  const { scope } = request.value
  const verdict: Verdict = { kind: 'proved', scope, counts: { steps: stepCount(proof.steps) }, evidence }
  return success({
    request: request.value,
    checked: { verdict, seconds: (now() - startedAt) / 1000 },
    options: searched,
  })
}

function doesNotProve({ name }: Program, file: string, problem: string): Diagnostic {
  return {
    code: 'E418',
    message: `${file} does not prove "${name}": ${problem}`,
    hint: 'the program may have changed since: allways prove finds a proof anew',
  }
}

/** All small sizes, smaller ones first, as far as the time allows; the first violation ends it. */
async function sweep(program: Program, options: ProveOptions): Promise<Result<Proved | BoundedSearch>> {
  const until = options.now() + options.milliseconds
  const sizes: Params[] = []
  const unfinished: Params[] = []
  let executions = 0
  let because: BoundedSearch['because']
  const all = smallSizes(program)
  for (const [index, params] of all.entries()) {
    const left = until - options.now()
    if (options.signal?.aborted === true || left <= 0) {
      because ??= options.signal?.aborted === true ? 'interrupt' : 'time'
      unfinished.push(params)
      continue
    }
    options.onSizes?.(params, index, all.length)
    const asked: CheckOptions = { params, time: Math.max(50, left / 3), signal: options.signal }
    const request = requested(program, asked)
    if (!request.ok) return request
    const checked = await runCheck(request.value, { reload: options.reload })
    if (!checked.ok) return failure(...checked.diagnostics.map((one) => withSizes(one, params)))
    const { verdict } = checked.value
    if (verdict.kind === 'violated') return success({ request: request.value, checked: checked.value, options: asked })
    if (verdict.kind === 'incomplete') {
      unfinished.push(params)
      because ??= verdict.because
      continue
    }
    sizes.push(params)
    executions += exploredIn(verdict.counts, verdict.scope.counted)
  }
  return success({ sizes, executions, unfinished, because })
}

/** The size at which a mistake shows is half of what it is. */
function withSizes(diagnostic: Diagnostic, sizes: Params): Diagnostic {
  const shown = Object.entries(sizes).map(([name, value]) => `${name} = ${String(value)}`)
  return { ...diagnostic, message: `${diagnostic.message}, with ${shown.join(' and ')}` }
}

/** The steps of what is proved. */
export function proofIn({ kind, evidence }: Verdict): object | undefined {
  return kind === 'proved' ? evidenceOf(evidence, 'proof')[0]?.certificate : undefined
}

function nothingToProve({ name, stack }: Program): Diagnostic {
  return {
    code: 'E406',
    message: `program "${name}" has no parameter declared with every(…), so there is nothing to prove for every size`,
    hint: 'use allways check, which explores every execution; or declare a size: { params: { clients: every(3) } }',
    stack,
  }
}
