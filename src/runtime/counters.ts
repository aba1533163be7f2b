/** What happened to datagrams and messages, in numbers. Nothing that is refused goes uncounted. */

const counterNames = [
  /** Frames that came in, good or bad. */
  'received',
  /** Messages given to the machine, those to itself included. */
  'delivered',
  /** Messages of the machine, those to itself included. */
  'sent',
  'malformed',
  'oversized',
  'unauthenticated',
  /** Seen before, or from an earlier incarnation of the sender or for one of ours. */
  'replayed',
  /** Of another system, from an unknown machine, or for another one. */
  'foreign',
  /** Came behind a later one over a transport that keeps order. */
  'late',
  /** Could not be sent: too large, the queue was full, the socket said no. */
  'unsendable',
  /** Faults on purpose. */
  'lost',
  'duplicated',
  'delayed',
  'reordered',
  /** Control connections that were cut: a line that is no request or does not prove the key; no request in time; too much. */
  'unproved',
  'silent',
  'excessive',
  'violations',
  'snapshots',
  /** Lines for which the log had no room. */
  'unlogged',
] as const

export type CounterName = (typeof counterNames)[number]
export type Counters = Record<CounterName, number>

export function newCounters(): Counters {
  return Object.fromEntries(counterNames.map((name) => [name, 0])) as Counters
}
