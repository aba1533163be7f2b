/** `prove`: every selected program that has sizes, for every size; where none has, each as it is. */
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseDuration } from '../../check/budget.ts'
import { readProof } from '../../check/prove/proof-file.ts'
import { checkSavedProof, type Proved, proofIn, proveProgram, termOf } from '../../check/prove/prove.ts'
import { defaultTraceDirectory } from '../../check/trace-file.ts'
import type { Diagnostic, Result } from '../../core/diagnostic.ts'
import { printIcet } from '../../reports/icet-text.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodeOf, exitCodes, worse } from '../exit-codes.ts'
import { oneOf } from '../flag-values.ts'
import { isCi, memoryBudget, reporters, workersFlag } from '../flags.ts'
import { type Interrupts, interruptsOf } from '../interrupts.ts'
import type { Io } from '../io.ts'
import { Output } from '../output.ts'
import { refuse } from '../print.ts'
import { ProgressLine } from '../progress-line.ts'
import { kept, reload, threadsOf } from '../search.ts'
import { type SelectedProgram, selectPrograms } from '../select-programs.ts'
import { rerun } from '../watch.ts'

/** Enough for the smallest sizes, and short enough to wait for. */
const usualTime = '10s'
/** While somebody is editing, answers are wanted before the next thought. */
const watchedTime = '2s'
/** Nobody waits there, and a busy machine is no reason for another answer. */
const timeInCi = '1m'

interface Session {
  readonly io: Io
  readonly flags: TypedFlags
  readonly output: Output
  readonly budget: { readonly milliseconds: number; readonly bytes: number }
  readonly workers: number | 'auto' | undefined
  readonly print: 'icet' | 'proof' | undefined
  readonly interrupts: Interrupts
}

export async function prove(files: readonly string[], flags: TypedFlags, io: Io): Promise<ExitCode> {
  const forms = reporters(flags)
  const print = oneOf('--print', flags.print, ['icet', 'proof'] as const)
  const time = parseDuration(flags.time ?? defaultTime(flags, io), '--time')
  const memory = memoryBudget(flags)
  const workers = workersFlag(flags.workers)
  if (!forms.ok || !print.ok || !time.ok || !memory.ok || !workers.ok)
    return refuse([forms, print, time, memory, workers].flatMap(diagnosticsIn), io, flags)
  const interrupts = interruptsOf(io)
  const once = async (): Promise<Ran> => {
    const output = new Output(io, flags, forms.value)
    const budget = { milliseconds: time.value, bytes: memory.value }
    const session = { io, flags, output, budget, workers: workers.value, print: print.value, interrupts }
    const ran = await proveAll(files, session)
    output.end()
    interrupts.listen()
    return ran
  }
  try {
    if (flags.watch !== true) return (await once()).code
    const named = files.map((file) => resolve(io.cwd, file.replace(/:\d+$/, '')))
    const onWait = (): void => io.stderr.line(' waiting for changes; Ctrl-C ends')
    return (await rerun(once, { files: named, signal: interrupts.signal, onWait })).code
  } finally {
    interrupts.release()
  }
}

function defaultTime({ watch }: TypedFlags, io: Io): string {
  if (watch === true) return watchedTime
  return isCi(io) ? timeInCi : usualTime
}

function diagnosticsIn(result: Result<unknown>): readonly Diagnostic[] {
  return result.ok ? [] : result.diagnostics
}

interface Ran {
  readonly code: ExitCode
  /** Whose change is a reason to run again. */
  readonly sources: readonly string[]
}

async function proveAll(files: readonly string[], session: Session): Promise<Ran> {
  const { io, flags, output, interrupts } = session
  interrupts.release()
  const { programs: selected, diagnostics } = await selectPrograms(files, flags.testName, io.cwd)
  const programs = selected.filter(({ origin }) => origin === undefined)
  const provable = programs.filter(({ program }) => program.views.icet !== undefined)
  const sized = provable.filter(({ program }) => Object.keys(program.every).length > 0)
  const asked = sized.length > 0 ? sized : provable
  output.diagnostics(diagnostics)
  let code: ExitCode = diagnostics.length > 0 ? exitCodes.mistake : exitCodes.ok
  const sources = programs
    .flatMap(({ path, loaded }) => [path, ...Object.keys(loaded.sources)])
    .map((source) => resolve(io.cwd, source))
  if (asked.length === 0) {
    const [first] = programs
    if (first !== undefined) output.diagnostics(diagnosticsIn(termOf(first.program)))
    else if (diagnostics.length === 0) output.diagnostics([onlyClasses])
    return { code: exitCodes.mistake, sources }
  }
  noteLeftOut(
    provable.filter((one) => !asked.includes(one)),
    session,
  )
  for (const [at, selected] of asked.entries()) {
    interrupts.listen()
    // What came in the meantime is told once others are waited for.
    await setImmediate()
    if (interrupts.signal.aborted) {
      interrupts.release()
      io.stderr.line(` interrupted: ${asked.length - at} of ${asked.length} proofs were not looked for`)
      return { code: worse(code, exitCodes.incomplete), sources }
    }
    code = worse(code, await proveOne(selected, session))
  }
  return { code, sources }
}

