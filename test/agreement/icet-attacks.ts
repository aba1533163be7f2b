/**
 * Terms written to break one premise of the kernel's argument each: none is safe. Most have a safe twin, which is proved, so
 * that it is the premise and nothing else that the kernel refuses.
 */
import type { Expression, Icet, Statement } from '../../src/program/icet.ts'
import {
  assert,
  assign,
  binary,
  choose,
  daemon,
  each,
  equals,
  forEver,
  leave,
  literal,
  message,
  not,
  one,
  opaque,
  param,
  pick,
  receive,
  repeat,
  send,
  term,
  the,
  variable,
  when,
} from './icet-build.ts'
import { differs, failIf, from, members, part, taken, toM, toP } from './icet-hard.ts'

export interface Attack {
  readonly term: Icet
  /** The same with the mistake mended, which is proved. */
  readonly twin?: Icet
}

const some = [{ name: 'n', least: 1 }]
const coin = choose('c', literal(0), literal(1))
const isX = (of: string, x: number): Statement => assert(equals(part(of, 'x'), literal(x)), `${of} is ${x}`)
const numbered = (x: number) => ({ x: literal(x) })
const stop = each('e', 'q', send(variable('e'), message('stop')))

/** Until it is stopped, answers what it is asked. */
const answering = (...answers: readonly Statement[]) =>
  members(forEver(receive('w', ['k', 'stop']), when(equals(part('w', 'kind'), literal('stop')), [leave]), ...answers))

function someMembers(second: number): Icet {
  return term(
    'messages of two members have no order',
    some,
    one('p', receive('w', 'a'), isX('w', 1), taken('a')),
    one(
      'm',
      pick('u', 'q'),
      send(variable('u'), message('k', numbered(1))),
      pick('u', 'q'),
      send(variable('u'), message('k', numbered(second))),
      stop,
    ),
    answering(toP('a', { x: part('w', 'x') })),
  )
}

export function alternating(isTwin: boolean): Icet {
  const takes = (x: number) => [receive('w', 'a'), isX('w', x)]
  const times = param('k')
  return term(
    'messages of one iteration come between those of two others',
    ['k'],
    one('p', repeat(undefined, times, toM('a', numbered(1)), toM('a', numbered(2)))),
    isTwin
      ? one('m', repeat(undefined, times, ...takes(1), ...takes(2)))
      : one('m', repeat(undefined, times, ...takes(1)), repeat(undefined, times, ...takes(2))),
  )
}

function alternatingKinds(kinds: readonly string[], others: readonly string[]): Icet {
  return term(
    'one kind of an iteration comes between the other kinds',
    ['k'],
    one('p', repeat(undefined, param('k'), toM('a', numbered(1)), toM('b', numbered(2)))),
    one(
      'm',
      repeat(undefined, param('k'), receive('w', kinds), isX('w', 1)),
      repeat(undefined, param('k'), receive('w', others), isX('w', 2)),
    ),
  )
}

/** Asks some member again and again; the second answer is for later. */
function lateAnswers(second: string): Icet {
  return term(
    'the second answer of a member comes before its next first one',
    [...some, 'k'],
    one(
      'p',
      repeat(
        undefined,
        param('k'),
        pick('u', 'q'),
        send(variable('u'), message('k')),
        receive('v', 'a', variable('u')),
        isX('v', 1),
      ),
      stop,
      repeat(undefined, param('k'), taken(second)),
    ),
    answering(toP('a', numbered(1)), toP(second, numbered(2))),
  )
}

/** Asks every member in every round; the second answers are for later. */
export function lateRounds(second: string): Icet {
  return term(
    'the second answer in one round comes before the first of the next',
    ['n', 'k'],
    one(
      'p',
      repeat(
        undefined,
        param('k'),
        each('e', 'q', send(variable('e'), message('k')), receive('v', 'a', variable('e')), isX('v', 1)),
      ),
      each('e', 'q', repeat(undefined, param('k'), receive(undefined, second, variable('e')))),
    ),
    daemon(members(forEver(taken('k'), toP('a', numbered(1)), toP(second, numbered(2))))),
  )
}

/** Each member is told two things in every round and takes one. */
function lateOrders(second: string): Icet {
  const tells = (kind: string, x: number) => send(variable('e'), message(kind, numbered(x)))
  return term(
    'what a member did not take in one round comes first in the next',
    ['n', 'k'],
    one(
      'p',
      repeat(undefined, param('k'), each('e', 'q', tells('go', 0), tells('a', 1), tells(second, 2))),
      each('e', 'q', tells('rest', 0)),
    ),
    members(
      forEver(
        receive('w', ['go', 'rest']),
        when(equals(part('w', 'kind'), literal('rest')), [leave]),
        receive('w', 'a'),
        isX('w', 1),
      ),
      repeat(undefined, param('k'), taken(second)),
    ),
  )
}

/** Members become known to m by what they send before they take the next message of p. */
export const acquaintance: Icet = term(
  'a message under way makes a member known',
  ['n', 'k'],
  one(
    'p',
    each(
      'e',
      'q',
      repeat(undefined, param('k'), send(variable('e'), message('go')), send(variable('e'), message('a', numbered(1)))),
      send(variable('e'), message('stop')),
    ),
  ),
  one(
    'm',
    repeat(
      undefined,
      param('k'),
      repeat(undefined, param('n'), receive('h', 'hello'), send(part('h'), message('a', numbered(2)))),
    ),
  ),
  one('r', repeat(undefined, param('k'))),
  members(
    forEver(
      receive('w', ['go', 'stop']),
      when(equals(part('w', 'kind'), literal('stop')), [leave]),
      receive('w', 'a'),
      isX('w', 1),
      toM('hello', from),
    ),
    repeat(undefined, param('k'), taken('a')),
  ),
)

