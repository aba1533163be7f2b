/** Positions: where blocks end, what is still to come, and which variables may still be read. */
import { describe, expect, test } from 'vitest'
import {
  enter,
  futureOf,
  headOf,
  isIterated,
  leaveWhile,
  liveVariables,
  next,
  type Position,
  start,
} from '../../../../src/engines/sequentialize/position.ts'
import type { Statement, StatementOf } from '../../../../src/program/icet.ts'
import {
  again,
  assign,
  binary,
  each,
  equals,
  forEver,
  leave,
  literal,
  one,
  receive,
  repeat,
  send,
  term,
  the,
  variable,
  when,
} from '../../../agreement/icet-build.ts'

const x = variable('x')
const y = variable('y')

function body(...statements: readonly Statement[]): readonly Statement[] {
  return term('t', [], one('p', ...statements)).processes[0]?.body ?? []
}

function live(...statements: readonly Statement[]): readonly string[] {
  return [...liveVariables(start(body(...statements)))].sort()
}

describe('after the last statement of a block', () => {
  test('of a branch, the process goes on behind the branch', () => {
    const statements = body(when(x, [assign('y', x)]), send(the('p'), y))
    const branch = statements[0] as StatementOf<'if'>
    expect(headOf(next(enter(start(statements), branch.then, 'plain')))).toBe(statements[1])
  })

  test('of a loop for ever, it is at the head of the loop again', () => {
    const statements = body(forEver(receive('x', 'a')), send(the('p'), y))
    const loop = statements[0] as StatementOf<'while'>
    expect(next(enter(start(statements), loop.body, 'while'))).toEqual(start(statements))
  })

  test('of the one iteration of a loop, it stays there', () => {
    const statements = body(repeat(undefined, 3, receive('x', 'a')))
    const loop = statements[0] as StatementOf<'repeat'>
    const ended = next(enter(start(statements), loop.body, 'iteration'))
    expect(isIterated(ended)).toBe(true)
    expect(headOf(ended)).toBeUndefined()
  })

  test('of the process, nothing is left', () => {
    expect(next(start(body(assign('x', literal(1)))))).toEqual([])
  })
})

describe('break and continue', () => {
  const statements = body(forEver(when(x, [leave], [again]), receive('y', 'a')), send(the('p'), y))
  const loop = statements[0] as StatementOf<'while'>
  const inside = enter(enter(start(statements), loop.body, 'while'), (loop.body[0] as StatementOf<'if'>).then, 'plain')

  test('a break goes on behind the loop, a continue at its head', () => {
    expect(headOf(leaveWhile(inside, true) as Position)).toBe(statements[1])
    expect(leaveWhile(inside, false)).toEqual(start(statements))
  })

  test('neither leaves an iteration that stands for all', () => {
    const within = enter(inside, body(repeat(undefined, 2, leave)), 'iteration')
    expect(leaveWhile(within, true)).toBeUndefined()
  })
})

describe('what may still come', () => {
  test('in a loop for ever, the whole loop again', () => {
    const statements = body(forEver(send(the('p'), x), receive('x', 'a')))
    const loop = statements[0] as StatementOf<'while'>
    const afterSend = next(enter(start(statements), loop.body, 'while'))
    expect([...futureOf(afterSend)].map(({ kind }) => kind)).toContain('send')
  })

  test('in a branch, nothing of the other one', () => {
    const statements = body(when(x, [receive('y', 'a')], [send(the('p'), x)]))
    const branch = statements[0] as StatementOf<'if'>
    const inside = enter(start(statements), branch.then, 'plain')
    expect([...futureOf(inside)].map(({ kind }) => kind)).toEqual(['receive'])
  })
})

describe('a variable is live', () => {
  test.each<readonly [string, readonly Statement[], readonly string[]]>([
    ['if it is read', [send(the('p'), x)], ['x']],
    ['unless it is set before', [assign('x', literal(1)), send(the('p'), x)], []],
    ['if only one branch sets it', [when(y, [assign('x', literal(1))]), send(the('p'), x)], ['x', 'y']],
    ['if the next round of a loop reads it', [forEver(send(the('p'), x), receive('x', 'a'))], ['x']],
    ['unless every round sets it first', [forEver(receive('x', 'a'), send(the('p'), x))], []],
    ['if it is read behind a break', [forEver(when(y, [leave]), receive('x', 'a')), send(the('p'), x)], ['x', 'y']],
    ['not behind a loop without end', [forEver(receive('y', 'a')), send(the('p'), x)], []],
    ['behind a loop that may run no time', [repeat('i', 3, assign('x', literal(1))), send(the('p'), x)], ['x']],
    ['not as the variable of the loop that reads it', [each('x', 'q', send(x, y))], ['y']],
    ['if a sum that it is added to is', [assign('x', binary(x, '+', literal(1))), send(the('p'), x)], ['x']],
    ['if it names a sender', [receive('y', 'a', x)], ['x']],
    ['if a condition asks for it', [when(equals(x, literal(1)), [])], ['x']],
  ])('%s', (_title, statements, expected) => {
    expect(live(...statements)).toEqual(expected)
  })
})
