/**
 * For every number of processes: from a program's source to its sequentialization, and where there is none, to what exploring
 * small sizes shows. The three answers are never mixed up: proved; violated, with an execution of certain sizes; and not
 * canonical, which says nothing against the program.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import type {
  AssertionAnswer,
  BoundedSearch,
  Evidence,
  NotCanonical,
  NotCanonicalReason,
  SequentialProgram,
} from '../../core/evidence.ts'
import { faultDiagnostic } from '../../core/faults.ts'
import type { Params } from '../../core/setting.ts'
import { countedSizes, exploredIn, type Scope, type Verdict } from '../../core/verdict.ts'
import { applyAll, checkProof } from '../../engines/sequentialize/kernel.ts'
import type { Proof } from '../../engines/sequentialize/proof.ts'
import {
  messagesUnderWay,
  restingProcesses,
  sequentialLines,
  statementText,
} from '../../engines/sequentialize/sequential-program.ts'
import { type Sequentialization, sequentialize } from '../../engines/sequentialize/sequentialize.ts'
import { initialState } from '../../engines/sequentialize/state.ts'
import { StaticFacts } from '../../engines/sequentialize/static-facts.ts'
import type { LoadedProgram } from '../../frontends/frontend.ts'
import { extractIcet } from '../../frontends/typescript/icet/extract.ts'
import { type Icet, statementsById } from '../../program/icet.ts'
import type { Program } from '../../program/program.ts'
import { located } from '../locate.ts'
import { type CheckOptions, type CheckRequest, checkRequest } from '../request.ts'
import { type Checked, runCheck } from '../run.ts'
import { sourceLines } from '../source-places.ts'
import { discharged } from './assertions.ts'
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

export type Proved =
  | {
      readonly kind: 'proof'
      readonly verdict: Verdict
      readonly proof: Proof | undefined
      readonly seconds: number
    }
  /** As `check` would have found it. */
  | {
      readonly kind: 'violated'
      readonly request: CheckRequest
      readonly checked: Checked
      readonly options: CheckOptions
    }

/** The term of a program, from its source. */
export function termOf({ program, place }: LoadedProgram): Result<Icet> {
  if (Object.keys(program.every).length === 0) return failure(located(nothingToProve(program)))
  if (program.faults !== undefined) return failure(located(faultsNotProved(program)))
  const lines = place === undefined ? undefined : sourceLines(place.file)
  if (place === undefined || lines === undefined) return failure(located(noSource(program)))
  const { file, line, column } = place
  const extracted = extractIcet({ source: lines.join('\n'), file, at: { line, column }, readModule })
  return extracted.ok ? extracted : failure(...extracted.diagnostics.map(located))
}

export async function proveProgram(loaded: LoadedProgram, options: ProveOptions): Promise<Result<Proved>> {
  const startedAt = options.now()
  const term = termOf(loaded)
  if (!term.ok) return term
  const found = sequentialize(term.value)
  const assertions = found.kind === 'assertions left' ? await discharged(term.value, found.obligations) : []
  const seconds = (): number => (options.now() - startedAt) / 1000
  const isProved = found.kind !== 'not canonical' && assertions.every(({ answer }) => answer === 'proved')
  if (isProved) {
    const { proof } = found
    const problem = checkProof(term.value, proof)
    if (problem !== undefined)
      throw new Error(`the prover's own proof of "${loaded.program.name}" is refused: ${problem}`)
    return success({ kind: 'proof', verdict: provedBy(proof, term.value, assertions), proof, seconds: seconds() })
  }
  const explored = await explore(loaded.program, options)
  if (!explored.ok) return explored
  if (explored.value.kind === 'violated') return success(explored.value)
  const { bounded } = explored.value
  const evidence: readonly Evidence[] =
    found.kind === 'not canonical'
      ? [{ kind: 'proof', assertions, bounded, notCanonical: notCanonical(term.value, found) }]
      : [sequentialProgram(term.value, found.proof), { kind: 'proof', assertions, bounded }]
  const verdict: Verdict = {
    kind: 'incomplete',
    scope: scopeOf(term.value),
    counts: {},
    evidence,
    because: bounded.because,
    explored: 0,
    remaining: [],
  }
  return success({ kind: 'proof', verdict, proof: undefined, seconds: seconds() })
}

/** Whether a proof that was written down is one of this program. What it leaves to be shown about data is shown again. */
export async function checkSavedProof(loaded: LoadedProgram, proof: Proof, file: string): Promise<Result<Verdict>> {
  const term = termOf(loaded)
  if (!term.ok) return term
  const problem = checkProof(term.value, proof)
  if (problem !== undefined) return failure(doesNotProve(loaded.program, file, problem))
  const { obligations } = applyAll(initialState(new StaticFacts(term.value)), proof.steps)
  const assertions = await discharged(term.value, obligations)
  const open = assertions.find(({ answer }) => answer !== 'proved')
  if (open !== undefined) {
    const { place, answer } = open
    return failure({ ...doesNotProve(loaded.program, file, `an assertion it leaves is ${answer}`), place })
  }
  return success(provedBy(proof, term.value, assertions))
}

