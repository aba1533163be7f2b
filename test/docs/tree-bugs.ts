/**
 * Protocols and mistakes that an explorer of a hundred lines of plain JavaScript, written before this tool knew of trees, had found with a quorum tree of its own:
 * its rows, and where the same question stands in the corpus.
 */
import type { Params } from 'allways'

interface Asked {
  /** Folder of the corpus, without `-tree`. */
  readonly of: 'paxos' | 'multi-paxos' | 'cheap-paxos' | 'stoppable-paxos' | 'fast-paxos' | 'raft' | 'pbft' | 'hotstuff'
  readonly program: string
  readonly params?: Params
}

export interface Counted extends Asked {
  readonly states: number
  readonly symmetry?: true
}

export interface Mistaken extends Asked {
  readonly bounds: string
  readonly mistake: string
  /** What is violated: a rule of the tree, or the invariant beside it. */
  readonly rule: string
  /** Steps of the shortest execution that shows it. */
  readonly depth: number
  /** The same until two values are decided; 'none' within these bounds. Nothing if it was not measured there. */
  readonly agreement?: number | 'none'
  /** Bounds within which there is a disagreement, if there is none within these. */
  readonly further?: { readonly params: Params; readonly words: string }
}

export const counted: readonly Counted[] = [
  { of: 'paxos', program: 'tla', states: 3_921 },
  { of: 'paxos', program: 'paxos', states: 7_456 },
  { of: 'paxos', program: 'unwatched', states: 7_168 },
  { of: 'paxos', program: 'paxos', params: { rounds: 3 }, states: 475_904 },
  { of: 'paxos', program: 'unwatched', params: { rounds: 3 }, states: 435_584 },
  { of: 'paxos', program: 'paxos', params: { rounds: 3 }, states: 85_620, symmetry: true },
  { of: 'paxos', program: 'paxos', params: { acceptors: 5, joinQuorum: 3, voteQuorum: 3 }, states: 1_526_272 },
  {
    of: 'paxos',
    program: 'paxos',
    params: { acceptors: 5, joinQuorum: 3, voteQuorum: 3 },
    states: 24_398,
    symmetry: true,
  },
  { of: 'paxos', program: 'paxos', params: { acceptors: 4, joinQuorum: 3, voteQuorum: 2 }, states: 49_936 },
  { of: 'paxos', program: 'paxos', params: { acceptors: 4, joinQuorum: 2, voteQuorum: 3 }, states: 168_424 },
  { of: 'paxos', program: 'paxos', params: { rounds: 3, joinQuorum: 3, voteQuorum: 1 }, states: 25_052 },
  {
    of: 'paxos',
    program: 'paxos',
    params: { acceptors: 4, rounds: 3, joinQuorum: 3, voteQuorum: 3 },
    states: 227_300,
    symmetry: true,
  },
  { of: 'multi-paxos', program: 'multiPaxos', states: 64_528 },
  { of: 'multi-paxos', program: 'unwatched', states: 61_504 },
  { of: 'cheap-paxos', program: 'cheapPaxos', states: 4_024 },
  { of: 'cheap-paxos', program: 'cheapPaxos', params: { rounds: 3, values: 1 }, states: 72_692 },
  { of: 'stoppable-paxos', program: 'inOrder', states: 70_624 },
  { of: 'stoppable-paxos', program: 'inAnyOrder', states: 1_054_144 },
  { of: 'stoppable-paxos', program: 'stopIgnored', params: { treesOnly: true }, states: 133_792 },
  { of: 'stoppable-paxos', program: 'stopBelow', params: { treesOnly: true }, states: 871_264 },
  { of: 'fast-paxos', program: 'fastPaxos', states: 78_526 },
  { of: 'fast-paxos', program: 'unwatched', states: 77_686 },
  { of: 'fast-paxos', program: 'fastPaxos', states: 5_009, symmetry: true },
  { of: 'fast-paxos', program: 'fastPaxos', params: { rounds: 3 }, states: 503_783, symmetry: true },
  { of: 'raft', program: 'raft', states: 144_216 },
  { of: 'raft', program: 'unwatched', states: 144_216 },
  { of: 'raft', program: 'unwatched', params: { terms: 3, candidates: 123 }, states: 154_214 },
  { of: 'raft', program: 'raft', params: { entries: 2, candidates: 12 }, states: 100_402 },
  { of: 'raft', program: 'raft', params: { terms: 3, candidates: 123 }, states: 154_214 },
  { of: 'raft', program: 'raft', params: { terms: 4, candidates: 1212, heartbeats: false }, states: 30_523 },
  { of: 'raft', program: 'takesShorter', states: 151_080 },
  { of: 'raft', program: 'raft', params: { voteQuorum: 3, logQuorum: 1 }, states: 12_543 },
  { of: 'pbft', program: 'pbft', states: 217_424 },
  { of: 'pbft', program: 'unwatched', states: 179_960 },
  { of: 'pbft', program: 'pbft', states: 37_970, symmetry: true },
  { of: 'hotstuff', program: 'hotstuff', states: 89_840 },
  { of: 'hotstuff', program: 'hotstuff', params: { values: 2 }, states: 1_070_852 },
  { of: 'hotstuff', program: 'unwatched', params: { values: 2 }, states: 1_070_852 },
  { of: 'hotstuff', program: 'hotstuff', params: { values: 2 }, states: 186_706, symmetry: true },
]

