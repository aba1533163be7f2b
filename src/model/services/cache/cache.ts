/**
 * A cache: what was set may be gone at any moment. Nobody can notice the moment but by asking, so it is chosen then. An entry is evicted
 * as often as the program bounds it. One with a time to live expires, after those that were set before it for no longer.
 */
import type { CompositeOperation } from '../../../core/operation.ts'
import { checkNoMore, checkShape, needed, type Shapes, shapes, shown } from '../../../core/option-shape.ts'
import { mistake, running } from '../../../core/running.ts'
import { takingOnly } from '../../../core/taking-only.ts'
import { freezeValue } from '../../../core/value.ts'
import { describe } from '../../describe.ts'
import { choose, notAValue, self } from '../../process.ts'
import {
  asking,
  checkCount,
  created,
  Handle,
  nextRequest,
  type Request,
  reply,
  type Steps,
  withoutPlace,
} from '../../shared/protocol.ts'

export interface CacheOptions {
  /** How many entries may be evicted in one execution, each at any moment. */
  readonly evictions: number
  /** As reports call it. */
  readonly name?: string
}

const cacheShapes: Shapes<CacheOptions> = { evictions: needed(shapes.anything), name: shapes.text }

export interface Keeping {
  /** The entry expires after so many milliseconds, at any moment as far as others can tell. */
  readonly ttl?: number
}

const keepingShapes: Shapes<Keeping> = { ttl: shapes.count }

/** A handle: it may be an argument of a process, and a part of a message. */
export class Cache<in out Entry = unknown> extends Handle {
  /** What was set last, unless it is gone. */
  get(key: string): CompositeOperation<Entry | undefined> {
    checkKey('get', key)
    return asking(this, { kind: 'cache.get', key }, this.words)
  }

  /** Writes the entry, whether there is one or not. */
  set(key: string, entry: Entry, options: Keeping = {}): CompositeOperation<void> {
    const written = checkEntry('set', [key, entry], options)
    return asking(this, { kind: 'cache.set', ...written }, this.words)
  }

  /** Writes an entry that is not there, and tells whether it did. */
  add(key: string, entry: Entry, options: Keeping = {}): CompositeOperation<boolean> {
    const written = checkEntry('add', [key, entry], options)
    return asking(this, { kind: 'cache.add', ...written }, this.words)
  }

  /** Whether there was one. */
  delete(key: string): CompositeOperation<boolean> {
    checkKey('delete', key)
    return asking(this, { kind: 'cache.delete', key }, this.words)
  }

  private get words(): string {
    return `cache "${this.id}"`
  }
}

takingOnly(Cache, 'cache', { get: 'key', set: 'key, entry, options', add: 'key, entry, options', delete: 'key' })

/** Starts a cache that is empty. */
export function cache<Entry = unknown>(options: CacheOptions): CompositeOperation<Cache<Entry>>
export function cache(options: CacheOptions, ...extra: readonly unknown[]): CompositeOperation<Cache> {
  checkNoMore(extra, 'cache(options)')
  checkShape(options, cacheShapes, { of: 'cache(…)' })
  const { evictions, name = 'cache' } = options
  checkCount('the number of evictions', evictions, 0)
  return created<Cache, [number]>(Cache, name, serve, evictions)
}

interface Entry {
  readonly entry: unknown
  readonly ttl?: number
}

type CacheRequest = Request & Entry & { readonly key: string }

function* serve(evictions: number): Steps<void> {
  const { id } = yield* self()
  const bound = evictions === 0 ? 'evicts nothing' : `evicts at most ${evictions} of its entries, at any moment`
  running.assumed.push(
    `cache "${id}" ${bound}; an entry with a ttl expires at any moment, after those set before it for no longer`,
  )
  const entries = new Entries(evictions)
  for (;;) {
    const request = yield* nextRequest<CacheRequest>()
    const { kind, key, entry, ttl } = request
    const written = ttl === undefined ? { entry } : { entry, ttl }
    if (kind === 'cache.set') {
      entries.write(key, written)
      yield* reply(request, 'cache.written')
      continue
    }
    const found = yield* entries.look(key)
    if (kind === 'cache.get') yield* reply(request, 'cache.entry', found?.entry)
    else if (kind === 'cache.delete') {
      entries.delete(key)
      yield* reply(request, 'cache.deleted', found !== undefined)
    } else {
      if (found === undefined) entries.write(key, written)
      yield* reply(request, 'cache.added', found === undefined)
    }
  }
}

class Entries {
  #evictions: number
  /** In the order in which they were set. */
  readonly #entries = new Map<string, Entry>()

  constructor(evictions: number) {
    this.#evictions = evictions
  }

  write(key: string, written: Entry): void {
    this.#entries.delete(key)
    this.#entries.set(key, written)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** What is there, once it is settled whether it still is. */
  *look(key: string): Steps<Entry | undefined> {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    const older = this.#expiredBefore(key)
    const fates = ['there']
    if (found.ttl !== undefined) fates.push('expired')
    // Expired alone, it is as good as evicted.
    if (this.#evictions > 0 && (found.ttl === undefined || older.length > 0)) fates.push('evicted')
    const fate = fates.length === 1 ? 'there' : yield* withoutPlace(choose(fates))
    if (fate === 'there') return found
    if (fate === 'evicted') this.#evictions--
    else for (const one of older) this.#entries.delete(one)
    this.#entries.delete(key)
    return undefined
  }

  /** Those that were set before it, and not for longer. */
  #expiredBefore(key: string): readonly string[] {
    const all = [...this.#entries]
    const at = all.findIndex(([one]) => one === key)
    const { ttl = 0 } = this.#entries.get(key) ?? {}
    return all.slice(0, at).flatMap(([one, entry]) => (entry.ttl !== undefined && entry.ttl <= ttl ? [one] : []))
  }
}

function checkEntry(call: string, [key, entry]: readonly [unknown, unknown], options: Keeping): object {
  checkKey(call, key)
  checkShape(options, keepingShapes, { of: `${call}(…)` })
  if (entry === undefined)
    mistake({
      code: 'E220',
      message: `${call}(${shown(key)}, undefined) would look like no entry`,
      hint: 'delete the key, or set null',
    })
  const problem = freezeValue(entry)
  if (problem !== undefined) notAValue('the entry', problem)
  return { key, entry, ...(options.ttl === undefined ? {} : { ttl: options.ttl }) }
}

function checkKey(call: string, key: unknown): void {
  if (typeof key === 'string') return
  mistake({
    code: 'E220',
    message: `${call}() of a cache needs a key and got ${describe(key)}`,
    hint: typeof key === 'number' ? 'keys are texts: String(id)' : `write ${call}('user:1', …)`,
  })
}
