/**
 * The picture of an execution in text: one column per process, one row per step, messages as arrows between columns. No line
 * is wider than the page, whatever the names and values are.
 */
import type { Place } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import { grouped } from '../core/grouped.ts'
import { atOnce, forEachUnhurried, mappedUnhurried, type Unhurried } from '../core/unhurried.ts'
import { showValue } from '../core/value-text.ts'
import { Canvas } from './canvas.ts'
import { type Glyphs, glyphsFor, type Paint, plainPaint, type Style } from './paint.ts'
import { drawStep, type Sheet } from './picture-arrows.ts'
import { pictureLanes } from './picture-lanes.ts'
import { pictureLegend } from './picture-legend.ts'
import { type Picture, type PictureStep, type PictureSteps, pictureSteps, withRound } from './picture-steps.ts'
import { withRepeats } from './repeated-steps.ts'
import { clip, clipMiddle, pageWidth, printable, widthOf } from './text-width.ts'

export interface ColumnsOptions {
  readonly paint?: Paint | undefined
  readonly ascii?: boolean | undefined
  /** Explains the notation that occurs; on by default. */
  readonly legend?: boolean | undefined
  /** Where steps were asked for, printed beside the rows that leave room. */
  readonly places?: ReadonlyMap<Event, Place> | undefined
  /** Rows beyond this many are left out in the middle, which is said; 200 by default. */
  readonly maxRows?: number | undefined
}

interface Row {
  readonly number: string
  readonly canvas: Canvas
  readonly place: string
}

export function columns(picture: Picture, options: ColumnsOptions = {}): string {
  return atOnce(drawnColumns(picture, atOnce(pictureSteps(picture)), options))
}

/** The same, of steps that were made before. */
export function* drawnColumns(
  picture: Picture,
  { steps, hidden }: PictureSteps,
  options: ColumnsOptions,
): Unhurried<string> {
  const glyphs = glyphsFor(options.ascii ?? false)
  const paint = options.paint ?? plainPaint
  const gutter = 5 + (yield* widestNumber(steps, glyphs))
  const width = pageWidth - gutter
  const sheet: Sheet = { glyphs, lanes: yield* pictureLanes(picture, steps, width, glyphs), width }
  const places = yield* placeNotes(options.places ?? new Map(), glyphs)
  const shown = withRound(steps, picture, (words) => words)
  const rows = yield* mappedUnhurried(yield* elided(shown, sheet, options.maxRows ?? 200), (step) =>
    typeof step === 'string' ? step : stepRow(step, sheet, places(step.event)),
  )
  const lines = [header(sheet, gutter, paint), ...withPlaces([...rows, ...endRows(picture, sheet)], gutter, paint)]
  const legend = (options.legend ?? true) ? yield* pictureLegend(steps, hidden, sheet) : []
  return [...lines, ...legend.map((line) => paint.dim(line))].join('\n')
}

/** What repeats itself in a long execution once; then its beginning and its end, and the end, where it fails, gets more. */
function* elided(
  all: readonly (PictureStep | string)[],
  { glyphs }: Sheet,
  maxRows: number,
): Unhurried<readonly (PictureStep | string)[]> {
  if (all.length <= maxRows) return all
  const steps = yield* withRepeats(all, (words) => `${glyphs.ellipsis} ${words} ${glyphs.ellipsis}`)
  if (steps.length <= maxRows) return steps
  const before = Math.floor(maxRows / 4)
  const left = steps.length - maxRows
  const note = `${glyphs.ellipsis} ${grouped(left)} rows left out ${glyphs.ellipsis}`
  return [...steps.slice(0, before), note, ...steps.slice(before + left)]
}

function* widestNumber(steps: readonly PictureStep[], glyphs: Glyphs): Unhurried<number> {
  let widest = 1
  yield* forEachUnhurried(steps, (step) => {
    widest = Math.max(widest, widthOf(numberText(step, glyphs)))
  })
  return widest
}

function numberText({ first, last }: PictureStep, glyphs: Glyphs): string {
  if (first === undefined || last === undefined) return ''
  return first === last ? `${first}` : `${first}${glyphs.range}${last}`
}

