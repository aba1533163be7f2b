/** The line under a picture that explains its notation; only what occurs in it. */
import { liarMark } from '../program/machines.ts'
import type { Sheet } from './picture-arrows.ts'
import type { PictureStep } from './picture-steps.ts'
import { clip, pageWidth, printable, wrapItems } from './text-width.ts'

export function pictureLegend(steps: readonly PictureStep[], hidden: number, sheet: Sheet): readonly string[] {
  const { glyphs, lanes } = sheet
  const { line, right, lost, tailRight, lifeline } = glyphs
  const has = (test: (step: PictureStep) => boolean): boolean => steps.some(test)
  const notes: string[] = []
  if (has((step) => 'label' in step && step.kind !== 'choose')) notes.push('#3 message 3, counted in sending order')
  if (has((step) => step.kind === 'pass')) notes.push(`${line}${line}${right} sent and received`)
  if (has((step) => step.kind === 'send' && !step.lost)) notes.push(`${line}${right} n sent to n, received later`)
  if (has((step) => step.kind === 'receive')) notes.push(`${tailRight}${line}${right} received, sent earlier`)
  if (has((step) => step.kind === 'send' && step.lost)) notes.push(`${line}${lost} n sent to n, not received`)
  if (has((step) => step.kind === 'stop' && !step.halts)) notes.push('stops: by assume or --max-steps')
  if (lanes.list.some(({ until }) => Number.isFinite(until))) notes.push(`${lifeline} ends where the process ended`)
  if (lanes.without.length > 0) {
    notes.push(`steps of ${clip(printable(lanes.without.join(', '), glyphs.ascii), 40, glyphs)} are written out`)
  }
  for (const name of unreadLiars(lanes)) notes.push(`${clip(printable(name, glyphs.ascii), 40, glyphs)} is Byzantine`)
  if (hidden > 0)
    notes.push(
      `${hidden.toLocaleString('en')} ${hidden === 1 ? 'step that only tells' : 'steps that only tell'} monitors not shown`,
    )
  return wrapItems(notes, ` ${glyphs.dot} `, pageWidth - 3).map((text) => `   ${text}`)
}

/** Machines that lie, and whose column is too narrow to say so, or that have none. */
function unreadLiars({ list, without }: Sheet['lanes']): readonly string[] {
  const narrow = list.flatMap(({ process, title }) => (title.endsWith(liarMark) ? [] : [process]))
  return [...narrow, ...without].flatMap((process) =>
    process.endsWith(liarMark) ? [process.slice(0, -liarMark.length)] : [],
  )
}
