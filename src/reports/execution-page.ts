/** What a page says about an execution of processes: the message, the picture, why, where, and how to go on with it. */
import { cutText } from '../core/cut-text.ts'
import { type Event, isStep } from '../core/event.ts'
import { type Counterexample, stepNumber, stepsIn } from '../core/evidence.ts'
import type { Violation } from '../core/property.ts'
import { forEachUnhurried, type Unhurried } from '../core/unhurried.ts'
import { showValue } from '../core/value-text.ts'
import { drawnColumns } from './columns.ts'
import { counted, number } from './count-words.ts'
import { commandLine, frameLines, paragraph, placeText } from './lines.ts'
import type { PageDress } from './page.ts'
import type { Glyphs } from './paint.ts'
import {
  faultText,
  insteadText,
  messageLabel,
  type PictureSteps,
  pictureSteps,
  unrelatedWords,
} from './picture-steps.ts'
import { madeKey, type ReportedFinding, takenKey } from './result.ts'
import { pageWidth, printable, wrap } from './text-width.ts'

interface ExecutionFound {
  readonly found: Counterexample
  readonly finding: ReportedFinding
}

export function* executionSections(
  { found, finding }: ExecutionFound,
  dress: PageDress,
): Unhurried<readonly (readonly string[])[]> {
  const { paint, glyphs, legend, maxRows } = dress
  if (dress.isBrief === true) return briefSections({ found, finding }, dress)
  const steps = yield* pictureSteps(found)
  const picture = yield* drawnColumns(found, steps, {
    paint,
    ascii: glyphs.ascii,
    legend,
    maxRows,
    places: finding.places,
  })
  return [
    messageLines(found.violation, dress),
    // Nothing is drawn of an execution in which nothing happened.
    [...(picture === '' ? [] : [picture]), ...unrelatedLines(found, steps, dress), ...reducedLines(found, dress)],
    [...(yield* whyLines(found, finding, dress)), ...atLines(finding, dress)],
    commandLines(finding),
  ]
}

/** What takes no longer for a long execution than for a short one. */
function briefSections({ found, finding }: ExecutionFound, dress: PageDress): readonly (readonly string[])[] {
  const below = finding.replayCommand === undefined ? '' : '; replay draws it'
  return [
    messageLines(found.violation, dress),
    [`   ${dress.paint.dim(`(interrupted before the picture was drawn${below})`)}`],
    atLines(finding, dress),
    commandLines(finding),
  ]
}

/** What kind of thing went wrong; never the same words for two kinds. */
export function headline(violation: Violation, glyphs: Glyphs): string {
  const property = `${glyphs.open}${violation.property.split('\n')[0]}${glyphs.close}`
  const process = violation.process ?? ''
  switch (violation.kind) {
    case 'assertion':
      return `assertion violated in ${process}`
    case 'exception':
      return `${violation.isUnhandled === true ? 'unhandled event' : 'uncaught exception'} in ${process}`
    case 'deadlock': {
      const count = violation.waiting?.length ?? 0
      return count === 1 ? 'deadlock: a process waits for ever' : `deadlock: ${number(count)} processes wait for ever`
    }
    case 'monitor':
      return `monitor ${glyphs.open}${process}${glyphs.close} violated`
    case 'final':
      return `final condition ${property} violated`
    case 'invariant':
      return `invariant ${property} violated`
    case 'linearizability':
      return `not linearizable: ${property}`
    case 'refinement':
      return `refinement ${property} violated`
    case 'liveness':
      return `liveness ${property} violated`
  }
}

/** What a page has of a message; all of it is in the JSON. */
const longestMessage = 4000
const mostLines = 60

/** The message in full, unless nobody would read it; who waits in a deadlock is said under Why. */
function messageLines(violation: Violation, { paint, glyphs }: PageDress): readonly string[] {
  if (violation.kind === 'deadlock') return []
  const all = paragraph(cutText(violation.message, longestMessage), pageWidth - 3, glyphs)
  const left = all.length - mostLines
  const lines = left <= 0 ? all : [...all.slice(0, mostLines), `(${number(left)} more lines)`]
  const hint = violation.kind === 'monitor' ? 'handle it or ignore it there' : 'handle, defer or ignore it there'
  return [
    ...lines.map((line) => (line === '' ? '' : `   ${paint.bold(line)}`)),
    ...(violation.isUnhandled === true ? [`   hint: ${hint}`] : []),
    ...pictureLines(violation.picture ?? [], glyphs),
  ]
}

/** The object that refused something. */
function pictureLines(picture: readonly string[], glyphs: Glyphs): readonly string[] {
  const left = picture.length - mostLines
  const lines = left <= 0 ? picture : [...picture.slice(0, mostLines), `(${number(left)} more lines)`]
  return lines.length === 0 ? [] : ['', ...lines.map((line) => `   ${printable(line, glyphs.ascii)}`)]
}

