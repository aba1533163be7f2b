/**
 * Paxos (Lamport, "The Part-Time Parliament") as processes, for so many acceptors and proposers, each with one round. Acceptors do not answer what comes too
 * late for them, so that proposers may wait for ever. A proposal is a node of the quorum tree, and what a majority has accepted is committed.
 */
import {
  type Address,
  announce,
  type Process,
  type PropertyDeclaration,
  program,
  qtree,
  receive,
  refines,
  self,
  send,
  spawn,
} from 'allways'

interface Prepare {
  readonly kind: 'prepare'
  readonly round: number
  readonly from: Address<Answer>
}
interface Accept {
  readonly kind: 'accept'
  readonly round: number
  readonly value: string
  readonly from: Address<Answer>
}
interface Promised {
  readonly kind: 'promised'
  readonly last: Vote
}
interface Accepted {
  readonly kind: 'accepted'
}
type Request = Prepare | Accept
type Answer = Promised | Accepted

/** Round 0: nothing was voted for. */
interface Vote {
  readonly round: number
  readonly value: string
}

type Mistake = 'ownValue' | 'lateVotes' | 'minority'

const tree = qtree('paxos')

function* acceptor(bug: Mistake | undefined): Process<Request> {
  let promised = 0
  let last: Vote = { round: 0, value: '' }
  while (true) {
    const request = yield* receive<Request>()
    const { round, from } = request
    if (request.kind === 'prepare' && round > promised) {
      promised = round
      yield* send(from, { kind: 'promised', last })
    } else if (request.kind === 'accept' && (round >= promised || bug === 'lateVotes')) {
      promised = Math.max(promised, round)
      last = { round, value: request.value }
      yield* send(from, { kind: 'accepted' })
    }
  }
}

interface Proposal {
  readonly round: number
  readonly acceptors: readonly Address<Request>[]
  readonly majority: number
  readonly bug: Mistake | undefined
}

function* proposer({ round, acceptors, majority, bug }: Proposal): Process<Answer> {
  const from = yield* self<Answer>()
  for (const one of acceptors) yield* send(one, { kind: 'prepare', round, from })
  let vote: Vote = { round: 0, value: '' }
  for (let promises = 0; promises < majority; promises++) {
    const { last } = yield* receive<Promised>('promised')
    if (last.round > vote.round) vote = last
  }
  const value = vote.round === 0 || bug === 'ownValue' ? `of ${round}` : vote.value
  yield* announce(tree.add({ round, value, parent: vote.round }))
  for (const one of acceptors) yield* send(one, { kind: 'accept', round, value, from })
  for (let votes = 0; votes < majority; votes++) yield* receive('accepted')
  yield* announce(tree.commit({ round }))
}

interface Form {
  readonly bug?: Mistake
  readonly properties?: readonly PropertyDeclaration[]
}

function declared(name: string, { bug, properties = [refines(tree)] }: Form = {}) {
  const options = { params: { acceptors: 2, proposers: 2 }, network: 'fifo', properties } as const
  return program(name, options, function* (sizes) {
    const acceptors: Address<Request>[] = []
    for (let at = 0; at < sizes.acceptors; at++)
      acceptors.push(yield* spawn(`acceptor ${at}`, { daemon: true }, acceptor, bug))
    const majority = bug === 'minority' ? 1 : Math.floor(sizes.acceptors / 2) + 1
    for (let round = 1; round <= sizes.proposers; round++) {
      const proposal = { round, acceptors, majority, bug }
      yield* spawn(`proposer ${round}`, { daemon: true }, proposer, proposal)
    }
  })
}

export const paxos = declared('paxos')
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { properties: [] })

/** A proposer proposes its own value, though it has heard of another. */
export const ownValue = declared('own value', { bug: 'ownValue' })
/** Acceptors vote in rounds below those that they have promised. */
export const lateVotes = declared('late votes', { bug: 'lateVotes' })
/** One acceptor is taken for a majority. */
export const minority = declared('minority', { bug: 'minority' })
