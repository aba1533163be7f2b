/**
 * A key-value store with a primary that serves from memory and a backup that writes to disk (after Alsberg and Day, "A Principle for
 * Resilient Sharing of Distributed Resources"). A primary that comes back after a crash takes what the backup has.
 */
import { conflict, machine, system } from 'allways'

/** Later epochs overrule earlier ones; within an epoch the primary counts. */
type Version = {
  readonly epoch: number
  readonly count: number
}

type Entry = {
  readonly value: string
  readonly version: Version
}

type Store = {
  readonly [key: string]: Entry
}

interface Primary {
  /** How often it has begun; on disk, as all that distinguishes it from what it was before a crash. */
  epoch: number
  /** Nothing until the backup has answered. */
  store: Store | undefined
  count: number
  /** Puts that the backup has not confirmed. */
  pending: Pending[]
}

interface Pending {
  readonly client: string
  readonly version: Version
}

interface Backup {
  epoch: number
  store: Store
}

interface Client {
  /** Puts that were acknowledged: by key, the last version. */
  acknowledged: { [key: string]: Version }
}

type Message =
  | { readonly kind: 'put'; readonly key: string; readonly value: string }
  | { readonly kind: 'done'; readonly key: string; readonly version: Version }
  | { readonly kind: 'replicate'; readonly key: string; readonly entry: Entry }
  | { readonly kind: 'replicated'; readonly key: string; readonly version: Version }
  | { readonly kind: 'fetch'; readonly epoch: number }
  | { readonly kind: 'fetched'; readonly epoch: number; readonly store: Store }

function isBefore(left: Version, right: Version): boolean {
  return left.epoch < right.epoch || (left.epoch === right.epoch && left.count < right.count)
}

/** Whether a confirmation is that of a put, and whether a message is of a primary that has crashed since. */
interface Epochs {
  isSame(left: Version, right: Version): boolean
  isPast(version: Version, epoch: number): boolean
}

const heeded: Epochs = {
  isSame: (left, right) => left.epoch === right.epoch && left.count === right.count,
  isPast: (version, epoch) => version.epoch < epoch,
}

/** A mistake: a primary that comes back counts from 1 again, and takes old confirmations for new ones. */
const ignored: Epochs = {
  isSame: (left, right) => left.count === right.count,
  isPast: () => false,
}

const primary = (name: string, epochs: Epochs, acknowledges: 'after replication' | 'at once') =>
  machine<Primary, Message>(name, {
    state: () => ({ epoch: 0, store: undefined, count: 0, pending: [] }),
    start(state, { send, setTimer }) {
      state.epoch++
      send('backup', { kind: 'fetch', epoch: state.epoch })
      setTimer('fetch', { milliseconds: 100 })
    },
    on: {
      fetched(state, { epoch, store }, { cancelTimer }) {
        if (epoch !== state.epoch || state.store !== undefined) return
        state.store = store
        cancelTimer('fetch')
      },
      put(state, { key, value }, { from, send }) {
        if (state.store === undefined) return
        const version = { epoch: state.epoch, count: ++state.count }
        const entry = { value, version }
        state.store = { ...state.store, [key]: entry }
        if (acknowledges === 'at once') send(from, { kind: 'done', key, version })
        else state.pending = [...state.pending, { client: from, version }]
        send('backup', { kind: 'replicate', key, entry })
      },
      replicated(state, { key, version }, { send }) {
        const pending = state.pending.find((one) => epochs.isSame(one.version, version))
        // Of a put before the crash: its client has to ask again.
        if (pending === undefined) return
        state.pending = state.pending.filter((one) => one !== pending)
        send(pending.client, { kind: 'done', key, version: pending.version })
      },
    },
    timers: {
      fetch(state, { send }) {
        if (state.store === undefined) send('backup', { kind: 'fetch', epoch: state.epoch })
      },
    },
    durable: ['epoch'],
  })

const backup = (name: string, epochs: Epochs) =>
  machine<Backup, Message>(name, {
    state: () => ({ epoch: 0, store: {} }),
    on: {
      fetch(state, { epoch }, { from, send }) {
        if (epoch < state.epoch) return
        state.epoch = epoch
        send(from, { kind: 'fetched', epoch, store: state.store })
      },
      replicate(state, { key, entry }, { from, send }) {
        // Of a primary that has crashed since: its successor does not know of it.
        if (epochs.isPast(entry.version, state.epoch)) return
        const known = state.store[key]
        if (known === undefined || isBefore(known.version, entry.version))
          state.store = { ...state.store, [key]: entry }
        send(from, { kind: 'replicated', key, version: entry.version })
      },
    },
    durable: ['epoch', 'store'],
  })

const client = machine<Client, Message>('client', {
  state: () => ({ acknowledged: {} }),
  on: {
    done(state, { key, version }) {
      const known = state.acknowledged[key]
      if (known === undefined || isBefore(known, version)) state.acknowledged[key] = version
    },
  },
  requests: {
    put(_, { key, value }: { readonly key: string; readonly value: string }, { send }) {
      send('primary', { kind: 'put', key, value })
    },
  },
  durable: ['acknowledged'],
})

type State = Primary | Backup | Client

type Fact = { readonly store: Store } | { readonly acknowledged: Client['acknowledged'] }

/** A primary that serves has every acknowledged put, or a later one of the same key. */
const nothingLost = conflict<State, Fact>('no acknowledged put is lost', {
  each: (state, name) => {
    if ('acknowledged' in state)
      return Object.keys(state.acknowledged).length === 0 ? undefined : { acknowledged: state.acknowledged }
    return name === 'primary' && state.store !== undefined ? { store: state.store } : undefined
  },
  conflict: (left, right) => isLost(left, right) || isLost(right, left),
})

function isLost(left: Fact, right: Fact): boolean {
  if (!('acknowledged' in left) || !('store' in right)) return false
  return Object.entries(left.acknowledged).some(([key, version]) => {
    const entry = right.store[key]
    return entry === undefined || isBefore(entry.version, version)
  })
}

const right = { primary: primary('primary', heeded, 'after replication'), backup: backup('backup', heeded) }
const hasty = { ...right, primary: primary('hasty primary', heeded, 'at once') }
const confused = {
  primary: primary('primary without epochs', ignored, 'after replication'),
  backup: backup('backup without epochs', ignored),
}

const storeSystem = (name: string, kinds: typeof right, crashes: number) => {
  const faults = { losses: 'any', crashes, restarts: crashes } as const
  return system(name, { params: { clients: 1, puts: 1 }, faults }, ({ clients, puts }) => {
    const names = Array.from({ length: clients }, (_, at) => `client ${at}`)
    const calls = (of: string) =>
      Array.from({ length: puts }, (_, at) => ['put', { key: 'x', value: `${of}: ${at}` }] as const)
    return {
      machines: {
        primary: kinds.primary.as(),
        backup: kinds.backup.as(),
        ...Object.fromEntries(names.map((one) => [one, client.as()])),
      },
      requests: Object.fromEntries(names.map((one) => [one, calls(one)])),
      invariants: [nothingLost],
    }
  })
}

export const replicatedFirst = storeSystem('primary and backup', right, 1)
export const acknowledgedFirst = storeSystem('primary and backup, acknowledged first', hasty, 1)
export const epochsIgnored = storeSystem('primary and backup, epochs ignored', confused, 2)