const onlyClasses: Diagnostic = {
  code: 'E406',
  message: 'there are only checks of classes, and no program of processes',
  hint: 'allways linearize checks classes',
}

/** Programs without sizes are proved if they are asked for, and not beside others: most of those are meant for `check`. */
function noteLeftOut(others: readonly SelectedProgram[], { io, flags }: Session): void {
  if (others.length === 0 || flags.quiet === true) return
  const names = others.map(({ program }) => program.name)
  const shown = names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
  io.stderr.line(` note: left out, without a parameter declared with every(…): ${shown}; -t proves it as it is`)
}

async function proveOne(selected: SelectedProgram, session: Session): Promise<ExitCode> {
  const { flags, output } = session
  try {
    if (session.print === 'icet') return printTerm(selected, session)
    const proved = await (flags.proof === undefined
      ? searched(selected, session)
      : saved(selected, flags.proof, session))
    if (!proved.ok) {
      output.diagnostics(proved.diagnostics)
      return exitCodes.mistake
    }
    output.diagnostics(proved.value.refused ?? [])
    const proof = session.print === 'proof' ? proofIn(proved.value, selected.loaded.digest) : undefined
    if (proof === undefined) return await reportOne(selected, proved.value, session)
    output.json(proof)
    return exitCodes.ok
  } catch (error) {
    const { program, loaded } = selected
    await output.defect(error, { program: program.name, file: loaded.file, engine: 'sequentialize' })
    return exitCodes.internal
  } finally {
    session.interrupts.release()
  }
}

async function searched(selected: SelectedProgram, session: Session): Promise<Result<Proved>> {
  const { io, flags, budget, workers, interrupts } = session
  const startedAt = performance.now()
  const line = new ProgressLine(
    { io, ascii: flags.ascii },
    ({ text }: { readonly milliseconds: number; readonly text: string }) => text,
  )
  try {
    return await proveProgram(selected.program, {
      ...budget,
      workers,
      threads: (options) => threadsOf(selected, options),
      signal: interrupts.signal,
      now: () => performance.now(),
      reload: () => reload(selected),
      onSizes: (sizes, done, of) => {
        const shown = Object.entries(sizes).map(([name, value]) => `${name}=${String(value)}`)
        const which = shown.length === 0 ? 'every execution' : `${shown.join(' ')} (${done + 1} of ${of} sizes)`
        const text = ` ${selected.program.name}  no proof; exploring ${which}`
        if (flags.quiet !== true) line.update({ milliseconds: performance.now() - startedAt, text })
      },
    })
  } finally {
    line.clear()
  }
}

async function reportOne(selected: SelectedProgram, proved: Proved, session: Session): Promise<ExitCode> {
  const { io, flags, output, interrupts } = session
  const { request, checked, options } = proved
  const { signal } = interrupts
  const host = {
    io,
    quiet: flags.quiet === true,
    ascii: flags.ascii,
    traceFolder: flags.traceDir ?? defaultTraceDirectory,
    signal,
  }
  await output.result(await kept({ search: { selected, options }, request, checked }, host), host)
  return exitCodeOf(checked.verdict, flags)
}

function printTerm(selected: SelectedProgram, { output, flags }: Session): ExitCode {
  const term = termOf(selected.program)
  if (!term.ok) {
    output.diagnostics(term.diagnostics)
    return exitCodes.mistake
  }
  const text = printIcet(term.value)
  output.text(flags.ascii === true ? text.replaceAll('≥', '>=').replaceAll('←', '<-').replaceAll('Π', 'all') : text)
  return exitCodes.ok
}

/** Follows a proof that was written down. */
async function saved({ program, loaded }: SelectedProgram, file: string, session: Session): Promise<Result<Proved>> {
  const { io, flags, interrupts } = session
  const proof = readProof(resolve(io.cwd, file), file)
  if (!proof.ok) return proof
  const { signal } = interrupts
  const checked = await checkSavedProof(program, { proof: proof.value, file, signal, now: () => performance.now() })
  const { source = loaded.digest } = proof.value
  if (checked.ok && source !== loaded.digest && flags.quiet !== true) {
    io.stderr.line(
      ` note: ${program.name} is read from files that have changed since the proof was written, its term has not`,
    )
  }
  return checked
}
