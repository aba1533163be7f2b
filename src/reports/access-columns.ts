/**
 * An execution of an object in text: one column per process, one row per access with its line of source and what it
 * read or wrote, an arrow where another process takes over. At most 100 columns.
 */
import { Canvas } from './canvas.ts'
import { counted } from './count-words.ts'
import { sortedNames } from './history-picture.ts'
import { type Glyphs, glyphsFor, type Paint, plainPaint } from './paint.ts'
import { clip, clipMiddle, pageWidth, printable, widthOf } from './text-width.ts'

export type AccessStep =
  /** The process calls an operation of the object: 'push(1)'. */
  | { readonly kind: 'call'; readonly process: string; readonly what: string }
  | {
      readonly kind: 'access'
      readonly process: string
      readonly file: string
      readonly line: number
      /** The text of the line. */
      readonly code: string
      /** 'reads items[1] → 2' */
      readonly what: string
    }
  /** The call returned: 'returns 2'. `isBad` if this is what cannot be explained. */
  | { readonly kind: 'return'; readonly process: string; readonly what: string; readonly isBad?: boolean | undefined }
  /** No step: the execution ends, and the call waits for ever. */
  | { readonly kind: 'wait'; readonly process: string; readonly what: string }

export interface AccessColumnsOptions {
  readonly paint?: Paint | undefined
  readonly ascii?: boolean | undefined
  /** Beyond this many rows, long runs of one process are shortened, then the middle is left out; 40 by default. */
  readonly maxRows?: number | undefined
}

export function accessColumns(steps: readonly AccessStep[], options: AccessColumnsOptions = {}): string {
  const page = pageOf(steps, options)
  const rows = fitting(rowsOf(steps), options.maxRows ?? 40)
  return [header(page), ...rows.map((row) => rowText(row, page))].join('\n')
}

type Row = RowContent & {
  /** Processes in the middle of a call. */
  readonly calling: ReadonlySet<string>
}

type RowContent =
  | { readonly kind: 'step'; readonly step: AccessStep; readonly number: number }
  /** Another process takes over. */
  | { readonly kind: 'switch'; readonly from: string; readonly to: string }
  /** Steps of one process that are not shown. */
  | { readonly kind: 'more'; readonly process: string; readonly count: number }
  /** Steps of any process that are not shown. */
  | { readonly kind: 'gap'; readonly count: number }

function rowsOf(steps: readonly AccessStep[]): readonly Row[] {
  let calling: ReadonlySet<string> = new Set()
  return steps.flatMap((step, at): readonly Row[] => {
    const from = steps[at - 1]?.process
    const isSwitch = from !== undefined && from !== step.process && step.kind !== 'wait'
    const between: readonly Row[] = isSwitch ? [{ kind: 'switch', from, to: step.process, calling }] : []
    const others = [...calling].filter((process) => process !== step.process)
    calling = new Set(step.kind === 'return' || step.kind === 'wait' ? others : [...others, step.process])
    return [...between, { kind: 'step', step, number: at + 1, calling }]
  })
}

/** Rows, the longest runs of accesses shortened until they fit; if that is not enough, without those in the middle. */
function fitting(rows: readonly Row[], maxRows: number): readonly Row[] {
  let shown = rows
  while (shown.length > maxRows) {
    const run = longestRun(shown)
    if (run === undefined) return withoutMiddle(shown, maxRows)
    const needed = shown.length - maxRows + 1
    const count = Math.min(needed, run.length - runEnds)
    const { process, calling } = run
    shown = [
      ...shown.slice(0, run.first + 1),
      { kind: 'more', process, count, calling },
      ...shown.slice(run.first + 1 + count),
    ]
  }
  return shown
}

/** What stays of a run: its first step and its last two, where it is about to be interrupted. */
const runEnds = 3

interface Run {
  readonly first: number
  readonly length: number
  readonly process: string
  readonly calling: ReadonlySet<string>
}

/** Consecutive accesses of one process of which at least two can be left out. */
function longestRun(rows: readonly Row[]): Run | undefined {
  let best: Run | undefined
  let current: Run | undefined
  for (const [at, row] of rows.entries()) {
    if (row.kind !== 'step' || row.step.kind !== 'access') {
      current = undefined
      continue
    }
    current =
      current === undefined
        ? { first: at, length: 1, process: row.step.process, calling: row.calling }
        : { ...current, length: current.length + 1 }
    if (current.length >= runEnds + 2 && current.length > (best?.length ?? 0)) best = current
  }
  return best
}