function header(sheet: Sheet, gutter: number, paint: Paint): string {
  const canvas = new Canvas(sheet.width)
  for (const lane of sheet.lanes.list) canvas.put(lane.column, lane.title, 'bold')
  return (' '.repeat(gutter) + canvas.render(paint)).trimEnd()
}

function stepRow(step: PictureStep, sheet: Sheet, place: string): Row {
  const canvas = new Canvas(sheet.width)
  drawLifelines(canvas, sheet, step.position)
  drawStep(canvas, step, sheet)
  return { number: numberText(step, sheet.glyphs), canvas, place }
}

/** The line alone while everything lies in one file: the headline names it. */
function* placeNotes(places: ReadonlyMap<Event, Place>, glyphs: Glyphs): Unhurried<(event: Event) => string> {
  const files = new Set<string>()
  yield* forEachUnhurried([...places.values()], ({ file }) => void files.add(file))
  const isOneFile = files.size === 1
  return (event) => {
    const place = places.get(event)
    if (place === undefined) return ''
    const name = printable(place.file.split('/').at(-1) ?? '', glyphs.ascii)
    return isOneFile ? `line ${place.line}` : `${clipMiddle(name, 18, glyphs)}:${place.line}`
  }
}

function drawLifelines(canvas: Canvas, { lanes, glyphs }: Sheet, position: number): void {
  for (const lane of lanes.list) {
    if (lane.from <= position && position <= lane.until) canvas.put(lane.column, glyphs.lifeline, 'dim')
  }
}

/** What stands under the last step: who waits in a deadlock, what was returned when a final condition broke. */
function endRows(picture: Picture, sheet: Sheet): readonly Row[] {
  const { violation, processes } = picture
  const style: Style | undefined = violation?.kind === 'deadlock' ? 'red' : undefined
  const texts =
    violation?.kind === 'deadlock'
      ? (violation.waiting ?? []).map(({ process, forWhat }) => ({
          process,
          text: `${sheet.glyphs.bad} waits for ${forWhat}`,
        }))
      : violation?.kind === 'final'
        ? processes.flatMap(({ id, status, value }) =>
            status === 'returned' && value !== undefined
              ? [{ process: id, text: `returned ${showValue(value, 200)}` }]
              : [],
          )
        : []
  const rows: Row[] = []
  let free = sheet.width + 1
  for (const { process, text } of texts) {
    const shown = printable(text, sheet.glyphs.ascii)
    const lane = sheet.lanes.of.get(process)
    const column = lane?.column ?? 0
    // Side by side while columns do not overlap, else on a row of its own.
    if (rows.length === 0 || column < free || lane === undefined) {
      const canvas = new Canvas(sheet.width)
      drawLifelines(canvas, sheet, picture.events.length)
      rows.push({ number: '', canvas, place: '' })
    }
    const canvas = (rows.at(-1) as Row).canvas
    const named = lane === undefined ? `${printable(process, sheet.glyphs.ascii)} ${shown}` : shown
    free = canvas.put(canvas.put(column, clip(named, sheet.width - column, sheet.glyphs), style), ' ')
    if (lane === undefined) free = sheet.width + 1
  }
  return rows
}

/** Rows as lines, with the place of each step at the right where the row leaves room for it. */
function withPlaces(rows: readonly (Row | string)[], gutter: number, paint: Paint): readonly string[] {
  const drawn = rows.filter((row) => typeof row !== 'string')
  const placeWidth = Math.max(0, ...drawn.map(({ place }) => widthOf(place)))
  const widest = Math.max(0, ...drawn.map(({ canvas }) => canvas.used))
  const column = Math.min(widest + 3, pageWidth - gutter - placeWidth)
  return rows.map((row) => {
    if (typeof row === 'string') return ' '.repeat(gutter) + paint.dim(row)
    if (row.place !== '' && row.canvas.used + 2 <= column) row.canvas.put(column, row.place, 'dim')
    return `   ${paint.dim(row.number.padStart(gutter - 5))}  ${row.canvas.render(paint)}`.trimEnd()
  })
}
