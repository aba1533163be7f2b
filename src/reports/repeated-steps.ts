/** The rows of a long execution that goes round: what repeats itself is shown once, with how often. */
import { breath, mappedUnhurried, type Unhurried } from '../core/unhurried.ts'
import { number } from './count-words.ts'
import type { PictureStep } from './picture-steps.ts'

/** Rows of what repeats itself, at most. */
const longest = 12
/** What comes less often than that is shown in full. */
const leastTimes = 8

/** Rows that say the same but for their numbers. */
export function* withRepeats(
  steps: readonly (PictureStep | string)[],
  say: (words: string) => string,
): Unhurried<readonly (PictureStep | string)[]> {
  const texts = yield* mappedUnhurried(steps, textOf)
  const shown: (PictureStep | string)[] = []
  for (let at = 0, rounds = 1; at < steps.length; rounds++) {
    if (rounds % breath === 0) yield
    const { length, times } = roundAt(texts, at)
    shown.push(...steps.slice(at, at + length))
    if (times > 1) {
      const rows = length === 1 ? 'this row' : `these ${number(length)} rows`
      shown.push(say(`${rows} ${number(times)} times, one after the other`))
    }
    at += length * times
  }
  return shown
}

/** What comes again and again from here on; the shortest, and one row once if nothing does. */
function roundAt(texts: readonly string[], at: number): { readonly length: number; readonly times: number } {
  for (let length = 1; length <= longest; length++) {
    let same = at
    while (same + length < texts.length && texts[same] === texts[same + length]) same++
    const times = Math.floor((same - at) / length) + 1
    if (times >= leastTimes) return { length, times }
  }
  return { length: 1, times: 1 }
}

/** Numbers of steps and messages go on counting. */
function textOf(step: PictureStep | string): string {
  if (typeof step === 'string') return step
  const { first = 0, last = 0, position: _, event, ...rest } = step
  return JSON.stringify({ ...rest, decisions: last - first, place: event.place }).replace(
    /"label":"#\d+ /,
    '"label":"# ',
  )
}
