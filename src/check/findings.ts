/** Counterexamples for readers: stacks become places in the user's files, with the source around the place that failed. */
import type { Place } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import type { Counterexample } from '../core/evidence.ts'
import { atOnce, forEachUnhurried, type Unhurried } from '../core/unhurried.ts'
import { madeKey, type ReportedFinding, takenKey } from '../reports/result.ts'
import { codeFrame, ownFolder, placeOf, userFrames } from './source-places.ts'

/** With places for every event that has one. */
export interface FoundPlaces extends ReportedFinding {
  readonly places: ReadonlyMap<Event, Place>
}

export function foundPlaces(counterexample: Counterexample): FoundPlaces {
  return atOnce(placesFound(counterexample))
}

/** The same, with time to look at the clock. */
export function* placesFound(counterexample: Counterexample): Unhurried<FoundPlaces> {
  const { events } = counterexample
  const places = new Map<Event, Place>()
  // Of the many steps of a long execution, most are asked for where others were.
  const known = new Map<string | undefined, Place | undefined>()
  yield* forEachUnhurried(events, (event) => {
    if (!known.has(event.stack)) known.set(event.stack, placeOf(event.stack))
    const place = event.place ?? known.get(event.stack)
    if (place !== undefined) places.set(event, place)
  })
  return { ...brokenPlace(counterexample), places }
}

/** Without those of events: it takes no longer for a long execution than for a short one. */
export function brokenPlace(counterexample: Counterexample): ReportedFinding {
  const { violation } = counterexample
  const place = violation.place ?? placeOf(violation.stack)
  return {
    place,
    frame: place === undefined ? undefined : frameAt(place, counterexample),
    waitingAt: waitingPlaces(counterexample),
  }
}

/** An exception shows how the code got there, in the user's own lines. */
function frameAt(place: Place, { violation }: Counterexample): string | undefined {
  const frame = codeFrame(place)
  const frames = violation.kind === 'exception' ? userFrames(withinProcess(violation.stack)) : []
  return frames.length < 2 ? frame : [...(frame === undefined ? [] : [frame]), ...frames].join('\n')
}

/** Up to where our coroutine resumed the process: what lies below is whoever called `check`, and differs from run to run. */
function withinProcess(stack: string | undefined): string | undefined {
  const lines = stack?.split('\n') ?? []
  const end = lines.findIndex((line) => /^\s+at (?:Coroutine\.)?#run /.test(line) && line.includes(ownFolder()))
  return end < 0 ? stack : lines.slice(0, end).join('\n')
}

function waitingPlaces({ violation }: Counterexample): ReadonlyMap<string, Place> {
  const waiting = violation.waiting ?? []
  return new Map(
    waiting.flatMap(({ process, stack, place: known, takenAt = [], madeAt }) => {
      const places = [known ?? placeOf(stack), ...takenAt.map(placeOf)]
      const keyed = [...places.map((place, at) => [takenKey(process, at), place]), [madeKey(process), placeOf(madeAt)]]
      return keyed.flatMap(([key, place]) => (place === undefined ? [] : [[key, place] as [string, Place]]))
    }),
  )
}
