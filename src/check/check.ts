/** The check, from code: `check` throws what the command line would print, `checkResult` returns the verdict. */
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { evidenceOf } from '../core/evidence.ts'
import { invariant } from '../core/invariant.ts'
import { furtherArguments } from '../core/option-shape.ts'
import { isInstance } from '../core/own-error.ts'
import { isForeignProxy } from '../core/plain-value.ts'
import { type Verdict, type VerdictKind, vacuityIn } from '../core/verdict.ts'
import { histories } from '../engines/histories/histories.ts'
import { sequentialization } from '../engines/sequentialize/engine.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import { isPModel, type PModel } from '../program/p-model.ts'
import { isProgram, type Program } from '../program/program.ts'
import { mostTold, type Reported, type ReportedFinding } from '../reports/result.ts'
import { textReport } from '../reports/text.ts'
import type { Threads } from './drive.ts'
import { foundPlaces } from './findings.ts'
import { isHistoryFile } from './history-names.ts'
import { keptTrace } from './kept-trace.ts'
import { located } from './locate.ts'
import { type CheckOptions, type CheckRequest, checkRequest } from './request.ts'
import { optionProblems } from './resolve-options.ts'
import { type Checked, runCheck } from './run.ts'
import { displayPath, placeOf, sourceLines } from './source-places.ts'
import { defaultTraceDirectory } from './trace-file.ts'
import { unwrittenNote } from './unwritten.ts'

export type { CheckOptions } from './request.ts'

/** Thrown by `check`; the message is the whole report. */
export class CheckFailedError extends Error {
  override readonly name = 'CheckFailedError'
  /** Nothing when the check could not be run. */
  readonly verdict: Verdict | undefined
  readonly diagnostics: readonly Diagnostic[]

  constructor(message: string, verdict: Verdict | undefined, diagnostics: readonly Diagnostic[]) {
    super(message)
    this.verdict = verdict
    this.diagnostics = diagnostics
  }
}

/** A program, a P program by its path, the file that exports programs (a class is seen only in a file that is loaded here), or a recorded history. */
export type Checkable = Program | PModel | string | URL

export interface FileOptions extends CheckOptions {
  /** Of a file: only programs whose name contains the text. */
  readonly testName?: string | undefined
  /** Of a P program: read it as P was before some of its words became keywords. */
  readonly legacy?: boolean | undefined
}

/**
 * Explores a program, or all programs of a file one after the other; the verdict of the first that does not hold, or of the last,
 * or the mistakes that kept it from being reached.
 */
export async function checkResult(checked: Checkable, options?: FileOptions): Promise<Result<Verdict>>
export async function checkResult(
  checked: Checkable,
  options: FileOptions = {},
  ...extra: readonly unknown[]
): Promise<Result<Verdict>> {
  const results = await run(checked, options, { stack: new Error().stack, extra, call: 'checkResult' })
  if (!results.ok) return results
  const doesNotHold = ({ checked }: Ran): boolean => !holdingKinds.has(checked.verdict.kind)
  return success((results.value.find(doesNotHold) ?? lastOf(results.value)).checked.verdict)
}

export interface AllowingOptions extends FileOptions {
  readonly allowIncomplete?: boolean
  /** Where the trace of a violation is written, `.allways/traces` unless told; `false`: nowhere. */
  readonly traceDir?: string | false | undefined
}

/**
 * Explores a program, or all programs of a file, and throws, with the text the command line would print, unless they hold. A search
 * that a budget ended throws too, unless `allowIncomplete` says otherwise.
 */
export async function check(checked: Checkable, options?: AllowingOptions): Promise<Verdict>
export async function check(
  checked: Checkable,
  options: AllowingOptions = {},
  ...extra: readonly unknown[]
): Promise<Verdict> {
  const results = await run(checked, options, { stack: new Error().stack, extra, call: 'check' })
  if (!results.ok) throw failed(textReport([], results.diagnostics), undefined, results.diagnostics)
  const isAllowed = (verdict: Verdict): boolean =>
    holdingKinds.has(verdict.kind)
      ? options.strict !== true || vacuityIn(verdict).length === 0
      : verdict.kind === 'incomplete' && options.allowIncomplete === true
  const failing = results.value.find(({ checked: { verdict } }) => !isAllowed(verdict))
  if (failing === undefined) return lastOf(results.value).checked.verdict
  const { report, unwritten } = await reported(failing, options)
  const note = unwritten === undefined ? '' : `\n\n${unwrittenNote('trace', unwritten)}`
  throw failed(`${textReport([report])}${note}`, failing.checked.verdict, [])
}

/**
 * The same of a file, by its path: all its programs and classes, in the forms in which they are seen. The file is loaded here, so it does not
 * matter which test runner the call stands in, nor what that makes of async functions.
 */
