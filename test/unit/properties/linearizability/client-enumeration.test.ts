import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import type { Value } from '../../../../src/core/value.ts'
import {
  type Client,
  type ClientArgument,
  type ClientCall,
  callCount,
  valueArgument,
} from '../../../../src/properties/linearizability/client.ts'
import { clientCount, clientsBySize, countableCalls } from '../../../../src/properties/linearizability/client-count.ts'
import { clients } from '../../../../src/properties/linearizability/client-enumeration.ts'
import {
  type ClientSpace,
  type PoolArgument,
  resultOf,
} from '../../../../src/properties/linearizability/client-space.ts'
import { printCall, printClient } from '../../../../src/properties/linearizability/client-text.ts'
import { amount, atLeast, cut } from '../../../amount.ts'

function pools(
  operations: Readonly<Record<string, readonly (readonly (Value | PoolArgument)[])[]>>,
): ClientSpace['operations'] {
  const argument = (given: Value | PoolArgument): PoolArgument =>
    typeof given === 'object' && given !== null && 'kind' in given ? (given as PoolArgument) : valueArgument(given)
  return new Map(Object.entries(operations).map(([name, pool]) => [name, pool.map((args) => args.map(argument))]))
}

function texts(space: ClientSpace): readonly string[] {
  return [...clients(space)].map(printClient)
}

const stack = pools({ push: [[1], [2]], pop: [[]] })

describe('enumeration', () => {
  test('begins with one call of each of two processes, in the order of the pools', () => {
    // 3 calls: 6 multisets of two, and the first of two processes of 2 and 1 calls.
    expect(texts({ operations: stack, maxProcesses: 2, maxCallsPerProcess: 2 }).slice(0, 7)).toEqual([
      '{ push(1) } || { push(1) }',
      '{ push(1) } || { push(2) }',
      '{ push(1) } || { pop() }',
      '{ push(2) } || { push(2) }',
      '{ push(2) } || { pop() }',
      '{ pop() } || { pop() }',
      '{ push(1); push(1) } || { push(1) }',
    ])
  })

  test('goes by calls, then processes, then the evenly spread first', () => {
    const one = pools({ inc: [[]] })
    expect(texts({ operations: one, maxProcesses: 3, maxCallsPerProcess: 3, maxCalls: 5 })).toEqual([
      '{ inc() } || { inc() }',
      '{ inc(); inc() } || { inc() }',
      '{ inc() } || { inc() } || { inc() }',
      '{ inc(); inc() } || { inc(); inc() }',
      '{ inc(); inc(); inc() } || { inc() }',
      '{ inc(); inc() } || { inc() } || { inc() }',
      '{ inc(); inc(); inc() } || { inc(); inc() }',
      '{ inc(); inc() } || { inc(); inc() } || { inc() }',
      '{ inc(); inc(); inc() } || { inc() } || { inc() }',
    ])
  })

  test('leaves out clients of readonly operations alone', () => {
    const operations = pools({ set: [[1]], get: [[]] })
    expect(texts({ operations, readonly: new Set(['get']), maxProcesses: 2, maxCallsPerProcess: 1 })).toEqual([
      '{ set(1) } || { set(1) }',
      '{ set(1) } || { get() }',
    ])
  })

  test('gives each result to one later call of its process', () => {
    const operations = pools({ acquire: [[]], release: [[resultOf('acquire')]] })
    const made = texts({ operations, maxProcesses: 2, maxCallsPerProcess: 4, maxCalls: 5 })
    expect(made.filter((text) => text.endsWith('|| { acquire() }')).map((text) => text.split(' || ')[0])).toEqual([
      '{ acquire() }',
      '{ acquire(); acquire() }',
      '{ acquire(); release($1) }',
      '{ acquire(); acquire(); acquire() }',
      '{ acquire(); acquire(); release($1) }',
      '{ acquire(); acquire(); release($2) }',
      '{ acquire(); release($1); acquire() }',
      '{ acquire(); acquire(); acquire(); acquire() }',
      '{ acquire(); acquire(); acquire(); release($1) }',
      '{ acquire(); acquire(); acquire(); release($2) }',
      '{ acquire(); acquire(); acquire(); release($3) }',
      '{ acquire(); acquire(); release($1); acquire() }',
      '{ acquire(); acquire(); release($1); release($2) }',
      '{ acquire(); acquire(); release($2); acquire() }',
      '{ acquire(); acquire(); release($2); release($1) }',
      '{ acquire(); release($1); acquire(); acquire() }',
      '{ acquire(); release($1); acquire(); release($3) }',
    ])
  })

  test('a list of arguments that stands in a pool twice is taken once', () => {
    const operations = pools({ put: [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]] })
    expect(texts({ operations, maxProcesses: 2, maxCallsPerProcess: 1 })).toHaveLength(1)
  })

  test('the setup is part of every client', () => {
    const setup: readonly ClientCall[] = [{ operation: 'push', args: [valueArgument(7)] }]
    expect(texts({ operations: stack, setup, maxProcesses: 2, maxCallsPerProcess: 1 })[0]).toBe(
      '[ push(7) ] { push(1) } || { push(1) }',
    )
  })

  test('values are exchanged only when they are declared interchangeable', () => {
    const space = { operations: stack, maxProcesses: 2, maxCallsPerProcess: 1 }
    expect(texts({ ...space, interchangeable: [[1, 2]] })).toEqual([
      '{ push(1) } || { push(1) }',
      '{ push(1) } || { push(2) }',
      '{ push(1) } || { pop() }',
      '{ pop() } || { pop() }',
    ])
    const setup: readonly ClientCall[] = [{ operation: 'push', args: [valueArgument(1)] }]
    expect(texts({ ...space, setup, interchangeable: [[1, 2]] })).toHaveLength(6)
  })

  test('is lazy: the first clients of a space of 10^30 and more come at once', () => {
    const operations = pools({ put: [0, 1, 2, 3].flatMap((key) => [0, 1, 2, 3].map((value) => [key, value])) })
    const space = { operations, maxProcesses: 4, maxCallsPerProcess: 8 }
    expect(clientCount(space) > 10n ** 30n).toBe(true)
    const [first] = clients(space)
    expect(printClient(first as Client)).toBe('{ put(0, 0) } || { put(0, 0) }')
  })

  test('the clients of the largest bounds are counted at once', () => {
    const count = clientCount({
      operations: pools({ get: [[]], add: [[]] }),
      maxProcesses: 30,
      maxCallsPerProcess: 100,
    })
    // Nearly all have 30 processes of up to 100 calls, in any order: (2^101)^30 / 30!.
    expect(count.toString(2)).toHaveLength(2_923)
  })

  test('calls that take results are counted as far as that takes no time', () => {
    const taking = (tracked: number) => {
      const names = Array.from({ length: tracked }, (_, at) => `make${at}`)
      const made = names.flatMap((name) => [[name, [[]]] as const, [`use ${name}`, [[resultOf(name)]]] as const])
      return { operations: pools(Object.fromEntries(made)), maxProcesses: 2, maxCallsPerProcess: 2 }
    }
    expect([0, 1, 2, 3, 4, 15].map((tracked) => countableCalls(taking(tracked), 100))).toEqual([
      100, 100, 100, 31, 17, 4,
    ])
  })

  test.each([
    { maxProcesses: 1, maxCallsPerProcess: 5 },
    { maxProcesses: 3, maxCallsPerProcess: 0 },
    { maxProcesses: 3, maxCallsPerProcess: 3, maxCalls: 1 },
    { maxProcesses: 0, maxCallsPerProcess: 0 },
  ])('there is none within %o', (bounds) => {
    expect(texts({ operations: stack, ...bounds })).toEqual([])
    expect(clientCount({ operations: stack, ...bounds })).toBe(0n)
  })

  test('there is none without operations', () => {
    const space = { operations: new Map(), maxProcesses: 3, maxCallsPerProcess: 3 }
    expect(texts(space)).toEqual([])
    expect(clientCount(space)).toBe(0n)
  })
})

