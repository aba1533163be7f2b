/** Who drives the search of one setting: this thread alone, or a crew of threads with it. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { invariant } from '../core/invariant.ts'
import { driveWithCrew } from '../distribute/crew-drive.ts'
import type { Driven, Host, Search, Watch } from '../distribute/driver.ts'
import { driveInline } from '../distribute/inline.ts'
import { driveScattered } from '../distribute/scattered.ts'
import { driveShard } from '../distribute/shard-drive.ts'
import { engines } from '../engines/registry.ts'
import { type Cluster, carrierOf } from './cluster/cluster.ts'
import { type CrewSource, searchText } from './crew-messages.ts'
import type { CheckRequest } from './request.ts'
import { SettingsAhead } from './settings-ahead.ts'
import type { Limits } from './spent.ts'
import { ThreadCrew } from './thread-crew.ts'

/** Where else than in this thread a search may be explored. */
export interface Threads extends CrewSource {
  /** Milliseconds that a search takes before it is worth to start threads. */
  readonly after?: number | undefined
  /** The code of the threads; the built one unless told otherwise. */
  readonly file?: string | URL | undefined
  /** Workers on other machines instead; `shown` is how users know the file. */
  readonly cluster?: (Cluster & { readonly shown: string }) | undefined
}

/** A thread needs some tenth of a second to load a program, and as much until its code is fast. */
const usualAfter = 1_000

/** Why the search of a request is one thread's, however many were asked for; nothing if it is not. */
export function whyAlone(request: CheckRequest): string | undefined {
  const { shard, budget, sweep } = request
  if (shard !== undefined) return 'it explores one shard'
  if (budget.executions !== undefined) return 'a budget of executions counts them one by one'
  if (sweep !== undefined) return sweep.outOf === 1 ? 'there is one client' : undefined
  return whyWhole(request)
}

/** A search that has no parts has no shards. */
export function unshardable(request: CheckRequest): Diagnostic | undefined {
  const why = request.shard === undefined ? undefined : whyWhole(request)
  if (why === undefined) return undefined
  const splitting = engines.filter(({ weighs }) => weighs !== undefined).map(({ name }) => name)
  const others =
    request.sweep === undefined ? `, or choose an engine that gives parts away: ${splitting.join(', ')}` : ''
  return { code: 'E107', message: `this search has no shards: ${why}`, hint: `leave out --shard${others}` }
}

/** Why no part of the search can be given away. */
function whyWhole({ engine, sweep, rival, program }: CheckRequest): string | undefined {
  if (sweep !== undefined) return 'clients of a class are checked one after the other'
  if (rival !== undefined) return `engines "${engine.name}" and "${rival.engine.name}" take turns`
  if (engine.weighs === undefined) return `engine "${engine.name}" explores "${program.name}" in one piece`
  return undefined
}

interface Driving {
  readonly host: Host
  readonly threads?: Threads | undefined
}

export async function drive(
  request: CheckRequest,
  search: Search,
  watch: Watch,
  { host, threads }: Driving,
): Promise<Driven> {
  if (request.shard !== undefined) return await driveShard(search, watch, host, request.shard)
  if (threads?.cluster !== undefined) return await driveOver(request, search, { watch, host, threads })
  const crew = request.sweep === undefined ? crewFor(request, threads, request.workers - 1) : undefined
  if (crew === undefined) return await driveInline(search, watch, host)
  try {
    return await finished(await driveWithCrew(search, watch, host, crew), watch, crew, request)
  } finally {
    crew.dismiss()
  }
}

interface Scattering extends Driving {
  readonly watch: Watch
  readonly threads: Threads
}

async function driveOver(
  request: CheckRequest,
  search: Search,
  { watch, host, threads: { cluster, after: _, file: __, ...source } }: Scattering,
): Promise<Driven> {
  invariant(cluster !== undefined, 'only searches for workers are sent to them')
  const { shown, ...others } = cluster
  const carrier = await carrierOf({ request, source, shown, cluster: others })
  try {
    return await driveScattered(search, watch, host, carrier)
  } finally {
    await carrier.end()
  }
}

/** Why a search cannot be sent to other machines. */
export function unscattered(request: CheckRequest): Diagnostic | undefined {
  const why = whyAlone(request)
  if (why === undefined && request.sweep === undefined) return undefined
  const splitting = engines.filter(({ weighs }) => weighs !== undefined).map(({ name }) => name)
  return {
    code: 'E802',
    message: `this search has no parts for workers: ${why ?? 'clients of a class are checked one after the other'}`,
    hint: `use threads, --workers auto, or an engine that gives parts away: ${[...new Set(splitting)].join(', ')}`,
  }
}

/** Of a sweep. This thread waits for others while they explore, so that there are as many as were asked for. */
export function settingsAhead(
  request: CheckRequest,
  limits: Limits,
  threads: Threads | undefined,
): SettingsAhead | undefined {
  const { sweep, workers } = request
  const crew = sweep === undefined ? undefined : crewFor(request, threads, workers)
  return sweep && crew && new SettingsAhead(crew, sweep, limits)
}

function crewFor(request: CheckRequest, threads: Threads | undefined, size: number): ThreadCrew | undefined {
  if (threads === undefined || request.workers === 1 || whyAlone(request) !== undefined) return undefined
  const { after = usualAfter, file, ...source } = threads
  return new ThreadCrew(source, { size, after, file, search: searchText(request, source.digest) })
}

/** A search that ended claims something of what threads have called, too. */
async function finished(driven: Driven, watch: Watch, crew: ThreadCrew, request: CheckRequest): Promise<Driven> {
  const isAborted = (): boolean => watch.signal?.aborted === true
  const isOver = driven.because === 'exhausted'
  const wrong = isOver ? await crew.finish(watch.budget.milliseconds, isAborted) : undefined
  // What was met is told of searches that did not end, too.
  crew.tellWitness(request.witness)
  if (wrong === undefined) return driven
  return wrong === 'aborted'
    ? { ...driven, because: 'interrupt' }
    : { ...driven, because: 'diagnostic', diagnostic: wrong }
}
