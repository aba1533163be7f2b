/** The public API: explicit named exports, no logic. */

export type { Checkable, CheckOptions, FileOptions } from './check/check.ts'
export { CheckFailedError, check, checkResult } from './check/check.ts'
export type { Causes, ClientExecution, Counterexample, Evidence, Repair } from './core/evidence.ts'
export type { FaultBudget } from './core/faults.ts'
export type { Call, CallResult, History } from './core/history.ts'
export type { CompositeOperation, NetworkName, Notification, Operation } from './core/operation.ts'
export type { Params, Setting } from './core/setting.ts'
export type { Decision, Trace } from './core/trace.ts'
export type { Address, Value } from './core/value.ts'
export type { Counts, Scope, Verdict } from './core/verdict.ts'
export type {
  Invariant,
  Liveness,
  Machine,
  MachineContext,
  MachineMessage,
  MachineParts,
  MachineStart,
  ReceivedContext,
} from './model/machine.ts'
export { conflict, invariant, liveness, machine } from './model/machine.ts'
export type { ArgumentPool, LinearizableOptions } from './model/object.ts'
export { linearizable, resultOf } from './model/object.ts'
export type { PModel, PModelOptions } from './model/p-model.ts'
export { pModel } from './model/p-model.ts'
export type { Every } from './model/parameters.ts'
export { every, repeat, spawnAll } from './model/parameters.ts'
export type { From, Process, Receive, Received } from './model/process.ts'
export { announce, assert, assume, choose, join, poll, receive, self, send, spawn } from './model/process.ts'
export type { DeclaredParams, Outcome, ProgramOptions, PropertyDeclaration } from './model/program.ts'
export { final, monitor, program } from './model/program.ts'
export type { Atomic } from './model/shared/atomic.ts'
export { atomic } from './model/shared/atomic.ts'
export type { Barrier } from './model/shared/barrier.ts'
export { barrier } from './model/shared/barrier.ts'
export type { Channel } from './model/shared/channel.ts'
export { channel } from './model/shared/channel.ts'
export type { Mutex } from './model/shared/mutex.ts'
export { mutex } from './model/shared/mutex.ts'
export type { Oneshot } from './model/shared/oneshot.ts'
export { oneshot } from './model/shared/oneshot.ts'
export type { ReadWriteLock } from './model/shared/read-write-lock.ts'
export { readWriteLock } from './model/shared/read-write-lock.ts'
export type { Semaphore } from './model/shared/semaphore.ts'
export { semaphore } from './model/shared/semaphore.ts'
export type { Timer } from './model/shared/timer.ts'
export { timer } from './model/shared/timer.ts'
export type { SystemOptions, SystemParts } from './model/system.ts'
export { system } from './model/system.ts'
export type { Program } from './program/program.ts'
export type { BuiltInSpecificationName, Effect, SpecificationDefinition } from './program/specification.ts'
export type { HistoryOptions, HistoryVerdict } from './properties/linearizability/check-history.ts'
export { checkHistory } from './properties/linearizability/check-history.ts'
export type { Specification } from './properties/linearizability/specification.ts'
export { specification } from './properties/linearizability/specification.ts'