describe('counting', () => {
  test('adds up multisets by size', () => {
    // Over 3 calls: 6 pairs; 9 · 3 of lengths 2 and 1; 45 pairs of two; with three processes 10 triples of one call each.
    expect(clientsBySize({ operations: stack, maxProcesses: 2, maxCallsPerProcess: 2 })).toEqual([
      { calls: 2, clients: 6n },
      { calls: 3, clients: 27n },
      { calls: 4, clients: 45n },
    ])
    expect(clientCount({ operations: stack, maxProcesses: 3, maxCallsPerProcess: 1 })).toBe(16n)
  })

  test('agrees with the enumeration, and that with brute force, on random spaces', cut, () => {
    const random = new Random(2019)
    const rounds = amount({ quick: 25, thorough: 100, all: 100 })
    let exchanged = 0
    for (let round = 0; round < rounds; round++) {
      const space = randomSpace(random)
      const made = [...clients(space)]
      const swaps = stabilizers(space)
      const naive = new Set(bruteForce(space).map((client) => representative(swaps, client)))
      const label = JSON.stringify({ ...space, operations: [...space.operations] })
      expect(new Set(made.map((client) => representative(swaps, client))), label).toEqual(naive)
      expect(made.length, label).toBe(naive.size)
      expect(clientCount(space), label).toBe(BigInt(made.length))
      const sizes = clientsBySize(space).flatMap(({ calls, clients: count }) => Array(Number(count)).fill(calls))
      expect(made.map(callCount), label).toEqual(sizes)
      if (swaps.length > 1) exchanged++
    }
    expect(exchanged).toBeGreaterThan(atLeast(rounds / 5))
  })
})

