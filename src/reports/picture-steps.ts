/**
 * The steps of a picture: events as people read them. Nothing a reader needs is lost: what is hidden (notifications of
 * monitors that did not fail) is counted, and what is folded keeps its numbers.
 */
import { type Event, isStep } from '../core/event.ts'
import type { EndedProcess, Violation } from '../core/property.ts'
import { forEachUnhurried, type Unhurried } from '../core/unhurried.ts'
import { Address, type Value } from '../core/value.ts'
import { showValue } from '../core/value-text.ts'
import { number } from './count-words.ts'

export interface Picture {
  readonly events: readonly Event[]
  /** How the processes ended; empty when that is not known, as in a trace file shown without its program. */
  readonly processes: readonly EndedProcess[]
  readonly violation?: Violation | undefined
  /** How many of the events come before those that repeat for ever. */
  readonly eventsBeforeRound?: number | undefined
}

interface StepBase {
  /** Numbers of the events that are steps, from 1; the others, such as failures, are part of the step before them. */
  readonly first: number | undefined
  readonly last: number | undefined
  /** Position of the last event in `Picture.events`. */
  readonly position: number
  /** The event whose place in the user's file stands for the step. */
  readonly event: Event
  readonly process: string
}

export type PictureStep =
  | (StepBase & { readonly kind: 'spawn'; readonly children: readonly string[] })
  | (StepBase & { readonly kind: 'join'; readonly target: string })
  /** Received later, or never. */
  | (StepBase & { readonly kind: 'send'; readonly to: string; readonly label: string; readonly lost: boolean })
  | (StepBase & { readonly kind: 'receive'; readonly from: string; readonly label: string })
  /** Sent and received with nothing in between: one arrow. */
  | (StepBase & { readonly kind: 'pass'; readonly to: string; readonly label: string })
  | (StepBase & { readonly kind: 'timeout'; readonly times: number })
  /** `isBad`: what the violation is about. */
  | (StepBase & { readonly kind: 'choose'; readonly label: string; readonly isBad?: boolean })
  | (StepBase & { readonly kind: 'stop'; readonly halts: boolean })
  | (StepBase & { readonly kind: 'fail'; readonly violation: Violation })

export interface PictureSteps {
  readonly steps: readonly PictureStep[]
  /** Steps that only concern monitors and are not shown. */
  readonly hidden: number
  /** Steps that have nothing to do with what is violated, and are not shown. */
  readonly unrelated: number
}

export function* pictureSteps(picture: Picture): Unhurried<PictureSteps> {
  const { events } = picture
  const messages = yield* messagesIn(events)
  const isHidden = hiddenEvents(picture, messages)
  const isUnrelated = new Set(picture.violation?.unrelated ?? [])
  const steps: PictureStep[] = []
  const { eventsBeforeRound = 0 } = picture
  let numbered = 0
  let [hidden, unrelated] = [0, 0]
  yield* forEachUnhurried(events, (event, position) => {
    const hasNumber = isStep(event)
    if (hasNumber) numbered++
    if (isHidden(event)) {
      if (hasNumber) hidden++
      return
    }
    if (isUnrelated.has(position)) {
      if (hasNumber) unrelated++
      return
    }
    const own = hasNumber ? numbered : undefined
    const base = { first: own, last: own, position, event, process: event.process }
    const step = marked(stepOf(event, base, messages), picture)
    const at = foldedAt(steps, step)
    const before = steps[at]
    // What repeats begins with a row of its own.
    const isBegun = before !== undefined && before.position < eventsBeforeRound && eventsBeforeRound <= position
    const folded = isBegun ? undefined : fold(before, step)
    if (folded === undefined) steps.push(step)
    else steps[at] = folded
  })
  return { steps, hidden, unrelated }
}

/** What is said of steps of a refinement that are not shown; nothing, if all are. */
export function unrelatedWords(picture: Picture, { unrelated }: PictureSteps): readonly string[] {
  const [step, is] = unrelated === 1 ? ['step', 'is'] : ['steps', 'are']
  const calls =
    picture.violation?.calls?.length === 1 ? 'that the call does not depend on' : 'that neither call depends on'
  return unrelated === 0 ? [] : [`${number(unrelated)} further ${step} ${calls} ${is} left out`]
}

