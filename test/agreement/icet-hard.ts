/**
 * Terms that a careless rule would get wrong: most are not safe, for reasons that show only for some sizes, orders, choices or
 * values of JavaScript. The others are their safe twins, some of which no rule of ours can prove.
 */
import type { Expression, Icet, Statement } from '../../src/program/icet.ts'
import {
  assert,
  assign,
  binary,
  choose,
  daemon,
  each,
  end,
  equals,
  fail,
  field,
  forEver,
  leave,
  literal,
  many,
  message,
  not,
  one,
  opaque,
  param,
  pick,
  receive,
  repeat,
  self,
  send,
  size,
  term,
  the,
  variable,
  when,
} from './icet-build.ts'

export const from = { from: self }
export const part = (name: string, of = 'from'): Expression => field(variable(name), of)
export const differs = (left: Expression, right: Expression): Expression => binary(left, '!==', right)
export const failIf = (condition: Expression): Statement => when(condition, [fail('unexpected')])
export const toP = (kind: string, fields = {}): Statement => send(the('p'), message(kind, fields))
export const toM = (kind: string, fields = {}): Statement => send(the('m'), message(kind, fields))
export const taken = (kind: string): Statement => receive(undefined, kind)
export const members = (...body: readonly Statement[]) => many('q', param('n'), ...body)

/** What is known after a loop, which may have had no iteration, or many. */
export const loops: readonly Icet[] = [
  term(
    'the index outlives its loop',
    ['k'],
    one('p', repeat('i', param('k')), failIf(differs(variable('i'), literal(undefined)))),
  ),
  term(
    'the member outlives its loop',
    ['n'],
    one('p', each('e', 'q'), failIf(differs(variable('e'), literal(undefined)))),
    members(),
  ),
  term(
    'an index takes the place of a variable',
    ['k'],
    one('p', assign('i', literal(7)), repeat('i', param('k')), failIf(equals(variable('i'), literal(7)))),
  ),
  term(
    'no iteration assigns nothing',
    ['n'],
    one(
      'p',
      assign('x', literal(0)),
      each('e', 'q', assign('x', literal(1))),
      failIf(equals(variable('x'), literal(0))),
    ),
    members(),
  ),
  term(
    'no iteration receives nothing',
    ['n'],
    one('p', each('e', 'q', receive('w', 'k')), assign('x', part('w', 'x'))),
    members(toP('k', { x: literal(1) })),
  ),
  term(
    'the last sender is asked to go on for all',
    ['n'],
    one('p', each('e', 'q', receive('w', 'k')), each('e', 'q', send(part('w'), message('r')))),
    members(toP('k', from), taken('r')),
  ),
  term(
    'the count of votes is not known',
    ['n'],
    one(
      'p',
      assign('y', literal(0)),
      each('e', 'q', receive('w', 'k'), assign('y', binary(variable('y'), '+', part('w', 'x')))),
      failIf(differs(variable('y'), size('n'))),
    ),
    members(choose('c', literal(0), literal(1)), toP('k', { x: variable('c') })),
  ),
  term(
    'each loop counts for itself',
    ['n', 'k'],
    one('p', repeat(undefined, param('k'), each('e', 'q', toM('a')))),
    one('m', each('e', 'q', repeat(undefined, param('k'), taken('a')))),
    members(),
  ),
  term(
    'what a loop left behind comes first',
    ['k'],
    one('p', repeat(undefined, param('k'), toM('a', { x: literal(1) })), toM('a', { x: literal(2) })),
    one(
      'm',
      receive('w', 'a'),
      assert(equals(part('w', 'x'), literal(1)), 'the first'),
      repeat(undefined, param('k'), taken('a')),
    ),
  ),
  term(
    'the first iteration differs',
    ['k'],
    one('p', repeat('i', param('k'), when(equals(variable('i'), literal(0)), [toM('a')], [toM('b')]))),
    one('m', repeat(undefined, param('k'), taken('a'))),
  ),
  term('one of many is received', [{ name: 'n', least: 1 }], one('p', taken('k')), members(toP('k'))),
  term(
    'the loop is left for good',
    ['n'],
    one('p', each('e', 'q', taken('k'), end), taken('never')),
    members(toP('k')),
  ),
]

