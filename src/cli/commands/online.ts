/** `online`: predicts what a running system can do wrong from where it is now. */
import { join, resolve } from 'node:path'
import { writeWhole } from '../../artifact/write.ts'
import { foundPlaces } from '../../check/findings.ts'
import { guardDeterminism } from '../../check/guard.ts'
import {
  attachedLine,
  findingLine,
  mistakeLine,
  type OnlineLine,
  roundLine,
  summaryLine,
  troubleLine,
} from '../../check/online/lines.ts'
import { AttachedSource, fileSource, type SnapshotSource } from '../../check/online/source.ts'
import { type Round, usualAttempts, type WatchSummary, watchOnline } from '../../check/online/watch.ts'
import { defaultTraceDirectory } from '../../check/trace-file.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { Snapshot } from '../../core/snapshot.ts'
import { fingerprintText } from '../../core/value.ts'
import type { ReportedFinding } from '../../reports/result.ts'
import { snapshotToJson } from '../../runtime/snapshot.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { keptTrace } from '../kept-traces.ts'
import type { SharedKey } from '../key-file.ts'
import type { TypedOnlineFlags } from '../online-arguments.ts'
import { type OnlineFlags, onlineFlags } from '../online-flags.ts'
import { predictionText, roundText, summaryText } from '../online-text.ts'
import { printDiagnostics, printWarnings, textOptions } from '../print.ts'
import type { SelectedProgram } from '../select-programs.ts'
import { selectSystem } from '../select-system.ts'
import { typed as typedPath, unlessUnwritable } from '../written.ts'

export async function online(file: string, typed: TypedOnlineFlags, io: Io): Promise<ExitCode> {
  const screen = new Screen(io, typed)
  const flags = await onlineFlags(typed, io.cwd)
  if (!flags.ok) return screen.refuse(flags.diagnostics)
  const { source } = flags.value
  if (source.from === undefined) screen.warn(source.key.warnings)
  const release = guardDeterminism()
  try {
    const selected = await selectSystem(file, typed.testName, io.cwd)
    if (!selected.ok) return screen.refuse(selected.diagnostics)
    return await watch(selected.value, flags.value, screen)
  } finally {
    release()
  }
}

async function watch(selected: SelectedProgram, flags: OnlineFlags, screen: Screen): Promise<ExitCode> {
  const { io, typed } = screen
  const controller = new AbortController()
  const release = io.onInterrupt(() => controller.abort())
  let isLate = false
  const end = (): void => {
    isLate = true
    controller.abort()
  }
  const timeout = flags.time === undefined ? undefined : setTimeout(end, flags.time)
  let trouble: readonly Diagnostic[] = []
  const ended = await watchOnline(
    {
      program: selected.program,
      source: sourceOf(selected, flags, io),
      roundMilliseconds: flags.roundMilliseconds,
      engine: flags.engine,
      everyMilliseconds: flags.everyMilliseconds,
      rounds: flags.rounds,
      keepGoing: typed.keepGoing === true,
      signal: controller.signal,
    },
    {
      attached: (taken, isAgain) => {
        trouble = []
        screen.line(attachedLine(taken, isAgain))
        const { system, machines } = taken.snapshot
        screen.note(`${isAgain ? 'attached again' : 'attached'} to ${system}: ${machines.join(', ')}`)
      },
      round: (round) => screen.round(round, selected, flags),
      trouble: (diagnostics, milliseconds) => {
        screen.trouble({ diagnostics, milliseconds, before: trouble }, flags)
        trouble = diagnostics
      },
    },
  )
  clearTimeout(timeout)
  release()
  if (!ended.ok) return screen.refuse(ended.diagnostics)
  const { unanswered, rounds, isInterrupted } = ended.value
  if (isLate ? rounds === 0 : !isInterrupted && unanswered.length > 0) {
    screen.unanswered(unanswered, trouble)
    trouble = [...trouble, ...unanswered]
  }
  screen.summary(ended.value, flags)
  return exitCode(ended.value, flags, trouble)
}

function sourceOf({ program }: SelectedProgram, { source }: OnlineFlags, io: Io): SnapshotSource {
  if (source.from === undefined) return new AttachedSource(program.name, source.attach, source.key.bytes)
  return fileSource(resolve(io.cwd, source.from), source.from)
}

/** Whoever never saw the system has checked nothing, and the address is the first thing to look at. */
function exitCode(summary: WatchSummary, { rounds }: OnlineFlags, trouble: readonly Diagnostic[]): ExitCode {
  if (summary.predictions.length > 0) return exitCodes.violated
  if (summary.rounds === 0) return trouble.length > 0 ? exitCodes.mistake : exitCodes.incomplete
  return rounds !== undefined && summary.rounds < rounds ? exitCodes.incomplete : exitCodes.ok
}

interface Trouble {
  readonly diagnostics: readonly Diagnostic[]
  readonly milliseconds: number
  /** What was told before. */
  readonly before: readonly Diagnostic[]
}

interface Kept {
  readonly finding: ReportedFinding
  readonly snapshot: string | undefined
}

