/**
 * Several searches for the same answer, in turn in one thread: the first answer counts. Time is shared fairly, so that the
 * search that answers fastest alone answers after at most as many times as long as there are searches.
 */
import type { Driven, EndOfSearch, Host, Search, Watch } from './driver.ts'
import { InlineDrive } from './inline.ts'

export interface Contender {
  readonly search: Search
  readonly watch: Watch
  /** Signs of progress in its first turn: small answers do not depend on how fast the computer is. */
  readonly headStart?: number | undefined
}

export interface DrivenInTurn {
  readonly because: EndOfSearch
  /** The contender that answered first, by position. */
  readonly by: number | undefined
  /** By position. */
  readonly driven: readonly Driven[]
}

/** Timers and signals get their turn at least so often, as far as engines allow. */
const pauseMilliseconds = 50
const turnMilliseconds = 20
/** If signs of progress come more slowly, it is not a small answer. */
const headStartMilliseconds = 300

export async function driveInTurn(contenders: readonly Contender[], host: Host): Promise<DrivenInTurn> {
  const turns = contenders.map(({ search, watch, headStart = 0 }) => {
    return { drive: new InlineDrive(search, watch, host), headStart, spent: 0, isOver: false }
  })
  const end = (because: EndOfSearch, by?: number): DrivenInTurn => {
    for (const { drive } of turns) drive.abandon()
    return { because, by, driven: turns.map(({ drive }) => drive.result()) }
  }
  for (let pausedAt = host.now(); ; ) {
    // One step of a search can take as long as a thousand of another: the one that has spent least is next.
    const open = turns.filter(({ isOver }) => !isOver)
    const next = open.reduce((least, turn) => (turn.spent < least.spent ? turn : least), open[0] as (typeof turns)[0])
    const startedAt = host.now()
    const atLeast = next.spent === 0 ? { signs: next.headStart, withinMilliseconds: headStartMilliseconds } : undefined
    next.isOver = next.drive.slice({ milliseconds: turnMilliseconds, atLeast })
    const now = host.now()
    next.spent += Math.max(now - startedAt, Number.EPSILON)
    if (next.isOver) {
      const { because } = next.drive.result()
      // A search that is given up for want of memory leaves the rest to the others; no other budget spares anyone.
      if (because !== 'memory') return end(because, isAnswer(because) ? turns.indexOf(next) : undefined)
      if (open.length === 1) return end('memory')
    }
    if (now - pausedAt < pauseMilliseconds) continue
    await host.pause()
    pausedAt = host.now()
  }
}

function isAnswer(because: EndOfSearch): boolean {
  return because === 'violation' || because === 'exhausted' || because === 'diagnostic'
}
