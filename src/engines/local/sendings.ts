/** Which sending of a message each consumption takes its copy from. */
import { invariant } from '../../core/invariant.ts'
import type { Machines } from '../../program/machines.ts'
import type { Occurrence } from './local-space.ts'
import { type Messages, noMessage } from './messages.ts'

export interface Sending {
  readonly message: number
  /** How many consumptions take a copy of it. */
  served: number
}

export interface Served {
  /** In order; those under way at the start come first. */
  readonly sendings: readonly Sending[]
  /** For each consumption, in order, the number of a sending. */
  readonly consumptions: readonly number[]
}

interface Consumption {
  readonly message: number
  /** How many sendings came before. */
  readonly available: number
}

export function copiesServed(
  { network }: Machines,
  messages: Messages,
  events: readonly (Occurrence & { readonly sent?: readonly number[] })[],
): Served {
  const sendings: Sending[] = messages.atStart.map((message) => ({ message, served: 0 }))
  const wanted: Consumption[] = []
  for (const { consumed, sent } of events) {
    if (consumed !== noMessage) wanted.push({ message: consumed, available: sendings.length })
    for (const message of sent ?? []) sendings.push({ message, served: 0 })
  }
  const consumptions: number[] = []
  // Without order, copies of a message compete with nothing else: each is a channel of its own.
  const channelOf =
    network.order === 'fifo' ? (message: number) => messages.channelOf(message) : (message: number) => message
  const loses = network.order === 'bag' || network.loses
  for (const channel of new Set(wanted.map(({ message }) => channelOf(message)))) {
    const places = [...wanted.keys()].filter((at) => channelOf((wanted[at] as Consumption).message) === channel)
    const queue = [...sendings.keys()].filter((at) => channelOf((sendings[at] as Sending).message) === channel)
    const found = assigned(
      places.map((at) => wanted[at] as Consumption),
      { queue, sendings, loses, most: 1 + network.duplicates },
    )
    invariant(found !== undefined, 'every consumption has a sending')
    for (const [index, at] of places.entries()) {
      const sending = found[index] as number
      consumptions[at] = sending
      ;(sendings[sending] as Sending).served++
    }
  }
  return { sendings, consumptions }
}

interface Queue {
  readonly queue: readonly number[]
  readonly sendings: readonly Sending[]
  readonly loses: boolean
  readonly most: number
}

/** In order of the channel: several consumptions of one sending follow each other, and without loss none is passed over. */
function assigned(wanted: readonly Consumption[], { queue, sendings, loses, most }: Queue): number[] | undefined {
  const hopeless = new Set<string>()
  const chosen: number[] = []
  const assign = (at: number, index: number, used: number): boolean => {
    const next = wanted[at]
    if (next === undefined) return true
    const key = `${at} ${index} ${used}`
    if (hopeless.has(key)) return false
    const fits = (place: number) => {
      const sending = queue[place]
      return sending !== undefined && sending < next.available && sendings[sending]?.message === next.message
    }
    if (index >= 0 && used < most && fits(index)) {
      chosen[at] = queue[index] as number
      if (assign(at + 1, index, used + 1)) return true
    }
    for (let place = index + 1; place < (loses ? queue.length : index + 2); place++) {
      if (!fits(place)) continue
      chosen[at] = queue[place] as number
      if (assign(at + 1, place, 1)) return true
    }
    hopeless.add(key)
    return false
  }
  return assign(0, -1, 0) ? chosen : undefined
}