/** With `--json`, stdout has the lines and stderr what people read. */
class Screen {
  readonly io: Io
  readonly typed: TypedOnlineFlags
  #pages = 0

  constructor(io: Io, typed: TypedOnlineFlags) {
    this.io = io
    this.typed = typed
  }

  line(line: OnlineLine): void {
    if (this.typed.json === true) this.io.stdout.json(JSON.stringify(line))
  }

  note(text: string): void {
    if (this.typed.quiet !== true) this.io.stderr.line(` ${text}`)
  }

  warn(diagnostics: readonly Diagnostic[]): void {
    printWarnings(diagnostics, this.io, this.#output())
  }

  refuse(diagnostics: readonly Diagnostic[]): ExitCode {
    printDiagnostics(diagnostics, this.io, this.#output())
    this.line(mistakeLine(diagnostics))
    return exitCodes.mistake
  }

  round(round: Round, selected: SelectedProgram, flags: OnlineFlags): void {
    const { prediction } = round
    this.line(roundLine(round))
    const isWorthIt = prediction !== undefined || this.typed.quiet !== true
    if (isWorthIt) this.#print(roundText(round, textOptions(this.io, this.#output())))
    if (prediction === undefined) return
    const { finding, snapshot } = round.isKnown
      ? { finding: foundPlaces(prediction.counterexample), snapshot: undefined }
      : this.#kept(round, selected, flags)
    this.line(findingLine(round, finding, snapshot))
    if (round.isKnown) return
    const options = { ...textOptions(this.io, this.#output()), legend: this.#pages++ === 0 }
    this.#print(`\n${predictionText(round, { file: selected.loaded.file, finding }, options)}\n`)
  }

  /** The same trouble is told once. */
  trouble({ diagnostics, milliseconds, before }: Trouble, { source, rounds }: OnlineFlags): void {
    this.line(troubleLine(diagnostics, milliseconds))
    if (!this.#told(diagnostics, before)) return
    const howLong = rounds === undefined ? 'until it does' : `up to ${usualAttempts} times`
    this.note(`the system does not answer; asking again ${howLong}`)
    if (source.from === undefined && diagnostics.some(({ hint }) => /\bkey\b/.test(hint))) this.#nameKey(source.key)
  }

  /** A folder of its own has a key of its own, which machines that were started elsewhere do not know. */
  #nameKey({ file, isMade }: SharedKey): void {
    const isNew = isMade ? ', which is new' : ''
    this.note(`the key is that in ${typedPath(resolve(this.io.cwd, file), this.io)}${isNew}: if machines were started`)
    this.note('in another folder, start online there, or name their key with --key-file')
  }

  /** Nobody asks again. */
  unanswered(diagnostics: readonly Diagnostic[], before: readonly Diagnostic[]): void {
    if (diagnostics.length > 0) this.line(troubleLine(diagnostics, 0))
    this.#told(diagnostics, before)
  }

  #told(diagnostics: readonly Diagnostic[], before: readonly Diagnostic[]): boolean {
    const known = new Set(before.map(({ message }) => message))
    const fresh = diagnostics.filter(({ message }) => !known.has(message))
    printDiagnostics(fresh, this.io, this.#output())
    return fresh.length > 0
  }

  summary(summary: WatchSummary, { source }: OnlineFlags): void {
    this.line(summaryLine(summary))
    if (source.from === undefined && this.typed.quiet !== true)
      this.#print(summaryText(summary, textOptions(this.io, this.#output())))
  }

  /** As a trace, which begins at the snapshot; and the snapshot itself, from which others can be searched. */
  #kept(round: Round, selected: SelectedProgram, { source, snapshotFolder }: OnlineFlags): Kept {
    const { counterexample } = round.prediction as NonNullable<Round['prediction']>
    const { setting, snapshot } = round.live
    const engine = round.raced.by ?? 'local'
    const scope = `${counterexample.decisions.length} decisions from the snapshot of ${snapshot.takenAt}`
    const { program, loaded } = selected
    const found = { name: program.name, loaded, setting, foundBy: { engine, seed: 0 }, scope }
    const finding = keptTrace(found, counterexample, { io: this.io, traceFolder: defaultTraceDirectory })
    if (source.from !== undefined) return { finding, snapshot: source.from }
    const write = () => writeSnapshot(snapshotFolder, snapshot)
    const path = unlessUnwritable(write, 'snapshot', { io: this.io })
    return { finding, snapshot: path === undefined ? undefined : typedPath(path, this.io) }
  }

  #print(text: string): void {
    const sink = this.typed.json === true ? this.io.stderr : this.io.stdout
    sink.write(`${text}\n`)
  }

  #output() {
    const { color, ascii } = this.typed
    return { ...(color === undefined ? {} : { color }), ...(ascii === undefined ? {} : { ascii }) }
  }
}

function writeSnapshot(folder: string, snapshot: Snapshot): string {
  const text = `${JSON.stringify(snapshotToJson(snapshot), undefined, 2)}\n`
  const name =
    snapshot.system
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? 'system'
  const path = join(folder, `${name.slice(0, 24)}.${fingerprintText(text).slice(0, 8)}.snapshot.json`)
  writeWhole(path, text)
  return path
}