function randomSpace(random: Random): ClientSpace {
  const args = (operation: string): readonly (readonly (Value | PoolArgument)[])[] => {
    if (operation === 'pop') return [[]]
    if (operation === 'give') return random.pick([[[resultOf('pop')]], [[resultOf('pop'), resultOf('pop')], [1]]])
    const closed: readonly (readonly Value[])[][] = [
      [[1], [2]],
      [[2], [3], [1]],
      [
        [1, 2],
        [2, 1],
      ],
    ]
    const any = random.shuffle<readonly Value[]>([[1], [2], [3], [1, 2], [2, 1]]).slice(0, 1 + random.below(3))
    return random.pick([...closed, any])
  }
  const names = random.shuffle(['push', 'pop', 'give', 'put']).slice(0, 1 + random.below(3))
  const operations = pools(Object.fromEntries(names.map((name) => [name, args(name)])))
  const templates = [...operations.values()].flat().length
  return {
    operations,
    readonly: new Set(names.filter(() => random.below(4) === 0)),
    maxProcesses: 2 + random.below(2),
    maxCallsPerProcess: templates > 4 ? 2 : 1 + random.below(3),
    maxCalls: 2 + random.below(4),
    ...(random.below(2) === 0 ? { interchangeable: random.pick([[[1, 2]], [[1, 2, 3]], [[2, 3]]]) } : {}),
    ...(random.below(4) === 0 ? { setup: [{ operation: 'push', args: [valueArgument(2)] }] } : {}),
  }
}

/** Every tuple of sequences, whatever is wrong with it, and then a look at what is. */
function bruteForce(space: ClientSpace): readonly Client[] {
  const sequences = lists(space.maxCallsPerProcess, concreteCalls(space)).filter(
    (calls) => calls.length > 0 && isExecutable(calls),
  )
  return lists(space.maxProcesses, sequences)
    .map((processes): Client => ({ ...(space.setup === undefined ? {} : { setup: space.setup }), processes }))
    .filter((client) => client.processes.length >= 2 && callCount(client) <= (space.maxCalls ?? 99))
    .filter(({ processes }) => processes.flat().some(({ operation }) => !space.readonly?.has(operation)))
}

interface MarkedCall extends ClientCall {
  readonly wanted: readonly string[]
}

function concreteCalls(space: ClientSpace): readonly MarkedCall[] {
  const results = Array.from({ length: space.maxCallsPerProcess }, (_, call) => ({ kind: 'result' as const, call }))
  return [...space.operations].flatMap(([operation, pool]) =>
    pool.flatMap((args) => {
      const choices = args.map((argument): readonly ClientArgument[] =>
        argument.kind === 'resultOf' ? results : [argument],
      )
      const wanted = args.flatMap((argument) => (argument.kind === 'resultOf' ? [argument.operation] : []))
      return choices
        .reduce<readonly (readonly ClientArgument[])[]>(
          (lists, options) => lists.flatMap((list) => options.map((option) => [...list, option])),
          [[]],
        )
        .map((concrete) => ({ operation, args: concrete, wanted }))
    }),
  )
}

function isExecutable(calls: readonly MarkedCall[]): boolean {
  const used = calls.flatMap(({ args, wanted }, position) =>
    args
      .flatMap((argument) => (argument.kind === 'result' ? [argument.call] : []))
      .map((call, at) => ({ call, fits: call < position && calls[call]?.operation === wanted[at] })),
  )
  return used.every(({ fits }) => fits) && new Set(used.map(({ call }) => call)).size === used.length
}

function lists<T>(longest: number, items: readonly T[]): readonly (readonly T[])[] {
  if (longest === 0) return [[]]
  const shorter = lists(longest - 1, items)
  return [
    ...shorter,
    ...shorter.filter((list) => list.length === longest - 1).flatMap((list) => items.map((item) => [...list, item])),
  ]
}

type Swap = ReadonlyMap<Value, Value>

function swapped(call: ClientCall, swap: Swap): ClientCall {
  const args = call.args.map((argument) =>
    argument.kind === 'value' && swap.has(argument.value) ? valueArgument(swap.get(argument.value)) : argument,
  )
  return { operation: call.operation, args }
}

/** The exchanges of declared values that map pools and setup to themselves. */
function stabilizers(space: ClientSpace): readonly Swap[] {
  const group = space.interchangeable?.[0] ?? []
  const orders = lists(group.length, group).filter(
    (list) => list.length === group.length && new Set(list).size === list.length,
  )
  const pool = (swap: Swap) =>
    [...space.operations]
      .flatMap(([operation, tuples]) =>
        tuples.map((args) => JSON.stringify(swapped({ operation, args: args as readonly ClientArgument[] }, swap))),
      )
      .sort()
      .join()
  const setup = (swap: Swap) => (space.setup ?? []).map((call) => printCall(swapped(call, swap))).join()
  const none: Swap = new Map()
  return orders
    .map((order): Swap => new Map(group.map((value, at) => [value, order[at]])))
    .filter((swap) => pool(swap) === pool(none) && setup(swap) === setup(none))
}

function representative(swaps: readonly Swap[], { processes }: Client): string {
  const images = swaps.map((swap) =>
    processes
      .map((calls) => calls.map((call) => printCall(swapped(call, swap))).join('; '))
      .sort()
      .join(' || '),
  )
  return images.sort()[0] as string
}
