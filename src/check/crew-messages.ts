/** What a thread of a crew is told, and what it tells: plain data. */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { WorkUnit } from '../core/verdict.ts'
import type { Known } from '../core/witness.ts'
import type { Asked, Report } from '../distribute/crew.ts'
import type { KnownCoverage } from '../semantics/ir/coverage.ts'
import type { Bundle } from './load-bundle.ts'
import type { ProgramName } from './load-named.ts'
import type { CheckOptions, CheckRequest } from './request.ts'
import { settingToJson } from './setting-json.ts'

/** The program by what leads to it, and what is asked about it. */
export interface CrewSource {
  readonly path: string
  readonly program: ProgramName
  readonly exportName: string
  /** How P is read. */
  readonly legacy: boolean
  /** Of the sources, so that nobody explores another program. */
  readonly digest: string
  readonly options: Omit<CheckOptions, 'signal'>
  /** Of a program from another machine: what was loaded there from the path, and how the file is called. */
  readonly carried?: { readonly bundle: Bundle; readonly shown: string } | undefined
}

export interface CrewData extends CrewSource {
  readonly kind: 'crew'
  readonly member: number
  /** What the search is, to be the same everywhere. */
  readonly search: string
  /** Of all members: what each is asked, and what it has explored of its part. */
  readonly asked: Int32Array<SharedArrayBuffer>
  readonly explored: Float64Array<SharedArrayBuffer>
}

export const askedNumbers: { readonly [what in Asked]: number } = { share: 1, surrender: 2, drop: 3 }

export type ToMember =
  | { readonly kind: 'explore'; readonly part: number; readonly units: readonly WorkUnit[] }
  /** The search is over. */
  | { readonly kind: 'finish'; readonly milliseconds: number | undefined }

/** What never happened, as far as a thread knows. */
export interface Seen {
  readonly witness: Known
  readonly coverage: KnownCoverage | undefined
}

export type FromMember =
  | Report
  | { readonly kind: 'ready' }
  /** It has another search than we have, or none, or failed in it. */
  | { readonly kind: 'unfit' }
  /** Before it says that a part has ended. */
  | { readonly kind: 'seen'; readonly seen: Seen }
  /** Nothing is wrong with the program, or this. */
  | { readonly kind: 'finished'; readonly diagnostic: Diagnostic | undefined }

/** Equal for equal searches of equal programs. */
export function searchText(request: CheckRequest, digest: string): string {
  return JSON.stringify([settingsText(request), digest])
}

/** Equal for searches of programs that are set up alike. */
export function settingsText({ engine, options, setting, keepGoing }: CheckRequest): string {
  return JSON.stringify([engine.name, engine.needs, options, settingToJson(setting), keepGoing])
}