const three = '3 acceptors, 2 rounds'
const slots = '3 acceptors, 2 rounds, 2 slots'
const raft1 = { terms: 1, values: 2 }
const shorter = { terms: 3, entries: 2, candidates: 121 }
const figure8 = { terms: 4, candidates: 1212 }

export const mistaken: readonly Mistaken[] = [
  ...(
    [
      { program: 'paxos', params: { joinQuorum: 1 }, mistake: '1 joins', rule: 'trunk', depth: 7, agreement: 10 },
      { program: 'paxos', params: { voteQuorum: 1 }, mistake: '1 votes', rule: 'trunk', depth: 8, agreement: 10 },
      { program: 'ownValue', mistake: 'own value though bound', rule: 'value', depth: 7, agreement: 12 },
      { program: 'lateVotes', mistake: 'votes below the promise', rule: 'trunk', depth: 9, agreement: 12 },
      {
        program: 'voteNoPromise',
        mistake: 'voting does not raise the promise',
        rule: 'link',
        depth: 7,
        agreement: 'none',
        further: { params: { rounds: 3 }, words: '3 rounds' },
      },
      { program: 'promiseLost', mistake: 'promise lost on restart', rule: 'commit of ghost', depth: 10, agreement: 13 },
      { program: 'voteLost', mistake: 'vote lost on restart', rule: 'trunk', depth: 10, agreement: 13 },
    ] as const
  ).map((row) => ({ of: 'paxos' as const, bounds: `Paxos, ${three}`, ...row })),
  {
    of: 'paxos',
    program: 'proposesAgain',
    params: { rounds: 1 },
    bounds: 'Paxos, 3 acceptors, 1 round',
    mistake: 'proposes again after restart',
    rule: 'new round',
    depth: 4,
    further: { params: {}, words: '2 rounds' },
  },
  {
    of: 'paxos',
    program: 'anyVote',
    params: { rounds: 3 },
    bounds: 'Paxos, 3 acceptors, 3 rounds',
    mistake: 'any vote, not the highest',
    rule: 'trunk',
    depth: 13,
    agreement: 16,
  },
  {
    of: 'paxos',
    program: 'paxos',
    params: { acceptors: 4 },
    bounds: 'Flexible, 4 acceptors, 2 rounds',
    mistake: '2 join and 2 vote',
    rule: 'trunk',
    depth: 9,
    agreement: 12,
  },
  ...(
    [
      { params: { joinQuorum: 1, values: 2 }, mistake: '1 joins', depth: 7 },
      { params: { voteQuorum: 1, values: 2 }, mistake: '1 votes', depth: 8 },
    ] as const
  ).map((row) => ({
    of: 'multi-paxos' as const,
    program: 'multiPaxos',
    bounds: `Multi-Paxos, ${slots}`,
    rule: 'trunk',
    ...row,
  })),
  {
    of: 'cheap-paxos',
    program: 'oneLess',
    bounds: `Cheap, ${three}`,
    mistake: 'goes on with one voter less',
    rule: 'trunk',
    depth: 8,
  },
  ...(
    [
      { program: 'stopIgnored', mistake: 'stop ignored', depth: 10 },
      { program: 'stopBelow', mistake: 'stop below known proposals', depth: 10 },
      { program: 'quorumPerSlot', mistake: 'another quorum for each slot', depth: 15 },
    ] as const
  ).map((row) => ({
    of: 'stoppable-paxos' as const,
    bounds: `Stoppable, ${slots}`,
    rule: 'nothing above a stop',
    ...row,
  })),
  {
    of: 'fast-paxos',
    program: 'fastPaxos',
    params: { fastQuorum: 2 },
    bounds: 'Fast, 4 acceptors, 2 rounds',
    mistake: 'fast quorum of 2',
    rule: 'value',
    depth: 12,
    agreement: 16,
  },
  {
    of: 'fast-paxos',
    program: 'anyColliding',
    bounds: 'Fast, 4 acceptors, 2 rounds',
    mistake: 'any of the colliding values',
    rule: 'value',
    depth: 13,
    agreement: 17,
  },
  {
    of: 'fast-paxos',
    program: 'fastPaxos',
    params: { acceptors: 3, quorum: 2, fastQuorum: 2 },
    bounds: `Fast, ${three}`,
    mistake: 'majorities',
    rule: 'value',
    depth: 10,
    agreement: 13,
  },
  ...(
    [
      {
        program: 'twoVotes',
        params: raft1,
        bounds: '1 term',
        mistake: 'two votes in a term',
        rule: 'new round',
        depth: 8,
      },
      {
        program: 'voteLost',
        params: raft1,
        bounds: '1 term',
        mistake: 'vote lost on restart',
        rule: 'new round',
        depth: 9,
      },
      {
        program: 'raft',
        params: { ...raft1, voteQuorum: 1, logQuorum: 3 },
        bounds: '1 term',
        mistake: '1 elects, 3 decide',
        rule: 'new round',
        depth: 6,
      },
      { program: 'raft', params: { logQuorum: 1 }, bounds: '2 terms', mistake: '1 decides', rule: 'trunk', depth: 9 },
      {
        program: 'noComparison',
        bounds: '2 terms',
        mistake: 'logs not compared when voting',
        rule: 'trunk',
        depth: 10,
      },
      {
        program: 'lengthOnly',
        params: { ...shorter, heartbeats: false },
        bounds: '3 terms, 2 entries',
        mistake: 'compares length only',
        rule: 'trunk',
        depth: 14,
      },
      {
        program: 'oldTerm',
        params: figure8,
        bounds: '4 terms',
        mistake: 'old entries decided (Figure 8)',
        rule: 'decided',
        depth: 10,
        agreement: 20,
      },
    ] as const
  ).map((row) => ({ ...row, of: 'raft' as const, bounds: `Raft, 3 servers, ${row.bounds}` })),
  ...(
    [
      ...(['noLockRule', 'neverLocks', 'overviewRule'] as const).map((program) => ({
        program,
        mistake: { noLockRule: 'no lock rule', neverLocks: 'lock never set', overviewRule: "the overview's rule" }[
          program
        ],
        rule: 'trunk',
        depth: 11,
        agreement: 16,
      })),
      { program: 'decidesEarly', mistake: 'decides after PRECOMMITs', rule: 'trunk', depth: 9, agreement: 12 },
      { program: 'uncertified', mistake: "parent's certificate not checked", rule: 'link', depth: 4 },
    ] as const
  ).map((row) => ({ of: 'hotstuff' as const, bounds: 'HotStuff, 4 processes, 2 rounds', ...row })),
  ...(
    [
      { program: 'hotstuff', params: { rounds: 1, values: 2, quorum: 2 }, mistake: 'quorum of 2f', depth: 2 },
      { program: 'twoJoins', params: { rounds: 1, values: 2 }, mistake: 'two JOINs in a round', depth: 4 },
    ] as const
  ).map((row) => ({
    of: 'hotstuff' as const,
    bounds: 'HotStuff, 4 processes, 1 round',
    rule: 'new round',
    ...row,
  })),
  ...(
    [
      { program: 'uncertified', mistake: "proposal's certificate not checked", rule: 'trunk', depth: 9 },
      { program: 'votesOnly', mistake: 'only votes shown', rule: 'trunk', depth: 9, agreement: 12 },
      { program: 'decidedLeftOut', mistake: 'decided slots left out', rule: 'trunk', depth: 9, agreement: 12 },
      { program: 'unproved', mistake: 'reported vote without its JOINs', rule: 'link', depth: 4 },
      { program: 'fewVotes', mistake: 'decides on f+1 votes', rule: 'trunk', depth: 8 },
    ] as const
  ).map((row) => ({ of: 'pbft' as const, bounds: 'PBFT, 4 processes, 2 rounds', ...row })),
  {
    of: 'pbft',
    program: 'pbft',
    params: { rounds: 1, quorum: 2 },
    bounds: 'PBFT, 4 processes, 1 round',
    mistake: 'quorum of 2f',
    rule: 'new round',
    depth: 2,
  },
]