/** The end, where the execution fails, gets more room than the beginning. */
function withoutMiddle(rows: readonly Row[], maxRows: number): readonly Row[] {
  const before = Math.floor(maxRows / 4)
  const count = rows.length - maxRows + 1
  const left = rows.slice(before, before + count)
  const steps = left.reduce((sum, row) => sum + (row.kind === 'step' ? 1 : row.kind === 'more' ? row.count : 0), 0)
  return [...rows.slice(0, before), { kind: 'gap', count: steps, calling: new Set() }, ...rows.slice(before + count)]
}

interface Page {
  readonly paint: Paint
  readonly glyphs: Glyphs
  readonly numberWidth: number
  /** The only file, named in the header; otherwise every row names its own. */
  readonly file: string | undefined
  readonly placeWidth: number
  readonly width: number
  /** First columns of processes. */
  readonly lanes: ReadonlyMap<string, number>
  readonly laneWidth: number
  /** First column of what accesses read and wrote. */
  readonly whatColumn: number
}

/** Columns for what was read or written, unless there is more room. */
const widestWhat = 40
const narrowLane = 8
/** Of the code, where there is any. */
const leastCode = 8

function pageOf(steps: readonly AccessStep[], { paint = plainPaint, ascii = false }: AccessColumnsOptions): Page {
  const glyphs = glyphsFor(ascii)
  const accesses = steps.filter((step) => step.kind === 'access')
  const files = [...new Set(accesses.map(({ file }) => file))]
  const file = files.length === 1 ? files[0] : undefined
  const places = accesses.map((step) => widthOf(placeText(step, file, glyphs)))
  const title = file === undefined ? 0 : widthOf(fileText(file, glyphs))
  const placeWidth = Math.max(title, ...places)
  const numberWidth = String(steps.length).length
  const width = pageWidth - 3 - numberWidth - 2 - placeWidth - 2
  const processes = sortedNames(steps.map(({ process }) => process))
  const code = Math.max(16, ...accesses.map((step) => widthOf(codeText(step.code, glyphs))))
  const spare = width - code - 5 - narrowLane * (processes.length - 1)
  const whats = accesses.map((step) => widthOf(whatText(step, glyphs)))
  const what = Math.min(Math.max(widestWhat, spare), Math.max(0, ...whats))
  const laneWidth = laneWidthFor(processes, { code, room: width - what - 2, glyphs })
  const lanes = new Map(processes.map((process, at) => [process, at * laneWidth]))
  const lastLane = (processes.length - 1) * laneWidth
  // Who has no room for the code finds it by its line; what was read and written stands nowhere else.
  const isBare = width - what < lastLane + leastCode + 5
  return {
    paint,
    glyphs,
    numberWidth,
    file,
    placeWidth,
    width,
    lanes,
    laneWidth,
    whatColumn: isBare ? lastLane + 3 : Math.min(width - what, lastLane + code + 5),
  }
}

interface LaneRoom {
  readonly code: number
  readonly room: number
  readonly glyphs: Glyphs
}

/** As wide as the names, narrower if the code of the last process would have to be cut. */
function laneWidthFor(processes: readonly string[], { code, room, glyphs }: LaneRoom): number {
  const names = Math.max(0, ...processes.map((process) => widthOf(printable(process, glyphs.ascii))))
  const wished = Math.max(narrowLane, Math.min(20, names + 2))
  const others = Math.max(1, processes.length - 1)
  return Math.max(4, Math.min(wished, Math.floor((room - Math.min(code, 30) - 2) / others)))
}

function header({ paint, glyphs, lanes, laneWidth, numberWidth, placeWidth, width, file }: Page): string {
  const canvas = new Canvas(width)
  const last = [...lanes.keys()].at(-1)
  for (const [process, column] of lanes) {
    const room = process === last ? width - column : laneWidth - 1
    canvas.put(column, clipMiddle(printable(process, glyphs.ascii), room, glyphs), 'bold')
  }
  const name = file === undefined ? '' : fileText(file, glyphs)
  return `   ${' '.repeat(numberWidth)}  ${paint.dim(pad(name, placeWidth))}  ${canvas.render(paint)}`.trimEnd()
}

