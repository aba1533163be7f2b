import { expect, test } from 'vitest'
import { CallJob } from '../../../src/jobs/call-job.ts'
import { Loop, type LoopOwner } from '../../../src/jobs/loop.ts'
import { controlledPromise } from '../../../src/jobs/promise.ts'

interface Told {
  readonly loop: Loop
  readonly log: unknown[]
}

function told(): Told {
  const log: unknown[] = []
  const owner: LoopOwner = {
    unhandledRejection: (reason) => log.push(['unhandled', reason]),
    rejectionHandled: () => log.push('handled'),
    uncaughtException: (error) => log.push(['uncaught', error]),
    foreignPromise: () => log.push('foreign'),
    endlessJobs: () => {
      throw new Error('endless')
    },
  }
  return { loop: new Loop(owner), log }
}

test('ticks come before microtasks in a turn, and after them in a module', () => {
  const run = (first: 'ticks' | 'microtasks'): unknown[] => {
    const { loop, log } = told()
    loop.turn(() => {
      loop.microtasks.push(new CallJob(() => log.push('microtask')))
      loop.ticks.push(new CallJob(() => log.push('tick')))
    }, first)
    return log
  }
  expect(run('ticks')).toEqual(['tick', 'microtask'])
  expect(run('microtasks')).toEqual(['microtask', 'tick'])
})

test('a rejection that nobody handles is told after the jobs, and its late handling after that', () => {
  const { loop, log } = told()
  const rejected: { promise?: { catch(callback: () => void): unknown } } = {}
  loop.turn(() => {
    rejected.promise = controlledPromise.reject('why')
    controlledPromise.reject('handled in a job').catch(() => log.push('caught'))
  })
  expect(log).toEqual(['caught', ['unhandled', 'why']])
  loop.turn(() => rejected.promise?.catch(() => log.push('late')))
  expect(log.slice(2)).toEqual(['late', 'handled'])
})

test('what a callback throws is told at once, and the jobs behind it still run', () => {
  const { loop, log } = told()
  loop.turn(() => {
    loop.microtasks.push(
      new CallJob(() => {
        throw 'oops'
      }),
    )
    loop.microtasks.push(new CallJob(() => log.push('next')))
  })
  expect(log).toEqual([['uncaught', 'oops'], 'next'])
})

test('jobs that make jobs for ever are stopped by the owner', () => {
  const { loop } = told()
  const again = (): void => loop.microtasks.push(new CallJob(again))
  expect(() => loop.turn(again)).toThrow('endless')
})

test('a loop is brought back as it was, with its promises, by what a journal kept', () => {
  const { loop, log } = told()
  const undo: (() => void)[] = []
  const held: { resolve: (value: unknown) => void } = { resolve: () => {} }
  loop.turn(() => {
    new controlledPromise((resolve) => {
      held.resolve = resolve
    }).then((value: unknown) => log.push(value))
  })
  loop.journal = { changing: (record) => undo.push(record.saved()), ignored: () => {} }
  const before = loop.saved()
  for (const value of ['first', 'second']) {
    loop.turn(() => held.resolve(value))
    for (const back of undo.splice(0).reverse()) back()
    before()
  }
  expect(log).toEqual(['first', 'second'])
})

test('a timer that was armed no later with a delay that is no longer comes first, and nothing else is certain', () => {
  const mayFire = (pace: 'any' | 'instant', ...delays: number[]): number[] => {
    const loop = new Loop(told().loop.owner, pace)
    for (const delay of delays) {
      loop.armed.arm({ kind: 'timer', delay, repeats: false, context: undefined, callback: () => {} })
    }
    return loop.mayFire().map((one) => one.delay)
  }
  expect(mayFire('any', 4, 3)).toEqual([4, 3])
  expect(mayFire('any', 3, 4)).toEqual([3])
  expect(mayFire('any', 5, 5)).toEqual([5])
  expect(mayFire('any', 9, 4, 6, 4)).toEqual([9, 4])
  expect(mayFire('instant', 4, 3)).toEqual([3])
})

test('between immediates of one round comes no timer, and those armed meanwhile are the next round', () => {
  const { loop, log } = told()
  const arm = (kind: 'timer' | 'immediate', name: string, also: () => void = () => {}): void => {
    const callback = (): void => {
      log.push(name)
      also()
    }
    loop.armed.arm({ kind, delay: 1, repeats: false, context: undefined, callback })
  }
  loop.turn(() => {
    arm('immediate', 'first', () => arm('immediate', 'third'))
    arm('immediate', 'second')
    arm('timer', 'timer')
  })
  const kinds: string[][] = []
  for (let may = loop.mayFire(); may.length > 0; may = loop.mayFire()) {
    kinds.push(may.map(({ kind }) => kind))
    loop.fire(may.find(({ kind }) => kind === 'immediate') ?? (may[0] as (typeof may)[number]))
  }
  expect(kinds).toEqual([['timer', 'immediate'], ['immediate'], ['timer', 'immediate'], ['timer']])
  expect(log).toEqual(['first', 'second', 'third', 'timer'])
})

test('a promise of the host is told to the owner when it is awaited', () => {
  const { loop, log } = told()
  loop.turn(() => void controlledPromise.resolve(Promise.resolve()))
  expect(log).toEqual(['foreign'])
})
