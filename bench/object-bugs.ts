/** Searches that end with the first violation: sequential orders against random ones. */
import type { JudgedClass } from '../src/check/objects/subjects.ts'
import { Random } from '../src/core/random.ts'
import { type Client, type ClientCall, valueArgument } from '../src/properties/linearizability/client.ts'
import { printClient } from '../src/properties/linearizability/client-text.ts'
import type { StatefulSetting } from '../test/stateful-setting.ts'
import { thousands } from './measure.ts'
import { requestOf, split } from './object-clients.ts'
import { search } from './object-search.ts'
import { arithmeticMean, quantileTable } from './quantiles.ts'

/** Lists of which one operation lost its lock: the calls of it hit the bug, the others do not. */
const broken = [
  { entry: 'rw-list', exported: 'addShrunk', buggy: 'add', other: 'remove', calls: [5, 9] },
  { entry: 'rw-list', exported: 'removeShrunk', buggy: 'remove', other: 'add', calls: [5, 9] },
  { entry: 'optimistic-list', exported: 'addShrunk', buggy: 'add', other: 'remove', calls: [4, 6] },
  { entry: 'optimistic-list', exported: 'removeShrunk', buggy: 'remove', other: 'add', calls: [4, 6] },
] as const
type Broken = (typeof broken)[number]

const shares = ['all', 'half', 'one'] as const
type Share = (typeof shares)[number]

const clientsPerGroup = 6
const mostDraws = 60
const mostTransitions = 100_000
const keys = 2

const usual = { static: true, stateless: false } as const
const permutations = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]
const seeds = [1, 2, 3]
const orders: readonly (readonly [name: string, settings: readonly (readonly [Partial<StatefulSetting>, number])[]])[] =
  [
    ['sequential', permutations.map((permutation) => [{ order: 'sequential', permutation }, 0] as const)],
    ['random', seeds.map((seed) => [{ order: 'random' }, seed] as const)],
  ]

interface Found {
  readonly share: Share
  /** By reduction and order: over its permutations or seeds. */
  readonly runs: ReadonlyMap<string, readonly { readonly transitions: number; readonly milliseconds: number }[]>
}

export async function findBugs(isQuick: boolean): Promise<readonly string[]> {
  const found: Found[] = []
  let missed = 0
  for (const [at, list] of broken.entries()) {
    const request = await requestOf(list.entry, list.exported)
    for (const share of shares) {
      const clients = failing(request, list, share, isQuick ? 1 : clientsPerGroup, at)
      for (const client of clients) {
        const runs = runsOf(request, client)
        if (runs === undefined) missed++
        else found.push({ share, runs })
      }
    }
  }
  print(found, missed)
  return found.length === 0 ? ['no client with a violation was drawn'] : []
}

/** Clients on which the lazy search finds a violation, as many as asked for if that many can be drawn. */
function failing(request: JudgedClass, list: Broken, share: Share, count: number, seed: number): readonly Client[] {
  const random = new Random(100 * seed + shares.indexOf(share))
  const clients = new Map<string, Client>()
  for (let draws = 0; draws < mostDraws && clients.size < count; draws++) {
    const client = drawn(list, share, random)
    const { violated } = search(request, client, setting('lazy'), { mostTransitions, untilViolation: true })
    if (violated) clients.set(printClient(client), client)
  }
  return [...clients.values()]
}

function drawn({ buggy, other, calls: [least, most] }: Broken, share: Share, random: Random): Client {
  const calls = least + random.below(most - least + 1)
  const hits = share === 'all' ? calls : share === 'half' ? Math.ceil(calls / 2) : 1
  const names = random.shuffle(Array.from({ length: calls }, (_, at) => (at < hits ? buggy : other)))
  const all = names.map((operation): ClientCall => ({ operation, args: [valueArgument(random.below(keys))] }))
  let taken = 0
  return {
    processes: split(calls, random).map((size) => {
      taken += size
      return all.slice(taken - size, taken)
    }),
  }
}

function setting(reduction: 'safe' | 'lazy', rest: Partial<StatefulSetting> = {}): StatefulSetting {
  return { ...usual, reduction, order: 'sequential', ...rest }
}

/** Nothing if some search was given up before it found the violation. */
function runsOf(request: JudgedClass, client: Client): Found['runs'] | undefined {
  const runs = new Map<string, { transitions: number; milliseconds: number }[]>()
  for (const reduction of ['safe', 'lazy'] as const) {
    for (const [name, settings] of orders) {
      const key = `${reduction}, ${name}`
      for (const [rest, seed] of settings) {
        const took = search(request, client, setting(reduction, rest), { mostTransitions, untilViolation: true, seed })
        if (!took.violated) return undefined
        const { transitions, cpuSeconds } = took
        runs.set(key, [...(runs.get(key) ?? []), { transitions, milliseconds: 1000 * cpuSeconds }])
      }
    }
  }
  return runs
}

function print(found: readonly Found[], missed: number): void {
  console.log(`\nFirst violation: ${found.length} clients of the two lists without some locks; ${missed} more were`)
  console.log(
    `given up after ${thousands(mostTransitions)} transitions by some search. Mean and minimum over 6 permutations`,
  )
  console.log('of the processes (sequential) or 3 seeds (random).')
  const lines = ['safe', 'lazy'].flatMap((reduction) => orders.map(([name]) => `${reduction}, ${name}`))
  for (const share of shares) {
    const own = found.filter((one) => one.share === share)
    const rows = (measure: 'transitions' | 'milliseconds') =>
      lines.flatMap((line) =>
        (
          [
            ['mean', arithmeticMean],
            ['minimum', (values: readonly number[]) => Math.min(...values)],
          ] as const
        ).map(([name, of]) => {
          const values = own.map(({ runs }) => of((runs.get(line) ?? []).map((run) => run[measure])))
          return [`${line}, ${name}`, values] as const
        }),
      )
    const calls = share === 'one' ? 'one call hits' : `${share} of the calls hit`
    console.log(`\n${calls} the bug (${own.length} clients)`)
    const mean = { name: 'mean', of: arithmeticMean }
    console.log(quantileTable('transitions', rows('transitions'), thousands, mean))
    console.log(quantileTable('CPU ms', rows('milliseconds'), (value) => value.toFixed(1), mean))
  }
}
