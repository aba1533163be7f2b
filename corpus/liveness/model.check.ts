/** What must come about, and does or does not: systems of machines with `eventually` and `leadsTo`, processes with hot monitors. */
import {
  type Address,
  announce,
  cold,
  eventually,
  hot,
  leadsTo,
  machine,
  monitor,
  type Notification,
  type Program,
  poll,
  program,
  receive,
  type SystemOptions,
  self,
  send,
  spawn,
  system,
} from 'allways'

type Message = { readonly kind: 'ask' | 'busy' | 'done' }

interface Client {
  asks: boolean
  done: boolean
}

interface Server {
  refused: number
}

interface Service {
  /** How often the server may say that it is busy; any number of times without it. */
  readonly refusals?: number
  readonly options: SystemOptions<Record<never, never>>
}

/** A client asks until it is done. */
function service(name: string, { refusals, options }: Service): Program {
  const server = machine<Server, Message>('server', {
    state: () => ({ refused: 0 }),
    on: {
      ask(state, _, { from, send, choose }) {
        const mayRefuse = refusals === undefined || state.refused < refusals
        const kind = mayRefuse ? choose(['busy', 'done'] as const) : 'done'
        if (kind === 'busy' && refusals !== undefined) state.refused++
        send(from, { kind })
      },
    },
  })
  const client = machine<Client, Message>('client', {
    state: () => ({ asks: false, done: false }),
    requests: {
      begin(state, _, { send }) {
        state.asks = true
        send('server', { kind: 'ask' })
      },
    },
    on: {
      busy: (_state, _message, { send }) => send('server', { kind: 'ask' }),
      done(state) {
        state.asks = false
        state.done = true
      },
    },
  })
  return system(name, options, () => ({
    machines: { server: server.as(), client: client.as() },
    requests: { client: [['begin']] },
    liveness: [
      leadsTo<Client>(
        'who asks is served',
        (states) => states.client?.asks === true,
        (states) => states.client?.done === true,
      ),
    ],
  }))
}

export const retries = service('retries', { options: { faults: {} } })
export const retriesTwice = service('retries twice', { refusals: 2, options: { faults: {} } })
export const lostAnswer = service('lost answer', { refusals: 0, options: { faults: { losses: 'any' } } })

interface Lamp {
  isOn: boolean
  switched: number
}

/** A lamp is switched on and off for ever: each time it is on, it is off later; that it is on at the beginning nobody asks for. */
function lamp(name: string, { isSwitched }: { readonly isSwitched: boolean }): Program {
  const kind = machine<Lamp>('lamp', {
    state: () => ({ isOn: false, switched: 0 }),
    start(_, { setTimer }) {
      if (isSwitched) setTimer('switch', { milliseconds: 10 })
    },
    timers: {
      switch(state, { setTimer }) {
        state.isOn = !state.isOn
        state.switched = Math.min(state.switched + 1, 2)
        setTimer('switch', { milliseconds: 10 })
      },
    },
  })
  return system(name, { faults: {} }, () => ({
    machines: { lamp: kind.as() },
    liveness: [
      eventually<Lamp>('once on', (states) => states.lamp?.isOn === true),
      leadsTo<Lamp>(
        'on, then off',
        (states) => states.lamp?.isOn === true,
        (states) => states.lamp?.isOn === false,
      ),
    ],
  }))
}

export const switched = lamp('switched', { isSwitched: true })
export const neverSwitched = lamp('never switched', { isSwitched: false })

interface Waiter {
  waits: boolean
}

/**
 * A waiter asks a door again and again whether it is open, and each time the door is what it chose to be. To get in it needs a choice
 * that comes out open some time: that is fairness of choices, the strong kind, which nobody promises.
 */
