/** Progress on stderr: one line rewritten in place while somebody looks, a plain line every ten seconds otherwise. */
import type { CheckRequest } from '../check/request.ts'
import type { Progress } from '../check/run.ts'
import { type CountedAs, exploredIn } from '../core/verdict.ts'
import { counted, number } from '../reports/count-words.ts'
import { isNarrow, pageWidth, printable, wrap } from '../reports/text-width.ts'
import { type Io, usesAscii } from './io.ts'

const rewriteMilliseconds = 500
const plainMilliseconds = 10_000
/** So that what changes has room on a line. */
const longestLabel = 40

export interface ProgressSubject {
  /** Program and setting, as in 'task service fifo n=3'. */
  readonly label: string
  /** What the budget of time allows. */
  readonly budget: number | undefined
  /** Explored by the runs that this one resumes. */
  readonly before: { readonly explored: number; readonly share: number }
  /** The count that says how far the search is. */
  readonly counted: CountedAs
  /** Settings that are explored one after the other. */
  readonly sweep?: Pick<NonNullable<CheckRequest['sweep']>, 'outOf' | 'counted'> | undefined
}

interface Told {
  readonly milliseconds: number
  readonly confirming?: Progress['confirming']
}

export class ProgressLine<P extends Told> {
  readonly #io: Io
  readonly #ascii: boolean
  readonly #text: (progress: P) => string
  #last = 0
  #isShown = false
  #isConfirming = false

  constructor({ io, ascii }: Omit<Watcher, 'quiet'>, text: (progress: P) => string) {
    this.#io = io
    this.#ascii = usesAscii(io, ascii)
    this.#text = text
  }

