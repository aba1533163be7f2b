/** `run`: the machines that are checked, on a real network, until somebody stops them. */
import { guardDeterminism } from '../../check/guard.ts'
import { located } from '../../check/locate.ts'
import { displayPath, placeOf } from '../../check/source-places.ts'
import { type ChosenSystem, chosenSystem, mistakeIn } from '../../check/system.ts'
import { cutText } from '../../core/cut-text.ts'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import type { Params } from '../../core/setting.ts'
import { counted } from '../../reports/count-words.ts'
import { beginningName } from '../../reports/lines.ts'
import { glyphsFor } from '../../reports/paint.ts'
import { addressText, isLoopback } from '../../runtime/address.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { paramCombinations, parseParams } from '../params.ts'
import { printDiagnostics, printWarnings, refuse } from '../print.ts'
import type { TypedRunFlags } from '../run-arguments.ts'
import { checkPeers, type RunFlags, runFlags } from '../run-flags.ts'
import { type RunningHosts, startHosts } from '../run-hosts.ts'
import { selectSystem } from '../select-system.ts'

export async function run(file: string, typed: TypedRunFlags, io: Io): Promise<ExitCode> {
  const flags = await runFlags(typed, io.cwd)
  if (!flags.ok) return refuse(flags.diagnostics, io, outputFlags(typed))
  const release = guardDeterminism()
  try {
    const system = await systemIn(file, typed, io)
    if (!system.ok) return refuse(system.diagnostics, io, outputFlags(typed))
    const problems = checkPeers(flags.value, system.value.machines.machines, io.shell)
    if (problems.length > 0) return refuse(problems, io, outputFlags(typed))
    return await runUntilStopped(system.value, flags.value, { typed, io })
  } finally {
    release()
  }
}

async function systemIn(file: string, typed: TypedRunFlags, io: Io): Promise<Result<ChosenSystem>> {
  const selected = await selectSystem(file, typed.testName, io.cwd)
  if (!selected.ok) return selected
  const { program } = selected.value
  const params = paramsFor(program.params, typed.param ?? [])
  return params.ok ? chosenSystem(program, params.value) : params
}

/** Names that the system does not know are kept, for the diagnostic. */
function paramsFor(defaults: Params, typed: readonly string[]): Result<Params> {
  const parsed = parseParams(typed)
  if (!parsed.ok) return parsed
  const combined = paramCombinations(parsed.value, defaults)
  if (!combined.ok) return combined
  const combinations = combined.value
  if (combinations.length > 1)
    return failure({
      code: 'E107',
      message: '--param has several values, and a system is run with one',
      hint: 'write one value: --param n=2; a text with a comma stands in quotes: --param \'mode="a,b"\'',
    })
  const unknown = parsed.value.filter(({ name }) => !Object.hasOwn(defaults, name))
  return success({ ...combinations[0], ...Object.fromEntries(unknown.map(({ name }) => [name, null])) })
}

interface Session {
  readonly typed: TypedRunFlags
  readonly io: Io
}

async function runUntilStopped(system: ChosenSystem, flags: RunFlags, { typed, io }: Session): Promise<ExitCode> {
  const failures: Diagnostic[] = []
  const mistakes = new ToldOnce((diagnostic) => printDiagnostics([diagnostic], io, outputFlags(typed)))
  const failed = new ToldFew(io)
  const shown = (machine: string): string => beginningName(machine, glyphs)
  let stop: () => void = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const started = await startHosts(system, flags, {
    violation: (machine, violation) => {
      const mistake = mistakeIn(violation)
      if (mistake === undefined) failed.tell(`${shown(machine)}: ${cutText(violation.message)}${whereText(violation)}`)
      else mistakes.tell(mistake)
    },
    failure: (diagnostic) => {
      failures.push(located(diagnostic))
      stop()
    },
    unlogged: (diagnostic) => mistakes.tell(diagnostic),
    takeOver: (machine, process) =>
      io.stderr.line(` ${shown(machine)}: goes on with the state of process ${process}, which has ended`),
    stop: () => stop(),
  })
  if (!started.ok) return refuse(started.diagnostics, io, outputFlags(typed))
  const release = io.onInterrupt(stop)
  const timeout = flags.time === undefined ? undefined : setTimeout(stop, flags.time)
  printWarnings(flags.key.warnings, io, outputFlags(typed))
  if (typed.quiet !== true) announce(started.value, system, flags, { typed, io })
  await stopped
  clearTimeout(timeout)
  release()
  await started.value.stop()
  printDiagnostics(failures, io, outputFlags(typed))
  summarise(started.value, system, { typed, io })
  if (failures.length > 0 || mistakes.count > 0) return exitCodes.mistake
  const isViolated = started.value.hosts.some(({ counters }) => counters.violations > 0)
  return isViolated ? exitCodes.violated : exitCodes.ok
}

