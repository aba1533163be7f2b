/**
 * 1Paxos (Yabandeh, Franco, Guerraoui, "One Acceptor is Enough") as LMC §5.6 tells it: a leader and a single acceptor, which must be
 * different machines. Who they are is decided by a configuration service, PaxosUtility in the paper; here it is one machine that
 * does not fail. A leader asks the service only when it becomes one.
 */
import { conflict, machine, system } from 'allways'

interface Proposals {
  readonly [index: string]: string
}

interface Proposal {
  readonly index: string
  readonly value: string
}

interface State {
  /** As far as this machine knows; nobody while the leader replaces the acceptor. */
  leader: string
  acceptor: string | undefined
  /** Leader: its ballot, whether the acceptor has adopted it, what it has proposed and what it wants to. */
  ballot: number
  adopted: boolean
  proposed: Proposals
  waiting: Proposals
  /** Acceptor: nothing below this ballot. */
  promised: number
  accepted: Proposals
  /** Learner. */
  chosen: Proposals
}

/** What the service has decided so far: its last LeaderChange and AcceptorChange. */
interface Decided {
  leader: string
  acceptor: string
  ballot: number
  /** Proposed when the acceptor was replaced; the new one has not heard of it. */
  carried: Proposals
}

type ServerMessage =
  | { readonly kind: 'leading'; readonly ballot: number; readonly acceptor: string; readonly carried: Proposals }
  | { readonly kind: 'replaced'; readonly ballot: number; readonly acceptor: string }
  | { readonly kind: 'prepare'; readonly ballot: number }
  | { readonly kind: 'adopted'; readonly ballot: number; readonly accepted: Proposals }
  | { readonly kind: 'accept'; readonly ballot: number; readonly index: string; readonly value: string }
  | { readonly kind: 'learn'; readonly index: string; readonly value: string }

type ServiceMessage =
  | { readonly kind: 'leader change' }
  | { readonly kind: 'acceptor change'; readonly ballot: number; readonly to: string; readonly carried: Proposals }

type Message = ServerMessage | ServiceMessage

interface Args {
  readonly members: readonly string[]
}

interface Context {
  readonly self: string
  readonly args: Args
  send(to: string, message: Message): void
}

const service = 'configuration'

const configuration = machine<Decided, Message, Args>('configuration', {
  state: ({ args: { members } }) => ({ leader: members[0] ?? '', acceptor: members[1] ?? '', ballot: 0, carried: {} }),
  on: {
    'leader change': (state, _, { from, send }) => {
      const { acceptor, carried } = state
      state.leader = from
      state.ballot++
      send(from, { kind: 'leading', ballot: state.ballot, acceptor, carried })
    },
    'acceptor change': (state, { ballot, to, carried }, { from, send }) => {
      if (state.leader !== from || state.ballot !== ballot) return
      state.acceptor = to
      state.carried = carried
      send(from, { kind: 'replaced', ballot, acceptor: to })
    },
  },
})

type FirstAcceptor = (members: readonly string[]) => string

const server = (name: string, firstAcceptor: FirstAcceptor) =>
  machine<State, Message, Args>(name, {
    state: ({ args: { members }, self }) => ({
      leader: members[0] ?? '',
      acceptor: firstAcceptor(members),
      ballot: 0,
      // Nobody came before the first leader, so its acceptor need not be asked.
      adopted: members[0] === self,
      proposed: {},
      waiting: {},
      promised: 0,
      accepted: {},
      chosen: {},
    }),
    on: {
      leading(state, { ballot, acceptor, carried }, { self, send }) {
        if (ballot <= state.ballot) return
        Object.assign(state, { leader: self, acceptor, ballot, adopted: false, proposed: carried })
        send(acceptor, { kind: 'prepare', ballot })
      },
      prepare(state, { ballot }, { from, send }) {
        if (ballot < state.promised) return
        state.promised = ballot
        send(from, { kind: 'adopted', ballot, accepted: state.accepted })
      },
      adopted(state, { ballot, accepted }, context) {
        if (ballot !== state.ballot || state.adopted) return
        state.adopted = true
        state.proposed = { ...state.proposed, ...accepted }
        for (const [index, value] of Object.entries(state.proposed)) sendAccept(state, index, value, context)
        proposeWaiting(state, context)
      },
      accept(state, { ballot, index, value }, { self, peers, send }) {
        if (ballot < state.promised) return
        state.promised = ballot
        state.accepted = { ...state.accepted, [index]: value }
        for (const learner of [self, ...peers]) if (learner !== service) send(learner, { kind: 'learn', index, value })
      },
      learn(state, { index, value }) {
        if (state.chosen[index] === undefined) state.chosen = { ...state.chosen, [index]: value }
      },
      replaced(state, { ballot, acceptor }, { send }) {
        if (ballot !== state.ballot || state.acceptor !== undefined) return
        Object.assign(state, { acceptor, adopted: false })
        send(acceptor, { kind: 'prepare', ballot })
      },
    },
    requests: {
      propose,
      /** What the application of LMC §5.6 does: one time in ten it triggers the failure detector instead of proposing. */
      work(state, proposal: Proposal, context) {
        const isSuspicious = context.choose(tenth)
        if (!isSuspicious) propose(state, proposal, context)
        else if (state.leader !== context.self || !state.adopted) context.send(service, { kind: 'leader change' })
      },
      /** The failure detector suspects the leader. */
      lead(_state, _, { send }) {
        send(service, { kind: 'leader change' })
      },
      /** It suspects the acceptor; only who knows all that the acceptor may have accepted can replace it. */
      replace(state, to: string, { self, send }) {
        if (state.leader !== self || !state.adopted || to === self) return
        state.acceptor = undefined
        send(service, { kind: 'acceptor change', ballot: state.ballot, to, carried: state.proposed })
      },
    },
  })

