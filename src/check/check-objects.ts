/** Class checks from code: the file is loaded here, because a class that a test imports itself hides what it reads and writes. */
import { fileURLToPath } from 'node:url'
import type { Diagnostic } from '../core/diagnostic.ts'
import type { Verdict } from '../core/verdict.ts'
import type { Reported } from '../reports/result.ts'
import { textReport } from '../reports/text.ts'
import { CheckFailedError } from './check.ts'
import type { LoadedObjects } from './objects/load.ts'
import type { ObjectCheckOptions } from './objects/options.ts'
import type { ObjectChecked } from './objects/run.ts'
import { sourceLines } from './source-places.ts'

export interface ObjectsCheckOptions extends ObjectCheckOptions {
  /** Only checks whose name contains the text. */
  readonly testName?: string | undefined
  /** Do not throw when a budget ended a search. */
  readonly allowIncomplete?: boolean | undefined
}

/**
 * Runs the `linearizable` checks that a file exports, one after the other, and throws, with the text the command line would
 * print, unless all of them hold.
 */
export async function checkObjects(file: string | URL, options: ObjectsCheckOptions = {}): Promise<readonly Verdict[]> {
  // Loaded when needed: programs are checked without a compiler.
  const [{ loadObjects }, { objectRequest }, { runObjectCheck }, { located }] = await Promise.all([
    import('./objects/load.ts'),
    import('./objects/options.ts'),
    import('./objects/run.ts'),
    import('./locate.ts'),
  ])
  const loaded = await loadObjects(typeof file === 'string' ? file : fileURLToPath(file))
  if (!loaded.ok) throw failed([], loaded.diagnostics)
  const name = options.testName?.toLowerCase() ?? ''
  const checks = loaded.value.checks.filter(({ check }) => check.name.toLowerCase().includes(name))
  if (checks.length === 0) throw failed([], [nothingDeclared(loaded.value, options.testName)])
  const verdicts: Verdict[] = []
  for (const { check, place } of checks) {
    const request = objectRequest(check, loaded.value.modules, options)
    const checked = request.ok ? await runObjectCheck(request.value) : request
    if (!checked.ok) throw failed([], checked.diagnostics.map(located))
    const { verdict } = checked.value
    const holds = verdict.kind === 'verified' || (verdict.kind === 'incomplete' && options.allowIncomplete === true)
    if (!holds) throw failed([reported(check.name, { loaded: loaded.value, place }, checked.value)], [])
    verdicts.push(verdict)
  }
  return verdicts
}

function reported(
  program: string,
  { loaded, place }: { readonly loaded: LoadedObjects; readonly place: Reported['place'] },
  { verdict, seconds }: ObjectChecked,
): Reported {
  return { program, file: loaded.file, place, verdict, seconds, findings: [], sources: sourceLines }
}

function nothingDeclared({ file, checks }: LoadedObjects, testName: string | undefined): Diagnostic {
  const names = checks.map(({ check }) => check.name).join(', ')
  return {
    code: checks.length === 0 ? 'E308' : 'E106',
    message: checks.length === 0 ? `${file} exports no check of a class` : `no check has "${testName}" in its name`,
    hint:
      checks.length === 0
        ? 'export default linearizable(Stack, { operations: { push: [1, 2], pop: [] } })'
        : `checks: ${names}`,
  }
}

function failed(results: readonly Reported[], diagnostics: readonly Diagnostic[]): CheckFailedError {
  const error = new CheckFailedError(`\n${textReport(results, diagnostics)}`, results[0]?.verdict, diagnostics)
  Error.captureStackTrace(error, checkObjects)
  return error
}
