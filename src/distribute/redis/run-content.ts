/** What is sealed in a run: of which form each is, and that it is of this run and this unit. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { WorkUnit } from '../../core/verdict.ts'
import type { UnitRecord } from '../carrier.ts'
import type { Seal } from './seal.ts'

export const runFormat = 'allways-run/1'

/** Which search it is and for whom; what is explored, and how, is told by whoever loads programs. */
export interface Manifest {
  readonly format: typeof runFormat
  /** Of allways, of Node, and the platform: elsewhere the same code may mean something else. */
  readonly versions: Versions
  readonly bundleDigest: string
  readonly search: unknown
}

export interface Versions {
  readonly allways: string
  readonly node: string
  readonly platform: string
  /** Language and time zone, if the program may depend on them. */
  readonly locale?: string | undefined
}

export class RunContent {
  readonly #seal: Seal
  readonly #run: string

  constructor(seal: Seal, run: string) {
    this.#seal = seal
    this.#run = run
  }

  manifest = {
    sealed: (manifest: Manifest): Buffer => this.#seal.sealed(`manifest ${this.#run}`, manifest),
    opened: (sealed: Buffer): Manifest | undefined => this.#opened(`manifest ${this.#run}`, sealed),
  }

  unit = {
    sealed: (id: string, units: readonly WorkUnit[]): Buffer => this.#seal.sealed(`unit ${this.#run} ${id}`, units),
    opened: (id: string, sealed: Buffer): readonly WorkUnit[] | undefined =>
      this.#opened(`unit ${this.#run} ${id}`, sealed),
  }

  record = {
    sealed: (record: UnitRecord): Buffer => this.#seal.sealed(`record ${this.#run} ${record.id}`, record),
    opened: (id: string, sealed: Buffer): UnitRecord | undefined => this.#opened(`record ${this.#run} ${id}`, sealed),
  }

  finished = {
    sealed: (worker: string, wrong: Diagnostic | undefined): Buffer =>
      this.#seal.sealed(`finished ${this.#run} ${worker}`, { wrong }),
    opened: (worker: string, sealed: Buffer): { readonly wrong: Diagnostic | undefined } | undefined =>
      this.#opened(`finished ${this.#run} ${worker}`, sealed),
  }

  #opened<Content>(label: string, sealed: Buffer): Content | undefined {
    return this.#seal.opened(label, sealed)?.content as Content | undefined
  }
}
