/**
 * For every number of processes: a search for a proof, and where it decides nothing, searches of small sizes. The three answers are
 * never mixed up: proved; violated, with an execution of certain sizes; and not canonical, which says nothing against the program.
 */
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { type BoundedSearch, evidenceOf, type ProofEvidence } from '../../core/evidence.ts'
import type { Params } from '../../core/setting.ts'
import { sameValue } from '../../core/value.ts'
import { exploredIn, type Incomplete, type Verdict } from '../../core/verdict.ts'
import { proofEvidence, sequentialization, stepCount } from '../../engines/sequentialize/engine.ts'
import { checkProof } from '../../engines/sequentialize/kernel.ts'
import type { Proof } from '../../engines/sequentialize/proof.ts'
import type { Icet } from '../../program/icet.ts'
import type { Program } from '../../program/program.ts'
import { Divergence } from '../../semantics/icet/divergence.ts'
import { largestSize } from '../assertions/discharge.ts'
import type { Threads } from '../drive.ts'
import { located } from '../locate.ts'
import { type CheckOptions, type CheckRequest, checkRequest } from '../request.ts'
import { type Checked, runCheck } from '../run.ts'
import { sizesText, withSizes } from './executed.ts'
import { isProof, termDigest, type WrittenProof, writtenProof } from './proof-file.ts'
import { bySize, searchSizes, smallSizes } from './sizes.ts'

/** Milliseconds in which small sizes show something, however long the search for a proof took. */
const leastForSizes = 50

export interface ProveOptions {
  /** For one program: at most half of it for a proof, and what is left of it for small sizes: half, unless a solver was slow to load. */
  readonly milliseconds: number
  readonly bytes?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told before each search of small sizes. */
  readonly onSizes?: ((sizes: Params, done: number, of: number) => void) | undefined
  readonly reload?: (() => Promise<Program | undefined>) | undefined
  /** How many threads search small sizes, and where they find the program. */
  readonly workers?: CheckOptions['workers']
  readonly threads?: ((options: Omit<CheckOptions, 'signal'>) => Threads) | undefined
  readonly now: () => number
}

/** The search that decided it, or the search for a proof with what small sizes have shown. */
export interface Proved {
  readonly request: CheckRequest
  readonly checked: Checked
  readonly options: CheckOptions
  /** What the prover does not read of the program, so that there was no search for a proof. */
  readonly refused?: readonly Diagnostic[] | undefined
}

const searched: CheckOptions = { engine: sequentialization.name }

/** The term of a program, from its source. */
export function termOf(program: Program): Result<Icet> {
  const request = proofRequest(program)
  return request.ok ? success(request.value.explored.subject as Icet) : request
}

function proofRequest(
  program: Program,
  { milliseconds, bytes, signal }: Partial<ProveOptions> = {},
): Result<CheckRequest> {
  if (program.views.icet === undefined) return failure(located(nothingToProve(program)))
  return requested(program, { ...searched, time: milliseconds, memory: bytes, signal })
}

function requested(program: Program, options: CheckOptions): Result<CheckRequest> {
  const request = checkRequest(program, options)
  return request.ok ? request : failure(...request.diagnostics.map(located))
}

export async function proveProgram(program: Program, options: ProveOptions): Promise<Result<Proved>> {
  const startedAt = options.now()
  const half = Math.ceil(options.milliseconds / 2)
  const request = proofRequest(program, { ...options, milliseconds: half })
  if (!request.ok)
    return isRefused(request.diagnostics) ? await explored(program, options, request.diagnostics) : request
  const tried = await runCheck(request.value).catch(divergence)
  if ('ok' in tried && !tried.ok) return tried
  const verdict = 'ok' in tried ? tried.value.verdict : undefined
  const proved = (decided: Verdict): Proved => {
    const checked = { verdict: decided, seconds: (options.now() - startedAt) / 1000 }
    return { request: request.value, checked, options: searched }
  }
  if (verdict !== undefined && verdict.kind !== 'incomplete') return success(proved(verdict))
  const [proof] = evidenceOf(verdict?.evidence ?? [], 'proof')
  const remaining = options.milliseconds - (options.now() - startedAt)
  const left = { ...options, milliseconds: Math.max(Math.min(half, leastForSizes), remaining) }
  const swept = await sweep(program, left, proof === undefined ? { expected: [] } : suspectedIn(program, proof))
  if (!swept.ok) return swept
  if ('checked' in swept.value) return success(swept.value)
  // An execution that violates something is worth more to the user than our defect.
  if (!('ok' in tried)) throw tried
  const bounded = swept.value
  const evidence = tried.value.verdict.evidence.map((one) => (one.kind === 'proof' ? { ...one, bounded } : one))
  return success(proved({ ...(verdict as Incomplete), evidence, because: bounded.because }))
}