/** What fails with every message would fill a terminal, or a log; the counters say how often it was. */
class ToldFew {
  readonly #io: Io
  #left = mostTold

  constructor(io: Io) {
    this.#io = io
  }

  tell(line: string): void {
    if (this.#left > 0) this.#io.stderr.line(` ${line}`)
    else if (this.#left === 0) this.#io.stderr.line(` ${mostTold} failures were shown; the others are only counted`)
    this.#left--
  }
}

/** Of failures, and of mistakes, whose texts may hold what strangers sent. */
const mostTold = 1_000

/** A handler makes its mistake as often as it is called, and the machine goes on without those events. */
class ToldOnce {
  readonly #print: (diagnostic: Diagnostic) => void
  readonly #told = new Set<string>()

  constructor(print: (diagnostic: Diagnostic) => void) {
    this.#print = print
  }

  get count(): number {
    return this.#told.size
  }

  tell(diagnostic: Diagnostic): void {
    const message = cutText(diagnostic.message)
    const key = `${diagnostic.code} ${message}`
    if (this.#told.has(key) || this.#told.size >= mostTold) return
    this.#told.add(key)
    this.#print({ ...diagnostic, message })
  }
}

function announce({ hosts, control }: RunningHosts, system: ChosenSystem, flags: RunFlags, session: Session): void {
  const { typed, io } = session
  for (const { name, address } of hosts)
    io.stderr.line(` ${beginningName(name, glyphs)} listens on ${addressText(address)} over ${flags.transport}`)
  if (control !== undefined) io.stderr.line(` control is at ${addressText(control)}`)
  for (const { name, requestsBefore } of hosts) {
    if (requestsBefore === undefined) continue
    const requests = requestsBefore === 0 ? '' : `, and does not make ${counted(requestsBefore, 'request')} again`
    io.stderr.line(` note: ${beginningName(name, glyphs)} comes back with what it has kept${requests}`)
  }
  const { isMade, file } = flags.key
  if (isMade)
    io.stderr.line(` note: ${file} is new; machines and checkers that have it trust each other, and nobody else`)
  const isElsewhere = [...flags.peers.values()].some(({ host }) => !isLoopback(host))
  if (isElsewhere && typed.keyFile === undefined)
    io.stderr.line(` note: machines on other computers need the same key: copy ${file}, and name it with --key-file`)
  if (flags.transport === 'udp' && system.machines.faults.losses !== 'any')
    io.stderr.line(' note: the system is checked without loss of messages, and UDP loses some; see --transport tcp')
}

function summarise({ hosts }: RunningHosts, system: ChosenSystem, { typed, io }: Session): void {
  if (typed.json === true) {
    const machines = hosts.map(({ name, address, counters }) => ({
      machine: name,
      address: addressText(address),
      counters,
    }))
    io.stdout.json(JSON.stringify({ format: 'allways-run/1', system: system.name, machines }, undefined, 2))
    return
  }
  if (typed.quiet === true) return
  for (const { name, counters } of hosts) {
    const others = Object.entries(counters).filter(
      ([what, count]) => count > 0 && !['sent', 'delivered'].includes(what),
    )
    const shown = others.map(([what, count]) => `${what} ${count}`).join(', ')
    io.stdout.line(
      ` ${beginningName(name, glyphs)}: sent ${counters.sent}, delivered ${counters.delivered}${shown === '' ? '' : ` (${shown})`}`,
    )
  }
}

/** Lines are printed one by one, in whatever the terminal can show. */
const glyphs = glyphsFor(false)

/** The flags that say how to print. */
function outputFlags({ json, color, ascii }: TypedRunFlags) {
  return {
    ...(json === undefined ? {} : { json }),
    ...(color === undefined ? {} : { color }),
    ...(ascii === undefined ? {} : { ascii }),
  }
}

/** ' (paxos.check.ts:12:5)', where the handler failed. */
function whereText({ stack }: Violation): string {
  const place = placeOf(stack)
  return place === undefined ? '' : ` (${displayPath(place.file)}:${place.line}:${place.column})`
}
