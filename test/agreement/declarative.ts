/**
 * A second oracle, independent of the first: the paper's declarative semantics (seed 000, §3), by brute force. All graphs of a
 * generated program are built by giving each receive every send it could read; Definitions 3.4 to 3.8 then say, literally,
 * which of them a network allows. Shares with the reference semantics only the key under which executions are compared.
 *
 * The consistency predicates are prefix-closed, and a receive waits in a graph exactly when no unread send matches it, under every
 * network of the paper (conditional extensibility). So the executions of a network are the consistent ones among the complete
 * graphs. A sender queue also makes receives wait for others: there a graph is complete when no larger one is consistent.
 */
import type { Event } from '../../src/core/event.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import type { EndedProcess } from '../../src/core/property.ts'
import { classKey } from './class.ts'
import { isConsistent } from './consistent.ts'
import {
  accepts,
  childId,
  type GeneratedMessage,
  holds,
  type Instruction,
  type ProgramText,
  refusal,
  throwsOn,
} from './text.ts'

/** Graphs, complete or not, beyond which a program is left out. */
const graphCap = 3000

/** Keys of all executions under a network; nothing if there are more graphs on the way than the cap. */
export function declaredClasses(text: ProgramText, network: NetworkName, cap = graphCap): Set<string> | undefined {
  const seen = new Set<string>()
  const found = new Set<string>()
  const open: Graph[] = [{ events: [], network, bodies: new Map([['main', { body: text.main, daemon: false }]]) }]
  for (let graph = open.pop(); graph !== undefined; graph = open.pop()) {
    const key = classKey(graph.events, statuses(graph))
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > cap) return undefined
    const larger = extensions(graph)
    const isComplete = hasSenderQueues(graph) ? !larger.some(isAllowed) : larger.length === 0
    if (isComplete && isAllowed(graph)) found.add(key)
    open.push(...larger)
  }
  return found
}

function isAllowed(graph: Graph): boolean {
  return isConsistent(graph.events, (send, receive) => matching(graph, send, receive))
}

function hasSenderQueues({ events }: Graph): boolean {
  return events.some((event) => event.kind === 'send' && event.network === 'sender-queue')
}

/** Events in some order in which they may happen; the order itself means nothing. */
interface Graph {
  readonly events: readonly Event[]
  readonly network: NetworkName
  readonly bodies: ReadonlyMap<string, { readonly body: readonly Instruction[]; readonly daemon: boolean }>
}

type Send = Extract<Event, { kind: 'send' }>

/** What a process does next, as a function of what it was given so far: the paper's P_i(tr). */
type Next =
  | {
      readonly kind: 'send'
      readonly to: string
      readonly value: GeneratedMessage
      readonly network: NetworkName | undefined
    }
  | { readonly kind: 'receive' | 'poll'; readonly accepts: (send: Send) => boolean }
  | { readonly kind: 'choose'; readonly options: number }
  | { readonly kind: 'spawn'; readonly name: string; readonly daemon: boolean; readonly body: readonly Instruction[] }
  | { readonly kind: 'join'; readonly target: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'end' }

function nextOf(graph: Graph, process: string, length = Number.POSITIVE_INFINITY): Next {
  const trace = graph.events.filter((event) => event.process === process).slice(0, length)
  let last: number | undefined
  let sender: string | undefined
  let at = 0
  for (const instruction of graph.bodies.get(process)?.body ?? []) {
    const next = asked(instruction, process, last, sender)
    if (next === undefined) continue
    const given = trace[at++]
    if (given === undefined || given.kind === 'stop' || given.kind === 'fail') return next
    if (given.kind === 'receive') {
      const message = given.value as unknown as GeneratedMessage
      if ('filter' in instruction && throwsOn(instruction.filter, message)) return { kind: 'fail', message: refusal }
      last = message.value
      sender = message.from
    }
    if (given.kind === 'timeout') last = sender = undefined
    if (given.kind === 'choose') last = given.option
  }
  return { kind: 'end' }
}

