/**
 * From reports of shards the verdict of each search as a whole. Pieces of a search have an order, that of one thread: so what one thread would
 * have found first, and counted until then, follows from what the shards say of their pieces.
 */
import type { CoveredMachine, CoveredState } from '../../core/coverage.ts'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import type { FaultBudget } from '../../core/faults.ts'
import { invariant } from '../../core/invariant.ts'
import type { NetworkName } from '../../core/operation.ts'
import type { Params } from '../../core/setting.ts'
import type { DonePiece } from '../../core/shard.ts'
import { valueFromJson } from '../../core/value-json.ts'
import { addCounts, type Counts, noCounts, type Scope, type Verdict } from '../../core/verdict.ts'
import { Witness } from '../../core/witness.ts'
import { engines } from '../../engines/registry.ts'
import type { Merged, MergedFinding, Shortfall } from '../../reports/merged.ts'
import { type ReadReport, type ShardReport, searchKey, unfit } from './read-report.ts'
import { unlikeness } from './unlikeness.ts'

export function merged(reports: readonly ReadReport[]): Result<readonly Merged[]> {
  const groups = new Map<string, ShardReport[]>()
  for (const one of reports.flatMap(({ shards }) => shards)) {
    const key = searchKey(one)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const searches = [...groups.values()]
  const problems = [...unlikeness(reports), ...searches.flatMap(problemsOf)]
  return problems.length > 0 ? failure(...problems) : success(searches.map(mergedSearch))
}

/** Why reports are not of shards of one search, which each is told once. */
function problemsOf(shards: readonly ShardReport[]): readonly Diagnostic[] {
  const [first, ...others] = shards as readonly [ShardReport, ...ShardReport[]]
  for (const other of others) {
    const why = difference(first, other)
    if (why !== undefined) return [unfit(`${other.report} and ${first.report} are not of one search: ${why}`)]
  }
  for (const [at, { report, result }] of shards.entries()) {
    const { number, of } = result.shard
    const twin = shards.slice(0, at).find((other) => other.result.shard.number === number)
    if (twin === undefined) continue
    const message = `shard ${number} of ${of} of "${result.program}" is in ${twin.report} and in ${report}`
    return [unfit(message, 'name only one of them')]
  }
  const places = shards.flatMap(({ result }) => result.shard.done.map(({ at }) => at))
  const isAll =
    shards.length === first.result.shard.of && shards.every(({ result }) => result.shard.ended === 'exhausted')
  if (isAll && places.length < first.result.shard.pieces)
    return [unfit(`reports of "${first.result.program}" are damaged: a part of the search is in none of them`)]
  if (new Set(places).size < places.length)
    return [unfit(`reports of "${first.result.program}" are damaged: two of them have explored the same`)]
  return []
}

function difference(first: ShardReport, other: ShardReport): string | undefined {
  const [left, right] = [first.result.shard, other.result.shard]
  if (left.search.version !== right.search.version)
    return `they were written by allways ${right.search.version} and ${left.search.version}`
  if (left.search.program !== right.search.program)
    return `${first.result.file}, or a file it imports, has changed between them`
  if (left.of !== right.of) return `there are ${right.of} shards of one and ${left.of} of the other`
  if (left.search.settings !== right.search.settings) return 'they were set up differently'
  const isCutAlike = left.cut === right.cut && left.pieces === right.pieces && left.claim === right.claim
  return isCutAlike ? undefined : 'it was cut into other pieces, as it does not repeat itself'
}

function mergedSearch(shards: readonly ShardReport[]): Merged {
  const inOrder = [...shards].sort((left, right) => left.result.shard.number - right.result.shard.number)
  const [first] = inOrder
  invariant(first !== undefined, 'a search that is merged has a shard')
  const findings = findingsOf(inOrder)
  const shortfalls = shortfallsOf(inOrder)
  const { program, file } = first.result
  return {
    ...{ program, file, findings, shortfalls },
    of: first.result.shard.of,
    verdict: verdictOf(inOrder, { findings, isWhole: shortfalls.length === 0 }),
    seconds: inOrder.reduce((sum, { result }) => sum + result.seconds, 0),
  }
}

/** Each sort of violation once, in the order in which one thread would have met them. */
function findingsOf(shards: readonly ShardReport[]): readonly MergedFinding[] {
  const all = shards.flatMap(({ report, result }) => {
    const found = result.evidence.filter(({ violation = null }) => violation !== null)
    const { number, foundIn } = result.shard
    return found.map((evidence, at) => ({ evidence, report, shard: number, at: foundIn[at] as number }))
  })
  const sorts = new Set<string>()
  const inOrder = all.sort((left, right) => left.at - right.at)
  const isFirst = ({ evidence: { violation } }: MergedFinding): boolean => {
    const sort = JSON.stringify([violation?.kind, violation?.property, violation?.process, violation?.message])
    return !sorts.has(sort) && sorts.add(sort) !== undefined
  }
  const firsts = inOrder.filter(isFirst)
  // One thread would have ended there.
  return endsAtFirst(shards) ? firsts.slice(0, 1) : firsts
}

function endsAtFirst(shards: readonly ShardReport[]): boolean {
  return shards.some(({ result }) => result.shard.ended === 'violation')
}

/** Shards that are not there, and those that were not explored to their end. */
function shortfallsOf(shards: readonly ShardReport[]): readonly Shortfall[] {
  const of = shards[0]?.result.shard.of ?? 0
  return Array.from({ length: of }, (_, index) => index + 1).flatMap((number): readonly Shortfall[] => {
    const there = shards.find(({ result }) => result.shard.number === number)
    if (there === undefined) return [{ shard: number, because: undefined, report: undefined }]
    const { ended } = there.result.shard
    if (ended === 'exhausted' || ended === 'violation') return []
    return [{ shard: number, because: ended === 'undecided' ? undefined : ended, report: there.report }]
  })
}

interface Known {
  readonly findings: readonly MergedFinding[]
  readonly isWhole: boolean
}

function verdictOf(shards: readonly ShardReport[], { findings, isWhole }: Known): Verdict {
  const results = shards.map(({ result }) => result)
  const [first] = results as [ShardReport['result']]
  const done = results.flatMap(({ shard }) => shard.done)
  const coverage = mergedCoverage(results.flatMap(({ coverage: one }) => (one === undefined ? [] : [one])))
  const scope = scopeOf(first)
  const none = Object.fromEntries(scope.counted.names.map((name) => [name, 0]))
  const countsOf = (pieces: readonly DonePiece[]): Counts =>
    pieces.reduce((sum, { counts }) => addCounts(sum, counts), none)
  const judged = { scope, evidence: [], ...(coverage === undefined ? {} : { coverage }) }
  if (findings.length > 0) {
    const last = endsAtFirst(shards) ? (findings[0] as MergedFinding).at : Number.POSITIVE_INFINITY
    const counts = countsOf(done.filter(({ at }) => at <= last))
    const exhausted = isWhole && last === Number.POSITIVE_INFINITY
    return { kind: 'violated', ...judged, counts, exhausted }
  }
  if (isWhole) {
    const witness = witnessOf(shards)
    const [vacuity, operations, called] = [witness.open(), witness.outcomes(), witness.most()]
    const told = {
      ...(vacuity.length === 0 ? {} : { vacuity }),
      ...(operations.length === 0 ? {} : { operations }),
      ...(called.length === 0 ? {} : { called }),
    }
    return { kind: first.shard.claim, ...judged, counts: countsOf(done), ...told }
  }
  const counts = results.reduce((sum, result) => addCounts(sum, result.counts), noCounts)
  const explored = Math.min(
    1,
    done.reduce((sum, { share }) => sum + share, 0),
  )
  return { kind: 'incomplete', ...judged, counts, because: undefined, explored, remaining: [] }
}

function witnessOf(shards: readonly ShardReport[]): Witness {
  const witness = new Witness()
  for (const { result } of shards) witness.add(result.shard.seen)
  return witness
}

/** As it was written, without the shard. */
function scopeOf({ setting, engine, network, params, faults }: ShardReport['result']): Scope {
  const { shard: _, ...told } = setting
  const counted = engines.find(({ name, weighs }) => name === engine && weighs !== undefined)?.counted
  invariant(counted !== undefined, 'engines of shards give parts of their searches away')
  return {
    ...told,
    ...{ engine, counted },
    params: Object.fromEntries(
      Object.entries(params as object).map(([name, value]) => [name, valueFromJson(value)]),
    ) as Params,
    ...(network === null ? {} : { network: network as NetworkName }),
    ...(faults === undefined ? {} : { faults: faults as FaultBudget }),
  }
}

/** What was met in one of them was met. */
function mergedCoverage(tables: readonly (readonly CoveredMachine[])[]): readonly CoveredMachine[] | undefined {
  const [first, ...others] = tables
  return first?.map((machine, at): CoveredMachine => {
    const alike = [machine, ...others.flatMap((table) => table[at] ?? [])]
    const states = machine.states.map((state, number) =>
      mergedState(
        state,
        alike.flatMap((one) => one.states[number] ?? []),
      ),
    )
    if (machine.kind !== 'scenario') return { ...machine, states }
    return { ...machine, states, isCovered: alike.some(({ isCovered }) => isCovered === true) }
  })
}

function mergedState({ name, handled, neverHandled }: CoveredState, alike: readonly CoveredState[]): CoveredState {
  const isHandled = (event: string): boolean => alike.some((one) => one.handled.includes(event))
  const events = [...handled, ...neverHandled]
  return {
    name,
    entered: alike.some(({ entered }) => entered),
    handled: events.filter(isHandled),
    neverHandled: events.filter((event) => !isHandled(event)),
  }
}
