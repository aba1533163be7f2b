/** More terms that a careless rule would get wrong: about what is known of values, and about processes that never rest. */
import type { Icet } from '../../src/program/icet.ts'
import {
  assign,
  assume,
  binary,
  choose,
  daemon,
  each,
  equals,
  field,
  forEver,
  leave,
  literal,
  message,
  not,
  one,
  opaque,
  receive,
  self,
  send,
  size,
  term,
  the,
  variable,
  when,
} from './icet-build.ts'
import { differs, failIf, from, members, part, taken, toM, toP } from './icet-hard.ts'

/** What one learns later says nothing about what others were told before. */
export const knowledge: readonly Icet[] = [
  term(
    'an assumption comes too late',
    [],
    one('p', choose('c', literal(true), literal(false)), toM('a', { x: variable('c') }), assume(variable('c'))),
    one('m', receive('w', 'a'), failIf(not(part('w', 'x')))),
  ),
  term(
    'the assumption of each member comes too late',
    ['n'],
    one('p', each('e', 'q', receive('w', 'a'), failIf(not(part('w', 'x'))))),
    members(choose('c', literal(true), literal(false)), toP('a', { x: variable('c') }), assume(variable('c'))),
  ),
  term(
    'what is read after the loop',
    [],
    one('p', assign('x', literal(1)), forEver(taken('k'), leave), failIf(equals(variable('x'), literal(1)))),
    one('m', toP('k')),
  ),
  term(
    'what is read in the next round',
    [],
    one(
      'p',
      assign('x', literal(0)),
      forEver(
        receive('w', 'k'),
        failIf(equals(variable('x'), literal(1))),
        assign('x', literal(1)),
        when(equals(part('w', 'x'), literal(2)), [leave]),
      ),
    ),
    one('m', toP('k', { x: literal(1) }), toP('k', { x: literal(2) })),
  ),
  term(
    'a server that remembers',
    ['n'],
    daemon(
      one(
        'd',
        forEver(
          receive('c', 'k'),
          failIf(equals(variable('seen'), literal(1))),
          assign('seen', literal(1)),
          send(part('c'), message('r')),
        ),
      ),
    ),
    members(send(the('d'), message('k', from)), taken('r')),
  ),
  term(
    'a choice in one case only',
    [],
    one(
      'p',
      choose('c', literal(0), literal(1)),
      when(
        variable('c'),
        [choose('x', literal(1), literal(2))],
        [choose('y', literal(3), literal(4)), assign('x', literal(1))],
      ),
      failIf(equals(variable('x'), literal(2))),
    ),
  ),
  term(
    'equal in one case only',
    [],
    one(
      'p',
      choose('c', literal(0), literal(1)),
      when(
        variable('c'),
        [choose('x', literal(1), literal(2)), assign('y', variable('x'))],
        [choose('x', literal(3), literal(4)), choose('y', literal(3), literal(4))],
      ),
      failIf(differs(variable('x'), variable('y'))),
    ),
  ),
  term(
    'two orders of the same members',
    ['n'],
    one('p', each('e', 'q', receive('w', 'a'), send(part('w'), message('go')), toM('tick', { who: part('w') }))),
    one('m', each('e', 'q', receive('t', 'tick'), receive('w', 'b'), failIf(differs(part('t', 'who'), part('w'))))),
    members(toP('a', from), taken('go'), toM('b', from)),
  ),
  term(
    'the second message of one before the first of another',
    ['n'],
    one('p', each('e', 'q', receive('w', 'a'), failIf(equals(part('w', 'x'), literal(2)))), each('e', 'q', taken('a'))),
    members(toP('a', { x: literal(1) }), toP('a', { x: literal(2) })),
  ),
  term(
    'a relayed kind',
    [],
    one(
      'p',
      choose('c', literal('a'), literal('b')),
      send(the('m'), { kind: 'record', fields: [{ name: 'kind', value: variable('c') }] }),
    ),
    one('m', receive('w', ['a', 'b']), send(the('s'), variable('w'))),
    one('s', taken('a')),
  ),
]

/** Processes that never come to rest, or may not. */
export const endless: readonly Icet[] = [
  term(
    'choices for ever',
    [],
    one('m', forEver(choose('c', literal(0), literal(1)))),
    one('p', receive(undefined, 'a', the('m'))),
  ),
  term(
    'a daemon that chooses for ever',
    ['n'],
    daemon(members(forEver(choose('c', literal(0), literal(1)), when(variable('c'), [taken('a')])))),
  ),
  term('a daemon that sends for ever', [], daemon(one('d', forEver(toP('a')))), one('p', taken('a'))),
  term(
    'daemons that answer each other for ever',
    [],
    daemon(one('d', forEver(receive('c', 'a'), send(part('c'), message('a', from))))),
    one('p', send(the('d'), message('a', { from: the('d') }))),
  ),
  term('nothing for ever', [], one('p', forEver(assign('x', literal(0))))),
  term(
    'counting for ever',
    [],
    one('p', assign('x', literal(0)), forEver(assign('x', binary(variable('x'), '+', literal(1))))),
  ),
]

/** Kinds that are values, and values of JavaScript. */
export const values: readonly Icet[] = [
  term('a number has no kind', [], one('p', toM('a'), send(the('m'), literal(5))), one('m', taken('a'), taken('k'))),
  term(
    'the kind is chosen',
    [],
    one(
      'p',
      choose('c', literal('a'), literal('b')),
      send(the('m'), { kind: 'record', fields: [{ name: 'kind', value: variable('c') }] }),
    ),
    one('m', taken('a')),
  ),
  term(
    'the chosen kind is one of both',
    [],
    one(
      'p',
      choose('c', literal('a'), literal('b')),
      send(the('m'), { kind: 'record', fields: [{ name: 'kind', value: variable('c') }] }),
    ),
    one('m', receive('w', ['a', 'b']), failIf(equals(part('w', 'kind'), literal('b')))),
  ),
  term(
    'anything takes the earlier one',
    [],
    one('p', toM('a'), toM('b')),
    one('m', receive('w', undefined), failIf(equals(part('w', 'kind'), literal('a'))), receive(undefined, undefined)),
  ),
  term('no options', [], one('p', choose('c'))),
  term(
    'an assumption is not a proof',
    [],
    one('p', choose('c', literal(0), literal(1)), toM('a'), assume(variable('c'))),
    one('m', taken('a'), taken('b')),
  ),
  ...(
    [
      ['0 is -0', equals(literal(0), binary(literal(0), '*', literal(-1)))],
      [
        'what is not a number is not itself',
        not(equals(binary(literal(0), '/', literal(0)), binary(literal(0), '/', literal(0)))),
      ],
      ['a number is added to a text', equals(binary(literal('1'), '+', literal(1)), literal('11'))],
      ['0 gives way', equals(binary(literal(0), '||', literal('a')), literal('a'))],
      ['nothing is not less', not(binary(variable('u'), '<', literal(1)))],
      ['records are true', message('a')],
      ['processes are true', self],
      ['the empty text is false', not(literal(''))],
      ['a number has no fields', equals(field(literal(5), 'a'), literal(undefined))],
      ['two records are two', differs(message('a'), message('a'))],
      ['some sizes are large', binary(size('n'), '>=', literal(3))],
      ['an unknown quotient', differs(binary(opaque('f'), '/', literal(0)), binary(opaque('f'), '/', literal(0)))],
    ] as const
  ).map(([name, condition]) => term(name, ['n'], one('p', failIf(condition)))),
]
