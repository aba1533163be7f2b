/**
 * Two-phase commit with crashes (Gray, "Notes on Data Base Operating Systems"; presumed abort): what is on disk survives, everything else is
 * forgotten. A handler is atomic: what it writes is on disk before anybody gets what it sends, unless it leaves the writing to later.
 */
import { conflict, invariant, machine, system } from 'allways'

type Decision = 'commit' | 'abort'

interface Coordinator {
  /** The log. */
  decision: Decision | undefined
  /** Participants that voted yes, while there is a vote. */
  votes: string[] | undefined
  /** Decided and sent, but not on disk yet. */
  unwritten: Decision | undefined
}

interface Participant {
  vote: 'yes' | 'no' | undefined
  decision: Decision | undefined
}

type Message =
  | { readonly kind: 'prepare' }
  | { readonly kind: 'vote'; readonly yes: boolean }
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'ask' }

interface Context {
  readonly peers: readonly string[]
  send(to: string, message: Message): void
  setTimer(name: string, options: { readonly milliseconds: number }): void
}

type Decide = (state: Coordinator, decision: Decision, context: Context) => void

const writeFirst: Decide = (state, decision, context) => {
  state.votes = undefined
  state.decision = decision
  tellAll(decision, context)
}

/** The mistake: the write is left to a timer. */
const sendFirst: Decide = (state, decision, context) => {
  state.votes = undefined
  state.unwritten = decision
  tellAll(decision, context)
  context.setTimer('write', { milliseconds: 10 })
}

function tellAll(decision: Decision, { peers, send }: Context): void {
  for (const peer of peers) send(peer, { kind: 'decision', decision })
}

const coordinator = (name: string, end: Decide) =>
  machine<Coordinator, Message>(name, {
    state: () => ({ decision: undefined, votes: undefined, unwritten: undefined }),
    /** After a crash: whoever may have missed the decision hears it again. */
    start(state, context) {
      if (state.decision !== undefined) tellAll(state.decision, context)
    },
    on: {
      vote(state, { yes }, context) {
        const { from, peers, send } = context
        const decision = state.decision ?? state.unwritten
        if (decision !== undefined) return send(from, { kind: 'decision', decision })
        // No vote that it remembers: it has crashed, and aborts what it knows nothing of.
        if (state.votes === undefined || !yes) return end(state, 'abort', context)
        state.votes = [...new Set([...state.votes, from])].sort()
        if (state.votes.length === peers.length) end(state, 'commit', context)
      },
      ask(state, _, context) {
        const decision = state.decision ?? state.unwritten
        if (decision !== undefined) context.send(context.from, { kind: 'decision', decision })
        else if (state.votes === undefined) end(state, 'abort', context)
      },
    },
    timers: {
      write(state) {
        state.decision = state.unwritten
        state.unwritten = undefined
      },
    },
    requests: {
      begin(state, _, { peers, send }) {
        if (state.decision !== undefined) return
        state.votes = []
        for (const peer of peers) send(peer, { kind: 'prepare' })
      },
    },
    durable: ['decision'],
  })

const participant = machine<Participant, Message>('participant', {
  state: () => ({ vote: undefined, decision: undefined }),
  start(state, context) {
    if (state.vote === 'yes' && state.decision === undefined) context.setTimer('in doubt', { milliseconds: 100 })
  },
  on: {
    prepare(state, _, { from, choose, send, setTimer }) {
      if (state.vote !== undefined || state.decision !== undefined) return
      state.vote = choose(['yes', 'no'])
      // Who says no need not wait for anybody.
      if (state.vote === 'no') state.decision = 'abort'
      else setTimer('in doubt', { milliseconds: 100 })
      send(from, { kind: 'vote', yes: state.vote === 'yes' })
    },
    decision(state, { decision }, { cancelTimer }) {
      state.decision ??= decision
      cancelTimer('in doubt')
    },
  },
  timers: {
    'in doubt': (_, { send }) => send('coordinator', { kind: 'ask' }),
  },
  durable: ['vote', 'decision'],
})

const oneDecision = conflict<Coordinator | Participant, Decision>('one decision', { each: ({ decision }) => decision })

const nobodyOverruled = invariant<Coordinator | Participant>('no commit against a vote', (states) => {
  const all = Object.values(states)
  const committed = all.some(({ decision }) => decision === 'commit')
  return !committed || all.every((state) => !('vote' in state) || state.vote === 'yes')
})

const right = coordinator('coordinator', writeFirst)
const wrong = coordinator('coordinator that writes later', sendFirst)

const commitSystem = (name: string, kind: typeof right) =>
  system(
    name,
    { params: { participants: 2 }, faults: { losses: 'any', crashes: 1, restarts: 1 } },
    ({ participants }) => ({
      machines: {
        coordinator: kind.as(),
        ...Object.fromEntries(Array.from({ length: participants }, (_, at) => [`participant ${at}`, participant.as()])),
      },
      requests: { coordinator: [['begin']] },
      invariants: [oneDecision, nobodyOverruled],
    }),
  )

export const logged = commitSystem('two-phase commit', right)
export const sentBeforeLogged = commitSystem('two-phase commit, sent before logged', wrong)