/** Nine times no. */
const tenth = [true, ...Array.from({ length: 9 }, () => false)]

function propose(state: State, { index, value }: Proposal, context: Context): void {
  state.waiting = { ...state.waiting, [index]: value }
  if (state.leader === context.self) proposeWaiting(state, context)
}

function proposeWaiting(state: State, context: Context): void {
  if (!state.adopted || state.acceptor === undefined) return
  for (const [index, value] of Object.entries(state.waiting)) {
    if (state.proposed[index] !== undefined) continue
    state.proposed = { ...state.proposed, [index]: value }
    sendAccept(state, index, value, context)
  }
  state.waiting = {}
}

function sendAccept({ acceptor, ballot }: State, index: string, value: string, { send }: Context): void {
  if (acceptor !== undefined) send(acceptor, { kind: 'accept', ballot, index, value })
}

const agreement = conflict<State | Decided, Proposals>('agreement', {
  each: (state) => ('chosen' in state && Object.keys(state.chosen).length > 0 ? state.chosen : undefined),
  conflict: (left, right) =>
    Object.keys(left).some((index) => right[index] !== undefined && right[index] !== left[index]),
})

const right = server('server', (members) => members[1] ?? '')
/** The mistake of LMC §5.6: `*(members.begin()++)` is the first member. */
const wrong = server('server with the wrong acceptor', (members) => members[0] ?? '')

/**
 * The test driver of LMC §4.2: the last index that some machines have chosen and others have not, or else a new one. Machines that
 * have not chosen propose.
 */
function proposalsFrom(states: { readonly [machine: string]: State | Decided }) {
  const servers = Object.entries(states).flatMap(([name, state]) => ('chosen' in state ? [{ name, state }] : []))
  const known = servers.flatMap(({ state }) =>
    [...Object.keys(state.chosen), ...Object.keys(state.waiting)].map(Number),
  )
  const indices = [...new Set(known)].sort((a, b) => b - a)
  const unaware = (index: number) => servers.filter(({ state }) => state.chosen[index] === undefined)
  const open = indices.find((index) => unaware(index).length > 0 && unaware(index).length < servers.length)
  const index = open ?? (indices[0] ?? -1) + 1
  return Object.fromEntries(
    unaware(index).map(({ name }) => [
      name,
      [['propose', { index: `${index}`, value: name.replace('N', 'v') }]] as const,
    ]),
  )
}

const onePaxosSystem = (name: string, kind: typeof right) =>
  system(name, { params: { replacements: 0, work: 0 } }, ({ replacements, work }) => {
    const members = ['N1', 'N2', 'N3']
    // Every proposal has an index of its own. The acceptor's application does nothing: it must not become the leader.
    const working = (member: number) =>
      Array.from({ length: work }, (_, turn) => {
        const index = turn * members.length + member
        return ['work', { index: `${index}`, value: `w${index}` }] as const
      })
    const replace = ['replace', 'N3'] as const
    return {
      machines: {
        ...Object.fromEntries(members.map((member) => [member, kind.as({ members })])),
        [service]: configuration.as({ members }),
      },
      requests:
        work > 0
          ? { N1: working(0), N3: working(2) }
          : {
              N1: [['propose', { index: '0', value: 'v1' }], ...Array.from({ length: replacements }, () => replace)],
              N3: [['lead'], ['propose', { index: '0', value: 'v3' }]],
            },
      requestsFrom: proposalsFrom,
      invariants: [agreement],
    }
  })

export const onePaxos = onePaxosSystem('1Paxos', right)
export const wrongFirstAcceptor = onePaxosSystem('1Paxos with the wrong first acceptor', wrong)
