/** One step drawn on its row: text in the column of its process, messages as arrows between columns. */
import type { Canvas } from './canvas.ts'
import type { Glyphs, Style } from './paint.ts'
import type { Lane, Lanes } from './picture-lanes.ts'
import type { PictureStep } from './picture-steps.ts'
import { clip, clipMiddle, printable, widthOf } from './text-width.ts'

export interface Sheet {
  readonly glyphs: Glyphs
  readonly lanes: Lanes
  readonly width: number
}

type Part = readonly [text: string, style?: Style]

export function drawStep(canvas: Canvas, step: PictureStep, sheet: Sheet): void {
  const own = sheet.lanes.of.get(step.process)
  switch (step.kind) {
    case 'send':
      return drawText(canvas, step, sheet, sending(step, sheet))
    case 'pass': {
      const to = sheet.lanes.of.get(step.to)
      if (own === undefined || to === undefined) return drawText(canvas, step, sheet, passingInWords(step, sheet))
      return drawPass(canvas, { from: own, to, label: shown(step.label, sheet) }, sheet)
    }
    case 'receive': {
      const from = sheet.lanes.of.get(step.from)
      if (own === undefined || from === undefined || from === own)
        return drawText(canvas, step, sheet, receivingInWords(step, sheet))
      return drawReceive(canvas, { from, to: own, label: shown(step.label, sheet) }, { step, sheet })
    }
    default:
      return drawText(canvas, step, sheet, [[plainText(step, sheet), isBad(step) ? 'red' : undefined] as Part])
  }
}

function isBad(step: PictureStep): boolean {
  return step.kind === 'fail' || (step.kind === 'choose' && step.isBad === true)
}

function shown(text: string, sheet: Sheet): string {
  return printable(text, sheet.glyphs.ascii)
}

function plainText(step: Exclude<PictureStep, { readonly kind: 'send' | 'receive' | 'pass' }>, sheet: Sheet): string {
  const { glyphs } = sheet
  switch (step.kind) {
    case 'spawn':
      return `spawns ${shown(step.children.join(', '), sheet)}`
    case 'join':
      return `joins ${shown(step.target, sheet)}`
    case 'timeout':
      return `poll: nothing${step.times > 1 ? ` ${glyphs.times}${step.times}` : ''}`
    case 'choose':
      return step.isBad === true ? `${glyphs.bad} ${shown(step.label, sheet)}` : shown(step.label, sheet)
    case 'stop':
      return step.halts ? 'halts' : 'stops here'
    case 'fail':
      return `${glyphs.bad} ${shown(step.violation.message, sheet)}`
  }
}

/** '#3 Vote{term: 1} ─▶ n2', or 'n1 ◀─ #3 …' when the receiver's column is on the left. */
function sending(step: Extract<PictureStep, { readonly kind: 'send' }>, sheet: Sheet): readonly Part[] {
  const { glyphs, lanes } = sheet
  const own = lanes.of.get(step.process)
  const to = lanes.of.get(step.to)
  const name = step.to === step.process ? 'itself' : nameOf(step.to, sheet)
  const isLeft = own !== undefined && to !== undefined && to.column < own.column
  const label = roomFor(step, widthOf(name) + 4, sheet)
  if (isLeft) return [[name], [` ${step.lost ? glyphs.lost : glyphs.left}${glyphs.line} `, 'cyan'], [label]]
  return [[label], [` ${glyphs.line}${step.lost ? glyphs.lost : glyphs.right} `, 'cyan'], [name]]
}

/** The label, cut so that what stands beside it is not. */
function roomFor(step: PictureStep & { readonly label: string }, beside: number, sheet: Sheet): string {
  const start = sheet.lanes.of.get(step.process)?.column ?? widthOf(prefix(step, sheet))
  return clip(shown(step.label, sheet), Math.max(6, sheet.width - start - beside - 1), sheet.glyphs)
}

function nameOf(process: string, sheet: Sheet): string {
  return clipMiddle(shown(process, sheet), 14, sheet.glyphs)
}

function receivingInWords(step: Extract<PictureStep, { readonly kind: 'receive' }>, sheet: Sheet): readonly Part[] {
  const from = step.from === step.process ? 'itself' : nameOf(step.from, sheet)
  const label = roomFor(step, widthOf(from) + 8, sheet)
  return [[`${sheet.glyphs.right} `, 'cyan'], [`${label} from ${from}`]]
}

function passingInWords(step: Extract<PictureStep, { readonly kind: 'pass' }>, sheet: Sheet): readonly Part[] {
  const { glyphs } = sheet
  const to = nameOf(step.to, sheet)
  const label = roomFor(step, widthOf(to) + 14, sheet)
  return [[label], [` ${glyphs.line}${glyphs.right} `, 'cyan'], [`${to}, received`]]
}