function provedBy(proof: Proof, term: Icet, assertions: readonly AssertionAnswer[]): Verdict {
  const evidence = [sequentialProgram(term, proof), { kind: 'proof', assertions } as const]
  return { kind: 'proved', scope: scopeOf(term), counts: { steps: stepCount(proof.steps) }, evidence }
}

function doesNotProve({ name }: Program, file: string, problem: string): Diagnostic {
  return {
    code: 'E418',
    message: `${file} does not prove "${name}": ${problem}`,
    hint: 'the program may have changed since: allways prove finds a proof anew',
  }
}

/** Steps inside of steps too. */
function stepCount(steps: Proof['steps']): number {
  const inside = (step: Proof['steps'][number]): number =>
    step.rule === 'iterate' ? stepCount(step.body) : step.rule === 'branch' ? stepCount(step.arms.flat()) : 0
  return steps.reduce((count, step) => count + 1 + inside(step), 0)
}

function sequentialProgram(icet: Icet, { steps }: Proof): SequentialProgram {
  return { kind: 'sequentialProgram', lines: sequentialLines(initialState(new StaticFacts(icet)), steps) }
}

function scopeOf({ parameters }: Icet): Scope {
  return {
    engine: 'sequentialize',
    counted: countedSizes,
    params: {},
    seed: 0,
    deadlock: 'error',
    sizes: Object.fromEntries(parameters.map(({ name, least }) => [name, least])),
  }
}

function notCanonical(icet: Icet, found: Extract<Sequentialization, { kind: 'not canonical' }>): NotCanonical {
  const all = statementsById(icet)
  return {
    reason: found.reason === 'no such step' ? 'unmatched receive' : (found.reason satisfies NotCanonicalReason),
    message: found.message,
    places: found.statements.flatMap((id) => {
      const statement = all.get(id)
      return statement === undefined ? [] : [{ place: statement.place, text: statementText(statement) }]
    }),
    prefix: sequentialLines(initialState(new StaticFacts(icet)), found.prefix),
    rest: restingProcesses(found.rest),
    underWay: messagesUnderWay(found.rest),
  }
}

type Explored = Extract<Proved, { kind: 'violated' }> | { readonly kind: 'bounded'; readonly bounded: BoundedSearch }

/** All small sizes, smaller ones first, as far as the time allows. */
async function explore(program: Program, options: ProveOptions): Promise<Result<Explored>> {
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
    const request = checkRequest(program, asked)
    if (!request.ok) return failure(...request.diagnostics.map(located))
    const checked = await runCheck(request.value, { reload: options.reload })
    if (!checked.ok) return failure(...checked.diagnostics.map((one) => withSizes(one, params)))
    const { verdict } = checked.value
    if (verdict.kind === 'violated') {
      return success({ kind: 'violated', request: request.value, checked: checked.value, options: asked })
    }
    if (verdict.kind === 'incomplete') {
      unfinished.push(params)
      because ??= verdict.because
      continue
    }
    sizes.push(params)
    executions += exploredIn(verdict.counts, verdict.scope.counted)
  }
  return success({ kind: 'bounded', bounded: { sizes, executions, unfinished, because } })
}

/** The size at which a mistake shows is half of what it is. */
function withSizes(diagnostic: Diagnostic, sizes: Params): Diagnostic {
  const shown = Object.entries(sizes).map(([name, value]) => `${name} = ${String(value)}`)
  return { ...diagnostic, message: `${diagnostic.message}, with ${shown.join(' and ')}` }
}

/** Modules of the user's own that a check file imports. */
function readModule(specifier: string, from: string): { readonly source: string; readonly file: string } | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = resolve(dirname(resolve(from)), specifier)
  const tried = [path, path.replace(/\.([cm]?)js$/, '.$1ts'), `${path}.ts`, resolve(path, 'index.ts')]
  const file = tried.find((one) => /\.[cm]?[jt]s$/.test(one) && existsSync(one))
  return file === undefined ? undefined : { source: readFileSync(file, 'utf8'), file }
}

function faultsNotProved(program: Program): Diagnostic {
  return {
    ...faultDiagnostic(
      `prove takes executions without faults only, and program "${program.name}" has a budget of faults`,
      'explore it at fixed sizes with allways check, or prove it without faults',
    ),
    stack: program.stack,
  }
}

function nothingToProve({ name, stack }: Program): Diagnostic {
  return {
    code: 'E406',
    message: `program "${name}" has no parameter declared with every(…), so there is nothing to prove for every size`,
    hint: 'use allways check, which explores every execution; or declare a size: { params: { clients: every(3) } }',
    stack,
  }
}

function noSource({ name, stack }: Program): Diagnostic {
  return {
    code: 'E417',
    message: `the source of program "${name}" cannot be read`,
    hint: 'prove reads the file in which program(…) is called',
    stack,
  }
}