/** Diagnostics that speak of what the prover reads: nothing is wrong with the program. */
function isRefused(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ code }) => code === 'E209' || code === 'E217' || (code >= 'E407' && code <= 'E417'))
}

/** What small sizes show of a program whose source is outside what is read. */
async function explored(
  program: Program,
  options: ProveOptions,
  refused: readonly Diagnostic[],
): Promise<Result<Proved>> {
  const startedAt = options.now()
  const swept = await sweep(program, options, { expected: [] })
  if (!swept.ok) return failure(...refused, ...swept.diagnostics)
  if ('checked' in swept.value) return success({ ...swept.value, refused })
  const nothing = (): Icet => ({ name: program.name, parameters: [], processes: [] })
  const request = proofRequest({ ...program, faults: {}, views: { ...program.views, icet: nothing } }, options)
  if (!request.ok) return failure(...refused, ...request.diagnostics)
  const bounded = swept.value
  const codes = [...new Set(refused.map(({ code }) => code))]
  const verdict: Incomplete = {
    kind: 'incomplete',
    scope: request.value.scope,
    counts: {},
    evidence: [{ kind: 'proof', assertions: [], refused: codes, bounded }],
    because: bounded.because,
    explored: 0,
    remaining: [],
  }
  const checked = { verdict, seconds: (options.now() - startedAt) / 1000 }
  return success({ request: request.value, checked, options: searched, refused })
}

function divergence(error: unknown): Divergence {
  if (error instanceof Divergence) return error
  throw error
}

/** Whether a proof that was written down is one of this program. What it leaves to be shown about data is shown again. */
export async function checkSavedProof(
  program: Program,
  {
    proof,
    file,
    now,
    ...options
  }: { readonly proof: WrittenProof; readonly file: string } & Pick<ProveOptions, 'now' | 'signal'>,
): Promise<Result<Proved>> {
  const startedAt = now()
  const request = proofRequest(program, options)
  if (!request.ok) return request
  const icet = request.value.explored.subject as Icet
  const isOther = proof.term !== termDigest(icet)
  const problem = isOther ? 'it is one of another term' : checkProof(icet, proof)
  if (problem !== undefined) return failure(doesNotProve(program, file, problem))
  const checked = await runCheck({ ...request.value, engine: known(icet, proof) })
  if (!checked.ok) return checked
  const { verdict } = checked.value
  if (verdict.kind !== 'proved') return failure(notShown(program, file, verdict))
  const seconds = (now() - startedAt) / 1000
  return success({ request: request.value, checked: { verdict, seconds }, options: searched })
}

/** The prover, if it finds this proof. */
function known(icet: Icet, proof: Proof): CheckRequest['engine'] {
  return {
    ...sequentialization,
    *explore() {
      for (const evidence of proofEvidence(icet, proof)) yield { kind: 'evidence', evidence, decides: true }
      yield { kind: 'progress', counts: { steps: stepCount(proof.steps) }, explored: 1 }
    },
  }
}

/** What a proof does not show of the program, though it follows the rules. */
function notShown(program: Program, file: string, { evidence }: Verdict): Diagnostic {
  const [proof] = evidenceOf(evidence, 'proof')
  const open = proof?.assertions.find(({ answer }) => answer !== 'proved')
  if (open !== undefined)
    return { ...doesNotProve(program, file, `an assertion it leaves is ${open.answer}`), place: open.place }
  const violated = proof?.confirmed?.violated
  if (violated === undefined) return doesNotProve(program, file, 'it was interrupted')
  const sizes = sizesText(violated)
  return doesNotProve(program, file, `the program is violated${sizes === '' ? '' : ` with ${sizes}`}`)
}