/** The picture has not all steps of the execution, and the file of the trace has. */
function unrelatedLines(found: Counterexample, steps: PictureSteps, { paint }: PageDress): readonly string[] {
  return unrelatedWords(found, steps).flatMap((words) => inBrackets(`${words}; the trace has all`, paint))
}

function reducedLines(found: Counterexample, { paint }: PageDress): readonly string[] {
  const left = found.foundIn - found.decisions.length
  const steps = stepsIn(found)
  if (left <= 0) return []
  const others =
    left === 1 ? 'the other one does not affect the outcome' : `the other ${number(left)} do not affect the outcome`
  return inBrackets(`${number(steps)} of ${counted(steps + left, 'step')}; ${others}`, paint)
}

function inBrackets(words: string, paint: PageDress['paint']): readonly string[] {
  return wrap(`(${words})`, pageWidth - 3).map((line) => `   ${paint.dim(line)}`)
}

/** Labels of sections stand in a margin of five columns. */
function section(label: string, lines: readonly string[], { paint }: PageDress): readonly string[] {
  return lines.map((line, at) => `   ${at === 0 ? paint.bold(label.padEnd(5)) : '     '}${line}`)
}

function* whyLines(found: Counterexample, finding: ReportedFinding, dress: PageDress): Unhurried<readonly string[]> {
  const { kind } = found.violation
  const reasons =
    found.repeatsFrom !== undefined
      ? [fairReason(found, found.repeatsFrom)]
      : kind === 'deadlock'
        ? [...waitingReasons(found, finding), ...faultReasons(found)]
        : kind === 'final'
          ? [...returnedReasons(found), ...faultReasons(found)]
          : kind === 'refinement'
            ? callReasons(found)
            : yield* inputReasons(found)
  const lines = reasons.flatMap((line) => wrap(printable(line, dress.glyphs.ascii), pageWidth - 8))
  return section('Why', lines, dress)
}

/** An execution without end counts only if it is fair. */
function fairReason({ decisions }: Counterexample, repeatsFrom: number): string {
  return decisions.length === repeatsFrom
    ? 'nothing has to happen any more, so the last state lasts'
    : 'what repeats is fair: whatever stays possible all the time is done in it'
}

function waitingReasons({ violation, processes }: Counterexample, finding: ReportedFinding): readonly string[] {
  const waiting = (violation.waiting ?? []).flatMap(
    ({ process, forWhat, inState, inbox, heldBack = [], taken = [] }) => {
      const place = finding.waitingAt?.get(process)
      const made = finding.waitingAt?.get(madeKey(process))
      const from = made === undefined ? '' : `, made at ${made.file}:${made.line}`
      const at = place === undefined ? '' : ` at ${place.file}:${place.line}${from}`
      const behind = heldBack.map((text) => `${text} is behind a message in the queue of its sender`)
      const unread = inbox.length > 0 ? [`it does not take what is in its inbox: ${few(inbox)}`] : []
      const reasons = [...behind, ...unread]
      const where = `${inState === undefined ? '' : ` in state ${inState}`}${at}`
      const vain = taken.map((message, index) => {
        const by = finding.waitingAt?.get(takenKey(process, index + 1))
        const at = by === undefined ? '' : ` at ${by.file}:${by.line}`
        return `${message} was taken by an earlier receive${at}, which nobody waits for since it lost a race: give it { signal } or { within }`
      })
      return [
        `${process} waits for ${forWhat}${where}; ${reasons.length === 0 ? 'its inbox is empty' : reasons.join('; ')}`,
        ...vain,
      ]
    },
  )
  const deferring = processes.flatMap(({ id, resting }) => {
    if (resting === undefined || resting.deferred.length === 0) return []
    return [`${id} is in state ${resting.inState}, which defers ${few(resting.deferred)}`]
  })
  return [...waiting, ...deferring]
}

function few(texts: readonly string[]): string {
  const left = texts.length - 5
  return `${texts.slice(0, 5).join(', ')}${left > 0 ? ` and ${number(left)} more` : ''}`
}

/** What went wrong on the way, for executions that end otherwise than they should. */
function faultReasons({ events }: Counterexample): readonly string[] {
  let step = 0
  return events.flatMap((event) => {
    if (isStep(event)) step++
    const at = `(step ${number(step)})`
    if (event.kind === 'crash' || event.kind === 'partition' || event.kind === 'heal')
      return [`${event.process} ${faultText(event)} ${at}`]
    if (event.kind !== 'send' || event.fate === undefined || event.fate === 'copy') return []
    return [
      `${messageLabel(event, { notifications: new Set() })} from ${event.process} to ${event.to} is ${event.fate} ${at}`,
    ]
  })
}

