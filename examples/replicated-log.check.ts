/**
 * A log on three replicas. The leader appends what clients ask for, copies its log to the others, and
 * tells the client when a majority has it. A replica that hears nothing takes over: it asks the
 * others, who follow the old leader no more, and goes on with the newest log among them and its own.
 * A leader that tells the client too early loses what it has told when another one takes over.
 */
import { machine, refines, refuse, specification, system } from 'allways'

type Entries = readonly string[]

/** What the replicas mean to clients: entries stay where they are, and who reads sees them. */
const log = specification('log', {
  state: { entries: [] as Entries },
  operations: {
    append({ entries }: { entries: Entries }, { place, entry }: { place: number; entry: string }) {
      // It may be told of again, by the next leader.
      if (place < entries.length && entries[place] !== entry) return refuse(`place ${place} has ${entries[place]}`)
      return { entries: entries.toSpliced(place, 1, entry) }
    },
    read({ entries }: { entries: Entries }, { seen }: { seen: Entries }) {
      const isThere = seen.every((entry, place) => entries[place] === entry)
      return isThere ? undefined : refuse(`clients were told of ${entries.length} entries`)
    },
  },
})

interface Replica {
  /** How many leaders there were, as far as it knows. */
  term: number
  isLeader: boolean
  entries: Entries
  /** The term of the leader that it has its entries from. */
  from: number
  /** So many entries this leader has told clients of. */
  told: number
}

type Message =
  | { readonly kind: 'join'; readonly term: number }
  | {
      readonly kind: 'joined'
      readonly term: number
      readonly entries: Entries
      readonly of: number
    }
  | { readonly kind: 'copy'; readonly term: number; readonly entries: Entries }
  | { readonly kind: 'copied'; readonly term: number; readonly length: number }

interface Part {
  /** The term in which it leads, if it does. */
  readonly leads: number
  /** Whether it waits for a majority. */
  readonly waits: boolean
}

const replica = machine<Replica, Message, Part>('replica', {
  state: () => ({ term: 1, isLeader: false, entries: [], from: 0, told: 0 }),
  start(state, { args, setTimer }) {
    if (args.leads === 1) Object.assign(state, { isLeader: true, from: 1 })
    else if (args.leads > 1) setTimer('silence', { milliseconds: 1000 })
  },
  timers: {
    silence(state, { args, peers, send }) {
      state.term = args.leads
      for (const to of peers) send(to, { kind: 'join', term: state.term })
    },
  },
  requests: {
    append(state, entry: string, context) {
      const { args, peers, send } = context
      if (!state.isLeader) return
      state.entries = [...state.entries, entry]
      for (const to of peers) send(to, { kind: 'copy', term: state.term, entries: state.entries })
      if (!args.waits) tell(state, state.entries.length, context)
    },
    read(state, _: undefined, { announce }) {
      announce(log.read({ seen: state.entries.slice(0, state.told) }))
    },
  },
  on: {
    join(state, { term }, { from, send }) {
      if (term <= state.term) return
      Object.assign(state, { term, isLeader: false })
      send(from, { kind: 'joined', term, entries: state.entries, of: state.from })
    },
    // With one other it is a majority of three.
    joined(state, { term, entries, of }, { peers, send }) {
      if (term !== state.term || state.isLeader) return
      const isNewer = of > state.from || (of === state.from && entries.length > state.entries.length)
      if (isNewer) state.entries = entries
      Object.assign(state, { isLeader: true, from: term })
      for (const to of peers) send(to, { kind: 'copy', term, entries: state.entries })
    },
    copy(state, { term, entries }, { from, send }) {
      const isOld = term === state.from && entries.length < state.entries.length
      if (term < state.term || isOld) return
      Object.assign(state, { term, isLeader: false, entries, from: term })
      send(from, { kind: 'copied', term, length: entries.length })
    },
    copied(state, { term, length }, context) {
      if (term === state.term && state.isLeader) tell(state, length, context)
    },
  },
})

interface Telling {
  announce(call: ReturnType<typeof log.append>): void
}

function tell(state: Replica, length: number, { announce }: Telling): void {
  for (const [place, entry] of state.entries.entries())
    if (place >= state.told && place < length) announce(log.append({ place, entry }))
  state.told = Math.max(state.told, length)
}

export const replicas = system('replicas', { params: { waits: false }, faults: {} }, ({ waits }) => ({
  machines: {
    R1: replica.as({ leads: 1, waits }),
    R2: replica.as({ leads: 2, waits }),
    R3: replica.as({ leads: 0, waits }),
  },
  requests: { R1: [['append', 'a'], ['read']], R2: [['append', 'b']] },
  properties: [refines(log)],
}))
