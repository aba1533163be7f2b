/**
 * Handlers and invariants that depend on a variable outside. Searches that remember states call them once for each state, so that
 * nothing of it shows in what they find; the audit that follows them calls them again.
 */
import { describe, expect, test } from 'vitest'
import { checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import { invariant, machine, type Program, type SystemParts, system } from '../../../src/index.ts'

interface Seen {
  seen: number
}
type Told = { readonly kind: 'go'; readonly value: number } | { readonly kind: 'look' }
type Tell = Extract<Told, { kind: 'go' }>

const held = invariant<Seen>('seen is a number', (states) =>
  Object.values(states).every(({ seen }) => typeof seen === 'number'),
)

/** A machine that writes what it is told outside, and one that looks there; told so many values. */
function shared(
  parts: {
    readonly write: (value: number) => void
    readonly look: () => number
  },
  values: readonly number[] = [1, 2],
): Program {
  const writer = machine<Seen, Told>('writer', {
    state: () => ({ seen: 0 }),
    on: { go: (_, { value }: Tell) => parts.write(value) },
  })
  const reader = machine<Seen, Told>('reader', {
    state: () => ({ seen: 0 }),
    on: {
      look: (state) => {
        state.seen = parts.look()
      },
    },
  })
  const driver = machine<Seen, Told>('driver', {
    state: () => ({ seen: 0 }),
    start: (_, { send }) => {
      for (const value of values) send('writer', { kind: 'go', value })
      send('reader', { kind: 'look' })
    },
  })
  return system('shared', { faults: {} }, () => ({
    machines: { writer: writer.as(), reader: reader.as(), driver: driver.as() },
    invariants: [held],
  }))
}

/** One machine that is asked a few times. */
function asked(
  ask: (state: Seen, context: { choose<T>(options: readonly T[]): T }) => void,
  more: {
    readonly start?: (state: Seen) => void
    readonly crash?: boolean
    readonly parts?: Partial<SystemParts>
  } = {},
): Program {
  const node = machine<Seen, Told>('node', {
    state: () => ({ seen: 0 }),
    ...(more.start === undefined ? {} : { start: more.start }),
    requests: { ask: (state, _: unknown, context) => ask(state, context) },
  })
  const faults = more.crash === true ? { crashes: 2, restarts: 2 } : {}
  return system('asked', { faults }, () => ({
    machines: { a: node.as(), b: node.as() },
    requests: { a: [['ask'], ['ask']], b: [['ask']] },
    invariants: [held],
    ...more.parts,
  }))
}

const unsteady: { readonly [name: string]: () => Program } = {
  'a count that a handler goes on with': () => {
    let count = 0
    return asked((state) => {
      state.seen = count++
    })
  },
  'what was written last': () => {
    let last = 0
    return shared({
      write: (value) => {
        last = value
      },
      look: () => last,
    })
  },
  'a flag that one handler sets and another reads': () => {
    let isSet = false
    return shared(
      {
        write: () => {
          isSet = true
        },
        look: () => (isSet ? 1 : 0),
      },
      [1],
    )
  },
  'the largest so far': () => {
    let largest = 0
    return shared({
      write: (value) => {
        largest = Math.max(largest, value)
      },
      look: () => largest,
    })
  },
  'the size of a set': () => {
    const values = new Set<number>()
    return shared({ write: (value) => void values.add(value), look: () => values.size })
  },
  'the length of a list': () => {
    const values: number[] = []
    return shared({ write: (value) => void values.push(value), look: () => values.length })
  },
  'an entry of a map': () => {
    const values = new Map<string, number>()
    return shared({ write: (value) => void values.set('it', value), look: () => values.get('it') ?? 0 })
  },
  'a field of an object': () => {
    const box = { value: 0 }
    return shared({
      write: (value) => {
        box.value = value
      },
      look: () => box.value,
    })
  },
  'which machine was asked first': () => {
    let first: number | undefined
    const node = machine<Seen, Told, number>('node', {
      state: () => ({ seen: 0 }),
      requests: {
        ask: (state, _: unknown, { args }) => {
          first ??= args
          state.seen = first
        },
      },
    })
    return system('first', { faults: {} }, () => ({
      machines: { a: node.as(1), b: node.as(2) },
      requests: { a: [['ask']], b: [['ask']] },
      invariants: [held],
    }))
  },
  'a variable of the function that makes the system': () =>
    system('within', { faults: {} }, () => {
      let last = 0
      const node = machine<Seen, Told, number>('node', {
        state: () => ({ seen: 0 }),
        requests: {
          write: (_, value: number) => {
            last = value
          },
          look: (state) => {
            state.seen = last
          },
        },
      })
      return {
        machines: { a: node.as(1), b: node.as(2) },
        requests: {
          a: [
            ['write', 1],
            ['write', 2],
          ],
          b: [['look']],
        },
        invariants: [held],
      }
    }),
  'a count of machines that have begun': () => {
    let begun = 0
    const node = machine<Seen, Told>('node', { state: () => ({ seen: begun++ }) })
    return system('begun', { faults: {} }, () => ({
      machines: { a: node.as(), b: node.as() },
      invariants: [held],
    }))
  },
  'a count of restarts': () => {
    let starts = 0
    return asked(() => {}, {
      start: (state) => {
        state.seen = ++starts
      },
      crash: true,
    })
  },
  'how much there is to choose from': () => {
    const options = [0]
    return asked((state, { choose }) => {
      state.seen = choose(options)
      if (options.length < 3) options.push(options.length)
    })
  },
  'an invariant that looks at what handlers write': () => {
    let last = 0
    return asked(
      (state) => {
        last = ++state.seen
      },
      {
        parts: { invariants: [invariant('outside', () => last === 0 || 'written')] },
      },
    )
  },
  'an invariant that counts': () => {
    let count = 0
    return asked((state) => void state.seen++, {
      parts: { invariants: [invariant('counts', () => count++ < 3)] },
    })
  },
}

/** What nobody can tell from one that keeps nothing. */
const steady: { readonly [name: string]: () => Program } = {
  'remembers what it computed': () => {
    const known = new Map<number, number>()
    return asked((state) => {
      known.set(state.seen, known.get(state.seen) ?? state.seen + 1)
      state.seen = known.get(state.seen) as number
    })
  },
  'counts what nobody reads': () => {
    let count = 0
    return asked((state) => {
      count++
      state.seen = Math.min(state.seen + Math.sign(count), 5)
    })
  },
}

async function ran(make: () => Program, engine: string | undefined) {
  const request = checkRequest(make(), { engine })
  if (!request.ok) throw new Error(request.diagnostics.map(({ message }) => message).join('\n'))
  return await runCheck(request.value, { reload: async () => make() })
}

describe.each([undefined, 'local', 'stateful'])('engine %s', (engine) => {
  test.each(Object.keys(unsteady))('%s is no part of a state', async (name) => {
    const result = await ran(unsteady[name] as () => Program, engine)
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E201' }] })
    const [diagnostic] = result.ok ? [] : result.diagnostics
    expect(diagnostic?.place).toMatchObject({ file: expect.stringContaining('unsteady-machines') })
  })

  test.each(Object.keys(steady))('a handler that %s is not to blame', async (name) => {
    const result = await ran(steady[name] as () => Program, engine)
    expect(result).toMatchObject({ ok: true, value: { verdict: { kind: 'verified' } } })
  })
})