export async function checkFile(file: string | URL, options?: AllowingOptions): Promise<Verdict>
export async function checkFile(
  file: string | URL,
  options: AllowingOptions = {},
  ...extra: readonly unknown[]
): Promise<Verdict> {
  if (typeof file === 'string' || file instanceof URL) return await (check as Checking)(file, options, ...extra)
  const stack = new Error().stack
  const message = 'checkFile(file, options) is not given the path of a file'
  const hint = "name it: await checkFile(new URL('./bank.check.ts', import.meta.url)); check(program) takes programs"
  const further = furtherArguments(extra, 'checkFile(file, options)')
  const wrong = [{ code: 'E103', message, hint } as const, ...further].map((one) => located({ ...one, stack }))
  throw failed(textReport([], wrong), undefined, wrong)
}

type Checking = (checked: Checkable, options: AllowingOptions, ...extra: readonly unknown[]) => Promise<Verdict>

const holdingKinds: ReadonlySet<VerdictKind> = new Set(['proved', 'verified', 'passed'])

interface Called {
  readonly call: string
  readonly stack: string | undefined
  /** Arguments that nobody reads. */
  readonly extra: readonly unknown[]
}

/** One result for each program, up to the first that does not hold. A mistake in what was asked is the line's that asked. */
async function run(
  checked: Checkable,
  asked: FileOptions,
  { call, stack, extra }: Called,
): Promise<Result<readonly Ran[]>> {
  const atCall = (one: Diagnostic): Diagnostic => located(one.stack === undefined ? { ...one, stack } : one)
  const misshapen = [...optionProblems(asked), ...furtherArguments(extra, `${call}(program, options)`)]
  if (misshapen.length > 0) return failure(...misshapen.map(atCall))
  const { testName, legacy, traceDir: _, ...others }: AllowingOptions = asked
  const recorded = await recordedSubject(checked, asked)
  const programs = recorded ?? (await programsOf(checked, { testName, legacy }))
  if (!programs.ok) return failure(...programs.diagnostics.map(atCall))
  const options = recorded === undefined ? others : { ...others, specification: undefined, engine: histories.name }
  const results: Ran[] = []
  for (const one of programs.value) {
    const ran = await ranOne(one, options, atCall)
    if (!ran.ok) return ran
    results.push({ ...one, ...ran.value })
    if (!holdingKinds.has(ran.value.checked.verdict.kind)) break
  }
  return success(results)
}

/** Threads load the program by themselves, from the file that it was loaded from here. */
function threadsFor({ program, path, exportName, loaded }: Subject, asked: CheckOptions): Threads | undefined {
  if (path === undefined || exportName === undefined || typeof loaded !== 'object') return undefined
  const { signal: _, ...options } = asked
  const legacy = Object.hasOwn(program.options, 'legacy')
  return { path, program: { name: program.name }, exportName, legacy, digest: loaded.digest, options }
}

/** What is wrong with what was asked is the line's that asked; what is wrong with the program is not. */
async function ranOne(
  one: Subject,
  options: CheckOptions,
  atCall: (diagnostic: Diagnostic) => Diagnostic,
): Promise<Result<Pick<Ran, 'request' | 'checked'>>> {
  if (options.engine === sequentialization.name) {
    // Loaded when needed: it may want a solver.
    const { asksForProof, proofAnswer } = await import('./prove/answer.ts')
    if (asksForProof(one.program, options)) return await proofAnswer(one.program, options, atCall)
  }
  const request = checkRequest(one.program, options)
  if (!request.ok) return failure(...request.diagnostics.map(atCall))
  const ran = await runCheck(request.value, { threads: threadsFor(one, options) })
  return ran.ok ? success({ request: request.value, checked: ran.value }) : ran
}

/** What is searched in a recorded history is an order of its calls; what decides executions says nothing there. */
const ofHistories: ReadonlySet<string> = new Set([
  'specification',
  'time',
  'memory',
  'signal',
  'strict',
  'allowIncomplete',
])

/** Nothing if it is no file with a history. */
async function recordedSubject(
  checked: Checkable,
  asked: AllowingOptions,
): Promise<Result<readonly Subject[]> | undefined> {
  if (typeof checked !== 'string' || !isHistoryFile(checked)) return undefined
  const unfit = Object.entries(asked).filter(([name, value]) => value !== undefined && !ofHistories.has(name))
  if (unfit.length > 0) return failure(...unfit.map(([name]) => notOfHistories(name)))
  // Loaded when needed: programs are checked without what reads histories.
  const { recordedProgram } = await import('./history-run.ts')
  const file = displayPath(resolve(checked))
  const recorded = recordedProgram({ file, specification: asked.specification })
  return recorded.ok ? success([{ program: recorded.value, file }]) : recorded
}

function notOfHistories(option: string): Diagnostic {
  const hint = `a recorded history takes ${[...ofHistories].join(', ')}`
  return { code: 'E107', message: `${option} is about executions, and a history has happened`, hint }
}

type Choice = Pick<FileOptions, 'testName' | 'legacy'>

interface Subject {
  readonly program: Program
  readonly file: string | undefined
  /** The file, or where the program was declared. */
  readonly loaded?: LoadedFile | string | undefined
  /** Of a file. */
  readonly path?: string | undefined
  readonly exportName?: string | undefined
}

interface Ran extends Subject {
  readonly request: CheckRequest
  readonly checked: Checked
}

