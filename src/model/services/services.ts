/** Stand-ins for services: models of what programs talk to, with all that such a service may do (`allways/services`). */

export type { Comparison, Where } from './database/conditions.ts'
export { Database, type DatabaseOptions, database } from './database/database.ts'
export { DatabaseError, type FailureReason } from './database/failures.ts'
export type { Isolation } from './database/statements.ts'
export type { TableRows, Transaction } from './database/transaction.ts'
