/** Clients of the corpus' data structures, sampled with a fixed seed: the inputs of the benchmark of classes. */
import { join } from 'node:path'
import { cwd } from 'node:process'
import { loadObjects } from '../src/check/objects/load.ts'
import type { JudgedClass } from '../src/check/objects/subjects.ts'
import { Random } from '../src/core/random.ts'
import { type Client, type ClientCall, valueArgument } from '../src/properties/linearizability/client.ts'
import { printClient } from '../src/properties/linearizability/client-text.ts'
import { judgedClass } from '../test/judged-class.ts'

export interface Structure {
  readonly entry: string
  /** Export of its check file. */
  readonly exported: string
  /** Operations that clients call, with one argument drawn from the keys unless there are none. */
  readonly operations: readonly { readonly name: string; readonly shape: 'none' | 'key' | 'key and value' }[]
  /** Least and greatest number of calls of a client, such that most full searches end. */
  readonly calls: readonly [number, number]
}

export interface Sampled {
  readonly structure: Structure
  readonly client: Client
  readonly text: string
  readonly keys: number
}

const onSets = (['add', 'remove', 'contains'] as const).map((name) => ({ name, shape: 'key' as const }))
const onMaps = [
  { name: 'put', shape: 'key and value' },
  { name: 'remove', shape: 'key' },
  { name: 'get', shape: 'key' },
] as const

export const structures: readonly Structure[] = [
  { entry: 'rw-list', exported: 'default', operations: onSets, calls: [4, 9] },
  { entry: 'optimistic-list', exported: 'default', operations: onSets, calls: [3, 5] },
  { entry: 'cas-tree', exported: 'default', operations: onSets, calls: [3, 4] },
  {
    entry: 'michael-scott-queue',
    exported: 'default',
    operations: [
      { name: 'enqueue', shape: 'key' },
      { name: 'dequeue', shape: 'none' },
    ],
    calls: [3, 6],
  },
  { entry: 'lock-striped-map', exported: 'default', operations: onMaps, calls: [4, 8] },
  { entry: 'coarse-map', exported: 'default', operations: onMaps, calls: [4, 8] },
  {
    entry: 'avl-map',
    exported: 'default',
    operations: [
      { name: 'put', shape: 'key and value' },
      { name: 'remove', shape: 'key and value' },
      { name: 'get', shape: 'key' },
    ],
    calls: [3, 4],
  },
  {
    entry: 'afek-stack',
    exported: 'default',
    operations: [
      { name: 'push', shape: 'key' },
      { name: 'pop', shape: 'none' },
    ],
    calls: [4, 8],
  },
]

/** Clients of three processes with up to five calls each; the fewer keys, the more they get in each other's way. */
export function sample(structure: Structure, count: number, seed: number): readonly Sampled[] {
  const random = new Random(seed)
  const [least, most] = structure.calls
  return Array.from({ length: count }, () => {
    const keys = 1 + random.below(3)
    const calls = least + random.below(most - least + 1)
    const client = { processes: split(calls, random).map((many) => draw(structure.operations, many, keys, random)) }
    return { structure, client, text: printClient(client), keys }
  })
}

/** So many calls for three processes: at least one and at most five for each. */
export function split(calls: number, random: Random): readonly number[] {
  const sizes = [1, 1, 1]
  for (let left = calls - 3; left > 0; left--) {
    const open = [0, 1, 2].filter((process) => (sizes[process] as number) < 5)
    const process = random.pick(open)
    sizes[process] = (sizes[process] as number) + 1
  }
  return sizes
}

export function draw(
  operations: Structure['operations'],
  count: number,
  keys: number,
  random: Random,
): readonly ClientCall[] {
  return Array.from({ length: count }, () => {
    const { name, shape } = random.pick(operations)
    const key = valueArgument(random.below(keys))
    const args = shape === 'none' ? [] : shape === 'key' ? [key] : [key, valueArgument(random.below(2))]
    return { operation: name, args }
  })
}

const loaded = new Map<string, ReturnType<typeof loadObjects>>()

/** By outcomes, as the thesis judges. */
export async function requestOf(entry: string, exported: string): Promise<JudgedClass> {
  const file = join(cwd(), 'corpus', entry, 'model.check.ts')
  const module = loaded.get(file) ?? loadObjects(file)
  loaded.set(file, module)
  const result = await module
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  const declared = result.value.programs.find((one) => one.exportName === exported)?.program
  if (declared === undefined) throw new Error(`${entry} exports no ${exported}`)
  return judgedClass(declared, result.value, { criterion: 'outcomes' })
}
