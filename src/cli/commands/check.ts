/** `check` and `fuzz`: every selected program with every combination of engine, network and parameters. */

import { located } from '../../check/locate.ts'
import { unfitOptions } from '../../check/request.ts'
import { leftBehind } from '../../check/strays.ts'
import { type Diagnostic, type Result, success } from '../../core/diagnostic.ts'
import { suggestion } from '../../core/did-you-mean.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes, worse } from '../exit-codes.ts'
import { reporters, type SearchFlags, searchFlags } from '../flags.ts'
import { interruptsOf } from '../interrupts.ts'
import type { Io } from '../io.ts'
import { logJob, unfitForLogs } from '../log-search.ts'
import { Output } from '../output.ts'
import { paramsOfP, printGuards, printPrograms, saidOf, unfitForAll } from '../p-flags.ts'
import { paramCombinations } from '../params.ts'
import { printWarnings, refuse } from '../print.ts'
import { flagText, resumed } from '../resume.ts'
import { type Job, runSearches } from '../run-searches.ts'
import { type ProgramSearch, programJob } from '../search.ts'
import { type SelectedProgram, selectPrograms } from '../select-programs.ts'

export async function check(
  command: 'check' | 'fuzz',
  files: readonly string[],
  flags: TypedFlags,
  io: Io,
): Promise<ExitCode> {
  const search = searchFlags(command, flags, io)
  const forms = reporters(flags)
  if (!search.ok || !forms.ok) {
    return refuse(
      [search, forms].flatMap((one) => (one.ok ? [] : one.diagnostics)),
      io,
      flags,
    )
  }
  const output = new Output(io, flags, forms.value)
  if (flags.log !== undefined) return await judgeLogs(files, flags.log, { io, flags, search: search.value, output })
  const { searches, diagnostics, warnings = [], printed } = await plan(files, flags, search.value, io)
  output.diagnostics(diagnostics)
  output.warnings(warnings)
  const run = async (): Promise<ExitCode> => {
    if (printed !== undefined) return printPrograms(printed, search.value, output)
    if (search.value.print === 'guards') return printGuards(searches, output)
    const { cluster } = search.value
    if (cluster !== undefined) printWarnings(cluster.key.warnings, io, flags)
    const sent = searches.map((one) => ({ ...one, cluster: one.cluster ?? cluster }))
    return await runAll(sent.map(programJob), { io, flags, search: search.value, output })
  }
  const code = await run()
  const stray = (await leftBehind()).map(located)
  output.diagnostics(stray)
  output.end()
  if (diagnostics.length + stray.length > 0) return worse(code, exitCodes.mistake)
  return search.value.strict && warnings.length > 0 ? worse(code, exitCodes.violated) : code
}

interface Plan {
  readonly searches: readonly ProgramSearch[]
  readonly diagnostics: readonly Diagnostic[]
  readonly warnings?: readonly Diagnostic[] | undefined
  /** Programs that are printed and not explored. */
  readonly printed?: readonly SelectedProgram[] | undefined
}

async function plan(files: readonly string[], flags: TypedFlags, search: SearchFlags, io: Io): Promise<Plan> {
  if (flags.resume !== undefined) {
    const one = await resumed(flags.resume, files, {
      typed: flags,
      budget: search.options,
      cluster: search.cluster,
      units: search.units,
      io,
      command: 'check',
    })
    return one.ok ? { searches: [one.value], diagnostics: [] } : { searches: [], diagnostics: one.diagnostics }
  }
  const { programs, diagnostics, warnings } = await selectPrograms(files, search.testName, io.cwd, {
    legacy: search.legacy,
  })
  const unknown = programs.length === 0 ? [] : [...unfitForAll(search, programs), ...unknownParams(search, programs)]
  if (unknown.length > 0) return { searches: [], diagnostics: [...diagnostics, ...unknown] }
  if (search.print === 'ir') return { searches: [], diagnostics, printed: programs }
  const all = programs.map((one) => combinations(one, search))
  const mistakes = all.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (mistakes.length > 0) return { searches: [], diagnostics: [...diagnostics, ...distinct(mistakes)] }
  const searches = all.flatMap((one) => (one.ok ? one.value : []))
  return { searches: fitting(searches, io), diagnostics, warnings: toldNow(warnings, search) }
}

