/** The check, from code: `check` throws what the command line would print, `checkResult` returns the verdict. */
import { type Diagnostic, failure, type Result } from '../core/diagnostic.ts'
import { evidenceOf } from '../core/evidence.ts'
import type { Verdict } from '../core/verdict.ts'
import { isObjectCheck } from '../program/object-check.ts'
import { isProgram, type Program } from '../program/program.ts'
import type { Reported } from '../reports/result.ts'
import { textReport } from '../reports/text.ts'
import { foundPlaces } from './findings.ts'
import { located } from './locate.ts'
import { type CheckOptions, checkRequest } from './request.ts'
import { type Checked, runCheck } from './run.ts'
import { displayPath, placeOf } from './source-places.ts'

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

/** Explores the program; the verdict, or the mistakes that kept it from being reached. */
export async function checkResult(program: Program, options: CheckOptions = {}): Promise<Result<Verdict>> {
  const checked = await run(program, options)
  return checked.ok ? { ok: true, value: checked.value.verdict } : checked
}

/**
 * Explores the program and throws, with the text the command line would print, unless it holds. A search that a budget ended
 * throws too, unless `allowIncomplete` says otherwise.
 */
export async function check(
  program: Program,
  options: CheckOptions & { readonly allowIncomplete?: boolean } = {},
): Promise<Verdict> {
  const checked = await run(program, options)
  if (!checked.ok) throw failed(textReport([], checked.diagnostics), undefined, checked.diagnostics)
  const { verdict } = checked.value
  const holds = verdict.kind === 'proved' || verdict.kind === 'verified' || verdict.kind === 'passed'
  if (holds || (verdict.kind === 'incomplete' && options.allowIncomplete === true)) return verdict
  throw failed(textReport([reported(program, checked.value)]), verdict, [])
}

async function run(program: Program, options: CheckOptions): Promise<Result<Checked>> {
  if (!isProgram(program)) return failure(located(notAProgram(program)))
  const request = checkRequest(program, options)
  if (!request.ok) return { ok: false, diagnostics: request.diagnostics.map(located) }
  return await runCheck(request.value)
}

function notAProgram(candidate: unknown): Diagnostic {
  if (isObjectCheck(candidate)) {
    return {
      code: 'E308',
      message: `check() cannot see what the class "${candidate.name}" reads and writes, because it was imported as it is`,
      hint: "await checkObjects('stack.check.ts'), which loads the file itself, or allways linearize stack.check.ts",
      stack: candidate.stack,
    }
  }
  return {
    code: 'E103',
    message: `check() needs a program and got ${candidate === null ? 'null' : `a value of type ${typeof candidate}`}`,
    hint: "declare one: program('name', function* () { … })",
  }
}

function reported(program: Program, { verdict, seconds }: Checked): Reported {
  const file = placeOf(program.stack)?.file
  return {
    program: program.name,
    file: file === undefined ? '' : displayPath(file),
    verdict,
    seconds,
    findings: evidenceOf(verdict.evidence, 'execution').map(foundPlaces),
  }
}

/** Our own frames tell a user nothing; what is left is the line that called `check`. */
function failed(text: string, verdict: Verdict | undefined, diagnostics: readonly Diagnostic[]): CheckFailedError {
  // Test runners put the name in front of the message: the report begins on a line of its own.
  const error = new CheckFailedError(`\n${text}`, verdict, diagnostics)
  Error.captureStackTrace(error, check)
  return error
}
