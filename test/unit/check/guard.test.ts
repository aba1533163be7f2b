import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { guardDeterminism } from '../../../src/check/guard.ts'
import { checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import { DiagnosticError, orThrow } from '../../../src/core/diagnostic.ts'
import { running } from '../../../src/core/running.ts'
import { invariant, machine, system } from '../../../src/index.ts'

const uses: { readonly [shown: string]: () => unknown } = {
  'Date.now()': () => Date.now(),
  'new Date()': () => new Date(),
  'Date()': () => Date(),
  'performance.now()': () => performance.now(),
  'process.hrtime()': () => process.hrtime(),
  'process.hrtime.bigint()': () => process.hrtime.bigint(),
  'Math.random()': () => Math.random(),
  'crypto.randomUUID()': () => crypto.randomUUID(),
  'crypto.getRandomValues()': () => crypto.getRandomValues(new Uint8Array(1)),
  'setTimeout()': () => clearTimeout(setTimeout(() => {}, 0)),
  'setInterval()': () => clearInterval(setInterval(() => {}, 1000)),
  'setImmediate()': () => clearImmediate(setImmediate(() => {})),
  'queueMicrotask()': () => queueMicrotask(() => {}),
  'process.on()': () => process.on('SIGUSR2', () => {}),
  'process.once()': () => process.once('exit', () => {}),
  'URL.createObjectURL()': () => URL.createObjectURL(new Blob(['x'])),
  'URL.revokeObjectURL()': () => URL.revokeObjectURL('blob:x'),
}

function inProcess<T>(act: () => T): T {
  running.process = 'worker'
  try {
    return act()
  } finally {
    running.process = undefined
  }
}

afterEach(() => {
  running.mistake = undefined
})

describe('while a check runs', () => {
  test.each(Object.entries(uses))('%s in a process is E209 with its name and a hint', (shown, use) => {
    const release = guardDeterminism()
    try {
      const attempt = () => inProcess(use)
      expect(attempt).toThrow(DiagnosticError)
      expect(running.mistake).toMatchObject({ code: 'E209', message: `${shown} was called`, hint: expect.any(String) })
      expect(running.mistake?.stack).toContain('guard.test.ts')
    } finally {
      release()
    }
  })

  test.each(['then', 'catch', 'finally'] as const)('.%s() of a promise in a process is E208', (method) => {
    const release = guardDeterminism()
    try {
      // It is not thrown, for the language's own functions call it too and would make a rejection of it.
      const promise: { readonly [name in typeof method]: (back: () => void) => unknown } = Promise.resolve()
      inProcess(() => promise[method](() => {}))
      const message = `.${method}(…) was called on a promise that the check does not control`
      expect(running.mistake).toMatchObject({ code: 'E208', message, hint: expect.any(String) })
    } finally {
      release()
    }
  })

  test('fetch() in a process is refused before anything is sent', () => {
    const release = guardDeterminism()
    try {
      expect(() => inProcess(() => fetch('http://127.0.0.1:1/'))).toThrow('E209: fetch() was called')
    } finally {
      release()
    }
  })

  test('named imports of node modules meet the same traps', () => {
    const release = guardDeterminism()
    try {
      expect(() => inProcess(() => randomUUID())).toThrow('crypto.randomUUID() was called')
      expect(() => inProcess(() => sleep(1))).toThrow('setTimeout() was called')
    } finally {
      release()
    }
  })

  test.each(Object.entries(uses))('%s outside a process works as always', (_shown, use) => {
    const release = guardDeterminism()
    try {
      expect(use).not.toThrow()
      expect(running.mistake).toBeUndefined()
    } finally {
      release()
    }
  })

  test('a date made from a number is a value like any other, in a process too', () => {
    const release = guardDeterminism()
    try {
      const date = inProcess(() => new Date(0))
      expect(date).toBeInstanceOf(Date)
      expect(date.toISOString()).toBe('1970-01-01T00:00:00.000Z')
    } finally {
      release()
    }
  })
})

describe('afterwards', () => {
  const hosts = () => [
    Date,
    Date.now,
    performance.now,
    Math.random,
    crypto.randomUUID,
    setTimeout,
    queueMicrotask,
    fetch,
    process.hrtime,
  ]

  test('every function is the one it was before', () => {
    const before = hosts()
    const own = Object.getOwnPropertyNames(performance)
    guardDeterminism()()
    expect(hosts().every((current, at) => current === before[at])).toBe(true)
    expect(Object.getOwnPropertyNames(performance)).toEqual(own)
  })

  test('the traps stay until the last of two overlapping checks has ended, in whatever order they end', () => {
    const before = Date.now
    const first = guardDeterminism()
    const second = guardDeterminism()
    first()
    first()
    expect(Date.now).not.toBe(before)
    second()
    expect(Date.now).toBe(before)
  })
})

test.each(['local', 'stateful', 'dpor'])(
  'states and parameters can be cloned as the data that they are: %s',
  async (engine) => {
    const counter = machine<{ count: number; at: { place: string } }, never>('counter', {
      state: () => ({ count: 0, at: { place: 'here' } }),
      requests: {
        tick(state) {
          state.count++
        },
      },
    })
    const most = (all: { readonly [machine: string]: unknown }): number => {
      const copy = structuredClone(all) as { readonly left: { readonly count: number }; readonly right: unknown }
      return copy.left.count + Object.keys(structuredClone(copy.right) as object).length
    }
    const cloned = system('cloned', { params: { ticks: 2 } }, (params) => ({
      machines: { left: counter.as(), right: counter.as() },
      requests: { left: Array.from({ length: structuredClone(params).ticks }, () => ['tick', null] as const) },
      invariants: [invariant('most', (all) => most(all) < 4)],
    }))
    const request = orThrow(checkRequest(cloned, { engine }))
    const { verdict } = orThrow(await runCheck(request))
    expect(verdict).toMatchObject({
      kind: 'violated',
      evidence: [{ violation: { property: 'most', message: expect.not.stringContaining('DataCloneError') } }],
    })
    const small = orThrow(checkRequest(cloned, { engine, params: { ticks: 1 } }))
    expect(orThrow(await runCheck(small)).verdict.kind).toBe('verified')
  },
)
