/**
 * Chain replication (van Renesse & Schneider, OSDI 2004) after the Must paper (Figure 1, Examples 2.1–2.10): writes enter at
 * the head and travel down the chain, the tail commits them and answers, a coordinator that never fails takes failed replicas
 * out of the chain, and version numbers keep out what belongs to an older configuration.
 *
 * Replicas are fail-stop, and failures are detected accurately: the coordinator hears of a failure after the replica has
 * stopped. Nothing else is known about time; messages of the dead stay under way.
 */
import {
  type Address,
  announce,
  assert,
  choose,
  monitor,
  type Notification,
  type Process,
  program,
  receive,
  self,
  send,
  spawn,
} from 'allways'

/** A write, as it stands in the logs. */
interface Entry {
  readonly id: string
  readonly client: Address<ToClient>
}

interface Configuration {
  readonly kind: 'configuration'
  readonly version: number
  readonly head: Address<ToReplica>
  readonly tail: Address<ToReplica>
}

type ToReplica =
  | { readonly kind: 'stop'; readonly detector: Address<ToCoordinator> }
  /** Who stands before and after the replica in a new configuration. */
  | { readonly kind: 'place'; readonly version: number; readonly before?: Replica; readonly after?: Replica }
  /** What a replica tells the one before it in a new configuration: the length of its log. */
  | { readonly kind: 'have'; readonly version: number; readonly count: number }
  | { readonly kind: 'write'; readonly version: number; readonly entry: Entry }
  | { readonly kind: 'update'; readonly version: number; readonly entry: Entry; readonly from: string }
  | { readonly kind: 'read'; readonly version: number; readonly client: Address<ToClient> }
type Replica = Address<ToReplica>
type ToCoordinator =
  | { readonly kind: 'query'; readonly client: Address<ToClient> }
  | { readonly kind: 'failed'; readonly replica: Replica }
type ToClient =
  | Configuration
  | { readonly kind: 'written' }
  | { readonly kind: 'contents'; readonly ids: readonly string[] }
interface Store {
  readonly index: number
  readonly id: string
}

/** What replicas announce: an entry was appended to a log, or committed by a tail, or a tail was read. */
type Step =
  | {
      readonly kind: 'append'
      readonly replica: string
      readonly index: number
      readonly id: string
      readonly from?: string
    }
  | { readonly kind: 'commit'; readonly index: number; readonly id: string }
  | { readonly kind: 'observe'; readonly index: number }

/** What may be wrong with a replica. */
interface Flaws {
  /** Believes that a new successor has got whatever was sent to the old one. */
  readonly resendsNothing?: boolean
  /** Takes updates of any version, also those under way from a replica that has failed. */
  readonly ignoresVersions?: boolean
}

function* replica(name: string, next: Replica | undefined, storage: Address<Store>, flaws: Flaws): Process<ToReplica> {
  const log: Entry[] = []
  let version = 0
  let successor = next
  /** How much of the log the successor has got; unknown until a new one has told. */
  let sent: number | undefined = 0
  let committed = 0
  for (;;) {
    const message = yield* receive(current(version, flaws))
    switch (message.kind) {
      case 'stop':
        yield* send(message.detector, { kind: 'failed', replica: yield* self<ToReplica>() })
        return
      case 'place':
        version = message.version
        successor = message.after
        if (!flaws.resendsNothing) sent = undefined
        if (message.before !== undefined) yield* send(message.before, { kind: 'have', version, count: log.length })
        break
      case 'have':
        if (!flaws.resendsNothing) sent = message.count
        break
      case 'write':
        yield* announce(step({ kind: 'append', replica: name, index: log.length, id: message.entry.id }))
        log.push(message.entry)
        break
      case 'update':
        yield* announce(
          step({ kind: 'append', replica: name, index: log.length, id: message.entry.id, from: message.from }),
        )
        log.push(message.entry)
        break
      case 'read':
        yield* announce(step({ kind: 'observe', index: log.length }))
        yield* send(message.client, { kind: 'contents', ids: log.map(({ id }) => id) })
    }
    if (successor === undefined) {
      for (; committed < log.length; committed++) yield* commit(committed, log[committed] as Entry, storage)
    } else if (sent !== undefined) {
      for (; sent < log.length; sent++) {
        yield* send(successor, { kind: 'update', version, entry: log[sent] as Entry, from: name })
      }
    }
  }
}

/** Which messages a replica takes: those of its own version, its place in a newer one, and its end. */
function current(version: number, flaws: Flaws) {
  return (message: ToReplica) => {
    if (message.kind === 'stop') return true
    if (message.kind === 'place') return message.version > version
    return message.version === version || (message.kind === 'update' && flaws.ignoresVersions === true)
  }
}

function* commit(index: number, { id, client }: Entry, storage: Address<Store>) {
  yield* announce(step({ kind: 'commit', index, id }))
  yield* send(storage, { index, id }, { network: 'mailbox' })
  yield* send(client, { kind: 'written' })
}

/** Keeps one entry per index. What a new tail stores again because it cannot know is left unread. */
function* storage() {
  for (let index = 0; ; index++) yield* receive((store: Store) => store.index === index)
}