/** In the process's column; a process without one is named and starts at the left. */
function drawText(canvas: Canvas, step: PictureStep, sheet: Sheet, parts: readonly Part[]): void {
  const lane = sheet.lanes.of.get(step.process)
  let column = lane?.column ?? canvas.put(0, prefix(step, sheet))
  for (const [text, style] of parts) column = canvas.put(column, clip(text, sheet.width - column, sheet.glyphs), style)
  canvas.put(column, ' ')
}

/** 'main spawns n1' is a sentence already; elsewhere the name stands apart. */
function prefix(step: PictureStep, sheet: Sheet): string {
  const isSentence = step.kind === 'spawn' || step.kind === 'join' || step.kind === 'stop' || step.kind === 'choose'
  return `${clipMiddle(shown(step.process, sheet), 24, sheet.glyphs)}${isSentence ? ' ' : ': '}`
}

interface Arrow {
  readonly from: Lane
  readonly to: Lane
  readonly label: string
}

/** Sent and received at once: the label stands at the sender, the head at the receiver's column. */
function drawPass(canvas: Canvas, { from, to, label }: Arrow, sheet: Sheet): void {
  const { glyphs } = sheet
  const between = Math.abs(to.column - from.column) - 4
  if (from.column < to.column) {
    const after = sheet.width - to.column - 3
    const isBetween = widthOf(label) <= between || between >= after
    drawLine(canvas, from.column, to.column, sheet)
    canvas.put(to.column, glyphs.right, 'cyan')
    if (isBetween) canvas.put(canvas.put(from.column, clip(label, between, glyphs)), ' ')
    else canvas.put(canvas.put(to.column + 1, ` ${clip(label, after, glyphs)}`), ' ')
    return
  }
  const after = sheet.width - from.column - 1
  const isBetween = widthOf(label) > after && between > after
  drawLine(canvas, to.column, from.column, sheet)
  canvas.put(to.column, glyphs.left, 'cyan')
  if (isBetween) {
    // The line goes on to the column of the sender, who would not be seen otherwise.
    const cut = clip(label, between - 1, glyphs)
    canvas.put(canvas.put(from.column - widthOf(cut) - 3, ` ${cut} `), glyphs.line.repeat(2), 'cyan')
  } else {
    canvas.put(canvas.put(from.column - 1, ` ${clip(label, after, glyphs)}`), ' ')
  }
}

/** Sent earlier: the line comes from the sender's column, the label stands at the receiver. */
function drawReceive(
  canvas: Canvas,
  { from, to, label }: Arrow,
  context: { readonly step: Extract<PictureStep, { readonly kind: 'receive' }>; readonly sheet: Sheet },
): void {
  const { sheet, step } = context
  const { glyphs } = sheet
  const between = Math.abs(to.column - from.column) - 6
  if (from.column < to.column) {
    const after = sheet.width - to.column - 3
    drawLine(canvas, from.column, to.column, sheet)
    canvas.put(from.column, glyphs.tailRight, 'cyan')
    canvas.put(to.column, glyphs.right, 'cyan')
    if (widthOf(label) <= after || after >= between) {
      canvas.put(canvas.put(to.column + 1, ` ${clip(label, after, glyphs)}`), ' ')
      return
    }
    const cut = clip(label, between, glyphs)
    canvas.put(to.column - widthOf(cut) - 3, ` ${cut} `)
    return
  }
  if (widthOf(label) > between) return drawFromRight(canvas, to, { step, sheet })
  drawLine(canvas, to.column, from.column, sheet)
  canvas.put(to.column, glyphs.left, 'cyan')
  canvas.put(from.column, glyphs.tailLeft, 'cyan')
  canvas.put(to.column + 2, ` ${label} `)
}

/** The label does not fit between the columns: it runs over them, and says in words who sent it. */
function drawFromRight(
  canvas: Canvas,
  to: Lane,
  { step, sheet }: { readonly step: Extract<PictureStep, { readonly kind: 'receive' }>; readonly sheet: Sheet },
): void {
  const from = nameOf(step.from, sheet)
  const label = roomFor(step, widthOf(from) + 8, sheet)
  canvas.put(canvas.put(canvas.put(to.column, `${sheet.glyphs.left} `, 'cyan'), `${label} from ${from}`), ' ')
}

function drawLine(canvas: Canvas, from: number, to: number, sheet: Sheet): void {
  canvas.put(from, sheet.glyphs.line.repeat(to - from), 'cyan')
}
