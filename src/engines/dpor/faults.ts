/**
 * Faults in execution graphs: what was chosen, what is left of the budget, and which complete graphs are executions.
 *
 * The number of faults in a graph only grows with it, and every graph can go on without another one. So a graph that exceeds the budget
 * is to Must what an inconsistent one is: it is not begun, and each of the others is still explored exactly once.
 */
import { SpentFaults } from '../../core/faults.ts'
import { isIdle, isNeverCutOff, type Operation } from '../../core/operation.ts'
import type { Address } from '../../core/value.ts'
import type { Runnable } from '../../program/program.ts'
import { crosses } from '../../semantics/faults.ts'
import { readable } from './consistency/consistency.ts'
import { isFaultChoice, type Struck } from './faulty-process.ts'
import { clockAfter, GraphEvent, type GraphProcess, originalSend } from './graph.ts'
import type { GraphSearch } from './search.ts'

/** What a choice between faults came to; nothing for other events. */
export function struckIn(event: GraphEvent | undefined): Struck | undefined {
  return event?.kind === 'choose' && isFaultChoice(event.operation) ? (event.answer as Struck) : undefined
}

/** The options of a choice between faults for which the budget has room, as positions. */
export function affordable(
  options: readonly Struck[],
  order: readonly GraphEvent[],
  { faults = {} }: Runnable,
): readonly number[] {
  const spent = new SpentFaults(faults)
  for (const event of order) {
    const struck = struckIn(event)
    // However many processes are cut off, it is one partition.
    if (struck !== undefined && struck !== 'nothing' && struck !== 'partition') spent.spend(struck)
  }
  return options.flatMap((struck, at) => (struck === 'nothing' || spent.allows(struck) ? [at] : []))
}

/** A partition that has not healed when nothing else can happen. */
export interface Partition {
  readonly cutOff: GraphProcess
  /** Receives that would be next if it healed. Under mailbox, messages are sent in the order that these imply as well. */
  readonly next: readonly GraphEvent[]
}

/**
 * The partition with which a complete graph ends: nothing if no process waits because of one. False if the graph is no execution, or none
 * of its own: because no single partition explains who waits, or because a daemon crashed that would have waited for ever, which nobody can
 * tell from waiting.
 */
export function partitionIn(search: GraphSearch): Partition | undefined | false {
  if (search.subject.faults === undefined) return undefined
  const cutOff = silentAs(search, 'nothing, cut off')
  const daemons = silentAs(search, 'nothing, crashed').filter((one) => isUnnoticed(search, one))
  if (daemons.some(({ pending }) => pending.kind === 'join')) return false
  if (cutOff.length === 0) return daemons.every((one) => readable(receiveOf(one)).length > 0) ? undefined : false
  for (const process of rankedProcesses(search)) {
    const next = explanation(search, process, [...cutOff, ...daemons])
    if (next !== undefined) return { cutOff: process, next }
  }
  return false
}

/** Adds the receives that come next were the partition to heal, lets `look` look, and takes them away again. */
export function withNext<T>({ graph }: GraphSearch, next: readonly GraphEvent[], look: () => T): T {
  const before = graph.order.length
  for (const receive of next) graph.add(receive)
  const result = look()
  graph.cut(before)
  return result
}

/** A process that a fault keeps from its next operation. */
interface Silent {
  readonly process: GraphProcess
  readonly pending: Operation
  readonly isCutOff: boolean
}

function silentAs(search: GraphSearch, wants: 'nothing, cut off' | 'nothing, crashed'): readonly Silent[] {
  return search.graph.processes.flatMap((process) => {
    const state = process.alive ? search.histories.now(process) : undefined
    if (state?.wants !== wants || state.pending === undefined) return []
    return [{ process, pending: state.pending, isCutOff: wants === 'nothing, cut off' }]
  })
}

/** Daemons that crashed when they had to wait for something, at least if it did not come: nobody notices then. */
function isUnnoticed(search: GraphSearch, { process, pending }: Silent): boolean {
  if (!process.start.daemon && !isIdle(pending)) return false
  // Services are told.
  if (struckIn(process.events.at(-1)) !== 'crash') return false
  if (pending.kind !== 'receive' && (pending.kind !== 'join' || search.hasEnded(targetOf(pending)))) return false
  return !search.graph.order.some(
    ({ kind, operation }) => kind === 'join' && operation !== undefined && targetOf(operation) === process.id,
  )
}

function targetOf(join: Operation): string {
  return (join.target as Address<never>).id
}

/** In an order that is the same for every part of a search. */
function rankedProcesses({ graph }: GraphSearch): readonly GraphProcess[] {
  return graph.processes.filter(({ alive }) => alive).sort((left, right) => left.rank - right.rank)
}

/**
 * Why each process is silent when one is cut off: everything it could receive is held back; or, for one that crashed, not everything.
 * Under mailbox only the message sent first could be received, so which one that is must be settled for all of them together.
 */
function explanation(
  search: GraphSearch,
  by: GraphProcess,
  silent: readonly Silent[],
): readonly GraphEvent[] | undefined {
  const [one, ...others] = silent
  if (one === undefined) return []
  const sends = readable(receiveOf(one))
  const wanted = sends.filter((send) => isHeldBack(send, by) === one.isCutOff)
  const isSettled = one.isCutOff
    ? sends.every((send) => send.network === 'mailbox' || wanted.includes(send))
    : wanted.some((send) => send.network !== 'mailbox')
  const first = wanted.filter((send) => send.network === 'mailbox')
  if (one.isCutOff && !isSettled) return undefined
  const hasMailbox = sends.some((send) => send.network === 'mailbox')
  if (one.isCutOff ? !hasMailbox : isSettled) {
    return wanted.length > 0 ? explanation(search, by, others) : undefined
  }
  for (const send of first) {
    const receive = receiveOf(one, send)
    const rest = withNext(search, [receive], () => explanation(search, by, others))
    if (rest !== undefined) return [receive, ...rest]
  }
  return undefined
}

function receiveOf({ process, pending }: Silent, source?: GraphEvent): GraphEvent {
  const receive = new GraphEvent(process, 'receive', pending, clockAfter(process, process.events.length, source))
  receive.source = source
  return receive
}

function isHeldBack(send: GraphEvent, partition: GraphProcess): boolean {
  const { destination, operation } = send
  const travels = (operation === undefined || !isNeverCutOff(operation)) && destination?.start.monitor !== true
  return crosses({ from: originalSend(send).process.id, to: destination?.id ?? '', travels }, partition.id)
}
