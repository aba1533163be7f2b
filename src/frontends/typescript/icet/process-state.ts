/** What is known while the processes of a program are translated. */
import type { Place } from '../../../core/diagnostic.ts'
import type { Count, IcetProcess, Statement } from '../../../program/icet.ts'
import type { FunctionLike } from '../syntax.ts'
import type { Modules } from './modules.ts'

/** What all processes of a program share. */
export interface ProgramState {
  readonly modules: Modules
  readonly processes: ProcessState[]
  /** The least value of each parameter. */
  readonly least: ReadonlyMap<string, number>
  /** Bodies of processes that are being translated, each inside the one before. */
  readonly spawning: FunctionLike[]
  report(refusal: unknown): void
}

export interface ProcessState {
  readonly name: string
  readonly count: Count | undefined
  readonly daemon: boolean
  readonly spawnedAs: IcetProcess['spawnedAs']
  readonly place: Place
  readonly body: Statement[]
  /** Names of variables in use. */
  readonly taken: Set<string>
  /** Variables that are assigned more than once. */
  readonly mutable: Set<string>
  /** Variables whose objects are changed in place. */
  readonly changed: Set<string>
  /** Variables that hold whole messages. */
  readonly messages: Set<string>
  /** Variables that the source has a name for. */
  readonly named: Set<string>
}
