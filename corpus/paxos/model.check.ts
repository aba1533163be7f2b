/**
 * Paxos (Lamport, "The Part-Time Parliament") as in LMC §5: every machine is proposer, acceptor and learner, for several indices
 * at once, and all messages go over the network, those to itself too. One proposal is 1 request, 3 Prepare, 3 PrepareResponse,
 * 3 Accept and 9 Learn.
 */
import { conflict, invariant, machine, system } from 'allways'

interface Proposal {
  readonly ballot: number
  readonly value: string
}

/** What a machine knows about one index. */
interface Slot {
  /** Acceptor: no proposal below this ballot. */
  promised: number
  accepted: Proposal | undefined
  /** Proposer: its latest attempt. */
  attempt: Attempt | undefined
  /** Learner: by ballot, acceptors that accepted. */
  learned: Vote[]
  chosen: string | undefined
}

interface Attempt {
  readonly ballot: number
  /** What it would propose if it were free to. */
  readonly own: string
  /** Acceptors that have promised, until there are enough. */
  promises: string[]
  /** The accepted proposal it has to take over. */
  bound: Proposal | undefined
  proposed: boolean
}

interface Vote {
  readonly ballot: number
  acceptors: string[]
}

interface State {
  readonly slots: { [index: string]: Slot }
}

type Message =
  | { readonly kind: 'prepare'; readonly index: string; readonly ballot: number }
  | {
      readonly kind: 'promise'
      readonly index: string
      readonly ballot: number
      readonly accepted: Proposal | undefined
    }
  | { readonly kind: 'accept'; readonly index: string; readonly proposal: Proposal }
  | { readonly kind: 'learn'; readonly index: string; readonly proposal: Proposal }

interface Args {
  readonly number: number
  /** How often a proposer tries again. */
  readonly retries: number
}

interface Context {
  readonly self: string
  readonly peers: readonly string[]
  readonly args: Args
  send(to: string, message: Message): void
  setTimer(name: string, options: { readonly milliseconds: number }): void
  cancelTimer(name: string): void
}

/** Which accepted proposal binds the proposer, after one more response. */
type Binding = (before: Proposal | undefined, response: Proposal | undefined) => Proposal | undefined

const highestBallot: Binding = (before, response) => {
  return response === undefined || (before !== undefined && before.ballot > response.ballot) ? before : response
}

/** The mistake of LMC §5.5: whatever came last, also if it is nothing. */
const lastResponse: Binding = (_, response) => response

const paxosMachine = (name: string, binding: Binding) =>
  machine<State, Message, Args>(name, {
    state: () => ({ slots: {} }),
    on: {
      prepare(state, { index, ballot }, context) {
        const slot = slotAt(state, index)
        if (ballot <= slot.promised) return
        slot.promised = ballot
        context.send(context.from, { kind: 'promise', index, ballot, accepted: slot.accepted })
      },
      promise(state, { index, ballot, accepted }, context) {
        const { attempt } = slotAt(state, index)
        if (attempt === undefined || attempt.ballot !== ballot || attempt.proposed) return
        if (attempt.promises.includes(context.from)) return
        attempt.promises = [...attempt.promises, context.from].sort()
        attempt.bound = binding(attempt.bound, accepted)
        if (!isMajority(attempt.promises, context)) return
        attempt.proposed = true
        attempt.promises = []
        const proposal = { ballot, value: attempt.bound?.value ?? attempt.own }
        broadcast(context, { kind: 'accept', index, proposal })
      },
      accept(state, { index, proposal }, context) {
        const slot = slotAt(state, index)
        if (proposal.ballot < slot.promised) return
        slot.promised = proposal.ballot
        slot.accepted = proposal
        broadcast(context, { kind: 'learn', index, proposal })
      },
      learn(state, { index, proposal }, context) {
        const slot = slotAt(state, index)
        if (slot.chosen !== undefined) return
        const others = slot.learned.filter(({ ballot }) => ballot !== proposal.ballot)
        const before = slot.learned.find(({ ballot }) => ballot === proposal.ballot)?.acceptors ?? []
        const acceptors = [...new Set([...before, context.from])].sort()
        slot.learned = [...others, { ballot: proposal.ballot, acceptors }].sort((a, b) => a.ballot - b.ballot)
        if (!isMajority(acceptors, context)) return
        slot.chosen = proposal.value
        slot.learned = []
        if (context.args.retries > 0) context.cancelTimer(`retry ${index}`)
      },
    },
    timers: {
      'retry 0': (state, context) => attemptAgain(state, '0', context),
      'retry 1': (state, context) => attemptAgain(state, '1', context),
    },
    requests: {
      propose(state, { index, value }: { readonly index: string; readonly value: string }, context) {
        begin(state, { index, ballot: ballotAbove(slotAt(state, index).promised, context), own: value }, context)
      },
    },
    durable: ['slots'],
  })