/** Who is who, and who may be taken for another. */
export const identities: readonly Icet[] = [
  term(
    'two picks may be the same',
    [{ name: 'n', least: 1 }],
    one('p', pick('a', 'q'), pick('b', 'q'), failIf(equals(variable('a'), variable('b')))),
    members(),
  ),
  term(
    'two picks may differ',
    [{ name: 'n', least: 1 }],
    one('p', pick('a', 'q'), pick('b', 'q'), failIf(differs(variable('a'), variable('b')))),
    members(),
  ),
  term('nobody to pick', ['n'], one('p', pick('a', 'q')), members()),
  term(
    'nobody to pick in a loop',
    ['n', 'k'],
    one('p', repeat(undefined, param('k'), pick('w', 'q'), send(variable('w'), message('a')))),
    daemon(members(forEver(taken('a')))),
  ),
  term(
    'no two iterations have the same sender',
    ['n'],
    one(
      'p',
      assign('last', literal(null)),
      each('e', 'q', receive('w', 'k'), failIf(equals(part('w'), variable('last'))), assign('last', part('w'))),
    ),
    members(toP('k', from)),
  ),
  term(
    'the sender is not the one whose turn it is',
    ['n'],
    one('p', each('e', 'q', receive('w', 'k'), failIf(differs(part('w'), variable('e'))))),
    members(toP('k', from)),
  ),
  term(
    'the function of one is not that of another',
    [],
    one('p', when(opaque('f', self), [toM('a')], [toM('b')])),
    one('m', when(opaque('f', self), [taken('a')], [taken('b')])),
  ),
  term(
    'one winner',
    [{ name: 'n', least: 1 }],
    one(
      'p',
      receive('w', 'k'),
      each(
        'e',
        'q',
        when(
          equals(variable('e'), part('w')),
          [send(variable('e'), message('win'))],
          [send(variable('e'), message('lose')), receive(undefined, 'k', variable('e'))],
        ),
      ),
    ),
    members(toP('k', from), receive(undefined, ['win', 'lose'])),
  ),
  term(
    'members among themselves',
    ['n'],
    members(each('e', 'q', send(variable('e'), message('a', from))), each('e', 'q', taken('a'))),
  ),
  term(
    'its own message or another one',
    [],
    one(
      'p',
      send(self, message('a', { x: literal(1) })),
      receive('w', 'a'),
      assert(equals(part('w', 'x'), literal(1)), 'its own'),
      taken('a'),
    ),
    one('m', toP('a', { x: literal(2) })),
  ),
]

/** Servers, and what they remember. */
export const servers: readonly Icet[] = [
  term(
    'a server that serves once',
    ['n'],
    daemon(
      one(
        'd',
        assign('s', literal(false)),
        forEver(
          receive('c', 'k'),
          when(not(variable('s')), [send(part('c'), message('r'))]),
          assign('s', literal(true)),
        ),
      ),
    ),
    members(send(the('d'), message('k', from)), taken('r')),
  ),
  term(
    'a server that serves two at a time',
    ['n'],
    daemon(
      one(
        'd',
        forEver(receive('c', 'k'), receive('c2', 'k'), send(part('c'), message('r')), send(part('c2'), message('r'))),
      ),
    ),
    members(send(the('d'), message('k', from)), taken('r')),
  ),
  term(
    'a server that goes home early',
    ['n'],
    one(
      'd',
      forEver(
        receive('c', ['k', 'bye']),
        when(equals(part('c', 'kind'), literal('bye')), [leave]),
        send(part('c'), message('r')),
      ),
    ),
    members(send(the('d'), message('k', from)), taken('r')),
    one('p', send(the('d'), message('bye', from))),
  ),
  term(
    'a server that is asked something else',
    [],
    daemon(one('d', forEver(taken('k')))),
    one('p', send(the('d'), message('z'))),
  ),
  term('a server that ends', ['n'], daemon(one('d', taken('k'))), members(send(the('d'), message('k')))),
  term(
    'a server that waits for somebody else first',
    [],
    daemon(one('d', receive('c', 'k'), taken('never'), send(part('c'), message('r')))),
    one('p', send(the('d'), message('k', from)), taken('r')),
  ),
  term(
    'circular wait of two loops',
    ['n'],
    one('p', each('e', 'q', send(variable('e'), message('a')), receive(undefined, 'c', variable('e')))),
    one('m', each('e', 'q', taken('d'), send(variable('e'), message('b')))),
    members(taken('a'), taken('b'), toP('c'), toM('d')),
  ),
]
