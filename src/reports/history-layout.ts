/**
 * Columns for the calls of a history. Every call, point and return has a column of its own, in the order of time; texts
 * widen the distances as far as their own lane needs it. What is too wide goes on in a further band, as staves of music
 * do.
 */
import type { HistoryWindow, PictureCall, PictureMoment } from './history-picture.ts'

/** The part of a call that lies in one band. */
export interface Segment {
  readonly call: PictureCall
  /** Columns of its two ends. */
  readonly from: number
  readonly to: number
  /** Whether the call begins at `from` and ends at `to`, or goes on in the bands beside this one. */
  readonly begins: boolean
  readonly ends: boolean
  /** Where its mark stands. */
  readonly point: number | undefined
}

export interface Band {
  readonly segments: readonly Segment[]
  /** Columns in use, without the results after the last returns. */
  readonly width: number
}

export interface Measures {
  /** Columns of a band. */
  readonly width: number
  readonly label: (call: PictureCall) => number
  /** What stands after the end of the call, with the space before it. */
  readonly result: (call: PictureCall) => number
  readonly mark: (call: PictureCall) => number
}

/** Columns before and after the label: '├─ push(1) '. */
export const labelStart = 3
const labelEnd = 1

export function historyBands({ moments }: HistoryWindow, measures: Measures): readonly Band[] {
  const layout = new Layout(measures)
  for (const moment of moments) layout.add(moment)
  return layout.end()
}

interface OpenSegment {
  readonly call: PictureCall
  readonly from: number
  readonly begins: boolean
  point: number | undefined
}

class Layout {
  readonly #measures: Measures
  readonly #bands: Band[] = []
  #segments: Segment[] = []
  readonly #open = new Map<string, OpenSegment>()
  /** First column of each lane that is free. */
  readonly #free = new Map<string, number>()
  /** Column of the last moment, and whether the band has one. */
  #last = -1
  #isFresh = true

  constructor(measures: Measures) {
    this.#measures = measures
  }

  add(moment: PictureMoment): void {
    if (!this.#isFresh && this.#column(moment) + this.#needed(moment) > this.#measures.width) this.#nextBand()
    const column = this.#column(moment)
    this.#place(moment, column)
    this.#isFresh = false
  }

  end(): readonly Band[] {
    this.#closeBand()
    return this.#bands
  }

  #column({ kind, call }: PictureMoment): number {
    const free = this.#free.get(call.call.process) ?? 0
    return Math.max(this.#last + 1, kind === 'invoke' ? free : free + 1)
  }

  /** Columns from that of the moment to the end of what is drawn for it. */
  #needed({ kind, call }: PictureMoment): number {
    const { label, mark, result } = this.#measures
    if (kind === 'invoke') return labelStart + label(call) + labelEnd + 2
    return kind === 'point' ? mark(call) + 2 : 1 + result(call)
  }

  #place({ kind, call }: PictureMoment, column: number): void {
    const { process } = call.call
    const { mark, result } = this.#measures
    this.#last = column
    if (kind === 'invoke') return this.#begin(call, column, true)
    const open = this.#open.get(process)
    if (open === undefined) return
    if (kind === 'point') {
      open.point = column
      this.#last = column + mark(call) - 1
      this.#free.set(process, column + mark(call))
      return
    }
    this.#segments.push({ ...open, to: column, ends: true })
    this.#open.delete(process)
    this.#free.set(process, column + 1 + result(call) + 2)
  }

  #begin(call: PictureCall, from: number, begins: boolean): void {
    const { process } = call.call
    this.#open.set(process, { call, from, begins, point: undefined })
    this.#free.set(process, from + labelStart + this.#measures.label(call) + labelEnd)
  }

  #nextBand(): void {
    const open = [...this.#open.values()].map(({ call }) => call)
    this.#closeBand()
    this.#free.clear()
    this.#last = 0
    this.#isFresh = true
    for (const call of open) this.#begin(call, 0, false)
  }

  #closeBand(): void {
    // Never shorter than the labels and marks of the calls that go on.
    const ends = [...this.#open.keys()].map((process) => (this.#free.get(process) ?? 0) + 1)
    const to = Math.max(this.#last + 1, ...ends)
    for (const open of this.#open.values()) this.#segments.push({ ...open, to, ends: false })
    this.#bands.push({ segments: this.#segments, width: to + 1 })
    this.#segments = []
    this.#open.clear()
  }
}
