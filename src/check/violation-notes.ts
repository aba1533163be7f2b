/** How a property was broken, as a trace file tells it. */
import type { Place } from '../core/diagnostic.ts'
import { type CallInTrace, propertyKinds, type Violation, type Waiting } from '../core/property.ts'
import type { Json } from '../core/value-json.ts'
import { takenKey } from '../reports/result.ts'
import type { Field } from './trace-fields.ts'

export type JsonObject = { readonly [key: string]: Json }

export function placed(place: Place | undefined): JsonObject {
  return place === undefined ? {} : { at: `${place.file}:${place.line}:${place.column}` }
}

export function violationToJson(
  { kind, message, process, isUnhandled, waiting, rule, picture, consequence, calls, unrelated }: Violation,
  waitingAt?: ReadonlyMap<string, Place> | undefined,
): JsonObject {
  return {
    kind,
    message,
    ...(process === undefined ? {} : { process }),
    ...(isUnhandled === undefined ? {} : { isUnhandled }),
    ...(rule === undefined ? {} : { rule }),
    ...(picture === undefined ? {} : { picture }),
    ...(consequence === undefined ? {} : { consequence }),
    ...(calls === undefined
      ? {}
      : { calls: calls.map(({ event, words }) => ({ ...(event === undefined ? {} : { event }), words })) }),
    ...(unrelated === undefined ? {} : { unrelated }),
    ...(waiting === undefined
      ? {}
      : { waiting: waiting.map((one) => ({ ...waitingToJson(one), ...placesOfWaiting(one, waitingAt) })) }),
  }
}

export function waitingToJson({ process, forWhat, inbox, heldBack, taken, inState }: Waiting): JsonObject {
  const vain = taken === undefined ? {} : { taken }
  const told = {
    ...(heldBack === undefined ? {} : { heldBack }),
    ...vain,
    ...(inState === undefined ? {} : { inState }),
  }
  return { process, forWhat, inbox, ...told }
}

/** Where it waits, and where receives of its own took messages in vain; those are told only if all are known. */
function placesOfWaiting({ process, taken = [] }: Waiting, places: ReadonlyMap<string, Place> | undefined): JsonObject {
  const vain = taken.map((_, at) => places?.get(takenKey(process, at + 1)))
  const areKnown = vain.length > 0 && vain.every((place) => place !== undefined)
  return {
    ...placed(places?.get(process)),
    ...(areKnown ? { takenAt: vain.map((place) => String(placed(place).at)) } : {}),
  }
}

/** Calls are told by their places among the events, of which there are so many. */
export function violationFromJson(field: Field, events = 0): Omit<Violation, 'property'> {
  const process = field.at('process')
  const unhandled = field.at('isUnhandled')
  const waiting = field.at('waiting')
  const [rule, picture, calls] = [field.at('rule'), field.at('picture'), field.at('calls')]
  const [consequence, unrelated] = [field.at('consequence'), field.at('unrelated')]
  return {
    kind: field.at('kind').oneOf(propertyKinds),
    message: field.at('message').text(),
    process: process.isPresent ? process.text() : undefined,
    ...(unhandled.isPresent && unhandled.flag() ? { isUnhandled: true } : {}),
    waiting: waiting.isPresent ? waiting.items().map(waitingFromJson) : undefined,
    ...(rule.isPresent ? { rule: rule.text() } : {}),
    ...(picture.isPresent ? { picture: picture.items().map((line) => line.text()) } : {}),
    ...(consequence.isPresent ? { consequence: consequence.text() } : {}),
    ...(calls.isPresent ? { calls: calls.items().map((call) => callFromJson(call, events)) } : {}),
    ...(unrelated.isPresent ? { unrelated: unrelated.items().map((one) => positionFromJson(one, events)) } : {}),
  }
}

function callFromJson(field: Field, events: number): CallInTrace {
  const at = field.at('event')
  if (!at.isPresent) return { words: field.at('words').text() }
  return { event: positionFromJson(at, events), words: field.at('words').text() }
}

function positionFromJson(field: Field, events: number): number {
  const position = field.count()
  return position < events ? position : field.wrong(`less than ${events}`, 0)
}

export function waitingFromJson(field: Field): Waiting {
  const texts = (name: string) =>
    field
      .at(name)
      .items()
      .map((item) => item.text())
  const heldBack = field.at('heldBack').isPresent ? { heldBack: texts('heldBack') } : {}
  const taken = field.at('taken').isPresent ? { taken: texts('taken') } : {}
  const inState = field.at('inState')
  return {
    process: field.at('process').text(),
    forWhat: field.at('forWhat').text(),
    inbox: texts('inbox'),
    ...heldBack,
    ...taken,
    ...(inState.isPresent ? { inState: inState.text() } : {}),
  }
}
