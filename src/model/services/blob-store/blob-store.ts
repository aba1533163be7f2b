/**
 * A store of blobs, as S3 and its like: what was put is read by whoever reads after, and a put may depend on what is there. Keys are
 * listed as they are, or, if listing is eventual, from an index that learns of puts and deletions later: of each key in their order, at
 * any moment. Nobody can notice the moment but by listing, so it is chosen then.
 */
import { CompositeOperation } from '../../../core/operation.ts'
import { checkNoMore, checkShape, needed, oneOf, type Shapes, shapes } from '../../../core/option-shape.ts'
import { mistake, running } from '../../../core/running.ts'
import { takingOnly } from '../../../core/taking-only.ts'
import { encodeValue, freezeValue, type Value } from '../../../core/value.ts'
import { describe } from '../../describe.ts'
import { choose, notAValue, self } from '../../process.ts'
import {
  asking,
  created,
  Handle,
  nextRequest,
  type Request,
  reply,
  type Steps,
  withoutPlace,
} from '../../shared/protocol.ts'

const listings = ['consistent', 'eventual'] as const
const etagKinds = ['of content', 'of versions'] as const

export interface BlobStoreOptions {
  readonly listing: (typeof listings)[number]
  /** Whether equal bodies have equal etags, which is so unless told, or no two puts have. */
  readonly etags?: (typeof etagKinds)[number]
  /** As reports call it. */
  readonly name?: string
}

const storeShapes: Shapes<BlobStoreOptions> = {
  listing: needed(oneOf(...listings)),
  etags: oneOf(...etagKinds),
  name: shapes.text,
}

export interface Putting {
  /** Only if the blob that is there has this etag. */
  readonly ifMatch?: string
  /** `*`: only if there is none. */
  readonly ifNoneMatch?: '*'
}

const puttingShapes: Shapes<Putting> = { ifMatch: shapes.text, ifNoneMatch: oneOf('*') }

export interface Blob<Body> {
  readonly body: Body
  readonly etag: string
}

/** What is there is not what the put depends on; nothing was written. */
export class PreconditionFailed extends Error {
  override readonly name = 'PreconditionFailed'
  readonly status = 412
}

/** A handle: it may be an argument of a process, and a part of a message. */
export class BlobStore<in out Body = unknown> extends Handle {
  /** Writes the blob, or throws `PreconditionFailed`. */
  put(key: string, body: Body, options: Putting = {}): CompositeOperation<{ readonly etag: string }> {
    checkKey('put', key)
    checkShape(options, puttingShapes, { of: 'put(…)' })
    const problem = freezeValue(body)
    if (problem !== undefined) notAValue('the body', problem)
    const store = this
    return new CompositeOperation('blobStore.put', function* (): Steps<{ readonly etag: string }> {
      const etag = yield* asking<string | undefined>(store, { kind: 'blobs.put', key, body, ...options }, store.words)
      if (etag === undefined) throw new PreconditionFailed(`another blob is at ${key}, or none`)
      return { etag }
    })
  }

  /** The blob; `undefined` if there is none. */
  get(key: string): CompositeOperation<Blob<Body> | undefined> {
    checkKey('get', key)
    return asking(this, { kind: 'blobs.get', key }, this.words)
  }

  /** Whether there was one is not told. */
  delete(key: string): CompositeOperation<void> {
    checkKey('delete', key)
    return asking(this, { kind: 'blobs.delete', key }, this.words)
  }

  /** Keys that begin so, in order. */
  list(prefix = ''): CompositeOperation<readonly string[]> {
    checkKey('list', prefix)
    return asking(this, { kind: 'blobs.list', key: prefix }, this.words)
  }

  private get words(): string {
    return `blob store "${this.id}"`
  }
}

takingOnly(BlobStore, 'blobStore', { put: 'key, body, options', get: 'key', delete: 'key', list: 'prefix' })