function doesNotProve({ name }: Program, file: string, problem: string): Diagnostic {
  return {
    code: 'E418',
    message: `${file} does not prove "${name}": ${problem}`,
    hint: 'the program may have changed since: allways prove finds a proof anew',
  }
}

/** Sizes at which a violation was met, and those at which a solver expects one. */
function suspectedIn({ every }: Program, { confirmed, assertions }: ProofEvidence): Suspected {
  const least = Object.fromEntries(Object.entries(every).map(([name, one]) => [name, one.least]))
  const models = assertions.flatMap(({ suspected }) => (suspected === undefined ? [] : [{ ...least, ...suspected }]))
  const isSmall = (sizes: Params): boolean => Object.values(sizes).every((size) => Number(size) <= largestSize)
  return { met: confirmed?.violated, expected: models.filter(isSmall) }
}

interface Suspected {
  readonly met?: Params | undefined
  readonly expected: readonly Params[]
}

/** Small and suspected sizes, smaller ones first, as far as the time allows; the first violation ends it. */
async function sweep(
  program: Program,
  options: ProveOptions,
  { met, expected }: Suspected,
): Promise<Result<Proved | BoundedSearch>> {
  const small = smallSizes(program)
  const has = (list: readonly Params[], one: Params): boolean => list.some((other) => sameValue(one, other))
  const first = met === undefined ? [] : [met]
  const all = [...first, ...bySize([...small, ...expected])].filter((one, at, list) => !has(list.slice(0, at), one))
  const isTold = (params: Params): boolean => has(small, params)
  const { ending, ...bounded } = await searchSizes<Result<Proved>>(all, {
    ...options,
    stopped: () => (options.signal?.aborted === true ? 'interrupt' : undefined),
    isTold,
    search: async (params, left, index) => {
      options.onSizes?.(params, index, all.length)
      const found = await searchedSize(program, params, { ...options, milliseconds: left })
      if (!found.ok || found.value.checked.verdict.kind === 'violated') return { kind: 'ending', ending: found }
      // What a solver suspected and no execution shows says nothing about the sizes around it.
      if (!isTold(params)) return { kind: 'untold' }
      const { verdict } = found.value.checked
      if (verdict.kind === 'incomplete')
        return { kind: 'searched', isFinished: false, executions: 0, because: verdict.because }
      const executions = exploredIn(verdict.counts, verdict.scope.counted)
      return { kind: 'searched', isFinished: true, executions, because: undefined }
    },
  })
  return ending ?? success(bounded)
}

/** One size, in a third of the time that is left. */
async function searchedSize(program: Program, params: Params, options: ProveOptions): Promise<Result<Proved>> {
  const { milliseconds, bytes: memory, signal, workers, reload } = options
  const asked: CheckOptions = { params, time: Math.max(50, milliseconds / 3), memory, workers }
  const request = requested(program, { ...asked, signal })
  if (!request.ok) return request
  const checked = await runCheck(request.value, { reload, threads: options.threads?.(asked) })
  if (!checked.ok) return failure(...checked.diagnostics.map((one) => withSizes(one, params)))
  return success({ request: request.value, checked: checked.value, options: asked })
}

/** What is proved, as it is written down, with the digest of what the program was read from. */
export function proofIn({ request, checked }: Proved, source: string): WrittenProof | undefined {
  const { kind, evidence } = checked.verdict
  const certificate = kind === 'proved' ? evidenceOf(evidence, 'proof')[0]?.certificate : undefined
  if (certificate === undefined || !isProof(certificate)) return undefined
  return writtenProof(certificate, request.explored.subject as Icet, source)
}

function nothingToProve({ name, stack }: Program): Diagnostic {
  return {
    code: 'E406',
    message: `"${name}" is not a program of processes, whose source prove reads`,
    hint: 'use allways check, which explores every execution',
    stack,
  }
}
