/** One step drawn on its row: text in the column of its process, messages as arrows between columns. */
import type { Canvas } from './canvas.ts'
import type { Glyphs, Style } from './paint.ts'
import type { Lane, Lanes } from './picture-lanes.ts'
import type { PictureStep } from './picture-steps.ts'
import { clip, clipMiddle, printable, widthOf } from './text-width.ts'

export interface Page {
  readonly glyphs: Glyphs
  readonly lanes: Lanes
  readonly width: number
}

type Part = readonly [text: string, style?: Style]

export function drawStep(canvas: Canvas, step: PictureStep, page: Page): void {
  const own = page.lanes.of.get(step.process)
  switch (step.kind) {
    case 'send':
      return drawText(canvas, step, page, sending(step, page))
    case 'pass': {
      const to = page.lanes.of.get(step.to)
      if (own === undefined || to === undefined) return drawText(canvas, step, page, passingInWords(step, page))
      return drawPass(canvas, { from: own, to, label: shown(step.label, page) }, page)
    }
    case 'receive': {
      const from = page.lanes.of.get(step.from)
      if (own === undefined || from === undefined || from === own)
        return drawText(canvas, step, page, receivingInWords(step, page))
      return drawReceive(canvas, { from, to: own, label: shown(step.label, page) }, { step, page })
    }
    default:
      return drawText(canvas, step, page, [[plainText(step, page), step.kind === 'fail' ? 'red' : undefined] as Part])
  }
}

function shown(text: string, page: Page): string {
  return printable(text, page.glyphs.ascii)
}

function plainText(step: Exclude<PictureStep, { readonly kind: 'send' | 'receive' | 'pass' }>, page: Page): string {
  const { glyphs } = page
  switch (step.kind) {
    case 'spawn':
      return `spawns ${shown(step.children.join(', '), page)}`
    case 'join':
      return `joins ${shown(step.target, page)}`
    case 'timeout':
      return `poll: nothing${step.times > 1 ? ` ${glyphs.times}${step.times}` : ''}`
    case 'choose':
      return shown(step.label, page)
    case 'stop':
      return 'stops here'
    case 'fail':
      return `${glyphs.bad} ${shown(step.violation.message, page)}`
  }
}

/** '#3 Vote{term: 1} ─▶ n2', or 'n1 ◀─ #3 …' when the receiver's column is on the left. */
function sending(step: Extract<PictureStep, { readonly kind: 'send' }>, page: Page): readonly Part[] {
  const { glyphs, lanes } = page
  const own = lanes.of.get(step.process)
  const to = lanes.of.get(step.to)
  const name = step.to === step.process ? 'itself' : nameOf(step.to, page)
  const isLeft = own !== undefined && to !== undefined && to.column < own.column
  const label = roomFor(step, widthOf(name) + 4, page)
  if (isLeft) return [[name], [` ${step.lost ? glyphs.lost : glyphs.left}${glyphs.line} `, 'cyan'], [label]]
  return [[label], [` ${glyphs.line}${step.lost ? glyphs.lost : glyphs.right} `, 'cyan'], [name]]
}

/** The label, cut so that what stands beside it is not. */
function roomFor(step: PictureStep & { readonly label: string }, beside: number, page: Page): string {
  const start = page.lanes.of.get(step.process)?.column ?? widthOf(prefix(step, page))
  return clip(shown(step.label, page), Math.max(6, page.width - start - beside - 1), page.glyphs)
}

function nameOf(process: string, page: Page): string {
  return clipMiddle(shown(process, page), 14, page.glyphs)
}

function receivingInWords(step: Extract<PictureStep, { readonly kind: 'receive' }>, page: Page): readonly Part[] {
  const from = step.from === step.process ? 'itself' : nameOf(step.from, page)
  const label = roomFor(step, widthOf(from) + 8, page)
  return [[`${page.glyphs.right} `, 'cyan'], [`${label} from ${from}`]]
}

