/** The derived parts of a trace file: events, property and scope in words, so that a trace can be shown without its program. */
import type { Place } from '../core/diagnostic.ts'
import { type Event, isStep } from '../core/event.ts'
import type { Counterexample } from '../core/evidence.ts'
import { networkNames } from '../core/operation.ts'
import type { EndedProcess, Resting, Violation } from '../core/property.ts'
import type { Trace } from '../core/trace.ts'
import { mappedUnhurried, type Unhurried } from '../core/unhurried.ts'
import { type Json, valueToJson } from '../core/value-json.ts'
import { takenKey } from '../reports/result.ts'
import { type ClientContext, type ClientNotes, clientFromJson, clientToJson } from './client-notes.ts'
import { checkNames, EventNames } from './step-names.ts'
import type { Field } from './trace-fields.ts'
import {
  type JsonObject,
  placed,
  violationFromJson,
  violationToJson,
  waitingFromJson,
  waitingToJson,
} from './violation-notes.ts'

/** What is known beside the trace when it is written. */
export interface TraceContext extends ClientContext {
  readonly counterexample: Counterexample
  /** The verdict's scope in words. */
  readonly scope: string
  readonly places: ReadonlyMap<Event, Place>
  /** Where the property broke. */
  readonly place?: Place | undefined
  /** Where each waiting process waits, by process id. */
  readonly waitingAt?: ReadonlyMap<string, Place> | undefined
  /** Digests of the source files, to say later what changed. */
  readonly sources?: { readonly [file: string]: string } | undefined
}

export type BriefContext = Omit<TraceContext, 'places'>

export interface TraceNotes {
  readonly counterexample: Counterexample
  readonly places: ReadonlyMap<Event, Place>
  readonly scope: string
  readonly place: Place | undefined
  readonly waitingAt: ReadonlyMap<string, Place>
  /** Of a class. */
  readonly ofClass?: ClientNotes | undefined
}

export function* notesToJson(context: TraceContext): Unhurried<object> {
  const { counterexample, places } = context
  const { events, processes, decisions, eventsBeforeRound, foundIn, client } = counterexample
  return {
    ...briefNotes(context),
    ...(eventsBeforeRound === undefined ? {} : { eventsBeforeRound }),
    ...(client === undefined ? { steps: yield* stepsToJson(events, places) } : clientToJson(client, context)),
    processes: processes.map(processToJson),
    minimised: { from: foundIn, to: decisions.length },
  }
}

/** What replay wants to know beside the trace, without the steps. */
export function briefNotes({ counterexample, scope, place, waitingAt, sources }: BriefContext): object {
  const { violation } = counterexample
  return {
    property: {
      name: violation.property,
      verdict: 'violated',
      ...violationToJson(violation, waitingAt),
      ...placed(place),
    },
    scope,
    sources: { ...sources },
  }
}

/** The violation of a trace without steps. */
export function briefViolation(file: Field): Violation | undefined {
  const property = file.at('property')
  if (!property.isPresent) return undefined
  return { ...violationFromJson(property, Number.MAX_SAFE_INTEGER), property: property.at('name').text() }
}

function processToJson({ id, daemon, status, value, waiting, resting }: EndedProcess): JsonObject {
  return {
    id,
    daemon,
    status,
    value: valueToJson(value),
    ...(waiting === undefined ? {} : { waiting: waitingToJson(waiting) }),
    ...(resting === undefined ? {} : { resting: { ...resting } }),
  }
}

function* stepsToJson(events: readonly Event[], places: ReadonlyMap<Event, Place>): Unhurried<Json> {
  const names = new EventNames()
  return yield* mappedUnhurried(events, (event) => {
    const { i, id, causes } = names.of(event)
    return {
      ...(i === undefined ? {} : { i }),
      id,
      process: event.process,
      kind: event.kind,
      ...detailToJson(event),
      ...(causes === undefined ? {} : { causes }),
      ...placed(places.get(event)),
    }
  })
}

