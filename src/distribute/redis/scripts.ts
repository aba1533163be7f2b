/**
 * What has to happen in Redis as one step. None of them brings a run back that is over. A script that Redis has no room for changes
 * nothing.
 */
import type { Redis } from './connection.ts'
import { type RunKeys, runMilliseconds, runsKey } from './run-keys.ts'

const day = String(runMilliseconds)

async function script(redis: Redis, text: string, keys: readonly string[], values: readonly (string | Buffer)[]) {
  return await redis.callBuffer('EVAL', text, keys.length, ...keys, ...values)
}

const begin = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[1])
redis.call('HSET', KEYS[1], 'manifest', ARGV[3], 'state', 'running')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
local now = redis.call('TIME')
redis.call('ZADD', KEYS[3], now[1], ARGV[2])
redis.call('PEXPIRE', KEYS[3], ARGV[1])
return 1`

/** Sealed units are added by their first record. */
export async function beginRun(
  redis: Redis,
  keys: RunKeys,
  { run, manifest, bundle }: { readonly run: string; readonly manifest: Buffer; readonly bundle: Buffer },
): Promise<void> {
  await script(redis, begin, [keys.run, keys.bundle, runsKey], [day, run, manifest, bundle])
}

const goOn = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'state', 'running')
local now = redis.call('TIME')
redis.call('ZADD', KEYS[2], 'NX', now[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return 1`

/** Workers find the run and take units of it, whatever the submitter that died had told them. */
export async function continueRun(redis: Redis, keys: RunKeys, run: string): Promise<void> {
  await script(redis, goOn, [keys.run, runsKey], [day, run])
}

const record = `
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
if ARGV[4] ~= '' then
  local unit = redis.call('HGET', KEYS[2], ARGV[2])
  if not unit or unit ~= ARGV[4] then return 0 end
end
if redis.call('HSETNX', KEYS[4], ARGV[2], ARGV[3]) == 0 then return 0 end
redis.call('RPUSH', KEYS[5], ARGV[2])
for at = 5, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1]) end
redis.call('HDEL', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[3], ARGV[2])
for at = 1, #KEYS do redis.call('PEXPIRE', KEYS[at], ARGV[1]) end
return 1`

interface Recorded {
  readonly id: string
  readonly sealed: Buffer
  /** Of what is left, sealed. */
  readonly children: readonly (readonly [id: string, sealed: Buffer])[]
  /** As it was taken: after a loss of power Redis may have another one of this id. Nothing if nobody was given it. */
  readonly unit: Buffer | undefined
}

/** The first record of a unit counts, and only as long as somebody needs it. */
export async function keepRecord(redis: Redis, keys: RunKeys, told: Recorded): Promise<'kept' | 'known' | 'over'> {
  const { run, units, starts, records, done, bundle } = keys
  const values = [day, told.id, told.sealed, told.unit ?? '', ...told.children.flat()]
  const kept = await script(redis, record, [run, units, starts, records, done, bundle], values)
  return kept === 1 ? 'kept' : kept === 0 ? 'known' : 'over'
}

const take = `
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local unit = redis.call('HGET', KEYS[2], ARGV[2])
if not unit then return false end
local starts = redis.call('HINCRBY', KEYS[3], ARGV[2], 1)
redis.call('PEXPIRE', KEYS[3], ARGV[1])
return { unit, starts }`

/** Nothing if the unit has a record, or nobody needs it. */
export async function takeUnit(
  redis: Redis,
  keys: RunKeys,
  id: string,
): Promise<{ readonly sealed: Buffer; readonly starts: number } | undefined> {
  const taken = (await script(redis, take, [keys.run, keys.units, keys.starts], [day, id])) as [Buffer, number] | null
  return taken === null ? undefined : { sealed: taken[0], starts: taken[1] }
}

const forget = `
local forged = {}
local units = redis.call('HKEYS', KEYS[1])
for _, id in ipairs(units) do
  if redis.call('HDEL', KEYS[2], id) == 1 then table.insert(forged, id) end
end
return { units, forged }`

/** Units without a record; what lies there as one beside the unit was made by nobody who took it, and is removed. */
export async function openUnits(redis: Redis, keys: RunKeys) {
  const answer = await script(redis, forget, [keys.units, keys.records], [])
  const [units, forged] = answer as [readonly Buffer[], readonly Buffer[]]
  return { units: units.map(String), forged: forged.map(String) }
}

const deadly = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('SADD', KEYS[2], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[2])
return 1`

export async function noteDeadly(redis: Redis, keys: RunKeys, id: string): Promise<void> {
  await script(redis, deadly, [keys.run, keys.deadly, keys.starts], [day, id])
}

const beat = `
if redis.call('EXISTS', KEYS[1]) == 0 then return { 'over', 0 } end
local now = redis.call('TIME')
redis.call('ZADD', KEYS[2], now[1] * 1000 + math.floor(now[2] / 1000), ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
local needed = 1
if ARGV[3] ~= '' then needed = redis.call('HEXISTS', KEYS[3], ARGV[3]) end
return { redis.call('HGET', KEYS[1], 'state'), needed }`

export type RunState = 'running' | 'leaving' | 'finishing' | 'over'

/** A worker is there, and hears whether the unit that it explores is still needed. */
export async function beatOf(redis: Redis, keys: RunKeys, worker: string, unit: string) {
  const answer = await script(redis, beat, [keys.run, keys.workers, keys.units], [day, worker, unit])
  const [state, needed] = answer as [Buffer, number]
  return { state: state.toString() as RunState, isNeeded: needed === 1 }
}

const say = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return 1`

interface Said {
  /** Where it is kept. */
  readonly key: string
  readonly worker: string
  readonly what: string | Buffer
}

/** What a worker has to say of a run, if there still is one. */
export async function sayIn(redis: Redis, keys: RunKeys, { key, worker, what }: Said) {
  await script(redis, say, [keys.run, key], [day, worker, what])
}

const claim = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

/** Whether a run is ours to collect, for so long. */
export async function claimRun(redis: Redis, keys: RunKeys, owner: string, milliseconds: number): Promise<boolean> {
  return (await script(redis, claim, [keys.submitter], [owner, String(milliseconds)])) === 1
}

const alive = `
local now = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now[1] * 1000 + math.floor(now[2] / 1000) - ARGV[1])
return redis.call('ZCARD', KEYS[1])`

/** How many workers were heard of within so many milliseconds. */
export async function workersAlive(redis: Redis, keys: RunKeys, within: number): Promise<number> {
  return (await script(redis, alive, [keys.workers], [String(within)])) as number
}
