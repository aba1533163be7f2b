/** Rounds of `online` as people read them: a line or two each, a page for a prediction. */
import type { Overhead } from '../check/online/source.ts'
import type { Round, WatchSummary } from '../check/online/watch.ts'
import { cutText } from '../core/cut-text.ts'
import { type Counterexample, execution } from '../core/evidence.ts'
import { normalFaults } from '../core/faults.ts'
import { countedStates, type Scope, type Verdict } from '../core/verdict.ts'
import { counted, number } from '../reports/count-words.ts'
import { secondsColumn } from '../reports/lines.ts'
import { glyphsFor, type Paint, plainPaint } from '../reports/paint.ts'
import type { Reported, ReportedFinding } from '../reports/result.ts'
import { type TextOptions, textResult } from '../reports/text.ts'
import { padEnd, pageWidth, printable, widthOf, wrap, wrapItems } from '../reports/text-width.ts'

/** ' ✓ round 3  nothing that can follow violates anything      0.31 s', and what was explored. */
export function roundText(round: Round, options: TextOptions): string {
  const { paint, glyphs } = dressed(options)
  const { raced, prediction } = round
  const isDone = raced.because === 'exhausted'
  const [mark, colour] =
    prediction !== undefined
      ? [glyphs.bad, paint.red]
      : isDone
        ? [glyphs.good, paint.green]
        : [glyphs.unfinished, paint.bold]
  const time = secondsColumn(raced.milliseconds / 1000)
  const title = `round ${number(round.number)}  `
  const [first = '', ...more] = wrap(
    printable(outcomeWords(round), glyphs.ascii),
    pageWidth - 5 - widthOf(title) - widthOf(time),
  )
  const head = ` ${colour(mark)} ${padEnd(title + first, pageWidth - 3 - widthOf(time))}${paint.dim(time)}`
  const rest = more.map((one) => `   ${' '.repeat(widthOf(title))}${one}`)
  const details = wrapItems(facts(round), ` ${glyphs.dot} `, pageWidth - 3)
  return [head, ...rest, ...details.map((one) => `   ${paint.dim(one)}`)].join('\n')
}

export function predictionText(
  round: Round,
  { file, finding }: { readonly file: string; readonly finding: ReportedFinding },
  options: TextOptions,
): string {
  return textResult(reported(round, file, finding), options)
}

function how(predictions: WatchSummary['predictions']): string {
  return predictions.every(({ events }) => events === 0) ? 'there already' : 'predicted'
}

/** ' 12 rounds, nothing predicted …' */
export function summaryText(summary: WatchSummary, options: TextOptions): string {
  const { glyphs } = dressed(options)
  const { rounds, ended, predictions, deepest, states, troubles, milliseconds, snapshotMilliseconds } = summary
  const complete = ended.exhausted ?? 0
  const share = milliseconds === 0 ? 0 : (100 * snapshotMilliseconds) / milliseconds
  const predicted =
    predictions.length === 0 ? 'nothing predicted' : `${counted(predictions.length, 'violation')} ${how(predictions)}`
  const words = [
    ...(rounds === 0 ? ['no round, nothing was checked'] : [counted(rounds, 'round'), predicted]),
    ...(complete > 0 ? [`${number(complete)} of them to the end`] : []),
    ...(rounds === 0 ? [] : [`${counted(states, 'machine state')}, deepest ${counted(deepest, 'event')}`]),
    ...(snapshotMilliseconds > 0 ? [`snapshots took ${share.toFixed(1)} % of the time`] : []),
    ...(troubles > 0 ? [`${counted(troubles, 'attempt')} without a snapshot`] : []),
  ]
  const lines = wrapItems(words, ` ${glyphs.dot} `, pageWidth - 9)
  const time = secondsColumn(milliseconds / 1000)
  const last = lines.at(-1) ?? ''
  return [...lines.slice(0, -1), padEnd(last, pageWidth - 1 - widthOf(time)) + time].map((one) => ` ${one}`).join('\n')
}

function dressed({ paint = plainPaint, ascii = false }: TextOptions): {
  paint: Paint
  glyphs: ReturnType<typeof glyphsFor>
} {
  return { paint, glyphs: glyphsFor(ascii) }
}

function outcomeWords({ raced, prediction, isKnown }: Round): string {
  if (prediction !== undefined) {
    const { kind, property } = prediction.counterexample.violation
    const what = `${kind} "${cutText(property.split('\n')[0] ?? '')}"`
    const when =
      prediction.events === 0 ? 'is violated now' : `can be violated ${counted(prediction.events, 'event')} from now`
    return `${what} ${when}${isKnown ? ', as before' : ''}`
  }
  switch (raced.because) {
    case 'exhausted':
      return 'nothing that can follow violates anything'
    case 'memory':
      return 'nothing predicted; ended by the memory there is, not everything was explored'
    case 'interrupt':
      return 'nothing predicted; interrupted'
    default:
      return 'nothing predicted; not everything was explored'
  }
}

function facts({ raced, live, taken }: Round): readonly string[] {
  const { local, stateful } = raced
  const { underWay, missing } = live.snapshot
  return [
    `${counted(local.states, 'machine state')} to depth ${number(local.depth)}`,
    `${counted(local.soundnessChecks, 'soundness check')}`,
    `${counted(stateful.states, 'global state')}`,
    `${counted(underWay.length, 'message')} under way${missing > 0 ? `, ${number(missing)} missing` : ''}`,
    ...(taken.overhead === undefined ? [] : overheadFacts(taken.overhead)),
  ]
}

function overheadFacts({ milliseconds, bytes, during, between }: Overhead): readonly string[] {
  const rates = [during, between].map((rate) => (rate === undefined ? '?' : number(Math.round(rate))))
  const kilobytes = (bytes / 1024).toFixed(1)
  return [
    `snapshot ${Math.round(milliseconds)} ms, ${kilobytes} kB`,
    ...(between === undefined ? [] : [`${rates[0]} messages/s during it, ${rates[1]} before`]),
  ]
}

function reported({ raced, live, prediction }: Round, file: string, finding: ReportedFinding): Reported {
  if (prediction === undefined) throw new Error('only a prediction has a page')
  const { program, setting } = live
  const { states, transitions } = raced.by === 'stateful' ? raced.stateful : raced.local
  const engine = raced.by ?? 'local'
  const scope: Scope = {
    engine,
    counted: engine === 'local' ? { ...countedStates, of: 'machines' } : countedStates,
    network: setting.network,
    params: setting.params,
    seed: 0,
    deadlock: 'allow',
    faults: normalFaults(setting.faults),
    isSystem: true,
  }
  const verdict: Verdict = {
    kind: 'violated',
    scope,
    counts: { states, transitions },
    evidence: [execution(shortened(prediction.counterexample))],
    exhausted: false,
  }
  const seconds = raced.milliseconds / 1000
  return { program: program.name, file, verdict, seconds, findings: [finding] }
}

/** What a violation says may be made of states, which come from the network. */
function shortened(counterexample: Counterexample): Counterexample {
  const { violation } = counterexample
  const { property, message } = violation
  return { ...counterexample, violation: { ...violation, property: cutText(property), message: cutText(message) } }
}
