/**
 * The columns of a picture: which processes get one, and how wide. Text may run over the columns to its right, so a narrow
 * column costs little, except the last one, which keeps a margin of its own.
 */
import { forEachUnhurried, type Unhurried } from '../core/unhurried.ts'
import type { Glyphs } from './paint.ts'
import type { Picture, PictureStep } from './picture-steps.ts'
import { clipMiddle, printable, widthOf } from './text-width.ts'

export interface Lane {
  readonly process: string
  /** The process's name, cut to the column. */
  readonly title: string
  readonly column: number
  readonly width: number
  /** Positions of the first and last event during which the process exists. */
  readonly from: number
  readonly until: number
}

export interface Lanes {
  readonly list: readonly Lane[]
  readonly of: ReadonlyMap<string, Lane>
  /** Processes for which there was no room; their steps are written out. */
  readonly without: readonly string[]
}

const narrowest = 7
const narrowestLast = 26
const widest = 48
const gap = 2

export function* pictureLanes(
  picture: Picture,
  steps: readonly PictureStep[],
  room: number,
  glyphs: Glyphs,
): Unhurried<Lanes> {
  const fitting = 1 + Math.max(0, Math.floor((room - narrowestLast) / narrowest))
  const candidates = yield* withColumn(picture, steps)
  const processes = candidates.slice(0, fitting)
  const names = processes.map((process) => printable(process, glyphs.ascii))
  const wished = yield* wishedWidths(
    new Map(processes.map((process, at) => [process, names[at] as string])),
    steps,
    glyphs,
  )
  const lives = yield* lifetimes(picture, steps)
  let column = 0
  const list = fittedWidths(wished, room).map((width, at) => {
    const process = processes[at] as string
    const { from, until } = lives(process)
    const lane = { process, title: clipMiddle(names[at] as string, width - 1, glyphs), column, width, from, until }
    column += width
    return lane
  })
  return { list, of: new Map(list.map((lane) => [lane.process, lane])), without: candidates.slice(fitting) }
}

/**
 * In the order of first appearance. Who only spawns and joins others gets no column: these steps are written as sentences.
 * Those that the violation is about come first when there are more than fit.
 */
function* withColumn(picture: Picture, steps: readonly PictureStep[]): Unhurried<readonly string[]> {
  const [appearing, acting] = [new Set<string>(), new Set<string>()]
  yield* forEachUnhurried(steps, (step) => {
    for (const process of mentioned(step)) appearing.add(process)
    if (step.kind !== 'spawn' && step.kind !== 'join') for (const process of acts(step)) acting.add(process)
  })
  const waiting = picture.violation?.waiting?.map(({ process }) => process) ?? []
  for (const process of waiting) appearing.add(process)
  const concerned = new Set([
    ...waiting,
    ...(picture.violation?.process === undefined ? [] : [picture.violation.process]),
  ])
  const shown = [...appearing].filter((process) => acting.has(process) || concerned.has(process))
  const found = shown.length === 0 ? [...appearing] : shown
  const isLate = found.findIndex((process) => concerned.has(process)) > 6
  return isLate
    ? [...found.filter((process) => concerned.has(process)), ...found.filter((process) => !concerned.has(process))]
    : found
}

function acts(step: PictureStep): readonly string[] {
  return step.kind === 'pass' ? [step.process, step.to] : [step.process]
}

function mentioned(step: PictureStep): readonly string[] {
  return step.kind === 'spawn' ? [step.process, ...step.children] : acts(step)
}

/** What each process's own steps would take. */
function* wishedWidths(
  names: ReadonlyMap<string, string>,
  steps: readonly PictureStep[],
  glyphs: Glyphs,
): Unhurried<readonly number[]> {
  const widths = new Map([...names].map(([process, name]) => [process, widthOf(name)]))
  yield* forEachUnhurried(steps, (step) => {
    const width = widths.get(step.process)
    // Nothing gets wider than the widest.
    if (width !== undefined && width < widest) widths.set(step.process, Math.max(width, stepWidth(step, glyphs)))
  })
  return [...widths.values()].map((width) => Math.min(width, widest) + gap)
}

function stepWidth(step: PictureStep, glyphs: Glyphs): number {
  const labelWidth = 'label' in step ? widthOf(printable(step.label, glyphs.ascii)) : 0
  switch (step.kind) {
    case 'send':
      return labelWidth + 4 + widthOf(printable(step.to, glyphs.ascii))
    case 'receive':
      return labelWidth + 5
    case 'pass':
      return labelWidth + 3
    case 'choose':
      return labelWidth
    case 'spawn':
      return Math.min(30, 7 + step.children.join(', ').length)
    case 'join':
      return 6 + step.target.length
    case 'timeout':
      return 13
    case 'stop':
      return 10
    case 'fail':
      return Math.min(30, step.violation.message.length + 2)
  }
}

/** The wished widths, the widest ones cut to one common width if they do not fit together. */
function fittedWidths(wished: readonly number[], room: number): readonly number[] {
  const last = wished.length - 1
  const capped = (cap: number) =>
    wished.map((width, at) => Math.min(width, at === last ? Math.max(cap, narrowestLast) : cap))
  for (let cap = widest + gap; cap > narrowest; cap--) {
    const widths = capped(cap)
    if (widths.reduce((sum, width) => sum + width, 0) <= room) return widths
  }
  return capped(narrowest)
}

/** A process exists from its spawn, or from the beginning if nobody spawned it, until its last event if it ended. */
function* lifetimes(
  picture: Picture,
  steps: readonly PictureStep[],
): Unhurried<(process: string) => { from: number; until: number }> {
  const births = new Map<string, number>()
  yield* forEachUnhurried(steps, (step) => {
    if (step.kind === 'spawn') for (const child of step.children) births.set(child, step.position + 1)
  })
  const ends = new Map<string, number>()
  yield* forEachUnhurried(picture.events, (event, position) => void ends.set(event.process, position))
  const ended = new Set(picture.processes.filter(({ status }) => status !== 'waiting').map(({ id }) => id))
  return (process) => ({
    from: births.get(process) ?? 0,
    until: ended.has(process) ? (ends.get(process) ?? -1) : Number.POSITIVE_INFINITY,
  })
}
