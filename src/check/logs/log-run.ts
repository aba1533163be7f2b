/** Whether a run of machines refines what the system says, by its logs: they must fit the system, and the rest is a check like others. */
import { cutText } from '../../core/cut-text.ts'
import { type Diagnostic, failure, type Place, type Result, success } from '../../core/diagnostic.ts'
import { sameValue, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import { logs } from '../../engines/logs/logs.ts'
import type { LoggedCalls } from '../../program/logged.ts'
import { type Program, registerProgram } from '../../program/program.ts'
import { callOf } from '../../program/refinement.ts'
import { loggedPaths } from '../../semantics/refinement/logged-path.ts'
import { located } from '../locate.ts'
import { type CheckOptions, checkRequest } from '../request.ts'
import { excessiveParam, resolveParams } from '../resolve-setting.ts'
import { type Checked, type RunOptions, runCheck } from '../run.ts'
import { type ChosenSystem, chosenSystem } from '../system.ts'
import { type LoggedLife, readLogs } from './log-files.ts'
import type { LogHeader } from './log-line.ts'
import { mostTold, orderedCalls } from './log-order.ts'

export interface LogRequest extends Pick<CheckOptions, 'time' | 'memory' | 'signal'> {
  /** The system that ran. */
  readonly program: Program
  /** Its logs, as the user sees them. */
  readonly files: readonly string[]
  /** Called when they have been read. */
  readonly onRead?: (() => void) | undefined
}

export async function runLogCheck(asked: LogRequest, options: RunOptions = {}): Promise<Result<Checked>> {
  const { program, files, onRead, ...budget } = asked
  const logged = loggedBy(program, files)
  if (!logged.ok) return logged
  onRead?.()
  const request = checkRequest(logProgram(program, logged.value), { ...budget, engine: logs.name })
  return request.ok ? await runCheck(request.value, options) : failure(...request.diagnostics.map(located))
}

interface LoggedSystem extends LoggedCalls {
  readonly system: ChosenSystem
}

/** Parameters are those that the machines ran with. */
function loggedBy(program: Program, files: readonly string[]): Result<LoggedSystem> {
  const lives = readLogs(files)
  if (!lives.ok) return lives
  const [first, ...others] = lives.value as readonly [LoggedLife, ...LoggedLife[]]
  const system = systemOf(program, first)
  if (!system.ok) return system
  const { machines: names, refines: objects = [] } = system.value.machines
  const misfits = [first, ...others].flatMap((life) => misfit(life, first, system.value))
  if (misfits.length > 0) return failure(...misfits)
  const ordered = orderedCalls(names, lives.value)
  if (!ordered.ok) return ordered
  const strays = ordered.value.callers.flatMap(({ steps }) =>
    steps.flatMap(({ calls, place }) => {
      const stray = calls.find((call) => objects.every((object) => callOf(object, call) === undefined))
      return stray === undefined
        ? []
        : [foreign(place, `it has ${showValue(stray, 80)}, which is no call of the system`)]
    }),
  )
  if (strays.length > 0) return failure(...strays.slice(0, mostTold))
  return success({ ...ordered.value, objects, system: system.value })
}

function systemOf(program: Program, { header, place }: LoggedLife): Result<ChosenSystem> {
  if (header.system !== program.name)
    return failure(foreign(place, `it is of system "${header.system}", and "${program.name}" is checked`))
  const params = resolveParams(program, header.params)
  const excess = excessiveParam(program, header.params)
  if (!params.ok) return failure(foreign(place, `its parameters do not fit: ${params.diagnostics[0]?.message}`))
  if (excess !== undefined) return failure(foreign(place, excess))
  const system = chosenSystem(program, params.value)
  if (!system.ok || (system.value.machines.refines ?? []).length > 0) return system
  const message = `system "${program.name}" refines nothing, so that its log has nothing to be judged by`
  const hint = 'properties: [refines(specification)], in the system'
  return failure(located({ code: 'E107', message, hint, stack: program.stack }))
}

/** All of them are of the same run. */
function misfit({ header, place }: LoggedLife, first: LoggedLife, { machines }: ChosenSystem): readonly Diagnostic[] {
  const names = (machines.refines ?? []).map(({ name }) => name)
  const why =
    header.system !== first.header.system
      ? `it is of system "${header.system}", and another log of "${first.header.system}"`
      : !sameValue(header.params as Value, first.header.params as Value)
        ? `it was run with other parameters than ${first.place.file}:${first.place.line}`
        : !sameList(header.machines, machines.machines)
          ? `its machines are ${listed(header.machines)}, and those of the system are ${listed(machines.machines)}`
          : !machines.machines.includes(header.machine)
            ? `the system has no machine "${header.machine}"`
            : missingIn(header, names)
  return why === undefined ? [] : [foreign(place, why)]
}

function missingIn({ refines }: LogHeader, names: readonly string[]): string | undefined {
  const missing = names.filter((name) => !refines.includes(name))
  if (missing.length > 0) return `it has no calls of ${listed(missing)}, which the system refines`
  const others = refines.filter((name) => !names.includes(name))
  return others.length === 0 ? undefined : `it has calls of ${listed(others)}, which the system does not refine`
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at])
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

function foreign(place: Place, why: string): Diagnostic {
  const message = `the log does not fit the system that is checked: ${cutText(why)}`
  return { code: 'E613', message, hint: 'check with the file that the machines were started from', place }
}

/** What the logs tell, under the name of the system: its one execution has happened. */
function logProgram(program: Program, { system, ...logged }: LoggedSystem): Program {
  return registerProgram({
    name: program.name,
    params: system.params,
    every: {},
    network: undefined,
    options: {},
    views: {
      logged: (_setting, witness) => ({ ...logged, paths: loggedPaths(logged, witness) }),
      path: (_setting, witness) => loggedPaths(logged, witness),
    },
    stack: program.stack,
  })
}