/** A call that was refused is where an execution goes wrong. */
function marked(step: PictureStep, { violation }: Picture): PictureStep {
  const isBad = step.kind === 'choose' && violation?.calls?.at(-1)?.event === step.position
  return isBad ? { ...step, isBad } : step
}

/** Steps with, where the ones that repeat begin, what can be said about them. */
export function withRound<Said>(
  steps: readonly PictureStep[],
  { eventsBeforeRound, events }: Picture,
  say: (words: string, length: number) => Said,
): readonly (PictureStep | Said)[] {
  if (eventsBeforeRound === undefined) return steps
  const length = events.slice(eventsBeforeRound).filter(isStep).length
  if (length === 0) return [...steps, say('nothing more has to happen: this can last for ever', length)]
  const found = steps.findIndex(({ position }) => position >= eventsBeforeRound)
  const at = found === -1 ? steps.length : found
  const repeated = length === 1 ? 'this step can repeat for ever' : `these ${number(length)} steps can repeat for ever`
  const words = hasChoices(events, eventsBeforeRound) ? `${repeated}, with these choices each time` : repeated
  return [...steps.slice(0, at), say(words, length), ...steps.slice(at)]
}

/** What a machine does by itself is no choice of its program. */
function hasChoices(events: readonly Event[], from: number): boolean {
  return events.some((event, at) => at >= from && event.kind === 'choose' && events[at - 1]?.kind !== 'timeout')
}

/** Processes told by notifications, unless the violation is theirs, and all that concerns only them. */
function hiddenEvents(picture: Picture, { told }: Messages): (event: Event) => boolean {
  const monitors = new Set(told)
  if (picture.violation?.process !== undefined) monitors.delete(picture.violation.process)
  return (event) => monitors.has(event.process) || (isNotification(event) && monitors.has(event.to))
}

type Sent = Extract<Event, { readonly kind: 'send' }>

function isNotification(event: Event): event is Sent {
  return event.kind === 'send' && event.notification
}

interface Messages {
  readonly received: ReadonlySet<number>
  readonly notifications: ReadonlySet<number>
  /** Who is told by notifications, or observes. */
  readonly told: ReadonlySet<string>
}

function* messagesIn(events: readonly Event[]): Unhurried<Messages> {
  const [received, notifications, told] = [new Set<number>(), new Set<number>(), new Set<string>()]
  yield* forEachUnhurried(events, (event) => {
    if (event.kind === 'receive') received.add(event.message)
    if (event.kind === 'observe') told.add(event.process)
    if (!isNotification(event)) return
    notifications.add(event.message)
    told.add(event.to)
  })
  return { received, notifications, told }
}

function stepOf(event: Event, base: StepBase, messages: Messages): PictureStep {
  switch (event.kind) {
    case 'spawn':
      return { ...base, kind: 'spawn', children: [event.child] }
    case 'join':
      return { ...base, kind: 'join', target: event.target }
    case 'send':
      return {
        ...base,
        kind: 'send',
        to: event.to,
        label: `${messageLabel(event, messages)}${event.fate === undefined ? '' : fateWords[event.fate]}`,
        lost: !messages.received.has(event.message),
      }
    case 'receive':
      return { ...base, kind: 'receive', from: event.from, label: messageLabel(event, messages) }
    case 'timeout':
      return event.instead === undefined
        ? { ...base, kind: 'timeout', times: 1 }
        : { ...base, kind: 'choose', label: insteadText(event.instead) }
    case 'choose':
      return {
        ...base,
        kind: 'choose',
        label:
          event.isCall === true
            ? announcement(event)
            : `chooses ${showValue(event.value, 200)} (${event.option + 1} of ${event.options})`,
      }
    case 'crash':
    case 'partition':
    case 'heal':
      return { ...base, kind: 'choose', label: faultText(event) }
    case 'stop':
      return { ...base, kind: 'stop', halts: event.halts === true }
    case 'fail':
      return { ...base, kind: 'fail', violation: event.violation }
    case 'call':
    case 'access':
    case 'return':
      return { ...base, kind: 'choose', label: event.text }
    case 'enter':
      return { ...base, kind: 'choose', label: `goes to ${event.state}` }
    case 'announce':
      return { ...base, kind: 'choose', label: announcement(event) }
    case 'observe':
      return { ...base, kind: 'choose', label: `sees ${showValue(event.value, 200)}` }
    case 'print':
      return { ...base, kind: 'choose', label: `prints ${showValue(event.text, 200)}` }
  }
}