function rowText(row: Row, page: Page): string {
  const { paint, numberWidth, placeWidth, width, glyphs } = page
  const canvas = new Canvas(width)
  for (const process of row.calling) canvas.put(page.lanes.get(process) ?? 0, glyphs.lifeline, 'dim')
  drawRow(canvas, row, page)
  const isStep = row.kind === 'step'
  const number = isStep && row.step.kind !== 'wait' ? String(row.number) : ''
  const place = isStep && row.step.kind === 'access' ? placeText(row.step, page.file, glyphs) : ''
  return `   ${paint.dim(number.padStart(numberWidth))}  ${paint.dim(pad(place, placeWidth))}  ${canvas.render(paint)}`.trimEnd()
}

function drawRow(canvas: Canvas, row: Row, page: Page): void {
  const { glyphs, lanes } = page
  switch (row.kind) {
    case 'step':
      return drawStep(canvas, row.step, page)
    case 'switch':
      return drawSwitch(canvas, lanes.get(row.from) ?? 0, lanes.get(row.to) ?? 0, glyphs)
    case 'more': {
      const text = `${glyphs.ellipsis} ${counted(row.count, 'more step')} of ${printable(row.process, glyphs.ascii)}`
      canvas.put((lanes.get(row.process) ?? 0) + 2, text, 'dim')
      return
    }
    case 'gap':
      canvas.put(0, `${glyphs.ellipsis} ${counted(row.count, 'step')} left out ${glyphs.ellipsis}`, 'dim')
  }
}

/** Calls and returns are drawn as the two ends of a bracket around the accesses between them. */
function drawStep(canvas: Canvas, step: AccessStep, page: Page): void {
  const { glyphs, lanes, whatColumn } = page
  const column = lanes.get(step.process) ?? 0
  const what = whatText(step, glyphs)
  if (step.kind === 'access') {
    const room = whatColumn - column - 5
    if (room >= leastCode) canvas.put(column + 2, ` ${clip(codeText(step.code, glyphs), room, glyphs)}  `)
    canvas.put(whatColumn, clip(what, canvas.width - whatColumn, glyphs), 'cyan')
    return
  }
  if (step.kind === 'wait') {
    canvas.put(column, `${glyphs.bad} ${clip(what, canvas.width - column - 2, glyphs)}`, 'red')
    return
  }
  const isBad = step.kind === 'return' && step.isBad === true
  const [open, close] = glyphs.ascii ? ['+', '+'] : ['┌', '└']
  canvas.put(column, step.kind === 'call' ? open : close, 'dim')
  const text = `${isBad ? `${glyphs.bad} ` : ''}${what}`
  canvas.put(column + 1, ` ${clip(text, canvas.width - column - 2, glyphs)} `, isBad ? 'red' : 'bold')
}

/** From the column of the process that stops to that of the one that goes on. */
function drawSwitch(canvas: Canvas, from: number, to: number, glyphs: Glyphs): void {
  const [left, right] = from < to ? [from, to] : [to, from]
  canvas.put(left, glyphs.line.repeat(right - left + 1), 'dim')
  canvas.put(from, from < to ? glyphs.tailRight : glyphs.tailLeft, 'dim')
  canvas.put(to, from < to ? glyphs.right : glyphs.left, 'cyan')
}

/** Whoever words the steps writes arrows into them. */
function whatText({ what }: AccessStep, { ascii }: Glyphs): string {
  return printable(ascii ? what.replaceAll('→', '->') : what, ascii)
}

function codeText(code: string, glyphs: Glyphs): string {
  return printable(code.replaceAll('\t', '  ').trim(), glyphs.ascii)
}

const widestFile = 18

function fileText(file: string, glyphs: Glyphs): string {
  return clipMiddle(printable(file.split('/').at(-1) ?? file, glyphs.ascii), widestFile, glyphs)
}

function placeText(
  { file, line }: { readonly file: string; readonly line: number },
  only: string | undefined,
  glyphs: Glyphs,
): string {
  return only === undefined ? `${fileText(file, glyphs)}:${line}` : String(line)
}

function pad(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}
