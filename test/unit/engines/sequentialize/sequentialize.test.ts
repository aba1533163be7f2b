/** Programs of Brisk §2 and §6: their sequential programs, and what is said of those that have none. */
import { describe, expect, test } from 'vitest'
import {
  messagesUnderWay,
  restingProcesses,
  sequentialLines,
} from '../../../../src/engines/sequentialize/sequential-program.ts'
import { type Sequentialization, sequentialize } from '../../../../src/engines/sequentialize/sequentialize.ts'
import { initialState } from '../../../../src/engines/sequentialize/state.ts'
import { StaticFacts } from '../../../../src/engines/sequentialize/static-facts.ts'
import type { Icet } from '../../../../src/program/icet.ts'
import {
  assert,
  assign,
  binary,
  daemon,
  each,
  field,
  forEver,
  literal,
  many,
  message,
  one,
  param,
  receive,
  repeat,
  self,
  send,
  term,
  the,
  variable,
} from '../../../agreement/icet-build.ts'
import { ex2, ex3, lockServer, mapReduce, pingSym, pingSym2 } from '../../semantics/icet/programs.ts'

/** The sequential program of a program that has one. */
function sequential(icet: Icet): readonly string[] {
  const found = sequentialize(icet)
  if (found.kind === 'not canonical') throw new Error(`${found.reason}: ${found.message}`)
  const start = initialState(new StaticFacts(icet))
  return sequentialLines(start, found.proof.steps).map(({ depth, text }) => `${'  '.repeat(depth)}${text}`)
}

type Refused = Extract<Sequentialization, { kind: 'not canonical' }>

function refused(icet: Icet): Refused {
  const found = sequentialize(icet)
  if (found.kind !== 'not canonical') throw new Error(`${icet.name}: ${found.kind}`)
  return found
}

describe('the sequential program', () => {
  test('of EX2 talks to one member after the other', () => {
    expect(sequential(ex2())).toEqual([
      'for each q {',
      "  q.v = { kind: 'ping', from: p }",
      "  p.w = { kind: 'pong' }",
      '}',
    ])
  })

  test('of EX3 has two loops', () => {
    expect(sequential(ex3())).toEqual([
      'for each q {',
      "  q.v = { kind: 'ping', from: p }",
      '}',
      'for each q {',
      "  p.w = { kind: 'pong' }",
      '}',
    ])
  })

  test('of PINGSYM2 has a third loop for what was sent on the side', () => {
    expect(sequential(pingSym2('first')).filter((line) => line.startsWith('for')).length).toBe(3)
    expect(sequential(pingSym2('first')).slice(-3)).toEqual(['for each q {', "  m2.w = { kind: 'm2' }", '}'])
  })

  test('of MAPREDUCE gives work to any mapper, and there must be one', () => {
    const withSome = (icet: Icet, least: number): Icet => ({
      ...icet,
      parameters: icet.parameters.map((parameter) => ({ ...parameter, least: parameter.name === 'n' ? least : 0 })),
    })
    expect(sequential(withSome(mapReduce(), 1)).slice(0, 2)).toEqual(['repeat k times {', '  take any mapper'])
    expect(refused(withSome(mapReduce(), 0)).reason).toBe('unmatched receive')
  })

  test('of two loops in step has one loop', () => {
    const icet = term(
      'in step',
      ['k'],
      one('p', repeat(undefined, param('k'), send(the('m'), message('a')), receive('x', 'b'))),
      one('m', repeat(undefined, param('k'), receive('y', 'a'), send(the('p'), message('b')))),
    )
    expect(sequential(icet)).toEqual(['repeat k times {', "  m.y = { kind: 'a' }", "  p.x = { kind: 'b' }", '}'])
  })

  test('of messages that are taken later takes as many as were sent', () => {
    const icet = term(
      'later',
      ['k'],
      one('p', repeat('i', param('k'), send(the('m'), message('a', { x: variable('i') })))),
      one('m', repeat(undefined, param('k'), receive('y', 'a'))),
    )
    expect(sequential(icet)).toEqual(['repeat k times {', "  m.y = { kind: 'a', x: … }", '}'])
  })
})

describe('a program without one', () => {
  test.each<readonly [string, Icet, Refused['reason']]>([
    [
      'whose loop takes from anyone after it talked to one',
      ex2({ loop: [send(variable('q'), message('ping', { from: self })), receive('w', 'pong')] }),
      'indiscriminate communication',
    ],
    ['that answers the loop variable instead of the sender', pingSym(variable('q')), 'indiscriminate communication'],
    [
      'that leaves answers unread',
      ex3({ p: [each('q', 'q', send(variable('q'), message('ping', { from: self })))] }),
      'superfluous send',
    ],
    [
      'whose members send from two lines',
      ex3({
        member: [
          receive('v', 'ping'),
          send(field(variable('v'), 'from'), message('pong')),
          send(field(variable('v'), 'from'), message('pong')),
        ],
      }),
      'asymmetric race',
    ],
    ['that initialises last', pingSym2('last'), 'unmatched receive'],
    [
      'that runs as often as something else has members',
      ex3({
        p: [
          each('q', 'q', send(variable('q'), message('ping', { from: self }))),
          repeat(undefined, param('k'), receive('w', 'pong')),
        ],
      }),
      'unmatched receive',
    ],
  ])('%s', (_title, icet, reason) => {
    expect(refused(icet).reason).toBe(reason)
  })

  test('says how far it got, who stands where, and what is under way', () => {
    const found = refused(
      lockServer({ client: [send(the('server'), message('lock', { from: self })), receive(undefined, 'ack')] }),
    )
    expect(restingProcesses(found.rest).map(({ process, at }) => `${process}: ${at?.text}`)).toEqual([
      'server: for each client',
      "client: receive 'ack'",
    ])
    expect(messagesUnderWay(found.rest)).toEqual(["{ kind: 'lock', from: client } from each client to server"])
  })
})

describe('what a loop changes is not known in it', () => {
  const trap = (receives: readonly string[]): Icet =>
    term(
      'trap',
      ['n'],
      one(
        'p',
        assign('x', literal('first')),
        each('q', 'q', send(variable('q'), message('a', { x: variable('x') })), assign('x', literal('later'))),
      ),
      many(
        'q',
        param('n'),
        receive('m', [...receives]),
        assert(binary(field(variable('m'), 'x'), '===', literal('first')), 'first'),
      ),
    )

  test('so an assertion that holds for the first member only is left open', () => {
    expect(sequentialize(trap(['a'])).kind).toBe('assertions left')
  })
})

test('a server for ever may wait at the end, any other process may not', () => {
  const server = one('s', forEver(receive('r', 'call'), send(field(variable('r'), 'from'), message('reply'))))
  const client = many('c', param('n'), send(the('s'), message('call', { from: self })), receive(undefined, 'reply'))
  expect(sequentialize(term('daemon', ['n'], daemon(server), client)).kind).toBe('proved')
  expect(refused(term('no daemon', ['n'], server, client)).reason).toBe('loop-carried termination')
})