function slotAt(state: State, index: string): Slot {
  const slot = state.slots[index] ?? {
    promised: 0,
    accepted: undefined,
    attempt: undefined,
    learned: [],
    chosen: undefined,
  }
  state.slots[index] = slot
  return slot
}

function begin(state: State, attempt: { index: string; ballot: number; own: string }, context: Context): void {
  const { index, ballot, own } = attempt
  slotAt(state, index).attempt = { ballot, own, promises: [], bound: undefined, proposed: false }
  broadcast(context, { kind: 'prepare', index, ballot })
  const rounds = Math.floor((ballot - 1) / machinesOf(context))
  if (rounds < context.args.retries) context.setTimer(`retry ${index}`, { milliseconds: 50 })
}

/** The first one of its own that acceptors like itself would not ignore. Ballots of different machines differ. */
function ballotAbove(promised: number, context: Context): number {
  const first = context.args.number + 1
  return promised < first
    ? first
    : first + Math.ceil((promised + 1 - first) / machinesOf(context)) * machinesOf(context)
}

/** Those of its attempts differ, too. */
function attemptAgain(state: State, index: string, context: Context): void {
  const { attempt, chosen } = slotAt(state, index)
  if (attempt === undefined || chosen !== undefined) return
  begin(state, { index, ballot: attempt.ballot + machinesOf(context), own: attempt.own }, context)
}

function machinesOf({ peers }: Context): number {
  return peers.length + 1
}

function isMajority(acceptors: readonly string[], context: Context): boolean {
  return acceptors.length * 2 > machinesOf(context)
}

function broadcast({ self, peers, send }: Context, message: Message): void {
  for (const to of [self, ...peers]) send(to, message)
}

type Chosen = { readonly [index: string]: string }

function chosenBy({ slots }: State): Chosen | undefined {
  const chosen = Object.entries(slots).flatMap(([index, { chosen }]) => (chosen === undefined ? [] : [[index, chosen]]))
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen)
}

function differ(left: Chosen, right: Chosen): boolean {
  return Object.keys(left).some((index) => right[index] !== undefined && right[index] !== left[index])
}

/** The same invariant twice: of all machines, and of two machines that have chosen. */
const agreement = {
  general: invariant<State>('agreement', (states) => {
    const all = Object.values(states).map((state) => chosenBy(state) ?? {})
    return !all.some((left) => all.some((right) => differ(left, right)))
  }),
  decomposed: conflict<State, Chosen>('agreement', { each: chosenBy, conflict: differ }),
}

const right = paxosMachine('paxos', highestBallot)
const wrong = paxosMachine('paxos with the last response', lastResponse)

/**
 * The test driver of LMC §4.2: the last index that some machines have chosen and others have not, or else a new one. A machine that
 * has not chosen proposes itself.
 */
function proposalFrom(states: { readonly [machine: string]: State }) {
  const machines = Object.entries(states)
  const indices = [...new Set(machines.flatMap(([, { slots }]) => Object.keys(slots).map(Number)))].sort(
    (a, b) => b - a,
  )
  const unaware = (index: number) => machines.filter(([, { slots }]) => slots[index]?.chosen === undefined)
  const open = indices.find((index) => unaware(index).length > 0 && unaware(index).length < machines.length)
  const index = open ?? (indices[0] ?? -1) + 1
  const [proposer = ''] = unaware(index)[0] ?? []
  return { [proposer]: [['propose', { index: `${index}`, value: proposer }] as const] }
}

/** Proposal p is machine p's own number, for index p modulo `indices`; with retries, two indices at most. */
const paxosSystem = (name: string, kind: typeof right, form: keyof typeof agreement) =>
  system(name, { params: { machines: 3, proposals: 1, indices: 1, retries: 0 } }, (params) => {
    const names = Array.from({ length: params.machines }, (_, number) => `N${number + 1}`)
    const proposals = (self: number) =>
      Array.from({ length: params.proposals }, (_, proposal) => proposal)
        .filter((proposal) => proposal % params.machines === self)
        .map((proposal) => ['propose', { index: `${proposal % params.indices}`, value: `v${proposal + 1}` }] as const)
    return {
      machines: Object.fromEntries(names.map((name, number) => [name, kind.as({ number, retries: params.retries })])),
      requests: Object.fromEntries(names.map((name, number) => [name, proposals(number)])),
      requestsFrom: proposalFrom,
      invariants: [agreement[form]],
    }
  })

export const paxos = paxosSystem('paxos', right, 'decomposed')
export const paxosGeneral = paxosSystem('paxos, general invariant', right, 'general')
export const acceptUsesLastResponse = paxosSystem('accept uses last response', wrong, 'decomposed')
export const acceptUsesLastResponseGeneral = paxosSystem(
  'accept uses last response, general invariant',
  wrong,
  'general',
)
