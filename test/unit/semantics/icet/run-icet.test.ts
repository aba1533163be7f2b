/** ICET terms run as the programs they stand for: safe ones are, and each changed line goes wrong in its own way. */
import { describe, expect, test } from 'vitest'
import type { Icet } from '../../../../src/program/icet.ts'
import { boundedCheck, type Sizes } from '../../../agreement/icet-bounded.ts'
import {
  assert,
  assign,
  assume,
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
} from '../../../agreement/icet-build.ts'
import { ex2, ex3, ex3Greets, lockServer, mapReduce, pingSym, pingSym2, twoPhaseCommit } from './programs.ts'

/** Which of the three things can go wrong, and whether everything was explored. */
function truth(icet: Icet, sizes: Sizes = {}): string {
  const { failure, exception, deadlock, orphan, stopped } = boundedCheck(icet, sizes)
  const problems = Object.entries({ failure, exception, deadlock, orphan, stopped }).filter(
    ([, text]) => text !== undefined,
  )
  return problems.length === 0 ? 'safe' : problems.map(([name]) => name).join(' and ')
}

describe('the programs of the paper', () => {
  test.each([0, 1, 2, 3])('are safe for %i members', (n) => {
    const programs = [ex2(), ex3(), pingSym(), pingSym2('first'), lockServer(), twoPhaseCommit()]
    expect(programs.map((program) => truth(program, { n }))).toEqual(programs.map(() => 'safe'))
  })

  test.each([
    { n: 1, k: 0 },
    { n: 1, k: 3 },
    { n: 2, k: 1 },
    { n: 2, k: 2 },
    { n: 2, k: 3 },
    { n: 3, k: 1 },
  ])('hand out work safely: %o', (sizes) => {
    expect(truth(mapReduce(), sizes)).toBe('safe')
  })

  test('explore one execution for each order in which clients get the lock', () => {
    expect([1, 2, 3, 4].map((n) => boundedCheck(lockServer(), { n }).executions)).toEqual([1, 2, 6, 24])
  })
})

