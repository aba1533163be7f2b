/** Small systems for tests. */
import { conflict, invariant, machine, type Program, type SystemOptions, system } from 'allways'

interface TreeState {
  mark: '-' | 's' | 'r'
}

/** Each machine passes the message on to its children; the one it is for remembers it. */
const forwarder = machine<TreeState, { kind: 'hop' }, { children: readonly string[]; marks: boolean }>('forwarder', {
  state: () => ({ mark: '-' }),
  on: {
    hop(state, message, { args, send }) {
      if (args.marks) state.mark = 'r'
      for (const child of args.children) send(child, message)
    },
  },
  requests: {
    begin(state, _, { args, send }) {
      state.mark = 's'
      for (const child of args.children) send(child, { kind: 'hop' })
    },
  },
})

/** The tree of LMC §2: 0 sends to 4 through a tree of five. */
export function forwardingTree(children: readonly (readonly number[])[], claim = false): Program {
  const named = (numbers: readonly number[]) => numbers.map((number) => `${number}`)
  return system('tree', { faults: {} }, () => ({
    machines: Object.fromEntries(
      children.map((below, number) => [
        `n${number}`,
        forwarder.as({ children: named(below).map((n) => `n${n}`), marks: number === 4 }),
      ]),
    ),
    requests: { n0: [['begin']] },
    invariants: claim ? [invariant<TreeState>('not received', (states) => states.n4?.mark !== 'r')] : [],
  }))
}

interface CounterState {
  count: number
  seen: string[]
}

type CounterMessage = { kind: 'add'; by: number } | { kind: 'stop' }

/** Two clients send to a counter that must not count after a stop. */
export function counterSystem(options: SystemOptions<Record<string, never>> = {}): Program {
  const counter = machine<CounterState & { stopped: boolean }, CounterMessage>('counter', {
    state: () => ({ count: 0, seen: [], stopped: false }),
    on: {
      add(state, { by }, { from, assert }) {
        assert(!state.stopped, 'counted after the stop')
        state.count += by
        state.seen.push(from)
      },
      stop(state) {
        state.stopped = true
      },
    },
  })
  const client = machine<{ sent: number }, CounterMessage>('client', {
    state: () => ({ sent: 0 }),
    requests: {
      go(state, by: number, { send }) {
        send('counter', { kind: 'add', by })
        send('counter', { kind: 'stop' })
        state.sent++
      },
    },
  })
  return system('counter', options, () => ({
    machines: { counter: counter.as(), client: client.as() },
    requests: { client: [['go', 1]] },
  }))
}

/** Each elects the first whose name it hears, itself if it is asked first: two may win. */
export function election(voters: number): Program {
  interface State {
    leader: string | undefined
  }
  const voter = machine<State, { kind: 'lead'; who: string }>('voter', {
    state: () => ({ leader: undefined }),
    on: {
      lead(state, { who }) {
        state.leader ??= who
      },
    },
    requests: {
      stand(state, _, { self, peers, send }) {
        if (state.leader !== undefined) return
        state.leader = self
        for (const peer of peers) send(peer, { kind: 'lead', who: self })
      },
    },
  })
  const names = Array.from({ length: voters }, (_, at) => `voter ${at}`)
  return system('election', () => ({
    machines: Object.fromEntries(names.map((name) => [name, voter.as()])),
    requests: Object.fromEntries(names.slice(0, 2).map((name) => [name, [['stand']] as const])),
    invariants: [conflict<State, string>('one leader', { each: (state) => state.leader })],
  }))
}