/** Who says which monitors watch need not be told that none does. */
function toldNow(warnings: readonly Diagnostic[] = [], { monitors }: SearchFlags): readonly Diagnostic[] {
  return monitors === undefined ? warnings : warnings.filter(({ code }) => code !== 'E732')
}

/** What only some of the programs can be told is told to those; what none can be told is left for each to refuse. */
function fitting(searches: readonly ProgramSearch[], io: Io): readonly ProgramSearch[] {
  const unfit = searches.map(({ selected, options }) => unfitOptions(selected.program, options))
  const told = (['network', 'faults', 'maxSteps', 'maxExecutions'] as const).filter((name) => {
    const isSaid = searches.some(({ options }) => options[name] !== undefined)
    return isSaid && unfit.some((names) => !names.includes(name))
  })
  const left = told.filter((name) => unfit.some((names) => names.includes(name)))
  if (left.length > 0)
    io.stderr.line(` note: ${left.map(flagText).join(', ')} is left out where it makes no difference`)
  const fitted = searches.map(({ options, ...search }, at) => {
    const names = left.filter((name) => unfit[at]?.includes(name))
    return { ...search, options: { ...options, ...Object.fromEntries(names.map((name) => [name, undefined])) } }
  })
  // Without networks to tell them apart, a class would be checked as often as there are networks.
  return fitted.filter(({ selected, options }, at) => {
    const isSame = (other: ProgramSearch): boolean =>
      other.selected === selected && JSON.stringify(other.options) === JSON.stringify(options)
    return !left.includes('network') || fitted.findIndex(isSame) === at
  })
}

/** A parameter that only some programs have is set in those; one that none has is a slip. */
function unknownParams({ params }: SearchFlags, programs: readonly SelectedProgram[]): readonly Diagnostic[] {
  const known = [...new Set(programs.flatMap(({ program }) => Object.keys(program.params)))]
  const [only, ...others] = programs
  const isOnly = only !== undefined && others.length === 0
  const nobody = isOnly ? `program "${only.program.name}" has no` : 'none of the programs has a'
  return params
    .filter(({ name }) => !known.includes(name))
    .map(({ name }) =>
      located({
        code: 'E110',
        message: `${nobody} parameter "${name}"`,
        hint: programs.every(({ program }) => program.views.ir !== undefined)
          ? paramsOfP(name)
          : suggestion(name, known, 'parameters'),
        stack: isOnly ? only.program.stack : undefined,
      }),
    )
}

function combinations(selected: SelectedProgram, search: SearchFlags): Result<readonly ProgramSearch[]> {
  const params = paramCombinations(search.params, selected.program.params)
  if (!params.ok) return params
  const options = { ...search.options, options: { ...search.options.options, ...saidOf(selected, search) } }
  return success(
    search.engines.flatMap((engine) =>
      search.networks.flatMap((network) =>
        params.value.map((values) => ({ selected, options: { ...options, engine, network, params: values } })),
      ),
    ),
  )
}

/** Several programs have the parameter, and what was typed is wrong for all of them. */
function distinct(mistakes: readonly Diagnostic[]): readonly Diagnostic[] {
  return mistakes.filter((one, at) => mistakes.findIndex(({ message }) => message === one.message) === at)
}

interface Session {
  readonly io: Io
  readonly flags: TypedFlags
  readonly search: SearchFlags
  readonly output: Output
}

/** What happened, instead of all that can happen. */
async function judgeLogs(files: readonly string[], logs: readonly string[], session: Session): Promise<ExitCode> {
  const { io, flags, search, output } = session
  const unfit = unfitForLogs(files, flags)
  const [file] = files
  if (unfit.length > 0 || file === undefined) return refuse(unfit, io, flags)
  const code = await runAll([logJob({ file, logs, search }, io.cwd)], session)
  output.end()
  return code
}

async function runAll(jobs: readonly Job[], { io, flags, search, output }: Session): Promise<ExitCode> {
  const interrupts = interruptsOf(io)
  const { allowIncomplete, strict, traceFolder } = search
  const session = {
    io,
    quiet: flags.quiet === true,
    ascii: flags.ascii,
    traceFolder,
    allowIncomplete,
    strict,
    output,
    signal: interrupts.signal,
    interrupts,
  }
  return await runSearches(jobs, 'searches were not started', session)
}
