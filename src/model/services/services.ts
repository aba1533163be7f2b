/** Stand-ins for services: models of what programs talk to, with all that such a service may do (`allways/services`). */

export {
  type Blob,
  BlobStore,
  type BlobStoreOptions,
  blobStore,
  PreconditionFailed,
  type Putting,
} from './blob-store/blob-store.ts'
export { Cache, type CacheOptions, cache, type Keeping } from './cache/cache.ts'
export { Cron, type CronJob, type CronOptions, cron } from './cron/cron.ts'
export type { Comparison, Where } from './database/conditions.ts'
export { Database, type DatabaseOptions, database } from './database/database.ts'
export { DatabaseError, type FailureReason } from './database/failures.ts'
export type { Isolation } from './database/statements.ts'
export type { TableRows, Transaction } from './database/transaction.ts'
export {
  Endpoint,
  type HttpAsking,
  type HttpHandler,
  type HttpOptions,
  type HttpRequest,
  type HttpResponse,
  HttpTimeout,
  http,
} from './http/http.ts'
export { type Delivered, type Delivery, Queue, type QueueOptions, queue } from './queue/queue.ts'
export { type StandInModule, standIn } from './stand-in.ts'