function passingInWords(step: Extract<PictureStep, { readonly kind: 'pass' }>, page: Page): readonly Part[] {
  const { glyphs } = page
  const to = nameOf(step.to, page)
  const label = roomFor(step, widthOf(to) + 14, page)
  return [[label], [` ${glyphs.line}${glyphs.right} `, 'cyan'], [`${to}, received`]]
}

/** In the process's column; a process without one is named and starts at the left. */
function drawText(canvas: Canvas, step: PictureStep, page: Page, parts: readonly Part[]): void {
  const lane = page.lanes.of.get(step.process)
  let column = lane?.column ?? canvas.put(0, prefix(step, page))
  for (const [text, style] of parts) column = canvas.put(column, clip(text, page.width - column, page.glyphs), style)
  canvas.put(column, ' ')
}

/** 'main spawns n1' is a sentence already; elsewhere the name stands apart. */
function prefix(step: PictureStep, page: Page): string {
  const isSentence = step.kind === 'spawn' || step.kind === 'join' || step.kind === 'stop' || step.kind === 'choose'
  return `${clipMiddle(shown(step.process, page), 24, page.glyphs)}${isSentence ? ' ' : ': '}`
}

interface Arrow {
  readonly from: Lane
  readonly to: Lane
  readonly label: string
}

/** Sent and received at once: the label stands at the sender, the head at the receiver's column. */
function drawPass(canvas: Canvas, { from, to, label }: Arrow, page: Page): void {
  const { glyphs } = page
  const between = Math.abs(to.column - from.column) - 4
  if (from.column < to.column) {
    const after = page.width - to.column - 3
    const isBetween = widthOf(label) <= between || between >= after
    drawLine(canvas, from.column, to.column, page)
    canvas.put(to.column, glyphs.right, 'cyan')
    if (isBetween) canvas.put(canvas.put(from.column, clip(label, between, glyphs)), ' ')
    else canvas.put(canvas.put(to.column + 1, ` ${clip(label, after, glyphs)}`), ' ')
    return
  }
  const after = page.width - from.column - 1
  const isBetween = widthOf(label) > after && between > after
  drawLine(canvas, to.column, from.column, page)
  canvas.put(to.column, glyphs.left, 'cyan')
  if (isBetween) {
    const cut = clip(label, between, glyphs)
    canvas.put(from.column - widthOf(cut) - 2, ` ${cut} `)
  } else {
    canvas.put(canvas.put(from.column - 1, ` ${clip(label, after, glyphs)}`), ' ')
  }
}

/** Sent earlier: the line comes from the sender's column, the label stands at the receiver. */
function drawReceive(
  canvas: Canvas,
  { from, to, label }: Arrow,
  context: { readonly step: Extract<PictureStep, { readonly kind: 'receive' }>; readonly page: Page },
): void {
  const { page, step } = context
  const { glyphs } = page
  const between = Math.abs(to.column - from.column) - 6
  if (from.column < to.column) {
    const after = page.width - to.column - 3
    drawLine(canvas, from.column, to.column, page)
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
  if (widthOf(label) > between) return drawFromRight(canvas, to, { step, page })
  drawLine(canvas, to.column, from.column, page)
  canvas.put(to.column, glyphs.left, 'cyan')
  canvas.put(from.column, glyphs.tailLeft, 'cyan')
  canvas.put(to.column + 2, ` ${label} `)
}

/** The label does not fit between the columns: it runs over them, and says in words who sent it. */
function drawFromRight(
  canvas: Canvas,
  to: Lane,
  { step, page }: { readonly step: Extract<PictureStep, { readonly kind: 'receive' }>; readonly page: Page },
): void {
  const from = nameOf(step.from, page)
  const label = roomFor(step, widthOf(from) + 8, page)
  canvas.put(canvas.put(canvas.put(to.column, `${page.glyphs.left} `, 'cyan'), `${label} from ${from}`), ' ')
}

function drawLine(canvas: Canvas, from: number, to: number, page: Page): void {
  canvas.put(from, page.glyphs.line.repeat(to - from), 'cyan')
}
