/**
 * Cuts a search into pieces, in the order of one thread: first all of it, then always the heaviest piece, by what its engine is asked to
 * give away. To give something away an engine has to explore a little: what it explored is a piece, too. No clock and no chance has a part in
 * it, so that everybody who cuts a search as often has the same pieces.
 */
import { createHash } from 'node:crypto'
import { DiagnosticError } from '../core/diagnostic.ts'
import { invariant } from '../core/invariant.ts'
import { violationKey } from '../core/property.ts'
import type { WorkUnit } from '../core/verdict.ts'
import type { Audits } from './audits.ts'
import { type Driven, type Host, isBudget, type Search, type Watch } from './driver.ts'
import { InlineDrive } from './inline.ts'

/** Pieces of each shard are many, so that their sizes, which are estimated, are right on the average; and not so many that cutting takes long. */
const piecesPerShard = 16
const cutsPerShard = 16

/** To be explored, or explored while something was cut. */
export interface Piece {
  readonly weight: number
  /** Undefined is the whole search. */
  readonly units: readonly WorkUnit[] | undefined
  readonly driven?: Driven | undefined
}

/** Time stands still for whoever must not depend on it. */
const timeless: Host = { now: () => 0, memory: () => 0, pause: async () => undefined }

export class Cutting {
  readonly pieces: Piece[] = [{ weight: 1, units: undefined }]
  readonly #search: Search
  readonly #keepGoing: boolean
  readonly #audits: Audits
  readonly #enough: number
  #cuts: number

  constructor(search: Search, { keepGoing }: Pick<Watch, 'keepGoing'>, audits: Audits, shards: number) {
    this.#search = search
    this.#keepGoing = keepGoing
    this.#audits = audits
    this.#enough = 1 / (shards * piecesPerShard)
    this.#cuts = shards * cutsPerShard
  }

  /** Cuts the heaviest piece; false if all are small enough. */
  step(): boolean {
    let heaviest: number | undefined
    let most = this.#enough
    for (const [at, { weight, driven }] of this.pieces.entries())
      if (driven === undefined && weight > most) [heaviest, most] = [at, weight]
    if (heaviest === undefined || this.#cuts-- <= 0) return false
    const piece = this.pieces[heaviest]
    invariant(piece !== undefined && piece.driven === undefined, 'what is cut has not been explored')
    const { driven, left } = this.#cut(piece.units)
    const explored = { weight: driven.explored, units: [], driven }
    const isLast = driven.because === 'violation' || driven.because === 'diagnostic'
    // One thread would explore nothing behind it.
    if (isLast) this.pieces.splice(heaviest, this.pieces.length, explored)
    else this.pieces.splice(heaviest, 1, explored, ...left.map((unit) => this.#piece(unit)))
    return true
  }

  /** Lets the engine give something away, and then leave the rest. */
  #cut(units: readonly WorkUnit[] | undefined): { readonly driven: Driven; readonly left: readonly WorkUnit[] } {
    const given: (readonly WorkUnit[])[] = []
    let looks = 0
    const sharing = {
      isAsked: () => looks++ === 0,
      given: (some: readonly WorkUnit[]) => void given.unshift(some),
      explored: () => undefined,
    }
    const signal = {
      get aborted() {
        return looks > 0
      },
    }
    const search = { ...this.#search, units }
    const watch: Watch = { budget: {}, keepGoing: this.#keepGoing, signal, sharing }
    const drive = new InlineDrive(search, watch, timeless, this.#audits)
    while (!drive.slice({ milliseconds: 1 }));
    const driven = drive.result()
    const left = [...driven.remaining, ...given.flat()]
    if (isBudget(driven.because) && left.length === 0) throw new DiagnosticError(uncut(this.#search))
    return { driven: { ...driven, remaining: [] }, left }
  }

  #piece(unit: WorkUnit): Piece {
    const { engine, options } = this.#search
    invariant(engine.weighs !== undefined, 'an engine whose search is cut says how large its units are')
    return { weight: engine.weighs(unit, options), units: [unit] }
  }

  /** See `ShardAccount`. */
  text(): string {
    const hash = createHash('sha256')
    for (const { units, driven } of this.pieces) {
      const found = driven?.found.map(({ violation, decisions }) => [violationKey(violation), decisions])
      hash.update(JSON.stringify([units ?? null, driven?.counts ?? null, found ?? null]))
    }
    return hash.digest('hex').slice(0, 16)
  }
}

function uncut({ engine }: Search) {
  return {
    code: 'E107' as const,
    message: `engine "${engine.name}" cannot write down the parts of this search, so there are no shards of it`,
    hint: 'leave out --shard',
  }
}

/** The pieces of each shard by their places: the heaviest first, always to the shard that has least so far. */
export function dealt(pieces: readonly Piece[], shards: number): readonly (readonly number[])[] {
  const hands = Array.from({ length: shards }, () => ({ weight: 0, places: [] as number[] }))
  const places = [...pieces.keys()].sort(
    (left, right) => weightAt(pieces, right) - weightAt(pieces, left) || left - right,
  )
  for (const place of places) {
    const least = hands.reduce((one, other) => (other.weight < one.weight ? other : one))
    least.weight += weightAt(pieces, place)
    least.places.push(place)
  }
  return hands.map((hand) => hand.places.sort((left, right) => left - right))
}

function weightAt(pieces: readonly Piece[], place: number): number {
  return (pieces[place] as Piece).weight
}