describe('changed programs of the paper', () => {
  const [q, pong] = [variable('q'), message('pong')]
  const ping = message('ping', { from: self })
  const answer = send(field(variable('v'), 'from'), pong)
  const [gather, two] = [each('q', 'q', receive('w', 'pong')), { n: 2 }]
  const locked = send(the('server'), message('lock', { from: self }))
  const [ack, unlock] = [receive(undefined, 'ack'), send(the('server'), message('unlock'))]
  const unlocks = receive(undefined, 'unlock', field(variable('p'), 'from'))

  test.each<[string, Icet, string]>([
    ['p does not send', ex2({ loop: [receive('w', 'pong', q)] }), 'deadlock'],
    ['q does not reply', ex2({ member: [receive('v', 'ping')] }), 'deadlock'],
    ['q replies to itself', ex2({ member: [receive('v', 'ping'), send(self, pong)] }), 'deadlock and orphan'],
    ['p receives from anyone', ex2({ loop: [send(q, ping), receive('w', 'pong')] }), 'safe'],
  ])('ex2: %s', (_name, icet, expected) => {
    expect(truth(icet, two)).toBe(expected)
  })

  test.each<[string, Icet, string]>([
    [
      'the reply has another kind',
      ex3({ member: [receive('v', 'ping'), send(field(variable('v'), 'from'), message('pang'))] }),
      'deadlock and orphan',
    ],
    ['no second loop', ex3({ p: [ex3Greets] }), 'orphan'],
    ['one receive too many', ex3({ p: [ex3Greets, gather, receive('w', 'pong')] }), 'deadlock'],
    ['q sends twice', ex3({ member: [receive('v', 'ping'), answer, answer] }), 'orphan'],
  ])('ex3: %s', (_name, icet, expected) => {
    expect(truth(icet, two)).toBe(expected)
  })

  test('ex3 with a counted second loop depends on the count', () => {
    const counted = ex3({ p: [ex3Greets, repeat(undefined, param('k'), receive('w', 'pong'))] })
    const truths = [1, 2, 3].map((k) => truth(counted, { n: 2, k }))
    expect(truths).toEqual(['orphan', 'safe', 'deadlock'])
  })

  test('ping sym may answer the member whose turn it is', () => {
    expect(truth(pingSym(variable('q')), two)).toBe('safe')
  })

  test.each<[string, Icet, string]>([
    ['initialisation last', pingSym2('last'), 'deadlock'],
    ['the wrong collector', pingSym2('first', 'm1'), 'deadlock and orphan'],
  ])('ping sym 2: %s', (_name, icet, expected) => {
    expect(truth(icet, two)).toBe(expected)
  })

  test.each<[string, Icet, string]>([
    ['no ack', lockServer({ server: [receive('p', 'lock'), unlocks] }), 'deadlock and orphan'],
    ['no unlock', lockServer({ client: [locked, ack] }), 'deadlock and orphan'],
    [
      'ack to the loop variable',
      lockServer({ server: [receive('p', 'lock'), send(variable('c'), message('ack')), unlocks] }),
      'deadlock and orphan',
    ],
    [
      'unlock from anyone',
      lockServer({
        server: [
          receive('p', 'lock'),
          send(field(variable('p'), 'from'), message('ack')),
          receive(undefined, 'unlock'),
        ],
        client: [locked, ack, unlock],
      }),
      'safe',
    ],
  ])('lock server: %s', (_name, icet, expected) => {
    expect(truth(icet, two)).toBe(expected)
  })

  test('lock server with ack to the loop variable needs two clients to go wrong', () => {
    const icet = lockServer({ server: [receive('p', 'lock'), send(variable('c'), message('ack')), unlocks] })
    expect([0, 1, 2].map((n) => truth(icet, { n }))).toEqual(['safe', 'safe', 'deadlock and orphan'])
  })

  test.each<[string, Icet, string]>([
    ['no work', mapReduce({ noWork: true }), 'deadlock'],
    ['no term', mapReduce({ noTerm: true }), 'deadlock'],
    ['no result', mapReduce({ results: 'never' }), 'deadlock'],
    ['no reduce', mapReduce({ noReduce: true }), 'orphan'],
  ])('map reduce: %s', (_name, icet, expected) => {
    expect(truth(icet, { n: 2, k: 2 })).toContain(expected)
  })

  test('map reduce with results at the end goes wrong unless there is as much work as there are mappers', () => {
    const atEnd = mapReduce({ results: 'at the end' })
    const truths = [1, 2, 3].map((k) => truth(atEnd, { n: 2, k }))
    expect(truths).toEqual(['orphan', 'safe', 'deadlock'])
  })

  test.each<[string, Icet, string]>([
    ['silent on abort', twoPhaseCommit({ silentAbort: true }), 'deadlock'],
    ['silent reject', twoPhaseCommit({ silentReject: true }), 'deadlock'],
    ['no acknowledgement', twoPhaseCommit({ acceptor: 'does not acknowledge' }), 'deadlock'],
    ['acknowledgements are not received', twoPhaseCommit({ acknowledgements: [] }), 'orphan'],
  ])('two phase commit: %s', (_name, icet, expected) => {
    expect(truth(icet, two)).toBe(expected)
  })
})