const fateWords = { lost: ', lost', duplicated: ', duplicated', copy: ', again' } as const

/** What a fault does to a process. */
export function faultText(event: Extract<Event, { readonly kind: 'crash' | 'partition' | 'heal' }>): string {
  if (event.kind === 'crash') return event.restarts ? 'crashes, restarts' : 'crashes'
  return event.kind === 'partition' ? 'is cut off from the others' : 'is connected again'
}

/** What a machine does by itself, in its own words if it has several things to do. */
export function insteadText(instead: Value): string {
  return typeof instead === 'string' ? instead : showValue(instead, 200)
}

/** '#3 Vote{term: 1}'; a notification says what the monitor is told: '#3 [sends Vote{term: 1} to n2]'. */
export function messageLabel(
  event: Extract<Event, { readonly message: number }>,
  messages: Pick<Messages, 'notifications'>,
): string {
  const { message, value } = event
  return `#${message} ${messages.notifications.has(message) ? notificationText(value) : showValue(value, 200)}`
}

function notificationText(value: Value): string {
  const { kind, to, message } = value as { readonly kind?: Value; readonly to?: Value; readonly message?: Value }
  const shown = showValue(message, 200)
  if (kind === 'send' && to instanceof Address) return `[sends ${shown} to ${to.id}]`
  return kind === 'receive' ? `[receives ${shown}]` : `[announces ${shown}]`
}

/**
 * The row that a step may become a part of: the last one. What is told between steps does not come between a message and its receipt,
 * unless it is about the receiver.
 */
function foldedAt(steps: readonly PictureStep[], step: PictureStep): number {
  let at = steps.length - 1
  const isBetween = ({ first, kind, process }: PictureStep): boolean =>
    first === undefined && kind === 'choose' && process !== step.process
  if (step.kind === 'receive') while (at > 0 && isBetween(steps[at] as PictureStep)) at--
  return at
}

/** Wider ones would be cut where columns are narrow, and the state is what must be seen. */
const widestTogether = 26

type Words = Extract<PictureStep, { readonly kind: 'choose' }>

/** What a choice or an observation leads to. */
function entering(before: Words, { process, position, label: state }: Words): PictureStep | undefined {
  const label = `${before.label}, ${state}`
  if (before.process !== process || before.event.kind === 'print' || label.length > widestTogether) return undefined
  return { ...before, position, label }
}

/** Two steps that follow each other as one, where that says exactly the same. */
function fold(before: PictureStep | undefined, step: PictureStep): PictureStep | undefined {
  if (before?.kind === 'choose' && step.kind === 'choose' && step.event.kind === 'enter') return entering(before, step)
  // A hidden step in between has a number, and the range of a folded step must not swallow it.
  if (before?.last === undefined || step.first !== before.last + 1) return undefined
  const range = { first: before.first, last: step.last, position: step.position }
  if (before.kind === 'send' && step.kind === 'receive') {
    const isSame = (before.event as Sent).message === (step.event as { readonly message?: number }).message
    return isSame && before.process !== step.process ? { ...before, ...range, kind: 'pass' } : undefined
  }
  if (before.process !== step.process) return undefined
  if (before.kind === 'spawn' && step.kind === 'spawn')
    return { ...before, ...range, children: [...before.children, ...step.children] }
  if (before.kind === 'timeout' && step.kind === 'timeout') return { ...before, ...range, times: before.times + 1 }
  // A machine that has several things to do by itself: words for that, and then which of them.
  const isOpen = before.event.kind === 'timeout' && typeof before.event.instead === 'string'
  if (isOpen && before.kind === 'choose' && step.event.kind === 'choose') {
    const { value } = step.event
    const label = typeof value === 'string' ? value : showValue(value, 200)
    return { ...step, ...range, kind: 'choose', label }
  }
  return undefined
}

/** A call of an object is told by its name; other events are announced. */
function announcement({
  value,
  isCall,
}: Pick<Extract<Event, { readonly kind: 'announce' }>, 'value' | 'isCall'>): string {
  return isCall === true ? showValue(value, 200) : `announces ${showValue(value, 200)}`
}
