/**
 * All clients within bounds, smallest first: by the number of calls, then of processes, then the evenly spread ones
 * first. Violat enumerates placements of calls on two or three processes (Emmi and Enea, CAV 2019); here a client
 * is a multiset of processes, so that clients which differ by the order of their processes are made once. Left out are
 * clients in which nothing can go wrong: fewer than two processes, or nothing but readonly operations. Argument values
 * are not exchanged for one another unless they are declared interchangeable.
 */
import type { Client, ClientArgument, ClientCall } from './client.ts'
import { type Renaming, renamingsOf } from './client-renaming.ts'
import { type ClientSpace, type Template, templatesOf } from './client-space.ts'

/** Lazy; `clientCount` says how many there are. */
export function* clients(space: ClientSpace): Generator<Client, void> {
  const templates = templatesOf(space)
  const [, ...renamings] = renamingsOf(space, templates)
  for (const lengths of shapes(space)) {
    for (const processes of multisets(templates, lengths)) {
      if (isHarmless(processes, templates) || !isFirstOfItsRenamings(processes, renamings)) continue
      yield clientOf(processes, templates, space)
    }
  }
}

/** One call of a process: which template, and the earlier calls whose results stand for its `resultOf` arguments. */
interface Pick {
  readonly template: number
  readonly results: readonly number[]
}

type Sequence = readonly Pick[]

/** Lengths of the processes, the longest first. */
function* shapes({ maxProcesses, maxCallsPerProcess, maxCalls }: ClientSpace): Generator<readonly number[], void> {
  const most = Math.min(maxProcesses * maxCallsPerProcess, maxCalls ?? Number.POSITIVE_INFINITY)
  for (let calls = 2; calls <= most; calls++)
    for (let processes = 2; processes <= Math.min(maxProcesses, calls); processes++)
      yield* partitions(calls, processes, maxCallsPerProcess)
}

/** Ways to write a number as a sum of so many parts, none larger than the one before it; even ones first. */
function* partitions(sum: number, parts: number, largest: number): Generator<readonly number[], void> {
  if (parts === 0) {
    if (sum === 0) yield []
    return
  }
  for (let part = Math.ceil(sum / parts); part <= Math.min(largest, sum - parts + 1); part++)
    for (const rest of partitions(sum - part, parts - 1, part)) yield [part, ...rest]
}

/** Processes of the given lengths; among those of one length, none comes before the one to its left. */
function* multisets(
  templates: readonly Template[],
  [length, ...lengths]: readonly number[],
  left?: Sequence,
): Generator<readonly Sequence[], void> {
  if (length === undefined) {
    yield []
    return
  }
  for (const sequence of sequences(templates, length, left?.length === length ? left : []))
    for (const others of multisets(templates, lengths, sequence)) yield [sequence, ...others]
}

/** In lexicographic order, beginning with `from`. */
function* sequences(
  templates: readonly Template[],
  length: number,
  from: Sequence,
  before: Sequence = [],
): Generator<Sequence, void> {
  if (before.length === length) {
    yield before
    return
  }
  const first = from[before.length]
  for (const pick of picks(templates, before)) {
    const order = first === undefined ? 1 : comparePicks(pick, first)
    if (order < 0) continue
    yield* sequences(templates, length, order === 0 ? from : [], [...before, pick])
  }
}

/** What a process can call next, in order. */
function* picks(templates: readonly Template[], before: Sequence): Generator<Pick, void> {
  for (const [template, { args }] of templates.entries()) {
    const wanted = args.flatMap((argument) => (argument.kind === 'resultOf' ? [argument.operation] : []))
    for (const results of assignments(templates, before, wanted)) yield { template, results }
  }
}

/** Earlier calls of the wanted operations, each different and not used yet. */
function* assignments(
  templates: readonly Template[],
  before: Sequence,
  [operation, ...others]: readonly string[],
  taken: readonly number[] = before.flatMap(({ results }) => results),
): Generator<readonly number[], void> {
  if (operation === undefined) {
    yield []
    return
  }
  for (const [call, { template }] of before.entries()) {
    if (templates[template]?.operation !== operation || taken.includes(call)) continue
    for (const rest of assignments(templates, before, others, [...taken, call])) yield [call, ...rest]
  }
}

function comparePicks(left: Pick, right: Pick): number {
  if (left.template !== right.template) return left.template - right.template
  return compareLists(left.results, right.results, (one, other) => one - other)
}

function compareLists<T>(left: readonly T[], right: readonly T[], compare: (left: T, right: T) => number): number {
  for (const [at, item] of left.entries()) {
    const other = right[at]
    const order = other === undefined ? 1 : compare(item, other)
    if (order !== 0) return order
  }
  return left.length - right.length
}

const compareSequences = (left: Sequence, right: Sequence) => compareLists(left, right, comparePicks)

function isHarmless(processes: readonly Sequence[], templates: readonly Template[]): boolean {
  return processes.every((sequence) => sequence.every(({ template }) => templates[template]?.isReadonly))
}

function isFirstOfItsRenamings(processes: readonly Sequence[], renamings: readonly Renaming[]): boolean {
  return renamings.every((renaming) => {
    const image = processes
      .map((sequence) => sequence.map((pick) => ({ ...pick, template: renaming[pick.template] as number })))
      .sort((left, right) => right.length - left.length || compareSequences(left, right))
    return compareLists(processes, image, compareSequences) <= 0
  })
}

function clientOf(processes: readonly Sequence[], templates: readonly Template[], { setup }: ClientSpace): Client {
  const calls = processes.map((sequence) => sequence.map((pick) => callOf(pick, templates)))
  return setup === undefined || setup.length === 0 ? { processes: calls } : { setup, processes: calls }
}

function callOf({ template, results }: Pick, templates: readonly Template[]): ClientCall {
  const { operation, args } = templates[template] as Template
  const left = [...results]
  return {
    operation,
    args: args.map(
      (argument): ClientArgument =>
        argument.kind === 'resultOf' ? { kind: 'result', call: left.shift() as number } : argument,
    ),
  }
}