/** Who sends, and how often, and in which order. */
export const orders: readonly Attack[] = [
  { term: someMembers(2), twin: someMembers(1) },
  { term: alternating(false) },
  { term: alternatingKinds(['a', 'b'], ['a', 'b']), twin: alternatingKinds(['a'], ['b']) },
  { term: lateAnswers('a'), twin: lateAnswers('b') },
  { term: lateRounds('a') },
  { term: lateOrders('a'), twin: lateOrders('b') },
  { term: acquaintance },
]

export const kindOf = (kind: Expression): Expression => ({ kind: 'record', fields: [{ name: 'kind', value: kind }] })

export function chosenKind(...options: readonly (string | number)[]): Icet {
  return term(
    'the kind may be none',
    [],
    one('p', choose('c', ...options.map(literal)), send(the('m'), kindOf(variable('c')))),
    one('m', receive(undefined, ['a', 'b'])),
  )
}

export function perhapsNoKind(other: Expression): Icet {
  return term(
    'in one case the message has no kind',
    [],
    one('p', coin, when(variable('c'), [send(the('m'), message('a'))], [send(the('m'), other)])),
    one('m', receive(undefined, ['a', 'b'])),
  )
}

/** One of two values, about which only what they have in common is known, and what is thought of it. */
export function oneOfTwo(name: string, values: readonly [Expression, Expression], ...then: readonly Statement[]): Icet {
  const [first, second] = values
  return term(name, [], one('p', coin, when(variable('c'), [assign('x', first)], [assign('x', second)]), ...then))
}

const minusZero = binary(literal(0), '*', literal(-1))
const x = variable('x')

export function zeros(...options: readonly Expression[]): Icet {
  return term(
    'a choice of zeros',
    [],
    one(
      'p',
      choose('x', ...options),
      when(equals(x, literal(0)), [failIf(binary(binary(literal(1), '/', x), '<', literal(0)))]),
    ),
  )
}

export function record(fields: { readonly [name: string]: number }): Expression {
  return { kind: 'record', fields: Object.entries(fields).map(([name, value]) => ({ name, value: literal(value) })) }
}

/** The last field of a name counts. */
export const twoKinds: Icet = term(
  'the last of two kinds counts',
  [],
  one('p', toM('k'), receive('w', 'a'), isX('w', 1), taken('a')),
  one(
    'm',
    taken('k'),
    send(the('p'), {
      kind: 'record',
      fields: [
        { name: 'kind', value: literal('b') },
        { name: 'kind', value: literal('a') },
        { name: 'x', value: literal(2) },
      ],
    }),
  ),
  one('r', toP('a', numbered(1))),
)

/** Values of JavaScript that are written alike or compared in unexpected ways. */
export const likeness: readonly Attack[] = [
  { term: chosenKind('a', 5), twin: chosenKind('a', 'b') },
  { term: perhapsNoKind(literal(5)), twin: perhapsNoKind(message('b')) },
  { term: perhapsNoKind(kindOf(literal(5))) },
  {
    term: oneOfTwo(
      'zero and minus zero',
      [literal(0), minusZero],
      when(equals(x, literal(0)), [failIf(binary(binary(literal(1), '/', x), '<', literal(0)))]),
    ),
  },
  { term: zeros(literal(0), literal(-0)) },
  { term: zeros(literal(0), literal(-0), literal(1)), twin: zeros(literal(0), literal(1)) },
  {
    term: oneOfTwo(
      'null and what is no number',
      [binary(literal(0), '/', literal(0)), literal(null)],
      failIf(equals(x, literal(null))),
    ),
    twin: oneOfTwo('no nulls', [literal(1), literal(1)], failIf(equals(x, literal(null)))),
  },
  {
    term: oneOfTwo(
      'infinity and minus infinity',
      [binary(literal(1), '/', literal(0)), binary(literal(-1), '/', literal(0))],
      failIf(binary(x, '<', literal(0))),
    ),
  },
  {
    term: oneOfTwo(
      'names of fields that read like fields',
      [record({ a: 1, b: 2 }), record({ 'a:1,b': 2 })],
      failIf(differs(part('x', 'a'), literal(1))),
    ),
    twin: oneOfTwo(
      'the same fields',
      [record({ a: 1, b: 2 }), record({ a: 1, b: 3 })],
      failIf(differs(part('x', 'a'), literal(1))),
    ),
  },
  {
    term: term(
      'what is true of one function is not true of another',
      [],
      one(
        'p',
        when(opaque('h', opaque('f', literal(1)), opaque('g', literal(2))), [
          failIf(not(opaque('h', opaque('f`(1),`g', literal(2))))),
        ]),
      ),
    ),
  },
  {
    term: term(
      'a record equals itself and no other',
      [],
      one(
        'p',
        assign('x', message('a')),
        assign('y', message('a')),
        when(equals(x, x), [failIf(differs(x, variable('y')))]),
      ),
    ),
    twin: term(
      'numbers',
      [],
      one('p', assign('x', literal(1)), assign('y', literal(1)), failIf(differs(x, variable('y')))),
    ),
  },
  {
    term: term(
      'nothing to read in the first iteration',
      ['k'],
      one(
        'p',
        assign('x', literal(null)),
        repeat(undefined, param('k'), assign('y', part('x', 'x')), assign('x', message('a', numbered(1)))),
      ),
    ),
    twin: term(
      'something to read in the first iteration',
      ['k'],
      one(
        'p',
        assign('x', message('b', numbered(1))),
        repeat(undefined, param('k'), assign('y', part('x', 'x')), assign('x', message('a', numbered(1)))),
      ),
    ),
  },
  { term: twoKinds },
]
