/** `check` and `fuzz`: every selected program with every combination of engine, network and parameters; then classes, once. */
import { suggestion } from '../../check/did-you-mean.ts'
import { located } from '../../check/locate.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes, worse } from '../exit-codes.ts'
import { reporters, type SearchFlags, searchFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { objectFlagsOf } from '../object-flags.ts'
import { classJob } from '../object-search.ts'
import { Output } from '../output.ts'
import { paramCombinations } from '../params.ts'
import { refuse } from '../print.ts'
import { resumed } from '../resume.ts'
import { type Job, runSearches } from '../run-searches.ts'
import { programJob, type Search } from '../search.ts'
import { reloadObjects } from '../select-objects.ts'
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
  const planned = await plan(files, flags, search.value, io)
  if (planned.classes.length > 0) noteUnfit(flags, io)
  output.diagnostics(planned.diagnostics)
  const code = await runAll(planned, { io, flags, search: search.value, output })
  output.end()
  return planned.diagnostics.length > 0 ? worse(code, exitCodes.mistake) : code
}

interface Plan {
  readonly programs: readonly Job[]
  readonly classes: readonly Job[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Classes have neither messages nor parameters: flags about those say nothing about them. */
function noteUnfit(flags: TypedFlags, io: Io): void {
  const { network, param, faults, maxSteps, maxExecutions } = flags
  const about = { network, param, faults, 'max-steps': maxSteps, 'max-executions': maxExecutions }
  const typed = Object.entries(about).filter(([, value]) => value !== undefined)
  if (typed.length === 0) return
  const names = typed.map(([name]) => `--${name}`).join(', ')
  io.stderr.write(` note: ${names} ${typed.length === 1 ? 'makes' : 'make'} no difference to classes\n`)
}

async function plan(files: readonly string[], flags: TypedFlags, search: SearchFlags, io: Io): Promise<Plan> {
  if (flags.resume !== undefined) {
    const told = { typed: flags, budget: search.options, flags: objectFlagsOf(search, undefined), cwd: io.cwd }
    const one = await resumed(flags.resume, files, told)
    if (!one.ok) return { programs: [], classes: [], diagnostics: one.diagnostics }
    const { job, isClass } = one.value
    return { programs: isClass ? [] : [job], classes: isClass ? [job] : [], diagnostics: [] }
  }
  const selected = await selectPrograms(files, search.testName, io.cwd)
  const unknown = selected.programs.length === 0 ? [] : unknownParams(search, selected.programs)
  if (unknown.length > 0) return { programs: [], classes: [], diagnostics: [...selected.diagnostics, ...unknown] }
  const { objects, diagnostics } = await reloadObjects(selected.objects)
  return {
    programs: selected.programs.flatMap((one) => combinations(one, search)).map(programJob),
    classes: search.engines.flatMap((engine) => objects.map((one) => classJob(one, objectFlagsOf(search, engine)))),
    diagnostics: [...selected.diagnostics, ...diagnostics],
  }
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
        hint: suggestion(name, known, 'parameters'),
        stack: isOnly ? only.program.stack : undefined,
      }),
    )
}

function combinations(selected: SelectedProgram, search: SearchFlags): readonly Search[] {
  const params = paramCombinations(search.params, selected.program.params)
  return search.engines.flatMap((engine) =>
    search.networks.flatMap((network) =>
      params.map((values) => ({ selected, options: { ...search.options, engine, network, params: values } })),
    ),
  )
}

interface Session {
  readonly io: Io
  readonly flags: TypedFlags
  readonly search: SearchFlags
  readonly output: Output
}

async function runAll({ programs, classes }: Plan, { io, flags, search, output }: Session): Promise<ExitCode> {
  const controller = new AbortController()
  const release = io.onInterrupt(() => controller.abort())
  const { allowIncomplete, traceFolder } = search
  const session = { io, quiet: flags.quiet === true, traceFolder, allowIncomplete, output, signal: controller.signal }
  try {
    const code = await runSearches(programs, 'searches were not started', session)
    return worse(code, await runSearches(classes, 'class checks were not started', session))
  } finally {
    release()
  }
}