  update(progress: P): void {
    const { stderr } = this.#io
    const isConfirming = progress.confirming !== undefined
    const isNews = isConfirming && !this.#isConfirming
    this.#isConfirming = isConfirming
    const between = stderr.isTTY ? rewriteMilliseconds : plainMilliseconds
    if (!isNews && progress.milliseconds - this.#last < between) return
    this.#last = progress.milliseconds
    const line = printable(this.#text(progress), this.#ascii)
    if (!stderr.isTTY) {
      for (const one of isNarrow() ? wrap(line, pageWidth) : [line]) stderr.line(one)
      return
    }
    this.#isShown = true
    stderr.progress(line)
  }

  /** Leaves nothing behind. */
  clear(): void {
    if (this.#isShown) this.#io.stderr.clear()
    this.#isShown = false
  }
}

interface Watcher {
  readonly io: Io
  readonly quiet: boolean
  /** As asked for, or unless the locale says otherwise. */
  readonly ascii?: boolean | undefined
}

/** Runs with a line of progress, which is gone before anything else is said. */
export async function withProgress<P extends Told, T>(
  { io, quiet, ascii }: Watcher,
  text: (progress: P) => string,
  run: (onProgress: (progress: P) => void) => Promise<T>,
): Promise<T> {
  const line = new ProgressLine({ io, ascii }, text)
  try {
    return await run((progress) => {
      if (!quiet) line.update(progress)
    })
  } finally {
    line.clear()
  }
}

/** ' task service  18,204 explored · 310 blocked · 6.1k/s · longest 58 · est. 30k · 0:03 of 1:00 · 0 violated' */
export function progressText(progress: Progress, subject: ProgressSubject): string {
  const { label, budget, before, counted: units } = subject
  if (progress.confirming !== undefined) return confirmingText(progress.confirming, progress, subject)
  if (subject.sweep !== undefined) return sweepText(progress, subject, subject.sweep)
  const { counts, milliseconds, violations } = progress
  if (counts.bddNodes !== undefined) return diagramsText(progress, subject)
  const { blocked = 0, longest, transitions } = counts
  const now = exploredIn(counts, units)
  // A search that could tell states and does not counts executions.
  const areExecutions =
    units.noun === 'execution' || (units.names.includes('executions') && counts.states === undefined)
  const explored = before.explored + now
  const rate = milliseconds === 0 ? 0 : (now * 1000) / milliseconds
  const limit = budget === undefined ? '' : ` of ${clock(budget)}`
  const parts = [
    `${whole(explored)} ${areExecutions ? 'explored' : `${units.noun}s`}`,
    ...(blocked > 0 ? [`${whole(blocked)} blocked`] : []),
    `${rough(rate)}/s`,
    ...(longest === undefined ? [] : [`longest ${whole(longest)}`]),
    ...(transitions === undefined ? [] : [`${whole(transitions)} transitions`]),
    ...estimate(explored, before.share + progress.explored),
    `${clock(milliseconds)}${limit}`,
    `${violations} violated`,
  ]
  return ` ${shortened(label)}  ${parts.join(' · ')}`
}

/** ' counter sender-queue  step 17 · 4,348 states · 200k nodes · frontier 312 · 0:03 of 1:00 · 0 violated' */
function diagramsText({ counts, now = {}, milliseconds, violations }: Progress, subject: ProgressSubject): string {
  const { states, executions = 0, rounds, steps = rounds, bddNodes = 0 } = counts
  const { label, budget, before } = subject
  const parts = [
    `${rounds === undefined ? 'step' : 'round'} ${whole(steps ?? 0)}`,
    states === undefined ? `${whole(executions)} ended` : `${whole(before.explored + states)} states`,
    `${rough(bddNodes)} nodes`,
    ...(now.frontier === undefined ? [] : [`frontier ${rough(now.frontier)}`]),
    `${clock(milliseconds)}${budget === undefined ? '' : ` of ${clock(budget)}`}`,
    `${violations} violated`,
  ]
  return ` ${shortened(label)}  ${parts.join(' · ')}`
}

function shortened(label: string): string {
  return label.length > longestLabel ? `${label.slice(0, longestLabel - 3)}...` : label
}

/** ' late messages=8000 fifo  confirming a violation of 16,001 steps · 0:04 of 0:03' */
function confirmingText(
  { violations, steps }: NonNullable<Progress['confirming']>,
  { milliseconds }: Progress,
  { label, budget }: ProgressSubject,
): string {
  const length = steps === undefined ? '' : ` of ${counted(steps, 'step')}`
  const what = violations === 1 ? `a violation${length}` : counted(violations, 'violation')
  const limit = budget === undefined ? '' : ` of ${clock(budget)}`
  return ` ${shortened(label)}  confirming ${what} · ${clock(milliseconds)}${limit}`
}

/** ' Stack  12 of 36 clients · 18,204 states · 61k/s · est. 54k · 33 % · 0:03 of 1:00' */
function sweepText(
  { phase, counts, explored: share, milliseconds }: Progress,
  { label, budget, counted }: ProgressSubject,
  { outOf, counted: settings }: NonNullable<ProgressSubject['sweep']>,
): string {
  const explored = exploredIn(counts, counted)
  const rate = milliseconds === 0 ? 0 : (explored * 1000) / milliseconds
  const limit = budget === undefined ? '' : ` of ${clock(budget)}`
  const parts = [
    ...(phase === undefined ? [] : [phase]),
    `${whole(exploredIn(counts, settings))} of ${whole(outOf)} ${settings.noun}s`,
    `${whole(explored)} ${counted.noun}s`,
    `${rough(rate)}/s`,
    // Settings come smallest first, so what is left takes longer than what was done: the estimate is a lower bound.
    ...(phase === undefined ? estimate(explored, share) : []),
    `${clock(milliseconds)}${limit}`,
  ]
  return ` ${label}  ${parts.join(' · ')}`
}

/** From the share of the search that is done; no more than a guess while that is small. */
function estimate(explored: number, share: number): readonly string[] {
  if (!(share > 0.0001) || share >= 1) return []
  return [`est. ${rough(explored / share)}`, `${share < 0.01 ? '<1' : Math.floor(share * 100)} %`]
}

export function whole(count: number): string {
  return number(count)
}

/** '870', '6.1k', '12M'. */
export function rough(amount: number): string {
  const units = ['', 'k', 'M', 'G', 'T', 'P']
  const power = Math.min(units.length - 1, amount < 1000 ? 0 : Math.floor(Math.log10(amount) / 3))
  const scaled = amount / 1000 ** power
  if (scaled >= 1000) return amount.toExponential(0)
  return `${scaled < 10 && power > 0 ? scaled.toFixed(1) : Math.round(scaled)}${units[power]}`
}

/** '0:03', '12:00', '1:02:03'. */
export function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
