/**
 * The primer of local model checking (LMC §2, Figures 2–4): a message goes down a tree of five machines, of which only the first and the
 * last have something to remember.
 */
import { invariant, machine, system } from 'allways'

interface State {
  /** As in the figures: `-`, sent, received. */
  is: '-' | 's' | 'r'
}

interface Message {
  readonly kind: 'forward'
  readonly to: string
}

interface Args {
  readonly children: readonly string[]
}

const parts = {
  state: (): State => ({ is: '-' }),
  on: {
    forward(state: State, message: Message, context: Sending) {
      if (context.self === message.to) state.is = 'r'
      for (const child of context.args.children) context.send(child, message)
    },
  },
  requests: {
    start(state: State, to: string, context: Sending) {
      state.is = 's'
      for (const child of context.args.children) context.send(child, { kind: 'forward', to })
    },
  },
}

interface Sending {
  readonly self: string
  readonly args: Args
  send(to: string, message: Message): void
}

const member = machine<State, Message, Args>('member', { ...parts, durable: ['is'] })
const forgetful = machine<State, Message, Args>('forgetful member', parts)

/** False of the system state `----r`, which is made of states that do occur and never occurs itself. */
const sentBefore = invariant<State>('received what was sent', ({ '0': first, '4': last }) => {
  return last?.is !== 'r' || first?.is === 's'
})

const tree = (kind: typeof member) => () => ({
  machines: {
    '0': kind.as({ children: ['1', '2'] }),
    '1': kind.as({ children: ['3', '4'] }),
    '2': kind.as({ children: [] }),
    '3': kind.as({ children: [] }),
    '4': kind.as({ children: [] }),
  },
  requests: { '0': [['start', '4'] as const] },
  invariants: [sentBefore],
})

export const forwardingTree = system('forwarding tree', tree(member))

/** Crashes change nothing as long as machines remember. */
export const crashingTree = system(
  'crashing tree',
  { faults: { losses: 'any', crashes: 1, restarts: 1 } },
  tree(member),
)

/** The first machine crashes and no longer knows that it sent: now `----r` does occur. */
export const forgetfulTree = system(
  'forgetful tree',
  { faults: { losses: 'any', crashes: 1, restarts: 1 } },
  tree(forgetful),
)
