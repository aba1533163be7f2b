/** Proofs written by hand that each make one false step, most of which the prover would never try. */
import { type Proof, type ProofStep, proofFormat } from '../../src/engines/sequentialize/proof.ts'
import type { Icet } from '../../src/program/icet.ts'
import {
  acquaintance,
  alternating,
  chosenKind,
  kindOf,
  lateRounds,
  oneOfTwo,
  perhapsNoKind,
  record,
  twoKinds,
  zeros,
} from './icet-attacks.ts'
import {
  binary,
  equals,
  literal,
  message,
  not,
  one,
  opaque,
  param,
  pick,
  repeat,
  term,
  variable,
  when,
} from './icet-build.ts'
import { differs, failIf, members, part } from './icet-hard.ts'

export interface FalseProof {
  readonly term: Icet
  readonly proof: Proof
  /** The same steps for a term of which they are a proof. */
  readonly twin?: Icet
}

const step = (party: string, statement: number): ProofStep => ({ rule: 'step', party, statement })
const send = (party: string, statement: number, to: string): ProofStep => ({ rule: 'send', party, statement, to })
const receive = (party: string, statement: number, from: string): ProofStep => ({
  rule: 'receive',
  party,
  statement,
  from,
})
const branch = (party: string, statement: number, ...arms: readonly (readonly ProofStep[])[]): ProofStep => ({
  rule: 'branch',
  party,
  statement,
  arms,
})

interface Round {
  readonly leaders?: readonly (readonly [party: string, statement: number])[]
  readonly over?: string
  readonly takes?: Extract<ProofStep, { rule: 'iterate' }>['takes']
  readonly havoc?: Extract<ProofStep, { rule: 'iterate' }>['havoc']
}

function iterate({ leaders: at = [], over, takes = [], havoc = [] }: Round, ...body: readonly ProofStep[]): ProofStep {
  const leaders = at.map(([party, statement]) => ({ party, statement }))
  return { rule: 'iterate', leaders, over, takes, havoc, body }
}

const proof = (...steps: readonly ProofStep[]): Proof => ({ format: proofFormat, steps })

const x = variable('x')
const inverseIsNegative = binary(binary(literal(1), '/', x), '<', literal(0))
const thenBoth = [step('p', 1), branch('p', 2, [step('p', 3)], [step('p', 4)])]

/** What both cases have in common, after which the cases are no longer told apart. */
const joined: readonly FalseProof[] = [
  {
    term: oneOfTwo(
      'zero and minus zero',
      [literal(0), binary(literal(0), '*', literal(-1))],
      when(equals(x, literal(0)), [failIf(inverseIsNegative)]),
    ),
    proof: proof(...thenBoth, branch('p', 5, [step('p', 6)], [])),
  },
  {
    term: oneOfTwo(
      'null and what is no number',
      [binary(literal(0), '/', literal(0)), literal(null)],
      failIf(equals(x, literal(null))),
    ),
    proof: proof(...thenBoth, step('p', 5)),
    twin: oneOfTwo('one', [literal(1), literal(1)], failIf(equals(x, literal(null)))),
  },
  {
    term: oneOfTwo(
      'infinity and minus infinity',
      [binary(literal(1), '/', literal(0)), binary(literal(-1), '/', literal(0))],
      failIf(binary(x, '<', literal(0))),
    ),
    proof: proof(...thenBoth, step('p', 5)),
    twin: oneOfTwo('one', [literal(1), literal(1)], failIf(binary(x, '<', literal(0)))),
  },
  {
    term: oneOfTwo(
      'names of fields that read like fields',
      [record({ a: 1, b: 2 }), record({ 'a:1,b': 2 })],
      failIf(differs(part('x', 'a'), literal(1))),
    ),
    proof: proof(...thenBoth, step('p', 5)),
    twin: oneOfTwo(
      'fields in common',
      [record({ a: 1, b: 2 }), record({ a: 1, b: 3 })],
      failIf(differs(part('x', 'a'), literal(1))),
    ),
  },
  {
    term: perhapsNoKind(literal(5)),
    proof: proof(step('p', 1), branch('p', 2, [send('p', 3, 'm')], [send('p', 4, 'm')]), receive('m', 5, 'p')),
    twin: perhapsNoKind(message('b')),
  },
  {
    term: perhapsNoKind(kindOf(literal(5))),
    proof: proof(step('p', 1), branch('p', 2, [send('p', 3, 'm')], [send('p', 4, 'm')]), receive('m', 5, 'p')),
  },
]

const chosen: readonly FalseProof[] = [
  {
    term: zeros(literal(0), literal(-0)),
    proof: proof(step('p', 1), branch('p', 2, [step('p', 3)], [])),
    twin: zeros(literal(0), literal(1)),
  },
  {
    term: chosenKind('a', 5),
    proof: proof(step('p', 1), send('p', 2, 'm'), receive('m', 3, 'p')),
    twin: chosenKind('a', 'b'),
  },
]