function detailToJson(event: Event): JsonObject {
  switch (event.kind) {
    case 'spawn':
      return { child: event.child, daemon: event.daemon }
    case 'join':
      return { target: event.target }
    case 'send': {
      const { message, to, value, network, notification, fate } = event
      return {
        message,
        to,
        value: valueToJson(value),
        network,
        ...(notification ? { notification } : {}),
        ...(fate === undefined ? {} : { fate }),
      }
    }
    case 'receive':
      return { message: event.message, from: event.from, value: valueToJson(event.value) }
    case 'choose':
      return { option: event.option, options: event.options, value: valueToJson(event.value), ...markOf(event) }
    case 'timeout':
      return event.instead === undefined ? {} : { instead: valueToJson(event.instead) }
    case 'crash':
      return { restarts: event.restarts }
    case 'stop':
      return event.halts === true ? { halts: true } : {}
    case 'enter':
      return { state: event.state }
    case 'announce':
      return { value: valueToJson(event.value), ...markOf(event) }
    case 'observe':
      return { from: event.from, value: valueToJson(event.value) }
    case 'print':
      return { text: event.text }
    case 'fail':
      return { violation: { property: event.violation.property, ...violationToJson(event.violation) } }
    default:
      return {}
  }
}

/** Nothing when the file has no steps; problems are noted in the field. */
export function notesFromJson(file: Field, trace: Trace): TraceNotes | undefined {
  const { decisions, repeatsFrom, program, setting } = trace
  const steps = file.at('steps')
  const property = file.at('property')
  if (!steps.isPresent || !property.isPresent) return undefined
  const ofClass = program.origin === undefined ? undefined : clientFromJson(file, String(setting.params.client))
  if (program.origin !== undefined && ofClass === undefined) return undefined
  const places = new Map<Event, Place>()
  const names = new EventNames()
  const events = (ofClass === undefined ? steps.items() : []).map((field) => {
    const event = eventFromJson(field)
    checkNames(field, names.of(event))
    const place = optionalPlace(field)
    if (place !== undefined) places.set(event, place)
    return event
  })
  const processes = file.at('processes')
  const { from, to } = { from: file.at('minimised').at('from'), to: file.at('minimised').at('to') }
  if (to.raw !== decisions.length) to.wrong(`${decisions.length}, as there are decisions`, 0)
  const counterexample: Counterexample = {
    violation: { ...violationFromJson(property, events.length), property: property.at('name').text() },
    decisions,
    repeatsFrom,
    ...roundOf(file.at('eventsBeforeRound'), { repeatsFrom, events }),
    events,
    foundIn: from.isPresent ? from.count() : decisions.length,
    processes: processes.isPresent ? processes.items().map(processFromJson) : [],
    client: ofClass?.client,
  }
  const scope = file.at('scope')
  return {
    counterexample,
    places,
    scope: scope.isPresent ? scope.text() : '',
    place: optionalPlace(property),
    waitingAt: waitingPlaces(property.at('waiting')),
    ofClass,
  }
}

/** Files that do not say it are of programs whose decisions are a step each. */
function roundOf(
  field: Field,
  { repeatsFrom, events }: Pick<Counterexample, 'repeatsFrom' | 'events'>,
): Pick<Counterexample, 'eventsBeforeRound'> {
  if (repeatsFrom === undefined) return {}
  if (field.isPresent) {
    const told = field.count()
    return { eventsBeforeRound: told <= events.length ? told : field.wrong(`at most ${events.length}`, 0) }
  }
  const steps = events.flatMap((event, at) => (isStep(event) ? [at] : []))
  return { eventsBeforeRound: steps[repeatsFrom] ?? events.length }
}

function optionalPlace(field: Field): Place | undefined {
  const at = field.at('at')
  return at.isPresent ? at.place() : undefined
}

function waitingPlaces(field: Field): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const waiting of field.isPresent ? field.items() : []) {
    const place = optionalPlace(waiting)
    const process = waiting.at('process').text()
    if (place !== undefined) places.set(takenKey(process, 0), place)
    const vain = waiting.at('takenAt')
    for (const [at, one] of (vain.isPresent ? vain.items() : []).entries()) {
      const known = one.place()
      if (known !== undefined) places.set(takenKey(process, at + 1), known)
    }
  }
  return places
}