/** Starts a blob store that is empty. */
export function blobStore<Body = unknown>(options: BlobStoreOptions): CompositeOperation<BlobStore<Body>>
export function blobStore(options: BlobStoreOptions, ...extra: readonly unknown[]): CompositeOperation<BlobStore> {
  checkNoMore(extra, 'blobStore(options)')
  checkShape(options, storeShapes, { of: 'blobStore(…)' })
  const { listing, etags = 'of content', name = 'blobs' } = options
  return created<BlobStore, [Parts]>(BlobStore, name, serve, { isLate: listing === 'eventual', etags })
}

interface Parts {
  readonly isLate: boolean
  readonly etags: (typeof etagKinds)[number]
}

type BlobRequest = Request & Putting & { readonly key: string; readonly body: Value }

function* serve({ isLate, etags }: Parts): Steps<void> {
  const { id } = yield* self()
  const listed = isLate ? 'lists keys from an index that learns of changes at any later moment' : 'lists what is there'
  running.assumed.push(
    `blob store "${id}" ${listed}; ${etags === 'of content' ? 'equal bodies have equal etags' : 'each put has an etag of its own'}`,
  )
  const blobs = new Map<string, Blob<Value>>()
  const etagOf = etags === 'of content' ? etagsOfContent() : etagsOfVersions()
  const index = new Index()
  for (;;) {
    const request = yield* nextRequest<BlobRequest>()
    const { kind, key, body, ifMatch, ifNoneMatch } = request
    const found = blobs.get(key)
    if (kind === 'blobs.get') yield* reply(request, 'blobs.blob', found)
    else if (kind === 'blobs.list') {
      const keys = isLate ? yield* index.keys(key) : [...blobs.keys()].filter((one) => one.startsWith(key))
      yield* reply(request, 'blobs.keys', [...keys].sort())
    } else if (kind === 'blobs.delete') {
      blobs.delete(key)
      index.changed(key, false)
      yield* reply(request, 'blobs.deleted')
    } else if (
      (ifMatch !== undefined && ifMatch !== found?.etag) ||
      (ifNoneMatch !== undefined && found !== undefined)
    ) {
      yield* reply(request, 'blobs.precondition.failed')
    } else {
      const etag = etagOf(body)
      blobs.set(key, { body, etag })
      index.changed(key, true)
      yield* reply(request, 'blobs.put', etag)
    }
  }
}

function etagsOfVersions(): () => string {
  let puts = 0
  return () => `v${++puts}`
}

/** By what is in them, as a hash would be that is never the same by chance. */
function etagsOfContent(): (body: Value) => string {
  const known = new Map<string, string>()
  return (body) => {
    const text = encodeValue(body)
    const etag = known.get(text) ?? `c${known.size + 1}`
    known.set(text, etag)
    return etag
  }
}

/** What is listed: of each key whether it is there as far as the index knows, and what has become of it since. */
class Index {
  readonly #known = new Set<string>()
  readonly #since = new Map<string, readonly boolean[]>()

  changed(key: string, isThere: boolean): void {
    const since = this.#since.get(key) ?? []
    const before = since.at(-1) ?? this.#known.has(key)
    if (before !== isThere) this.#since.set(key, [...since, isThere])
  }

  *keys(prefix: string): Steps<readonly string[]> {
    const late = [...this.#since.keys()].filter((key) => key.startsWith(prefix)).sort()
    for (const key of late) yield* this.#learn(key, this.#since.get(key) ?? [])
    return [...this.#known].filter((key) => key.startsWith(prefix))
  }

  /** How many of the changes it knows now. */
  *#learn(key: string, since: readonly boolean[]): Steps<void> {
    const count = yield* withoutPlace(choose([0, ...since.keys()].map((_, learnt) => learnt)))
    if (count === 0) return
    if (since[count - 1] === true) this.#known.add(key)
    else this.#known.delete(key)
    if (count === since.length) this.#since.delete(key)
    else this.#since.set(key, since.slice(count))
  }
}

function checkKey(call: string, key: unknown): void {
  if (typeof key === 'string') return
  mistake({
    code: 'E220',
    message: `${call}() of a blob store needs a key and got ${describe(key)}`,
    hint: typeof key === 'number' ? 'keys are texts: String(id)' : `write ${call}('reports/1', …)`,
  })
}
