/**
 * A lock that is given for a time. The server takes it back when the time is over; a client that
 * was slow may still believe that it holds it. So each lease has a number, and a store with a fence
 * ignores writes with a number that is below one it has seen.
 */
import { machine, refines, refuse, specification, system } from 'allways'

/** What the store means to those who use it: writes come in the order of their leases. */
const register = specification('register', {
  state: { token: 0 },
  operations: {
    write(state: { token: number }, { token }: { readonly token: number }) {
      if (token < state.token) return refuse(`lease ${state.token} has written`)
      state.token = token
      return state
    },
  },
})

type Message =
  | { readonly kind: 'acquire' }
  | { readonly kind: 'granted'; readonly token: number }
  | { readonly kind: 'write'; readonly token: number }

interface Leases {
  token: number
  held: boolean
  waiting: string[]
}

const server = machine<Leases, Message>('server', {
  state: () => ({ token: 0, held: false, waiting: [] }),
  on: {
    acquire(state, _, context) {
      state.waiting.push(context.from)
      grant(state, context)
    },
  },
  timers: {
    expired(state, context) {
      state.held = false
      grant(state, context)
    },
  },
})

interface Granting {
  send(to: string, message: Message): void
  setTimer(name: string, options: { readonly milliseconds: number }): void
}

function grant(state: Leases, context: Granting): void {
  const next = state.held ? undefined : state.waiting.shift()
  if (next === undefined) return
  state.held = true
  state.token += 1
  context.send(next, { kind: 'granted', token: state.token })
  context.setTimer('expired', { milliseconds: 1000 })
}

const client = machine<object, Message>('client', {
  state: () => ({}),
  start: (_, context) => context.send('server', { kind: 'acquire' }),
  on: { granted: (_, { token }, context) => context.send('store', { kind: 'write', token }) },
})

const store = machine<{ highest: number }, Message, { readonly fenced: boolean }>('store', {
  state: () => ({ highest: 0 }),
  on: {
    write(state, { token }, context) {
      if (context.args.fenced && token < state.highest) return
      state.highest = Math.max(state.highest, token)
      context.announce(register.write({ token }))
    },
  },
})

export const lease = system('lease', { params: { fenced: false }, faults: {} }, ({ fenced }) => ({
  machines: {
    server: server.as(),
    ann: client.as(),
    bob: client.as(),
    store: store.as({ fenced }),
  },
  properties: [refines(register)],
}))