/** The visible operation of an instruction, if it has one in this state. */
function asked(
  instruction: Instruction,
  process: string,
  last: number | undefined,
  sender: string | undefined,
): Next | undefined {
  switch (instruction.kind) {
    case 'send': {
      const to = instruction.to === 'sender' ? sender : instruction.to.id
      if (to === undefined || !holds(instruction.when, last)) return undefined
      const value = instruction.value === 'last' ? (last ?? 0) : instruction.value
      return {
        kind: 'send',
        to,
        value: { kind: instruction.tag, value, from: instruction.anonymous ? undefined : process },
        network: instruction.network,
      }
    }
    case 'receive':
    case 'poll':
      return { kind: instruction.kind, accepts: filterOf(instruction, last, sender) }
    case 'assume':
      return holds(instruction.that, last) ? undefined : { kind: 'stop' }
    case 'assert':
      return holds(instruction.that, last) ? undefined : { kind: 'fail', message: `last is ${last}` }
    case 'announce':
      return undefined
    default:
      return instruction
  }
}

function filterOf(
  { filter, from }: Extract<Instruction, { kind: 'receive' | 'poll' }>,
  last: number | undefined,
  sender: string | undefined,
): (send: Send) => boolean {
  const only = from === 'sender' ? sender : from?.id
  return ({ process, value }) =>
    (only === undefined || process === only) && accepts(filter, value as unknown as GeneratedMessage, last)
}

function hasEnded(graph: Graph, process: string): boolean {
  return graph.bodies.has(process) && nextOf(graph, process).kind === 'end'
}

function statuses(graph: Graph): { id: string; status: EndedProcess['status'] }[] {
  return [...graph.bodies.keys()].map((id) => ({ id, status: statusOf(graph, id) }))
}

function statusOf(graph: Graph, process: string): EndedProcess['status'] {
  const { kind } = nextOf(graph, process)
  if (kind === 'end') return 'returned'
  return kind === 'stop' ? 'stopped' : kind === 'fail' ? 'failed' : 'waiting'
}

/** All graphs with one event more. */
function extensions(graph: Graph): Graph[] {
  return [...graph.bodies.keys()].flatMap((process) => {
    const mine = graph.events.filter((event) => event.process === process)
    const halted = mine.some(({ kind }) => kind === 'stop' || kind === 'fail')
    const next = nextOf(graph, process)
    if (halted || next.kind === 'end') return []
    return eventsOf(graph, next, { process, index: mine.length }).map((event) => {
      const bodies = next.kind === 'spawn' ? new Map(graph.bodies).set(childId(process, next.name), next) : graph.bodies
      return { ...graph, events: [...graph.events, event], bodies }
    })
  })
}

function eventsOf(graph: Graph, next: Exclude<Next, { kind: 'end' }>, at: { process: string; index: number }): Event[] {
  switch (next.kind) {
    case 'send': {
      const { to, value } = next
      const message = graph.events.filter(({ kind }) => kind === 'send').length
      return [
        {
          ...at,
          kind: 'send',
          message,
          to,
          value: { ...value },
          network: next.network ?? graph.network,
          notification: false,
        },
      ]
    }
    case 'receive':
      return readable(graph, at.process, next.accepts).map((send) => reading(send, at))
    case 'poll':
      return [{ ...at, kind: 'timeout' }, ...readable(graph, at.process, next.accepts).map((send) => reading(send, at))]
    case 'choose':
      return Array.from({ length: next.options }, (_, option) => ({
        ...at,
        kind: 'choose',
        option,
        options: next.options,
        value: option,
      }))
    case 'spawn':
      return [{ ...at, kind: 'spawn', child: childId(at.process, next.name), daemon: next.daemon }]
    case 'join':
      return hasEnded(graph, next.target) ? [{ ...at, kind: 'join', target: next.target }] : []
    case 'stop':
      return [{ ...at, kind: 'stop' }]
    case 'fail': {
      const { message } = next
      return [
        { ...at, kind: 'fail', violation: { kind: 'assertion', property: message, message, process: at.process } },
      ]
    }
  }
}

/** Well-formedness (Definition 3.3): a receive reads an unread send to its process with a value it accepts. */
function readable(graph: Graph, process: string, accepted: (send: Send) => boolean): Send[] {
  const read = new Set(graph.events.flatMap((event) => (event.kind === 'receive' ? [event.message] : [])))
  return graph.events.filter(
    (event): event is Send =>
      event.kind === 'send' && event.to === process && !read.has(event.message) && accepted(event),
  )
}

function reading(send: Send, at: { process: string; index: number }): Event {
  return { ...at, kind: 'receive', message: send.message, from: send.process, value: send.value }
}

/** The paper's mval: whether the receive (in its own process, at its own moment) accepts the value of the send. */
function matching(graph: Graph, send: Send, receive: Event): boolean {
  const next = nextOf(graph, receive.process, receive.index)
  return (next.kind === 'receive' || next.kind === 'poll') && next.accepts(send)
}