function door(name: string, { takesTurns }: { readonly takesTurns: boolean }): Program {
  const asked = machine<{ isOpen: boolean }, Message>('door', {
    state: () => ({ isOpen: takesTurns }),
    on: {
      ask(state, _, { from, send, choose }) {
        state.isOpen = takesTurns ? !state.isOpen : choose([false, true])
        send(from, { kind: state.isOpen ? 'done' : 'busy' })
      },
    },
  })
  const waiter = machine<Waiter, Message>('waiter', {
    state: () => ({ waits: true }),
    start: (_, { send }) => send('door', { kind: 'ask' }),
    on: {
      busy: (_state, _message, { send }) => send('door', { kind: 'ask' }),
      done(state) {
        state.waits = false
      },
    },
  })
  return system(name, { faults: {} }, () => ({
    machines: { door: asked.as(), waiter: waiter.as() },
    liveness: [eventually<Waiter>('the waiter gets in', (states) => states.waiter?.waits === false)],
  }))
}

export const chosenDoor = door('chosen door', { takesTurns: false })
export const turningDoor = door('turning door', { takesTurns: true })

type Order = { readonly kind: 'order'; readonly from: Address<'ready'> }
type Told = { readonly kind: 'ordered' | 'served' }

const served = monitor('served', { observes: ['ordered', 'served'] }, function* () {
  let open = 0
  for (;;) {
    const { message } = yield* receive<Notification<Told>>()
    open += message.kind === 'ordered' ? 1 : -1
    if (open > 0) yield* hot('an order is to be served')
    else yield* cold()
  }
})

/** A guest waits for what it ordered, or goes when it has waited for some time. */
function* diner(isPatient: boolean, kitchen: () => Generator<unknown, void, unknown>) {
  const cook = yield* spawn('cook', { daemon: true }, kitchen)
  yield* announce({ kind: 'ordered' })
  yield* send(cook as Address<Order>, { kind: 'order', from: yield* self<'ready'>() })
  const meal = isPatient ? yield* receive<'ready'>() : yield* poll<'ready'>()
  if (meal !== undefined) yield* announce({ kind: 'served' })
}

function* cooking(): Generator<unknown, void, unknown> {
  const order = yield* receive<Order>()
  yield* send(order.from, 'ready')
}

export const patient = program('patient', { properties: [served] }, function* () {
  yield* diner(true, cooking)
})

/** Hot at the end: the guest has gone. */
export const impatient = program('impatient', { properties: [served] }, function* () {
  yield* diner(false, cooking)
})

/** The cook begins anew after a crash and does not know of the order any more. */
export const forgetful = program(
  'forgetful',
  { properties: [served], faults: { crashes: 1, restarts: 1 }, deadlock: 'allow' },
  function* () {
    const cook = yield* spawn('cook', { daemon: true }, cooking)
    yield* spawn('guest', { crashes: false }, function* () {
      yield* announce({ kind: 'ordered' })
      yield* send(cook as Address<Order>, { kind: 'order', from: yield* self<'ready'>() })
      yield* receive<'ready'>()
      yield* announce({ kind: 'served' })
    })
  },
)

/** A worker without end, which tells in each of its turns what it did. */
function workshop(name: string, turns: readonly (readonly ('begun' | 'finished')[])[]): Program {
  const worker = machine<{ turn: number }>('worker', {
    state: () => ({ turn: 0 }),
    start: (_, { setTimer }) => setTimer('work', { milliseconds: 10 }),
    timers: {
      work(state, { announce, setTimer }) {
        for (const kind of turns[state.turn] ?? []) announce({ kind })
        state.turn = (state.turn + 1) % turns.length
        setTimer('work', { milliseconds: 10 })
      },
    },
  })
  const finished = monitor('finished', {
    state: () => ({ open: false }),
    on: { begun: () => ({ open: true }), finished: () => ({ open: false }) },
    hot: ({ open }) => open && 'a job is to be finished',
  })
  return system(name, { faults: {} }, () => ({ machines: { worker: worker.as() }, monitors: [finished] }))
}

export const worksInTurn = workshop('works in turn', [['begun'], ['finished']])
export const worksOn = workshop('works on', [['finished', 'begun']])
export const putsAside = workshop('puts aside', [['begun'], []])
