/**
 * Shapes of programs that were proved although they are wrong, each with what is wrong and for which least sizes: what a variable
 * is after a loop or a case that may not have set it, what a late assumption says about earlier messages, and whom a daemon
 * waits for.
 */
import type { Icet } from '../../src/program/icet.ts'
import type { Sizes } from './icet-bounded.ts'
import {
  assign,
  assume,
  choose,
  daemon,
  each,
  equals,
  forEver,
  literal,
  message,
  not,
  one,
  param,
  receive,
  repeat,
  send,
  term,
  the,
  variable,
  when,
} from './icet-build.ts'
import { differs, failIf, from, members, part, taken, toM, toP } from './icet-hard.ts'

interface Regression {
  readonly icet: Icet
  readonly sizes: Sizes
  readonly problem: string
}

const failed = (process: string): string => `fails: ${process}: unexpected`
const noField = (process: string): string => `throws: ${process}: TypeError: cannot read field from of undefined`
const noSender = 'throws: d: TypeError: receive() needs the address of a process as "from" and got undefined'
const either = choose('c', literal(true), literal(false))

/** A loop's variable keeps its last value, if it ever had one. */
const loopVariables: readonly Regression[] = [
  {
    icet: term('the last index', ['k'], one('p', repeat('i', param('k')), failIf(equals(variable('i'), literal(1))))),
    sizes: { k: 2 },
    problem: failed('p'),
  },
  {
    icet: term(
      'the last member',
      ['n'],
      one('p', each('e', 'q'), failIf(differs(variable('e'), literal(undefined)))),
      members(),
    ),
    sizes: { n: 1 },
    problem: failed('p'),
  },
  {
    icet: term(
      'no member',
      ['n'],
      one('p', assign('e', literal(null)), each('e', 'q', send(variable('e'), literal(0))), failIf(not(variable('e')))),
      members(receive(undefined, undefined)),
    ),
    sizes: { n: 0 },
    problem: failed('p'),
  },
  {
    icet: term(
      'the last index of each member',
      ['n', 'k'],
      members(repeat('i', param('k')), failIf(equals(variable('i'), literal(0)))),
    ),
    sizes: { n: 1, k: 1 },
    problem: failed('q 0'),
  },
]

/** Nothing was received, so nothing has a field. */
const neverSet: readonly Regression[] = [
  {
    icet: term(
      'received in no iteration',
      ['n'],
      one('p', each('e', 'q', receive('w', 'k')), assign('x', part('w'))),
      members(toP('k', from)),
    ),
    sizes: { n: 0 },
    problem: noField('p'),
  },
  {
    icet: term(
      'received in one case only',
      [],
      one('p', either, when(variable('c'), [receive('w', 'k')], [taken('k')]), assign('x', part('w'))),
      one('m', toP('k', from)),
    ),
    sizes: {},
    problem: noField('p'),
  },
  {
    icet: term(
      'received in one case only, by each member',
      ['n'],
      members(either, when(variable('c'), [assign('w', literal('a'))]), assign('x', part('w', 'length'))),
    ),
    sizes: { n: 1 },
    problem: 'throws: q 0: TypeError: cannot read field length of undefined',
  },
]

/** What was sent before is not taken back. */
const lateAssumptions: readonly Regression[] = [
  {
    icet: term(
      'an assumption about what was sent',
      [],
      one('p', either, toM('a', { x: variable('c') }), assume(variable('c'))),
      one('m', receive('w', 'a'), failIf(not(part('w', 'x')))),
    ),
    sizes: {},
    problem: failed('m'),
  },
  {
    icet: term(
      'an assumption of each member about what it sent',
      ['n'],
      one('p', each('e', 'q', receive('w', 'a'), failIf(not(part('w', 'x'))))),
      members(either, toP('a', { x: variable('c') }), assume(variable('c'))),
    ),
    sizes: { n: 1 },
    problem: failed('p'),
  },
]

/** A daemon may wait for ever, though not for nobody. */
const daemonsForNobody: readonly Regression[] = [
  {
    icet: term('a daemon waits for a sender it never learned', [], daemon(one('d', receive('w', 'k', variable('u'))))),
    sizes: {},
    problem: noSender,
  },
  {
    icet: term(
      'a daemon waits in its loop for a sender it never learned',
      [],
      daemon(one('d', forEver(receive('w', 'k', variable('u'))))),
    ),
    sizes: {},
    problem: noSender,
  },
  {
    icet: term(
      'a daemon waits for the last of no senders',
      ['n'],
      daemon(one('d', each('e', 'q', receive('w', 'k', variable('e'))), receive('w', 'k', variable('e')))),
      members(send(the('d'), message('k'))),
    ),
    sizes: { n: 0 },
    problem: noSender,
  },
  {
    icet: term(
      'a daemon learns its sender in one case only',
      [],
      daemon(
        one('d', receive('c', 'k'), when(part('c', 'x'), [assign('u', part('c'))]), receive('w', 'k', variable('u'))),
      ),
      one('p', either, send(the('d'), message('k', { ...from, x: variable('c') }))),
    ),
    sizes: {},
    problem: noSender,
  },
]

export const regressions: readonly Regression[] = [
  ...loopVariables,
  ...neverSet,
  ...lateAssumptions,
  ...daemonsForNobody,
]
