/**
 * What pictures of histories show, whatever they are drawn on: which calls, in which order they begin, take effect and
 * end.
 */
import type { ExplainedHistory } from '../core/evidence.ts'
import type { Call, CallResult, History } from '../core/history.ts'
import { showValue } from '../core/value-text.ts'

export interface HistoryPicture extends ExplainedHistory {
  /** Positions of the calls of processes that wait for ever. */
  readonly waiting?: readonly number[] | undefined
}

export interface PictureCall {
  /** Position in the history. */
  readonly index: number
  readonly call: Call
  /** 'push(1)' */
  readonly label: string
  /** 'undefined', 'threw RangeError: full', '?' for unknown; nothing if it never returned. */
  readonly result: string | undefined
  /** Its number in the order, from 1. */
  readonly number: number | undefined
  readonly isStuck: boolean
  /** It waits for ever. */
  readonly isWaiting: boolean
}

/** Moments that are to be told apart, from left to right. */
export interface PictureMoment {
  readonly kind: 'invoke' | 'point' | 'return'
  readonly call: PictureCall
}

export interface HistoryWindow {
  /** Names of processes that have a call in the window. */
  readonly lanes: readonly string[]
  readonly moments: readonly PictureMoment[]
  /** Calls left out, invoked before and after those that matter. */
  readonly earlier: number
  readonly later: number
}

/**
 * The calls around the one that cannot be placed, and those still open when the first of them begins: all of a history
 * of at most `maxCalls` calls.
 */
export function historyWindow(picture: HistoryPicture, maxCalls: number): HistoryWindow {
  const { calls } = picture.history
  const centre = picture.stuck ?? picture.order?.at(-1) ?? 0
  const first = Math.max(0, Math.min(centre - Math.floor((maxCalls * 3) / 4), calls.length - maxCalls))
  const start = calls[first]?.invoked ?? 0
  const open = calls.flatMap(({ returned }, index) => (index < first && returned >= start ? [index] : []))
  const range = calls.slice(first, first + maxCalls).map((_, at) => first + at)
  const shown = [...open.slice(-Math.ceil(maxCalls / 4)), ...range]
  const numbers = new Map(picture.order?.map((index, at) => [index, at + 1]))
  const pictured = shown.map((index) => pictureCall(picture, index, numbers.get(index)))
  const earlier = first - (shown.length - range.length)
  return {
    lanes: sortedNames(pictured.map(({ call }) => call.process)),
    moments: momentsOf(pictured),
    earlier,
    later: calls.length - shown.length - earlier,
  }
}

function pictureCall(picture: HistoryPicture, index: number, number: number | undefined): PictureCall {
  const call = picture.history.calls[index] as Call
  return {
    index,
    call,
    label: `${call.operation}(${call.args.map((value) => showValue(value, 200)).join(', ')})`,
    result: resultText(call.result),
    number,
    isStuck: index === picture.stuck,
    isWaiting: picture.waiting?.includes(index) ?? false,
  }
}

function resultText(result: CallResult): string | undefined {
  switch (result.kind) {
    case 'returned':
      return showValue(result.value, 200)
    case 'threw':
      return `threw ${result.error}`
    case 'unknown':
      return '?'
    case 'pending':
      return undefined
  }
}

/** p2 before p10; made when it is first needed, as the host loads tables for it. */
let names: Intl.Collator | undefined

/** Each name once, in the order of lanes and columns. */
export function sortedNames(given: readonly string[]): readonly string[] {
  names ??= new Intl.Collator('en', { numeric: true })
  return [...new Set(given)].sort(names.compare)
}

/**
 * Calls and returns in the order of time; calls before returns of the same moment, which do not precede them. Points,
 * at which calls take effect, stand as early as the order allows, so that they too go from left to right. Those of calls
 * that wait for ever come last.
 */
function momentsOf(calls: readonly PictureCall[]): readonly PictureMoment[] {
  const ends = calls.flatMap((call): readonly (PictureMoment & { readonly time: number })[] => [
    { kind: 'invoke', call, time: call.call.invoked },
    ...(call.result === undefined ? [] : [{ kind: 'return' as const, call, time: call.call.returned }]),
  ])
  const rank = { invoke: 0, point: 1, return: 2 }
  ends.sort((left, right) => left.time - right.time || rank[left.kind] - rank[right.kind])
  const position = new Map(ends.map(({ kind, call }, at) => [`${kind} ${call.index}`, at]))
  const ordered = calls.filter(({ number }) => number !== undefined)
  ordered.sort((left, right) => (left.number as number) - (right.number as number))
  const points = new Map<number, PictureCall[]>()
  let after = 0
  for (const call of [...ordered, ...calls.filter(({ isStuck, number }) => isStuck && number === undefined)]) {
    after = Math.max(after, position.get(`invoke ${call.index}`) ?? 0)
    // Never outside its call, even if the order given contradicts the history.
    const place = Math.min(after, (position.get(`return ${call.index}`) ?? ends.length) - 1)
    points.set(place, [...(points.get(place) ?? []), call])
  }
  const marks = (marked: readonly PictureCall[]) => marked.map((call) => ({ kind: 'point' as const, call }))
  return [
    ...ends.flatMap((end, at) => [{ kind: end.kind, call: end.call }, ...marks(points.get(at) ?? [])]),
    ...marks(calls.filter(({ isWaiting }) => isWaiting)),
  ]
}

/** What stands out: it cannot be explained, or waits for ever. */
export function isBad({ isStuck, isWaiting }: PictureCall): boolean {
  return isStuck || isWaiting
}

/** Calls that a deadlock left waiting. */
export function waitingCalls({ calls }: History): readonly number[] {
  return calls.flatMap(({ result }, index) => (result.kind === 'pending' ? [index] : []))
}