async function programsOf(checked: Checkable, choice: Choice): Promise<Result<readonly Subject[]>> {
  if (isFile(checked)) return await programsIn(checked, choice)
  return isPModel(checked) ? await programsOfModel(checked, choice) : theProgram(checked, choice)
}

async function programsOfModel(model: PModel, { testName = '', legacy }: Choice): Promise<Result<readonly Subject[]>> {
  // Loaded when needed: other programs are checked without a compiler of P.
  const { loadModel } = await import('./load-p-models.ts')
  const file = placeOf(model.stack)?.file
  const loaded = loadModel(model, file === undefined ? '.' : dirname(file), { legacy })
  if (!loaded.ok) return loaded
  const shown = file === undefined ? undefined : displayPath(file)
  return named(testName, loaded.value.programs, shown)
}

/** Those whose name contains the text. */
function named(
  testName: string,
  programs: readonly { readonly program: Program; readonly exportName?: string }[],
  file: string | undefined,
): Result<readonly Subject[]> {
  const found = programs.filter(({ program }) => program.name.toLowerCase().includes(testName.toLowerCase()))
  if (found.length > 0) return success(found.map(({ program, exportName }) => ({ program, file, exportName })))
  const hint = `programs: ${programs.map(({ program }) => program.name).join(', ')}`
  return failure({ code: 'E106', message: `no program has "${testName}" in its name`, hint })
}

function theProgram(program: Program, { testName, legacy }: Choice): Result<readonly Subject[]> {
  if (!isProgram(program)) return failure(notAProgram(program))
  if (testName !== undefined || legacy !== undefined)
    return failure(onlyOfFiles(testName === undefined ? 'legacy' : 'testName'))
  const file = placeOf(program.stack)?.file
  return success([{ program, file: file === undefined ? undefined : displayPath(file), loaded: file }])
}

async function programsIn(file: string | URL, { testName = '', legacy }: Choice): Promise<Result<readonly Subject[]>> {
  // Loaded when needed: programs are checked without a compiler.
  const { loadPrograms } = await import('./load.ts')
  if (typeof file !== 'string' && file.protocol !== 'file:') return failure(notAFile(file))
  const path = resolve(typeof file === 'string' ? file : fileURLToPath(file))
  const loaded = await loadPrograms(path, { legacy })
  if (!loaded.ok) return loaded
  const { programs, diagnostics = [] } = loaded.value
  if (diagnostics.length > 0) return failure(...diagnostics)
  const found = named(testName, programs, loaded.value.file)
  return found.ok ? success(found.value.map((one) => ({ ...one, loaded: loaded.value, path }))) : found
}

function notAFile({ href }: URL): Diagnostic {
  const hint = "name a file: check('bank.check.ts'), or new URL('./bank.check.ts', import.meta.url)"
  return { code: 'E101', message: `${href} is not a file`, hint }
}

function onlyOfFiles(option: 'testName' | 'legacy'): Diagnostic {
  const says = option === 'testName' ? 'chooses among the programs of a file' : 'says how a file is read'
  return {
    code: 'E107',
    message: `${option} ${says}, and one program was given`,
    hint: "leave it out, or name the file: check('bank.check.ts', { testName: 'transfer' })",
  }
}

function isFile(checked: Checkable): checked is string | URL {
  return typeof checked === 'string' || isInstance(checked, URL)
}

function lastOf(results: readonly Ran[]): Ran {
  const last = results.at(-1)
  invariant(last !== undefined, 'a file has a program')
  return last
}

function notAProgram(candidate: unknown): Diagnostic {
  return {
    code: 'E103',
    message: `check() needs a program and got ${candidate === null ? 'null' : isForeignProxy(candidate) ? 'a Proxy' : `a value of type ${typeof candidate}`}`,
    hint: "declare one: program('name', function* () { … })",
  }
}

async function reported(
  { program, file, loaded, ...ended }: Ran,
  { traceDir }: AllowingOptions,
): Promise<{ readonly report: Reported; readonly unwritten: string | undefined }> {
  const { verdict, seconds } = ended.checked
  const isClass = program.sweep !== undefined
  const findings: ReportedFinding[] = []
  let unwritten: string | undefined
  for (const one of isClass ? [] : evidenceOf(verdict.evidence, 'execution').slice(0, mostTold)) {
    const found = foundPlaces(one)
    const isKept = loaded !== undefined && traceDir !== false
    const about = { found, folder: traceDir || defaultTraceDirectory }
    const kept = isKept ? await keptTrace({ ...ended, loaded }, one, about) : {}
    unwritten ??= kept.unwritten
    findings.push({ ...found, ...kept })
  }
  const sources = isClass ? sourceLines : undefined
  return { report: { program: program.name, file: file ?? '', verdict, seconds, findings, sources }, unwritten }
}

/** Our own frames tell a user nothing; what is left is the line that called `check`. */
function failed(text: string, verdict: Verdict | undefined, diagnostics: readonly Diagnostic[]): CheckFailedError {
  const error = new CheckFailedError(text, verdict, diagnostics)
  Error.captureStackTrace(error, check)
  return error
}
