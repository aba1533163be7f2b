/**
 * Registers whose writes all write different values: Gibbons and Korach, "Testing Shared Memories" (SIAM J. Computing 1997),
 * in O(n log n).
 *
 * The calls of a value are its write and the reads that return it. Let f be the earliest return and s the latest invocation
 * among them. If f < s the value is held from f to s at least (a forward zone). Else all its calls are open between s and f
 * and can take effect together at any moment there (a backward zone). The history is linearizable iff every value that is
 * read was written, by a write invoked before the read returned; no two forward zones overlap; and no backward zone lies
 * within a forward one.
 *
 * Calls without a return: a write that no call read is dropped, as no call can tell; one that was read has taken effect, and its
 * return is later than everything. Reads without a return or a known result fit anywhere and are dropped. The initial value
 * is a write that returned before everything.
 */
import type { Call } from '../../core/history.ts'
import { encodeValue, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { ShowCall } from './operation-table.ts'
import type { Ruling } from './specification.ts'
import { hasReturned, type Timeline, timelineOf } from './timeline.ts'

/** The calls of one value. Positions are those of the timeline; -1 is before everything. */
interface Zone {
  readonly value: Value
  /** The call that wrote it, -1 for the initial value. */
  readonly write: number
  isRead: boolean
  /** f, and the call that returns there. */
  firstReturn: number
  firstReturned: number
  /** s, and the call that is invoked there. */
  lastInvocation: number
  lastInvoked: number
}

const linearizable: Ruling = { linearizable: true }

/** The verdict on calls of `read` and `write`; undefined if there are others, or writes of equal values. */
export function registerDecision(calls: readonly Call[], initial: Value, show: ShowCall): Ruling | undefined {
  const timeline = timelineOf(calls)
  const zones = writtenZones(calls, timeline, initial)
  if (zones === undefined) return undefined
  for (let call = 0; call < calls.length; call++) {
    const { operation, result } = calls[call] as Call
    if (operation === 'write' || result.kind === 'unknown' || !hasReturned(calls[call] as Call)) continue
    if (result.kind !== 'returned') return undefined
    const zone = zones.get(nameOf(result.value))
    const wrong =
      zone === undefined
        ? violation(`${show(call)} returned a value that no call wrote before`, [call])
        : addRead(zone, call, timeline, show)
    if (wrong !== undefined) return wrong
  }
  const relevant = [...zones.values()].filter(({ write, isRead }) => isRead || isCompleted(calls, write))
  return conflict(relevant, show) ?? linearizable
}

function writtenZones(calls: readonly Call[], timeline: Timeline, initial: Value): Map<string, Zone> | undefined {
  const zones = new Map<string, Zone>()
  zones.set(nameOf(initial), {
    value: initial,
    write: -1,
    isRead: false,
    firstReturn: -1,
    firstReturned: -1,
    lastInvocation: -1,
    lastInvoked: -1,
  })
  for (let call = 0; call < calls.length; call++) {
    const { operation, args, result } = calls[call] as Call
    if (operation === 'read') continue
    const name = nameOf(args[0])
    if (operation !== 'write' || result.kind === 'threw' || zones.has(name)) return undefined
    zones.set(name, {
      value: args[0],
      write: call,
      isRead: false,
      firstReturn: timeline.returned[call] as number,
      firstReturned: call,
      lastInvocation: timeline.invoked[call] as number,
      lastInvoked: call,
    })
  }
  return zones
}

function addRead(zone: Zone, read: number, { invoked, returned }: Timeline, show: ShowCall) {
  const [start, end] = [invoked[read] as number, returned[read] as number]
  if (zone.write >= 0 && end < (invoked[zone.write] as number)) {
    return violation(`${show(read)} returned before ${show(zone.write)} was called`, [read, zone.write])
  }
  zone.isRead = true
  if (end < zone.firstReturn) [zone.firstReturn, zone.firstReturned] = [end, read]
  if (start > zone.lastInvocation) [zone.lastInvocation, zone.lastInvoked] = [start, read]
  return undefined
}

function conflict(zones: readonly Zone[], show: ShowCall): Ruling | undefined {
  const forward = zones.filter(isForward).sort((left, right) => left.firstReturn - right.firstReturn)
  for (let at = 1; at < forward.length; at++) {
    const [left, right] = [forward[at - 1] as Zone, forward[at] as Zone]
    if (right.firstReturn < left.lastInvocation) {
      const words = `${held(left, show)}, and ${held(right, show)}; these overlap`
      return violation(words, culprits(left, right))
    }
  }
  for (const zone of zones) {
    if (isForward(zone)) continue
    const around = lastBefore(forward, zone.lastInvocation)
    if (around !== undefined && zone.firstReturn < around.lastInvocation) {
      const words = `${held(around, show)}, and ${show(zone.write)} took effect in between`
      return violation(words, culprits(around, zone))
    }
  }
  return undefined
}

/** The last of the zones, which are in order and do not overlap, that begins before a position. */
function lastBefore(zones: readonly Zone[], position: number): Zone | undefined {
  let [low, high] = [0, zones.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((zones[middle] as Zone).firstReturn < position) low = middle + 1
    else high = middle
  }
  return zones[low - 1]
}

function isForward({ firstReturn, lastInvocation }: Zone): boolean {
  return firstReturn < lastInvocation
}

function held({ value, firstReturned, lastInvoked }: Zone, show: ShowCall): string {
  const since = firstReturned < 0 ? 'from the beginning' : `since ${show(firstReturned)} returned`
  return `the value is ${showValue(value, 24)} ${since} until ${show(lastInvoked)} was called`
}

function culprits(...zones: readonly Zone[]): readonly number[] {
  const calls = zones.flatMap(({ write, firstReturned, lastInvoked }) => [write, firstReturned, lastInvoked])
  return [...new Set(calls)].filter((call) => call >= 0)
}

function violation(reason: string, calls: readonly number[]): Ruling {
  return { linearizable: false, reason, culprits: calls }
}

function isCompleted(calls: readonly Call[], call: number): boolean {
  const found = calls[call]
  return found !== undefined && hasReturned(found)
}

function nameOf(value: Value): string {
  return encodeValue(value ?? null)
}