describe('statements', () => {
  const alone = (...body: Parameters<typeof many>[2][]) => term('alone', ['n'], one('p', ...body))
  const storesOf = (icet: Icet, sizes: Sizes = {}) => [...boundedCheck(icet, sizes).stores]

  test('choices give every option, and processes return their variables', () => {
    const icet = alone(choose('x', literal(1), literal(2)), assign('y', binary(variable('x'), '+', size('n'))))
    expect(storesOf(icet, { n: 5 })).toEqual(['{"main":{},"p":{"x":n1,"y":n6}}', '{"main":{},"p":{"x":n2,"y":n7}}'])
  })

  test('members of a set are numbered from 0, and any of them may be picked', () => {
    const picks = term('picks', ['n'], one('p', pick('x', 'q'), each('y', 'q')), many('q', param('n')))
    const members = ['{"main":{},"p":{"x":@"q 0","y":@"q 1"},"q 0":{},"q 1":{}}']
    expect(storesOf(picks, { n: 2 })).toEqual([...members, members[0]?.replace('"x":@"q 0"', '"x":@"q 1"')])
  })

  test('a pick from an empty set fails, as it does in the program', () => {
    const picks = term('picks', ['n'], one('p', pick('x', 'q')), many('q', param('n')))
    expect(boundedCheck(picks, { n: 0 }).exception).toBe('p: RangeError: choose() needs at least one option')
  })

  test('break leaves the loop, end the process', () => {
    const count = [assign('i', literal(0)), forEver(assign('i', literal(1)), leave), assign('j', literal(2))]
    expect(storesOf(alone(...count))).toEqual(['{"main":{},"p":{"i":n1,"j":n2}}'])
    expect(storesOf(alone(repeat('i', 3, forEver(end)), assign('j', literal(2))))).toEqual(['{"main":{},"p":{"i":n0}}'])
  })

  test('an assumption that does not hold takes back the execution, an assertion does not', () => {
    const waits = receive(undefined, 'never')
    const chosen = choose('x', literal(true), literal(false))
    expect(truth(alone(chosen, assume(variable('x'))))).toBe('safe')
    expect(truth(alone(chosen, assume(variable('x')), waits))).toBe('deadlock')
    expect(truth(alone(assume(literal(false)), waits))).toBe('safe')
    expect(boundedCheck(alone(chosen, assert(variable('x'), 'x holds')), {}).failure).toBe('p: x holds')
    expect(truth(alone(when(literal(false), [fail('never')])))).toBe('safe')
  })

  test('daemons may wait for ever, and what they are sent in vain is still an orphan', () => {
    const serves = (kind: string) =>
      term(
        'serves',
        [],
        one('p', send(the('s'), message('call', { from: self })), receive('r', 'reply')),
        daemon(
          one('s', forEver(receive('c', 'call'), send(field(variable('c'), 'from'), message('reply')), ...other(kind))),
        ),
      )
    const other = (kind: string) => (kind === '' ? [] : [send(self, message(kind))])
    expect(truth(serves(''))).toBe('safe')
    expect(truth(serves('note'))).toBe('orphan')
  })

  test('a receive takes the earliest message of its kinds from its sender', () => {
    const sends = [send(the('p'), message('a')), send(the('p'), message('b')), send(the('p'), message('c'))]
    const takes = [receive('x', ['b', 'c'], the('q')), receive('y', undefined, the('q')), receive('z', 'c')]
    const icet = term('takes', [], one('p', ...takes), one('q', ...sends), one('r', send(the('p'), message('c'))))
    const { stores, executions } = boundedCheck(icet, {})
    // x is b and y is a, from q; z is c from q or from r, which look the same and leave another behind.
    expect(executions).toBe(2)
    expect([...stores]).toEqual([expect.stringContaining('"x":{"kind":"b"},"y":{"kind":"a"},"z":{"kind":"c"}')])
  })

  test('main does what the term says of it after it has begun the others', () => {
    const icet = term('main', ['n'], one('main', each('q', 'q', receive('m', 'hello'))), greeters)
    expect(truth(icet, { n: 3 })).toBe('safe')
  })
  const greeters = many('q', param('n'), send(the('main'), message('hello')))

  test('an execution without an end is not called safe', () => {
    expect(boundedCheck(alone(forEver()), {}).stopped).toBe('E202: process "p" loops without performing an operation')
    expect(boundedCheck(alone(forEver(send(self, message('x')))), {}).stopped).toContain('E203')
  })

  test('opaque functions mean what they are said to mean, the same for equal inputs', () => {
    const icet = alone(
      assign('x', opaque('f', literal(1))),
      assert(equals(variable('x'), opaque('f', literal(1))), 'pure'),
    )
    expect(truth(icet)).toBe('safe')
    const meaning = (text: string, inputs: readonly unknown[]) => `${text}(${inputs.join()})`
    expect([...boundedCheck(icet, {}, { meaning }).stores]).toEqual(['{"main":{},"p":{"x":"f(1)"}}'])
  })
})
