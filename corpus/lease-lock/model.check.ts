/**
 * A lock with leases (Gray and Cheriton, "Leases"; fencing tokens as in Burrows, "The Chubby Lock Service", §2.4, sequencers). The service
 * and the holder each measure the lease with their own clock. Nothing is known about how far clocks are apart, so both timers may fire in
 * any order: the service may give the lock away while the holder believes that it has it.
 *
 * Holders add their names to a list in a store: they read it, and write back what they read with their name in it.
 */
import { conflict, machine, system } from 'allways'

interface Service {
  holder: string | undefined
  /** Of the last lease. */
  token: number
  waiting: string[]
}

interface Holder {
  /** Token of the lease it believes to have. */
  lease: number | undefined
  /** Whether the store has confirmed that its name is in the list. */
  added: boolean
}

interface Store {
  /** Sorted. */
  names: readonly string[]
  /** The highest token seen. */
  token: number
}

type Message =
  | { readonly kind: 'acquire' }
  | { readonly kind: 'granted'; readonly token: number }
  | { readonly kind: 'release'; readonly token: number }
  | { readonly kind: 'read'; readonly token: number }
  | { readonly kind: 'names'; readonly token: number; readonly names: readonly string[] }
  | { readonly kind: 'write'; readonly token: number; readonly names: readonly string[] }
  | { readonly kind: 'written'; readonly token: number }

interface Context {
  send(to: string, message: Message): void
  setTimer(name: string, options: { readonly milliseconds: number }): void
}

const service = machine<Service, Message>('lock service', {
  state: () => ({ holder: undefined, token: 0, waiting: [] }),
  on: {
    acquire(state, _, context) {
      if (state.holder === context.from || state.waiting.includes(context.from)) return
      state.waiting = [...state.waiting, context.from]
      if (state.holder === undefined) grant(state, context)
    },
    release(state, { token }, context) {
      if (state.holder !== context.from || state.token !== token) return
      context.cancelTimer('lease')
      grant(state, context)
    },
  },
  timers: { lease: grant },
})

function grant(state: Service, { send, setTimer }: Context): void {
  const [next, ...waiting] = state.waiting
  Object.assign(state, { holder: next, waiting })
  if (next === undefined) return
  state.token++
  send(next, { kind: 'granted', token: state.token })
  setTimer('lease', { milliseconds: 1000 })
}

const holder = machine<Holder, Message>('holder', {
  state: () => ({ lease: undefined, added: false }),
  on: {
    granted(state, { token }, { send, setTimer }) {
      state.lease = token
      setTimer('lease', { milliseconds: 1000 })
      send('store', { kind: 'read', token })
    },
    names(state, { token, names }, { self, send }) {
      if (state.lease === token) send('store', { kind: 'write', token, names: [...new Set([...names, self])].sort() })
    },
    written(state, { token }, { send, cancelTimer }) {
      state.added = true
      if (state.lease !== token) return
      state.lease = undefined
      cancelTimer('lease')
      send('lock', { kind: 'release', token })
    },
  },
  timers: {
    lease(state) {
      state.lease = undefined
    },
  },
  requests: { add: (_, __, { send }) => send('lock', { kind: 'acquire' }) },
})

/** Whether the store turns a request away, because it has seen a later lease. */
type Fence = (state: Store, token: number) => boolean

const fence: Fence = (state, token) => {
  if (token < state.token) return true
  state.token = token
  return false
}

/** The mistake: whoever has been given the lock is trusted to have it still. */
const noFence: Fence = () => false

const store = (name: string, turnsAway: Fence) =>
  machine<Store, Message>(name, {
    state: () => ({ names: [], token: 0 }),
    on: {
      read(state, { token }, { from, send }) {
        if (!turnsAway(state, token)) send(from, { kind: 'names', token, names: state.names })
      },
      write(state, { token, names }, { from, send }) {
        if (turnsAway(state, token)) return
        state.names = names
        send(from, { kind: 'written', token })
      },
    },
  })

type State = Service | Holder | Store

type Fact = { readonly stored: readonly string[] } | { readonly confirmed: string }

/** Between the store and one holder, whatever the others do. */
const noLostUpdate = conflict<State, Fact>('no name is lost', {
  each: (state, machine) => {
    if ('names' in state) return { stored: state.names }
    return 'added' in state && state.added ? { confirmed: machine } : undefined
  },
  conflict: (left, right) => isLost(left, right) || isLost(right, left),
})

function isLost(left: Fact, right: Fact): boolean {
  return 'confirmed' in left && 'stored' in right && !right.stored.includes(left.confirmed)
}

/** What a lease cannot promise. */
const oneHolder = conflict<State, number>('one holder', {
  each: (state) => ('lease' in state ? state.lease : undefined),
})

const fenced = store('store', fence)
const open = store('store without fence', noFence)

const lockSystem = (name: string, kind: typeof fenced, property: typeof noLostUpdate) =>
  system(name, { params: { holders: 2 } }, ({ holders }) => {
    const names = Array.from({ length: holders }, (_, at) => `holder ${at}`)
    return {
      machines: { lock: service.as(), store: kind.as(), ...Object.fromEntries(names.map((one) => [one, holder.as()])) },
      requests: Object.fromEntries(names.map((one) => [one, [['add'] as const]])),
      invariants: [property],
    }
  })

export const withFencing = lockSystem('lease with fencing tokens', fenced, noLostUpdate)
export const withoutFencing = lockSystem('lease without fencing tokens', open, noLostUpdate)
export const twoHolders = lockSystem('lease with fencing tokens, one holder', fenced, oneHolder)
