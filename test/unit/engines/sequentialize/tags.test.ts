/** Races over the whole program: by kind and by who may be sent to. */
import { describe, expect, test } from 'vitest'
import { StaticFacts } from '../../../../src/engines/sequentialize/static-facts.ts'
import { asymmetricRaces } from '../../../../src/engines/sequentialize/tags.ts'
import type { Icet } from '../../../../src/program/icet.ts'
import {
  assign,
  choose,
  each,
  field,
  literal,
  many,
  message,
  one,
  param,
  receive,
  self,
  send,
  term,
  the,
  variable,
  when,
} from '../../../agreement/icet-build.ts'

/** The number of each receive in a race, with the numbers of its sends. */
function races(icet: Icet): readonly (readonly number[])[] {
  return asymmetricRaces(icet, new StaticFacts(icet)).map((race) => [
    race.receive.id,
    ...race.sends.map(({ statement }) => statement.id),
  ])
}

describe('a receive from anyone', () => {
  const gather = each('q', 'q', receive('w', 'a'))

  test('may take from one send of a set', () => {
    const member = send(the('p'), message('a'))
    expect(races(term('t', ['n'], one('p', gather), many('q', param('n'), member)))).toEqual([])
  })

  test('may take from two sends of one process', () => {
    const sends = [send(the('p'), message('a')), send(the('p'), message('a'))]
    expect(races(term('t', [], one('p', receive('w', 'a'), receive('w', 'a')), one('m', ...sends)))).toEqual([])
  })

  test('does not take from two sends of a set, also in two branches', () => {
    const branch = when(variable('x'), [send(the('p'), message('a'))], [send(the('p'), message('a'))])
    expect(races(term('t', ['n'], one('p', gather), many('q', param('n'), branch)))).toEqual([[2, 4, 5]])
  })

  test('does not take from two processes', () => {
    const greet = send(the('p'), message('a'))
    expect(races(term('t', [], one('p', receive('w', 'a')), one('m', greet), one('s', greet)))).toEqual([[1, 2, 3]])
  })

  test('does not care for messages of other kinds', () => {
    const sends = [send(the('p'), message('a')), send(the('p'), message('b'))]
    expect(races(term('t', ['n'], one('p', gather), many('q', param('n'), ...sends)))).toEqual([])
  })

  test('nor for messages to others, even of the same kind', () => {
    const hops = term(
      't',
      ['n'],
      one('d', each('c', 'c', receive('r', 'request'), send(the('w'), variable('r')))),
      one('w', each('c', 'c', receive('r', 'request'))),
      many('c', param('n'), send(the('d'), message('request'))),
    )
    expect(races(hops)).toEqual([])
  })
})

describe('who may be sent to', () => {
  test('follows addresses through variables, choices and messages', () => {
    const icet = term(
      't',
      ['n'],
      one('p', each('q', 'q', receive('m', 'hello'), send(field(variable('m'), 'from'), message('welcome')))),
      many(
        'q',
        param('n'),
        assign('me', self),
        choose('target', the('p'), the('p')),
        send(variable('target'), message('hello', { from: variable('me') })),
        receive('w', 'welcome'),
      ),
    )
    const targets = [...new StaticFacts(icet).sites].map(({ targets: to }) => [...to])
    expect(targets).toEqual([['q'], ['p']])
  })

  test('a message whose kind is not written down may be of any kind', () => {
    const icet = term('t', [], one('p', receive('m', undefined), send(the('m'), variable('m'))), one('m'))
    expect([...new StaticFacts(icet).sites].map(({ kinds }) => kinds)).toEqual([undefined])
    const chosen = term(
      't',
      [],
      one('p', choose('m', message('a'), message('b')), send(the('m'), variable('m'))),
      one('m'),
    )
    expect([...new StaticFacts(chosen).sites].map(({ kinds }) => kinds)).toEqual([['a', 'b']])
  })

  test('numbers and texts are of no kind', () => {
    const icet = term('t', [], one('p', send(the('m'), literal(1))), one('m', receive('x', undefined)))
    expect([...new StaticFacts(icet).sites].map(({ kinds }) => kinds)).toEqual([[]])
  })
})
