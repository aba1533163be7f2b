/** `--resume`: a search exactly as it was set up, of a program or of a class, going on from its checkpoint with new budgets. */
import { resolve } from 'node:path'
import { optionsOfEngines } from '../check/catalogue.ts'
import { type Checkpoint, checkpointIn, readCheckpoint } from '../check/checkpoint.ts'
import { savedIn } from '../check/cluster/cluster.ts'
import { loadNamed } from '../check/load-named.ts'
import type { CheckOptions } from '../check/request.ts'
import { excessiveParam } from '../check/resolve-setting.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { isRunId } from '../distribute/redis/url.ts'
import { collectCommand, resumeCommand } from '../reports/commands-to-paste.ts'
import type { TypedFlags } from './arguments.ts'
import type { ClusterFlags } from './cluster-flags.ts'
import type { Io } from './io.ts'
import { namedCode } from './named-code.ts'
import type { ProgramSearch } from './search.ts'

/** Flags that would change what is explored, in whichever command. */
const fixedFlags: readonly (keyof TypedFlags)[] = [
  'engine',
  'network',
  'param',
  'faults',
  'seed',
  'shard',
  'keepGoing',
  'deadlock',
  'maxSteps',
  'testName',
  'class',
  'client',
  'args',
  'processes',
  'calls',
  'spec',
  'reduction',
  'static',
  'stateless',
  'order',
  'granularity',
  'criterion',
  'monitors',
  'values',
  'pLegacy',
]

/** What a resumed search is told anew. */
interface Told {
  readonly typed: TypedFlags
  readonly budget: Pick<CheckOptions, 'time' | 'memory' | 'maxExecutions' | 'workers'>
  /** Only so many of what is left. */
  readonly units?: number | undefined
  readonly io: Pick<Io, 'cwd' | 'shell'>
  readonly command: 'check' | 'linearize'
  readonly cluster?: ClusterFlags | undefined
}

export async function resumed(typed: string, files: readonly string[], told: Told): Promise<Result<ProgramSearch>> {
  const unfit = fixedBefore(files, told.typed)
  if (!unfit.ok) return unfit
  const { cluster } = told
  const isRun = cluster !== undefined && isRunId(typed)
  // What a run names is told apart from one's own code as if it lay where the command is run.
  const saved = resolve(told.io.cwd, typed)
  const checkpoint = isRun ? await checkpointOfRun(typed, cluster) : readCheckpoint(saved, typed)
  if (!checkpoint.ok) return checkpoint
  const { program, units, setting } = checkpoint.value
  // What was left of a class are clients; of anything else it is units, and a search without any is over.
  if (!isRun && program.origin === undefined && units.length === 0)
    return failure(misfit(typed, 'no work is left in it'))
  const { cwd, shell } = told.io
  const naming = { savedAt: saved, shown: isRun ? typed : `the checkpoint ${typed}`, program }
  const code = namedCode(naming, {
    cwd,
    file: files[0],
    trust: told.typed.trust,
    ifChanged: misfit(typed, unlike(program.file, files[0], cwd)),
    command: (file) =>
      isRun
        ? collectCommand(shell, typed, { redis: cluster.url.shown, keyFile: cluster.key.file, file })
        : resumeCommand(shell, told.command, typed, file),
  })
  if (!code.ok) return code
  const selected = await loadNamed(code.value.path, program, {
    clients: setting.bounds.clients,
    admits: code.value.admits,
    options: setting.options,
  })
  if (!selected.ok) return selected
  const excess = told.typed.trust === true ? undefined : excessiveParam(selected.value.program, setting.params)
  if (excess !== undefined)
    return failure({ ...misfit(typed, excess), hint: 'if you know where the checkpoint comes from, add --trust' })
  const { time, memory, maxExecutions, workers } = told.budget
  const options = { ...optionsOf(checkpoint.value, selected.value.program), time, memory, maxExecutions, workers }
  const sent = isRun ? { ...cluster, run: typed } : cluster
  return success({ selected: selected.value, options, checkpoint: checkpoint.value, units: told.units, cluster: sent })
}

async function checkpointOfRun(run: string, { url, key }: ClusterFlags): Promise<Result<Checkpoint>> {
  const saved = await savedIn(url, key.bytes, run)
  return saved.ok ? checkpointIn(String(saved.value), run) : saved
}

/** What a resumed search cannot be told any more. */
function fixedBefore(files: readonly string[], flags: TypedFlags): Result<undefined> {
  const names = [...fixedFlags, ...optionsOfEngines('exploring').map(({ name }) => name)]
  const fixed = [...new Set(names)].filter((name) => flags[name as keyof TypedFlags] !== undefined)
  // One file may say which code it is that runs.
  const [, ...others] = files
  if (fixed.length === 0 && others.length === 0) return success(undefined)
  return failure({
    code: 'E107',
    message: `${[...fixed.map(flagText), ...others].join(', ')} cannot be given together with --resume`,
    hint: 'a resumed search is set up as it was; only budgets and outputs may change',
  })
}

/** Everything but budgets; whether the values are known is checked where all options are. */
function optionsOf(
  { setting, engine, options, keepGoing, causes }: Checkpoint,
  program: ProgramSearch['selected']['program'],
): CheckOptions {
  const { params, faults, bounds, start } = setting
  const network = program.network === undefined ? undefined : setting.network
  const chosen = { ...setting.options, ...options }
  const seed = typeof options.seed === 'number' ? options.seed : undefined
  // The engine may have an option of that name, of its own.
  const order = program.options.order === undefined ? undefined : (setting.options.order as CheckOptions['order'])
  return { engine, network, params, faults, options: chosen, order, seed, start, ...bounds, keepGoing, causes }
}

function unlike(file: string, typed: string | undefined, cwd: string): string {
  if (typed === undefined || resolve(cwd, typed) === resolve(cwd, file))
    return `${file}, or a file it imports, has changed since`
  return `it is a search of ${file}, and ${typed} does not hold the same`
}

function misfit(typed: string, why: string): Diagnostic {
  return {
    code: 'E405',
    message: `the checkpoint ${typed} does not fit: ${why}`,
    hint: 'start the search again, without --resume',
  }
}

export function flagText(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
