/**
 * How many clients there are, computed without making them.
 *
 * A client is a multiset of processes, and clients that differ by an exchange of interchangeable values count once. So
 * the number is that of orbits under a group (Burnside's lemma): the average, over the renamings g, of the number of
 * multisets g leaves as they are. Those are made of whole cycles of g on processes. Sequences of L calls that lie on
 * cycles of a length dividing j are those that the j-th power of g fixes, which are the sequences over the templates it
 * fixes.
 */
import { type Renaming, renamingsOf } from './client-renaming.ts'
import { type ClientSpace, type Template, templatesOf } from './client-space.ts'

export interface ClientsOfSize {
  /** Calls of all processes together. */
  readonly calls: number
  readonly clients: bigint
}

export function clientCount(space: ClientSpace): bigint {
  const size = sizeOf(space)
  // Calls need not be told apart unless they are bounded together, and telling them apart takes the square of their number.
  const counts = countsIn(space, space.maxCalls === undefined ? { ...size, calls: 0, isTotal: true } : size)
  return counts.reduce((sum, clients) => sum + clients, 0n)
}

/** Sequences of results that are not used yet, beyond which counting would be felt. */
const mostUnused = 6_000

/** How many calls of one process can be counted at once, and no more than so many. */
export function countableCalls(space: ClientSpace, most: number): number {
  const consumed = templatesOf(space).flatMap(({ args }) => args.filter(({ kind }) => kind === 'resultOf'))
  const tracked = new Set(consumed.map((argument) => (argument.kind === 'resultOf' ? argument.operation : ''))).size
  let [calls, unused] = [0, 1]
  // Ways to choose how many results of each tracked operation are left, out of so many calls.
  while (calls < most && unused <= mostUnused) unused *= (++calls + tracked) / calls
  return unused <= mostUnused ? calls : calls - 1
}

/** The smallest clients first, as they are enumerated. */
export function clientsBySize(space: ClientSpace): readonly ClientsOfSize[] {
  return countsIn(space, sizeOf(space))
    .map((clients, calls) => ({ calls, clients }))
    .filter(({ calls }) => calls >= 2)
}

function countsIn(space: ClientSpace, size: Size): readonly bigint[] {
  const templates = templatesOf(space)
  const renamings = renamingsOf(space, templates)
  const totals = Array.from({ length: size.calls + 1 }, () => 0n)
  const harmless = templates.map(({ isReadonly }) => isReadonly)
  for (const renaming of renamings) {
    const all = fixedClients(renaming, { templates, size, allowed: templates.map(() => true) })
    const withoutEffect = fixedClients(renaming, { templates, size, allowed: harmless })
    for (const calls of totals.keys()) totals[calls] = at(totals, calls) + at(all, calls) - at(withoutEffect, calls)
  }
  return totals.map((clients) => clients / BigInt(renamings.length))
}

interface Size {
  readonly processes: number
  readonly perProcess: number
  readonly calls: number
  /** Clients of any number of calls count as clients of none. */
  readonly isTotal?: boolean
}

function sizeOf({ maxProcesses, maxCallsPerProcess, maxCalls }: ClientSpace): Size {
  const calls = Math.min(maxProcesses * maxCallsPerProcess, maxCalls ?? Number.POSITIVE_INFINITY)
  return { processes: maxProcesses, perProcess: maxCallsPerProcess, calls: Math.max(0, calls) }
}

interface Counted {
  readonly templates: readonly Template[]
  readonly size: Size
  /** The templates that may be used. */
  readonly allowed: readonly boolean[]
}

/** Multisets of at least two processes that a renaming leaves as they are, by number of calls. */
function fixedClients(renaming: Renaming, counted: Counted): readonly bigint[] {
  const { processes, perProcess, calls, isTotal = false } = counted.size
  // Coefficients of a polynomial, by processes and calls.
  let table: bigint[][] = Array.from({ length: processes + 1 }, () => Array.from({ length: calls + 1 }, () => 0n))
  if (table[0] !== undefined) table[0][0] = 1n
  const bySequences = cyclesByLength(renaming, counted)
  for (let length = 1; length <= perProcess; length++)
    for (let cycle = 1; cycle <= processes; cycle++)
      table = times(table, { cycle, length: isTotal ? 0 : length, count: at(bySequences[cycle] ?? [], length) })
  return Array.from({ length: calls + 1 }, (_, total) => table.slice(2).reduce((sum, row) => sum + at(row, total), 0n))
}

