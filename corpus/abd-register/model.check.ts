/**
 * A register on replicas of which a majority answers (Attiya, Bar-Noy and Dolev, "Sharing Memory Robustly in Message-Passing
 * Systems", 1995). One writer; readers take turns, so that each begins to read when the one before it has ended. A reader
 * writes back what it read before it ends: without that, the next one may ask a majority that has not heard of it.
 */
import { invariant, machine, system } from 'allways'

interface Replica {
  /** Of the value it holds: how often the register had been written. */
  version: number
}

interface Client {
  /** Replicas that have answered the present phase. */
  heard: string[]
  /** The latest version that it has heard of in this read. */
  latest: number
  phase: 'idle' | 'asks' | 'writes back' | 'ended'
}

type Message =
  | { readonly kind: 'query' | 'stored' | 'turn' }
  | { readonly kind: 'store'; readonly version: number }
  | { readonly kind: 'value'; readonly version: number }

interface Beginning {
  /** What it holds at first. */
  readonly version: number
}

const replica = machine<Replica, Message, Beginning>('replica', {
  state: ({ args }) => ({ version: args.version }),
  on: {
    query(state, _, { from, send }) {
      send(from, { kind: 'value', version: state.version })
    },
    store(state, { version }, { from, send }) {
      state.version = Math.max(state.version, version)
      send(from, { kind: 'stored' })
    },
  },
})

interface Register {
  readonly replicas: readonly string[]
}

const writer = machine<Client, Message, Register>('writer', {
  state: () => ({ heard: [], latest: 0, phase: 'idle' }),
  requests: {
    write(state, version: number, { args, send }) {
      Object.assign(state, { heard: [], latest: version, phase: 'writes back' })
      for (const one of args.replicas) send(one, { kind: 'store', version })
    },
  },
  on: {
    stored(state, _, { args, from }) {
      if (state.phase !== 'writes back') return
      state.heard.push(from)
      if (isMajority(state.heard, args)) Object.assign(state, { heard: [], phase: 'ended' })
    },
  },
})

interface Reader extends Register {
  readonly writesBack: boolean
  readonly next: string | undefined
}

const reader = machine<Client, Message, Reader>('reader', {
  state: () => ({ heard: [], latest: 0, phase: 'idle' }),
  requests: {
    read: (state, _: undefined, { args, send }) => asks(state, args, send),
  },
  on: {
    turn: (state, _, { args, send }) => asks(state, args, send),
    value(state, { version }, { args, from, send }) {
      if (state.phase !== 'asks') return
      state.heard.push(from)
      state.latest = Math.max(state.latest, version)
      if (!isMajority(state.heard, args)) return
      state.heard = []
      if (!args.writesBack) return ends(state, args, send)
      state.phase = 'writes back'
      for (const one of args.replicas) send(one, { kind: 'store', version: state.latest })
    },
    stored(state, _, { args, from, send }) {
      if (state.phase !== 'writes back') return
      state.heard.push(from)
      if (isMajority(state.heard, args)) ends(state, args, send)
    },
  },
})

type Send = (to: string, message: Message) => void

function asks(state: Client, { replicas }: Register, send: Send): void {
  state.phase = 'asks'
  for (const one of replicas) send(one, { kind: 'query' })
}

function ends(state: Client, { next }: Reader, send: Send): void {
  Object.assign(state, { heard: [], phase: 'ended' })
  if (next !== undefined) send(next, { kind: 'turn' })
}

function isMajority(heard: readonly string[], { replicas }: Register): boolean {
  return heard.length > replicas.length / 2
}

/** A read that begins when another has ended does not return an older version. */
const inOrder = invariant<Client | Replica>('reads are in order', (states) => {
  const versions = Object.entries(states)
    .filter(([name]) => name.startsWith('reader'))
    .flatMap(([, state]) => ('phase' in state && state.phase === 'ended' ? [state.latest] : []))
  return versions.every((version, at) => at === 0 || version >= (versions[at - 1] as number))
})

/** If the value has reached some replicas at the beginning, the writer has crashed after that. */
const register = (name: string, writesBack: boolean) =>
  system(
    name,
    { params: { replicas: 3, readers: 2, reached: 0 }, faults: { losses: 0 } },
    ({ replicas: count, readers: readerCount, reached }) => {
      const replicas = Array.from({ length: count }, (_, at) => `replica ${at}`)
      const readers = Array.from({ length: readerCount }, (_, at) => `reader ${at}`)
      return {
        machines: {
          ...Object.fromEntries(replicas.map((one, at) => [one, replica.as({ version: at < reached ? 1 : 0 })])),
          writer: writer.as({ replicas }),
          ...Object.fromEntries(
            readers.map((one, at) => [one, reader.as({ replicas, writesBack, next: readers[at + 1] })]),
          ),
        },
        requests: { writer: reached > 0 ? [] : [['write', 1]], [readers[0] as string]: [['read']] },
        invariants: [inOrder],
      }
    },
  )

export const atomic = register('register that is written back', true)
export const regular = register('register that is not written back', false)
