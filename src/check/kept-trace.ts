/**
 * Traces of checks that are called from code, such as tests: as the command line keeps them, where it can find the program again and its
 * replay shows the violation. Other findings have no trace.
 */
import { relative, resolve } from 'node:path'
import { argv, cwd, env, platform } from 'node:process'
import type { Counterexample } from '../core/evidence.ts'
import { type Trace, traceFormat } from '../core/trace.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import { traceCommands } from '../reports/commands-to-paste.ts'
import type { ReportedFinding } from '../reports/result.ts'
import { scopeSentence } from '../reports/scope.ts'
import { shellOf } from '../reports/shell.ts'
import { settingWithValues } from './concrete.ts'
import type { FoundPlaces } from './findings.ts'
import { loadPrograms } from './load.ts'
import { replayTrace } from './replay-trace.ts'
import type { CheckRequest } from './request.ts'
import type { Checked } from './run.ts'
import { displayPath, sourceLines } from './source-places.ts'
import { callsCheck, isTest } from './test-files.ts'
import { writeTrace } from './trace-file.ts'
import { whyUnwritten } from './unwritten.ts'
import { version } from './version.ts'

export interface Ended {
  readonly request: CheckRequest
  readonly checked: Checked
  /** As it was loaded; a program that was given as such has only a file where it was declared. */
  readonly loaded: LoadedFile | string
}

/** What the report says of it, and why there is no trace if it could not be written. */
type Kept = Pick<ReportedFinding, 'tracePath' | 'replayCommand' | 'showCommand'> & { readonly unwritten?: string }

/** Where the trace of a finding is, and how to use it; nothing if it cannot be replayed from there. */
export async function keptTrace(
  { request, checked: { verdict }, loaded }: Ended,
  counterexample: Counterexample,
  { found, folder }: { readonly found: FoundPlaces; readonly folder: string },
): Promise<Kept> {
  const { name } = request.program
  const source = typeof loaded === 'string' ? await loadedAgain(loaded) : loaded
  const [declared, ...namesakes] = source?.programs.filter(({ program }) => program.name === name) ?? []
  if (source === undefined || declared === undefined || namesakes.length > 0 || declared.origin !== undefined) return {}
  const { engine, seed } = verdict.scope
  const { decisions, repeatsFrom, violation, foundIn } = counterexample
  const trace: Trace = {
    format: traceFormat,
    program: { name, file: source.file, digest: source.digest },
    setting: settingWithValues(request.setting, counterexample),
    decisions,
    repeatsFrom,
    foundBy: { engine, seed, version: version() },
  }
  const again = replayTrace(declared.program, { trace, violation, foundIn, changes: '' })
  if (!again.ok || !again.value.isAsRecorded) return {}
  const { places, place, waitingAt } = found
  const context = { counterexample, places, place, waitingAt, scope: scopeSentence(verdict), sources: source.sources }
  const written = unlessUnwritable(() => displayPath(writeTrace(resolve(folder), trace, context)))
  if ('unwritten' in written) return written
  const { tracePath } = written
  const isElsewhere = relative(cwd(), source.file).startsWith('..')
  const shell = shellOf({ platform, env })
  return {
    tracePath,
    ...traceCommands(shell, { path: tracePath, isClass: false, file: isElsewhere ? source.file : undefined }),
  }
}

/** Tests and scripts are left alone: to load one is to run it, with its checks, whose traces would be kept by loading it. */
async function loadedAgain(file: string): Promise<LoadedFile | undefined> {
  try {
    const code = sourceLines(file)?.join('\n') ?? ''
    if (isTest(file, code) || callsCheck(code) || isMain(file)) return undefined
    const loaded = await loadPrograms(file)
    return loaded.ok ? loaded.value : undefined
  } catch {
    // What the file does when it is loaded here is not what is checked.
    return undefined
  }
}

function isMain(file: string): boolean {
  return argv[1] !== undefined && resolve(argv[1]) === file
}

/** A result is not lost because a file about it cannot be written. */
function unlessUnwritable(write: () => string): { readonly tracePath: string } | { readonly unwritten: string } {
  try {
    return { tracePath: write() }
  } catch (error) {
    return { unwritten: whyUnwritten(error, displayPath) }
  }
}
