/** The line under a picture that explains its notation; only what occurs in it. */

import { grouped } from '../core/grouped.ts'
import { forEachUnhurried, type Unhurried } from '../core/unhurried.ts'
import { liarMark } from '../program/machines.ts'
import type { Sheet } from './picture-arrows.ts'
import type { PictureStep } from './picture-steps.ts'
import { clip, pageWidth, printable, wrapItems } from './text-width.ts'

export function* pictureLegend(
  steps: readonly PictureStep[],
  hidden: number,
  sheet: Sheet,
): Unhurried<readonly string[]> {
  const { glyphs, lanes } = sheet
  const { line, right, lost, tailRight, lifeline } = glyphs
  const occurring = new Set<Notation>()
  yield* forEachUnhurried(steps, (step) => {
    if ('label' in step && step.kind !== 'choose') occurring.add('message')
    const own = notationOf(step)
    if (own !== undefined) occurring.add(own)
  })
  const notes: string[] = []
  if (occurring.has('message')) notes.push('#3 message 3, counted in sending order')
  if (occurring.has('pass')) notes.push(`${line}${line}${right} sent and received`)
  if (occurring.has('send')) notes.push(`${line}${right} n sent to n, received later`)
  if (occurring.has('receive')) notes.push(`${tailRight}${line}${right} received, sent earlier`)
  if (occurring.has('lost')) notes.push(`${line}${lost} n sent to n, not received`)
  if (occurring.has('stop')) notes.push('stops: by assume or --max-steps')
  if (lanes.list.some(({ until }) => Number.isFinite(until))) notes.push(`${lifeline} ends where the process ended`)
  if (lanes.without.length > 0) {
    notes.push(`steps of ${clip(printable(lanes.without.join(', '), glyphs.ascii), 40, glyphs)} are written out`)
  }
  for (const name of unreadLiars(lanes)) notes.push(`${clip(printable(name, glyphs.ascii), 40, glyphs)} is Byzantine`)
  if (hidden > 0)
    notes.push(
      `${grouped(hidden)} ${hidden === 1 ? 'step that only tells' : 'steps that only tell'} monitors not shown`,
    )
  return wrapItems(notes, ` ${glyphs.dot} `, pageWidth - 3).map((text) => `   ${text}`)
}

type Notation = 'message' | 'pass' | 'send' | 'receive' | 'lost' | 'stop'

function notationOf(step: PictureStep): Notation | undefined {
  switch (step.kind) {
    case 'pass':
    case 'receive':
      return step.kind
    case 'send':
      return step.lost ? 'lost' : 'send'
    case 'stop':
      return step.halts ? undefined : 'stop'
    default:
      return undefined
  }
}

/** Machines that lie, and whose column is too narrow to say so, or that have none. */
function unreadLiars({ list, without }: Sheet['lanes']): readonly string[] {
  const narrow = list.flatMap(({ process, title }) => (title.endsWith(liarMark) ? [] : [process]))
  return [...narrow, ...without].flatMap((process) =>
    process.endsWith(liarMark) ? [process.slice(0, -liarMark.length)] : [],
  )
}