/** The two calls that cannot both be, by their steps. */
function callReasons({ events, violation }: Counterexample): readonly string[] {
  const { calls = [], consequence } = violation
  const [refused, cause] = [...calls].reverse().map(({ event, words, place }) => {
    if (event === undefined) return `${words} (before the first step)`
    const at = place === undefined ? '' : `, ${place.file}:${place.line}`
    return `${words} (step ${number(stepNumber(events, event))}, ${(events[event] as Event).process}${at})`
  })
  const so = consequence === undefined ? [] : [`so ${consequence}`]
  if (refused === undefined) return so
  if (cause === undefined) return [`no earlier call makes ${refused} possible`, ...so]
  return [`since ${cause},`, `${refused} is refused`, ...so]
}

function returnedReasons({ processes }: Counterexample): readonly string[] {
  const returned = processes.filter(({ status, value }) => status === 'returned' && value !== undefined)
  return returned.map(({ id, value }) => `${id} returned ${showValue(value, 200)}`)
}

const inputsShown = 6

/** What a process does depends on what it was given and on nothing else, so this is the whole cause of its failure. */
function* inputReasons(found: Counterexample): Unhurried<readonly string[]> {
  const { events, violation } = found
  const watching = watchingReason(found)
  if (watching !== undefined) return [watching]
  const [notifications, copies] = [new Set<number>(), new Set<number>()]
  const inputs: { readonly event: Input; readonly step: number }[] = []
  let step = 0
  let isOver = false
  yield* forEachUnhurried(events, (event) => {
    if (event.kind === 'send' && event.notification) notifications.add(event.message)
    if (event.kind === 'send' && event.fate === 'copy') copies.add(event.message)
    isOver ||= event.kind === 'fail' && event.process === violation.process
    if (isOver) return
    if (isStep(event)) step++
    if (event.process === violation.process && isInput(event)) inputs.push({ event, step })
  })
  const frozen = frozenReason(violation)
  if (inputs.length === 0)
    return violation.process === undefined ? [] : [`${violation.process} fails whatever it is given`, ...frozen]
  const texts = inputs.slice(-inputsShown).map(({ event, step }) => {
    const isCopy = event.kind === 'receive' && copies.has(event.message)
    const copy = isCopy ? ', a copy that the network made' : ''
    return `${inputText(event, notifications)}${copy} (step ${number(step)})`
  })
  const left = inputs.length - inputsShown
  const shown = [...(left > 0 ? [`${counted(left, 'earlier answer')}, then`] : []), ...texts]
  return [`${violation.process} fails because of what it was given:`, ...shown.map((line) => `  ${line}`), ...frozen]
}

/** Of a monitor that is no process: it is told at once what machines send and announce, and no event shows that. */
function watchingReason({ violation, processes, decisions, repeatsFrom }: Counterexample): string | undefined {
  const { kind, process: monitor } = violation
  const isWatching = monitor !== undefined && (kind === 'monitor' || kind === 'liveness')
  if (!isWatching || processes.some(({ id }) => id === monitor)) return undefined
  if (kind === 'liveness') {
    const when = repeatsFrom === undefined ? 'nothing more can happen' : 'what happens repeats for ever'
    return `${when}, and ${monitor} has not been told what it asks for`
  }
  const last = decisions.at(-1)
  if (last === undefined) return `${monitor} fails before any machine begins`
  return `${monitor} fails at what ${last.process} sends or announces last, after all it was told before`
}

/** What engines of JavaScript say where something frozen is changed. */
const changesFrozen =
  /^TypeError: Cannot (?:assign to read only property|add property|delete property|define property|redefine property)/

function frozenReason({ message }: Violation): readonly string[] {
  if (!changesFrozen.test(message)) return []
  return ['values are frozen when they are sent, announced, chosen or passed: change a copy']
}

type Input = Extract<Event, { readonly kind: 'receive' | 'crash' | 'timeout' | 'choose' }>

function isInput(event: Event): event is Input {
  const { kind } = event
  return kind === 'receive' || kind === 'crash' || kind === 'timeout' || kind === 'choose'
}

function inputText(event: Input, notifications: ReadonlySet<number>): string {
  if (event.kind === 'receive') return `${messageLabel(event, { notifications })} from ${event.from}`
  if (event.kind === 'crash') return 'a crash and a restart'
  if (event.kind === 'timeout') {
    return event.instead === undefined ? 'nothing, from a poll' : insteadText(event.instead)
  }
  return `${showValue(event.value, 200)}, option ${event.option + 1} of ${event.options}`
}

function atLines({ place, frame }: ReportedFinding, dress: PageDress): readonly string[] {
  if (place === undefined) return []
  const where = dress.paint.cyan(placeText(place, pageWidth - 8, dress.glyphs))
  return [...section('At', [where], dress), ...(frame === undefined ? [] : frameLines(frame, 5, dress.glyphs))]
}

function commandLines({ replayCommand, showCommand }: ReportedFinding): readonly string[] {
  return [...commandLine('replay', replayCommand), ...commandLine('picture', showCommand)]
}
