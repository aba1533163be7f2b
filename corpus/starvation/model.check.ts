/** Readers share a desk and want it again and again: whoever waits must be served some time. */
import { liveness, machine, type Program, system } from 'allways'

type Message = { readonly kind: 'take' | 'yours' | 'back' }

interface Desk {
  waiting: string[]
  isFree: boolean
}

interface Reader {
  waits: boolean
}

interface Rules {
  /** Who of those that wait is next. */
  readonly next: (waiting: string[]) => string | undefined
  /** Whether a reader gives the desk back. */
  readonly returns: boolean
}

function desks(name: string, { next, returns }: Rules): Program {
  const desk = machine<Desk, Message>('desk', {
    state: () => ({ waiting: [], isFree: true }),
    on: {
      take(state, _, { from, send }) {
        if (state.isFree) send(from, { kind: 'yours' })
        else state.waiting.push(from)
        state.isFree = false
      },
      back(state, _, { send }) {
        const served = next(state.waiting)
        if (served !== undefined) send(served, { kind: 'yours' })
        state.isFree = served === undefined
      },
    },
  })
  const reader = machine<Reader, Message>('reader', {
    state: () => ({ waits: false }),
    start: (_, { setTimer }) => setTimer('want', { milliseconds: 10 }),
    timers: {
      want(state, { send }) {
        state.waits = true
        send('desk', { kind: 'take' })
      },
    },
    on: {
      yours(state, _, { send, setTimer }) {
        state.waits = false
        if (!returns) return
        send('desk', { kind: 'back' })
        setTimer('want', { milliseconds: 10 })
      },
    },
  })
  return system(name, { network: 'fifo', faults: {} }, () => ({
    machines: { desk: desk.as(), ann: reader.as(), ben: reader.as(), cid: reader.as() },
    liveness: [liveness<Reader>('ann is served', ({ ann }) => ann?.waits === false)],
  }))
}

export const firstComeFirstServed = desks('first come, first served', {
  next: (waiting) => waiting.shift(),
  returns: true,
})

export const lastComeFirstServed = desks('last come, first served', { next: (waiting) => waiting.pop(), returns: true })

export const kept = desks('kept', { next: (waiting) => waiting.shift(), returns: false })
