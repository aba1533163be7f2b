/** A search that is sent to workers over Redis: what they are told of it, and who goes on when its submitter died. */
import { extname } from 'node:path'
import { platform, versions as running } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { type Diagnostic, DiagnosticError, failure, orThrow, type Result, success } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { Rest } from '../../core/verdict.ts'
import type { Carrier } from '../../distribute/carrier.ts'
import type { AwayLimits } from '../../distribute/redis/absence.ts'
import { connected, type Redis, unreachable, whyFailed } from '../../distribute/redis/connection.ts'
import { type Manifest, RunContent, runFormat, type Versions } from '../../distribute/redis/run-content.ts'
import { keysOf } from '../../distribute/redis/run-keys.ts'
import { claimRun, continueRun } from '../../distribute/redis/scripts.ts'
import { Seal } from '../../distribute/redis/seal.ts'
import {
  claimMilliseconds,
  collectedElsewhere,
  goneRun,
  type RunNote,
  SubmittedRun,
} from '../../distribute/redis/submitted-run.ts'
import type { RedisUrl } from '../../distribute/redis/url.ts'
import { type CrewSource, searchText } from '../crew-messages.ts'
import type { CheckRequest } from '../request.ts'
import { sourceExtensions } from '../source-extensions.ts'
import { version } from '../version.ts'
import type { TravellingBundle } from './portable-bundle.ts'
import { cannotTravel, elsewhere, localeHere } from './travel.ts'

/** Where workers take from, and what they and we share. */
export interface Cluster extends AwayLimits {
  readonly url: RedisUrl
  readonly key: Buffer
  readonly run: string
  /** Somebody began the run, and does not go on. */
  readonly isBegun: boolean
  /** Milliseconds that are searched here first. */
  readonly after?: number | undefined
  readonly note: (note: RunNote) => void
  /** What another command needs to go on: the search as a checkpoint says it, and where it lay. */
  readonly saved: unknown
  /** Writes down what is left, and says how so many units with which it begins are explored alone, without workers. */
  readonly alone: (rest: Rest, units: number) => string
  readonly goOn: string
}

/** What workers are told of a search. */
export interface Sent {
  readonly source: CrewSource
  readonly shown: string
  /** See `CrewData`. */
  readonly text: string
  readonly engine: { readonly name: string; readonly needs: string; readonly options: CheckRequest['options'] }
  readonly saved: unknown
}

/** A search takes a second here before it is worth to be sent. */
const usualAfter = 1_000

function versionsHere(): Versions {
  return { allways: version(), node: running.node, platform }
}

/** Why the program stays here, whatever it does. */
export function unsendable(path: string, shown: string, digest: string): Diagnostic | undefined {
  if (!sourceExtensions.includes(extname(path)))
    return cannotTravel(shown, 'only programs in TypeScript and JavaScript can', elsewhere)
  if (digest.includes('+')) return cannotTravel(shown, 'it names programs in P, which lie in other files', elsewhere)
  return undefined
}

interface Sending {
  readonly request: CheckRequest
  readonly source: CrewSource
  readonly shown: string
  readonly cluster: Cluster
}

/** The program can be sent, and Redis is there, before anything is explored. */
export async function carrierOf({ request, source, shown, cluster }: Sending): Promise<Carrier> {
  const { url, key, run, isBegun, after = usualAfter, away, grace, note, goOn, saved } = cluster
  const bundle = isBegun ? undefined : orThrow(await bundleOf(source, shown))
  const redis = orThrow(await connected(url, { up: 'soon' }))
  const content = new RunContent(new Seal(key), run)
  if (isBegun) await goesOn(redis, run)
  const { signal: _, ...options } = source.options as CheckRequest & CrewSource['options']
  const { engine } = request
  const sent: Sent = {
    source: { ...source, options },
    shown,
    text: searchText(request, source.digest),
    engine: { name: engine.name, needs: engine.needs, options: request.options },
    saved,
  }
  return new SubmittedRun({
    ...{ run, redis, url, content, after, away, grace, isBegun, goOn, note },
    signal: request.signal,
    prepare: () => {
      invariant(bundle !== undefined, 'a run that goes on is not begun again')
      const { digest, locale, bytes } = bundle
      const versions: Versions = { ...versionsHere(), locale }
      return { manifest: { format: runFormat, versions, bundleDigest: digest, search: sent }, bundle: bytes }
    },
    seen: () => request.witness.known(),
    heard: (seen) => request.witness.add(seen),
    deadly: (id, units, rest) => deadlyUnit(id, request.program.name, cluster.alone(rest, units)),
  })
}

async function bundleOf({ path, digest }: CrewSource, shown: string): Promise<Result<TravellingBundle>> {
  const { travelling } = await import('./portable-bundle.ts')
  return await travelling(path, shown, digest)
}

/** Who died has let go after some seconds. */
async function goesOn(redis: Redis, run: string): Promise<void> {
  const keys = keysOf(run)
  const until = Date.now() + claimMilliseconds * 1.5
  const owner = `${process.pid}`
  while (!(await claimRun(redis, keys, owner, 1_000))) {
    if (Date.now() > until) {
      redis.disconnect()
      throw new DiagnosticError(collectedElsewhere(run))
    }
    await delay(claimMilliseconds / 20)
  }
  await redis.del(keys.submitter, keys.finished, keys.deadly, keys.starts)
  await continueRun(redis, keys, run)
}

function deadlyUnit(id: string, program: string, command: string): Diagnostic {
  return {
    code: 'E805',
    message: `unit ${id} of "${program}" ended each of three workers that explored it`,
    hint: `it may need more memory, or one of its executions ends the process; explore it here, and nothing else: ${command}`,
  }
}

/** What the submitter of a run that is there saved. */
export async function savedIn(url: RedisUrl, key: Buffer, run: string): Promise<Result<unknown>> {
  const redis = await connected(url, { up: 'soon' })
  if (!redis.ok) return redis
  try {
    const sealed = await redis.value.hgetBuffer(keysOf(run).run, 'manifest')
    if (sealed === null) return failure(goneRun(run))
    const manifest = new RunContent(new Seal(key), run).manifest.opened(sealed)
    if (manifest === undefined) return failure(otherKey(run))
    const unfit = otherVersions(manifest, run)
    return unfit === undefined ? success((manifest.search as Sent).saved) : failure(unfit)
  } catch (error) {
    return failure(unreachable(url, whyFailed(error)))
  } finally {
    redis.value.disconnect()
  }
}

export function otherKey(run: string): Diagnostic {
  return {
    code: 'E803',
    message: `${run} was not made with the key that is used here`,
    hint: 'workers and those who submit searches share one key: give both the same --key-file',
  }
}

export function otherVersions({ format, versions }: Manifest, run: string): Diagnostic | undefined {
  const here = versionsHere()
  const said = ({ allways, node, platform: on }: Versions): string => `allways ${allways} on Node ${node}, ${on}`
  if (format === runFormat && said(versions) === said(here)) {
    if (versions.locale === undefined || versions.locale === localeHere()) return undefined
    return {
      code: 'E803',
      message: `${run} knows dates, or the order of letters, as in "${versions.locale}", and this is "${localeHere()}"`,
      hint: 'the same code means something else here: start it with the same TZ and LC_ALL in the environment',
    }
  }
  return {
    code: 'E803',
    message: `${run} was submitted by ${said(versions)}${format === runFormat ? '' : ` (${format})`}, and this is ${said(here)}`,
    hint: 'the same code may mean something else: use one version of each everywhere',
  }
}
