/** The public API: explicit named exports, no logic. */

export type { CheckOptions } from './check/check.ts'
export { CheckFailedError, check, checkResult } from './check/check.ts'
export type { NetworkName, Notification, Operation } from './core/operation.ts'
export type { Decision, Params, Trace } from './core/trace.ts'
export type { Value } from './core/value.ts'
export { Address } from './core/value.ts'
export type { Counterexample, Counts, Scope, Verdict } from './core/verdict.ts'
export type { Process, Receive, Received } from './model/process.ts'
export { announce, assert, assume, choose, join, poll, receive, self, send, spawn } from './model/process.ts'
export type { Outcome, ProgramOptions, PropertyDeclaration } from './model/program.ts'
export { final, monitor, program } from './model/program.ts'
export type { Program } from './program/program.ts'