interface Cycles {
  /** Processes on a cycle, all of the same number of calls. */
  readonly cycle: number
  readonly length: number
  readonly count: bigint
}

/** The polynomial after each of the cycles may be taken any number of times. */
function times(table: readonly (readonly bigint[])[], { cycle, length, count }: Cycles): bigint[][] {
  if (count === 0n) return table.map((row) => [...row])
  const ways = multisetCounts(count, Math.floor(table.length / cycle))
  return table.map((row, processes) =>
    row.map((_, calls) => {
      let sum = 0n
      for (let taken = 0; taken * cycle <= processes && taken * cycle * length <= calls; taken++)
        sum += at(table[processes - taken * cycle] ?? [], calls - taken * cycle * length) * at(ways, taken)
      return sum
    }),
  )
}

/** Multisets of each size out of `kinds`. */
function multisetCounts(kinds: bigint, largest: number): readonly bigint[] {
  const counts = [1n]
  for (let size = 1n; size <= BigInt(largest); size++)
    counts.push((at(counts, counts.length - 1) * (kinds + size - 1n)) / size)
  return counts
}

/** For each length of a cycle, the number of such cycles on sequences of each number of calls. */
function cyclesByLength(renaming: Renaming, { templates, size, allowed }: Counted): readonly (readonly bigint[])[] {
  const cycles: bigint[][] = [[]]
  const known = new Map<string, readonly bigint[]>()
  const sequencesOf = (usable: readonly number[]): readonly bigint[] => {
    const made =
      known.get(usable.join()) ??
      sequenceCounts(
        usable.map((one) => templates[one] as Template),
        size.perProcess,
      )
    known.set(usable.join(), made)
    return made
  }
  let power: Renaming = renaming.map((_, template) => template)
  for (let cycle = 1; cycle <= size.processes; cycle++) {
    power = power.map((image) => renaming[image] as number)
    const usable = [...templates.keys()].filter((template) => allowed[template] && power[template] === template)
    cycles[cycle] = sequencesOf(usable).map((fixed, length) => {
      let onShorter = 0n
      for (let divisor = 1; divisor < cycle; divisor++)
        if (cycle % divisor === 0) onShorter += BigInt(divisor) * at(cycles[divisor] ?? [], length)
      return (fixed - onShorter) / BigInt(cycle)
    })
  }
  return cycles
}

interface Unused {
  /** How many results of each operation no call has been given yet. */
  readonly results: ReadonlyMap<string, number>
  readonly sequences: bigint
}

/** Sequences of each number of calls. What a process can call next depends only on how many results are unused. */
function sequenceCounts(templates: readonly Template[], longest: number): readonly bigint[] {
  const calls = templates.map(({ operation, args }) => ({
    operation,
    consumed: args.flatMap((argument) => (argument.kind === 'resultOf' ? [argument.operation] : [])),
  }))
  const tracked = new Set(calls.flatMap(({ consumed }) => consumed))
  const counts = [1n]
  let states: readonly Unused[] = [{ results: new Map([...tracked].map((operation) => [operation, 0])), sequences: 1n }]
  for (let length = 1; length <= longest; length++) {
    states = merged(states.flatMap((state) => calls.map((call) => after(state, call))))
    counts.push(states.reduce((sum, { sequences }) => sum + sequences, 0n))
  }
  return counts
}

function after(state: Unused, { operation, consumed }: { operation: string; consumed: readonly string[] }): Unused {
  const results = new Map(state.results)
  let { sequences } = state
  for (const wanted of consumed) {
    const unused = results.get(wanted) ?? 0
    sequences *= BigInt(unused)
    results.set(wanted, Math.max(0, unused - 1))
  }
  const own = results.get(operation)
  if (own !== undefined) results.set(operation, own + 1)
  return { results, sequences }
}

function merged(states: readonly Unused[]): readonly Unused[] {
  const byResults = new Map<string, Unused>()
  for (const { results, sequences } of states) {
    const key = [...results.values()].join()
    const sum = sequences + (byResults.get(key)?.sequences ?? 0n)
    if (sum > 0n) byResults.set(key, { results, sequences: sum })
  }
  return [...byResults.values()]
}

function at(counts: readonly bigint[], index: number): bigint {
  return counts[index] ?? 0n
}