const statuses = ['returned', 'waiting', 'stopped', 'failed', 'crashed'] as const

function processFromJson(field: Field): EndedProcess {
  const waiting = field.at('waiting')
  const resting = field.at('resting')
  return {
    id: field.at('id').text(),
    daemon: field.at('daemon').flag(),
    status: field.at('status').oneOf(statuses),
    value: field.at('value').value(),
    waiting: waiting.isPresent ? waitingFromJson(waiting) : undefined,
    ...(resting.isPresent ? { resting: restingFromJson(resting) } : {}),
  }
}

function restingFromJson(field: Field): Resting {
  const deferred = field.at('deferred').items()
  return { inState: field.at('inState').text(), deferred: deferred.map((item) => item.text()) }
}

const eventKinds = [
  'spawn',
  'join',
  'send',
  'receive',
  'timeout',
  'choose',
  'crash',
  'partition',
  'heal',
  'stop',
  'fail',
  'enter',
  'announce',
  'observe',
  'print',
] as const

/** Whether a step is a call of an abstract object. */
function markOf({ isCall }: { readonly isCall?: boolean | undefined }): JsonObject {
  return isCall === true ? { isCall } : {}
}

function markIn(field: Field): { readonly isCall?: true } {
  const mark = field.at('isCall')
  return mark.isPresent && mark.flag() ? { isCall: true } : {}
}

function eventFromJson(field: Field): Event {
  const process = field.at('process').text()
  const index = indexFromId(field.at('id'), process)
  const kind = field.at('kind').oneOf(eventKinds)
  switch (kind) {
    case 'spawn':
      return { kind, process, index, child: field.at('child').text(), daemon: field.at('daemon').flag() }
    case 'join':
      return { kind, process, index, target: field.at('target').text() }
    case 'send':
      return { kind, process, index, ...sentFromJson(field) }
    case 'receive': {
      const [message, from, value] = [field.at('message').count(), field.at('from').text(), field.at('value').value()]
      return { kind, process, index, message, from, value }
    }
    case 'choose': {
      const [option, options, value] = [
        field.at('option').count(),
        field.at('options').count(),
        field.at('value').value(),
      ]
      return { kind, process, index, option, options, value, ...markIn(field) }
    }
    case 'timeout': {
      const instead = field.at('instead')
      return { kind, process, index, ...(instead.isPresent ? { instead: instead.value() } : {}) }
    }
    case 'crash':
      return { kind, process, index, restarts: field.at('restarts').flag() }
    case 'stop': {
      const halts = field.at('halts')
      return { kind, process, index, ...(halts.isPresent ? { halts: halts.flag() } : {}) }
    }
    case 'enter':
      return { kind, process, index, state: field.at('state').text() }
    case 'announce':
      return { kind, process, index, value: field.at('value').value(), ...markIn(field) }
    case 'observe':
      return { kind, process, index, from: field.at('from').text(), value: field.at('value').value() }
    case 'print':
      return { kind, process, index, text: field.at('text').text() }
    case 'fail': {
      const violation = field.at('violation')
      return {
        kind,
        process,
        index,
        violation: { ...violationFromJson(violation), property: violation.at('property').text() },
      }
    }
    default:
      return { kind, process, index }
  }
}

function sentFromJson(field: Field): Omit<Extract<Event, { readonly kind: 'send' }>, 'kind' | 'process' | 'index'> {
  const notification = field.at('notification')
  const fate = field.at('fate')
  return {
    message: field.at('message').count(),
    to: field.at('to').text(),
    value: field.at('value').value(),
    network: field.at('network').oneOf(networkNames),
    notification: notification.isPresent && notification.flag(),
    ...(fate.isPresent ? { fate: fate.oneOf(['lost', 'duplicated', 'copy'] as const) } : {}),
  }
}

function indexFromId(field: Field, process: string): number {
  const id = field.text()
  const index = id.startsWith(`${process}#`) ? Number(id.slice(process.length + 1)) : Number.NaN
  return Number.isSafeInteger(index) ? index : field.wrong(`"${process}#" and a number`, 0)
}