/** Answers who is head and tail; takes a failed replica out of the chain and tells everybody who is left. */
function* coordinator(first: readonly Replica[], messages: number): Process<ToCoordinator> {
  const clients: Address<ToClient>[] = []
  let chain = first
  let version = 0
  for (let i = 0; i < messages; i++) {
    const message = yield* receive<ToCoordinator>()
    if (message.kind === 'query') {
      clients.push(message.client)
      yield* send(message.client, configuration(version, chain))
      continue
    }
    version++
    chain = chain.filter((one) => one !== message.replica)
    for (const client of clients) yield* send(client, configuration(version, chain))
    for (const [at, one] of chain.entries()) yield* send(one, place(version, chain[at - 1], chain[at + 1]))
  }
}

function configuration(version: number, chain: readonly Replica[]): Configuration {
  return { kind: 'configuration', version, head: chain[0] as Replica, tail: chain.at(-1) as Replica }
}

function place(version: number, before: Replica | undefined, after: Replica | undefined): ToReplica {
  return { kind: 'place', version, ...(before && { before }), ...(after && { after }) }
}

/** Stops `faults` replicas, any of them at any time. */
function* environment(replicas: readonly Replica[], faults: number, detector: Address<ToCoordinator>) {
  let alive = replicas
  for (let i = 0; i < faults; i++) {
    const victim = yield* choose(alive)
    alive = alive.filter((one) => one !== victim)
    yield* send(victim, { kind: 'stop', detector })
  }
}

/** One request: ask who is in charge, send it there, and wait for the answer, or for the news that it may never come. */
function* client(to: Address<ToCoordinator>, request: { readonly write: string } | 'read'): Process<ToClient> {
  const own = yield* self<ToClient>()
  yield* send(to, { kind: 'query', client: own })
  const { version, head, tail } = yield* receive<ToClient, 'configuration'>('configuration')
  if (request === 'read') yield* send(tail, { kind: 'read', version, client: own })
  else yield* send(head, { kind: 'write', version, entry: { id: request.write, client: own } })
  yield* receive<ToClient>()
}

/**
 * Each log is a prefix of the one before it in the chain. Causal delivery brings the appends of one index in the order of the
 * chain; those of later indexes are left waiting until it is committed, so that they add no executions.
 */
const prefixes = monitor('each log is a prefix of the one before it', { observes: ['append', 'commit'] }, function* () {
  const logs = new Map<string, readonly string[]>()
  let committed = 0
  for (;;) {
    const { message } = yield* receive(upTo(committed))
    if (message.kind === 'commit') committed = Math.max(committed, message.index + 1)
    if (message.kind !== 'append') continue
    const { replica, index, id, from } = message
    const log = logs.get(replica) ?? []
    logs.set(replica, [...log, id])
    yield* assert(index === log.length, `${replica} appends to the end of its log`)
    if (from === undefined) continue
    yield* assert(logs.get(from)?.[index] === id, `the log of ${replica} is a prefix of the log of ${from}`)
  }
})

function upTo(index: number) {
  return ({ message }: Notification<Step>) => message.index <= index
}

/** Writes are serialized at the tail, whoever that is: tails agree about what they commit, and reads see all of it. */
const serialized = monitor('writes are serialized at the tail', { observes: ['commit', 'observe'] }, function* () {
  const committed: string[] = []
  for (;;) {
    const { message } = yield* receive<Notification<Step>>()
    if (message.kind === 'observe') {
      yield* assert(message.index === committed.length, 'a read sees every committed write')
    } else if (message.kind === 'commit') {
      const { index, id } = message
      if (index === committed.length) committed.push(id)
      yield* assert(committed[index] === id, 'every tail commits the same write at an index')
    }
  }
})

function step(announced: Step): Step {
  return announced
}

type Params = { readonly faults: number; readonly replicas: number; readonly requests: number }

function* chain({ faults, replicas, requests }: Params, flaws: Flaws) {
  const disk = yield* spawn('storage', { daemon: true }, storage)
  const line: Replica[] = []
  for (let i = replicas - 1; i >= 0; i--) {
    line.unshift(yield* spawn(`replica ${i}`, { daemon: true }, replica, `replica ${i}`, line[0], disk, flaws))
  }
  const leader = yield* spawn('coordinator', coordinator, line, requests + faults)
  yield* spawn('environment', environment, line, faults, leader)
  if (requests > 0) yield* spawn('writer a', client, leader, { write: 'a' })
  if (requests > 1) yield* spawn('writer b', client, leader, { write: 'b' })
  if (requests > 2) yield* spawn('reader', client, leader, 'read')
}

const options = { params: { faults: 1, replicas: 3, requests: 3 }, properties: [prefixes, serialized] } as const

/** Holds under fifo and stronger networks; under bag, updates overtake each other. */
export const correct = program('chain replication', options, (params) => chain(params, {}))

/** Violated when the replica in the middle fails after it was sent an update that it did not forward. */
export const withoutResending = program('chain replication without resending', options, (params) =>
  chain(params, { resendsNothing: true }),
)

/** Violated when an update of the old configuration arrives after the new one has made up for its absence. */
export const withoutVersions = program('chain replication without versions', options, (params) =>
  chain(params, { ignoresVersions: true }),
)