/** A member is picked in every round, and what is known of the one picked first is said of the last. */
function repicked(least: number): Icet {
  const isGood = opaque('good', variable('u'))
  return term(
    'another member of the same name',
    [{ name: 'n', least }, 'k'],
    one('p', pick('u', 'q'), when(isGood, [repeat(undefined, param('k'), pick('u', 'q')), failIf(not(isGood))])),
    members(),
  )
}

/** What p sent is taken, then what m sends; in truth a member may take either first. */
const inTurn: Proof = proof(
  iterate(
    { leaders: [['p', 1]], over: 'q' },
    iterate({ leaders: [['p', 2]] }, send('p', 3, 'q#'), send('p', 4, 'q#')),
    send('p', 5, 'q#'),
  ),
  iterate(
    { leaders: [['r', 10]], takes: [0, 1].map((index) => ({ from: 'p', to: 'q', index })) },
    iterate(
      { over: 'q' },
      step('q#', 11),
      receive('q#', 12, 'p'),
      step('q#', 13),
      receive('q#', 15, 'p'),
      step('q#', 16),
      send('q#', 17, 'm'),
    ),
  ),
  iterate({ over: 'q' }, step('q#', 11), receive('q#', 12, 'p'), step('q#', 13), step('q#', 14)),
  iterate(
    {
      leaders: [['m', 6]],
      takes: [{ from: 'q', to: 'm', index: 0 }],
      havoc: [{ party: 'm', variable: 'h' }],
    },
    iterate(
      { leaders: [['m', 7]], over: 'q', havoc: [{ party: 'm', variable: 'h' }] },
      receive('m', 8, 'q#'),
      send('m', 9, 'q#'),
    ),
  ),
  iterate(
    { over: 'q' },
    iterate({ leaders: [['q#', 18]], takes: [{ from: 'm', to: 'q#', index: 0 }] }, receive('q#', 19, 'm')),
  ),
)

/** The second answers are taken in the end. */
const inRounds: Proof = proof(
  iterate(
    { leaders: [['p', 1]], havoc: ['v', 'e'].map((variable) => ({ party: 'p', variable })) },
    iterate(
      { leaders: [['p', 2]], over: 'q', havoc: [{ party: 'p', variable: 'v' }] },
      send('p', 3, 'q#'),
      step('q#', 9),
      receive('q#', 10, 'p'),
      send('q#', 11, 'p'),
      send('q#', 12, 'p'),
      receive('p', 4, 'q#'),
      step('p', 5),
    ),
  ),
  iterate(
    { leaders: [['p', 6]], over: 'q' },
    iterate({ leaders: [['p', 7]], takes: [{ from: 'q#', to: 'p', index: 0 }] }, receive('p', 8, 'q#')),
  ),
)

const first = { from: 'p', to: 'm', index: 0 }
const sendsBoth = iterate({ leaders: [['p', 1]] }, send('p', 2, 'm'), send('p', 3, 'm'))
const takesNext = (loop: number, ...takes: readonly (typeof first)[]) => ({
  leaders: [['m', loop]] as const,
  takes,
  havoc: [{ party: 'm', variable: 'w' }],
})

const known: readonly FalseProof[] = [
  {
    term: repicked(1),
    proof: proof(
      { rule: 'unfold', set: 'q' },
      step('p', 1),
      branch(
        'p',
        2,
        [
          iterate({ leaders: [['p', 3]] }, { rule: 'fold', set: 'q' }, { rule: 'unfold', set: 'q' }, step('p', 4)),
          step('p', 5),
        ],
        [],
      ),
      { rule: 'fold', set: 'q' },
    ),
  },
  { term: acquaintance, proof: inTurn },
  { term: lateRounds('a'), proof: inRounds, twin: lateRounds('b') },
  {
    term: alternating(false),
    proof: proof(
      sendsBoth,
      iterate(takesNext(4, first), receive('m', 5, 'p'), step('m', 6)),
      iterate(takesNext(7, first), receive('m', 8, 'p'), step('m', 9)),
    ),
  },
  {
    term: twoKinds,
    proof: proof(
      send('p', 1, 'm'),
      send('r', 7, 'p'),
      receive('p', 2, 'r'),
      step('p', 3),
      receive('m', 5, 'p'),
      send('m', 6, 'p'),
      receive('p', 4, 'm'),
    ),
  },
]

/** The safe twin of messages that alternate: an iteration takes both. */
export const alternatingProof: { readonly term: Icet; readonly proof: Proof } = {
  term: alternating(true),
  proof: proof(
    sendsBoth,
    iterate(
      takesNext(4, first, { ...first, index: 1 }),
      receive('m', 5, 'p'),
      step('m', 6),
      receive('m', 7, 'p'),
      step('m', 8),
    ),
  ),
}

export const falseProofs: readonly FalseProof[] = [...joined, ...chosen, ...known]
