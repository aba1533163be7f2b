/**
 * Several searches for the same answer, in turn in one thread: the first answer counts. What is shared fairly is time, so that the
 * search that answers fastest alone answers after at most as many times as long as there are searches; or work, in signs of
 * progress, so that who answers, and with which counts, depends on no clock.
 */
import { type Driven, type EndOfSearch, type Host, isBudget, type Search, type Watch } from './driver.ts'
import { InlineDrive } from './inline.ts'

export interface Contender {
  readonly search: Search
  readonly watch: Watch
  /** Signs of progress in its first turn: small answers do not depend on how fast the computer is. */
  readonly headStart?: number | undefined
  /** Signs of progress in each turn; without it, turns take some time. The same for all contenders. */
  readonly turn?: number | undefined
  /**
   * Milliseconds of work that it may take alone, before or after the others take theirs. Who has a slower pace than the first one by then is outrun; so it
   * is only for searches whose engines tell their pace.
   */
  readonly trial?: number | undefined
}

export interface DrivenInTurn {
  readonly because: EndOfSearch
  /** The contender that answered first, by position. */
  readonly by: number | undefined
  /** By position; those that did not come to their end are `outrun`, or ended by the budget that ended all. */
  readonly driven: readonly Driven[]
}

/** What all have together, beside the budgets of each. */
export interface Shared {
  readonly bytes?: number | undefined
}

/** Timers and signals get their turn at least so often, as far as engines allow. */
const pauseMilliseconds = 50
const turnMilliseconds = 20
/** If signs of progress come more slowly, it is not a small answer. */
const headStartMilliseconds = 300
/** Of the memory that may still be taken: beyond it the search that took most is given up, and the rest with what was its own is the others'. */
const shareOfAll = 0.6
/** An engine that cannot explore a system leaves it to the others. */
const unable = 'E309'

export async function driveInTurn(
  contenders: readonly Contender[],
  host: Host,
  shared: Shared = {},
): Promise<DrivenInTurn> {
  const lanes: Lane[] = []
  const isHeard = (lane: Lane): boolean => lanes.find(({ isOver }) => !isOver) === lane
  for (const contender of contenders) lanes.push(new Lane(contender, host, isHeard))
  const resident = host.memory()
  const enough = resident + ((shared.bytes ?? Number.POSITIVE_INFINITY) - resident) * shareOfAll
  let isTried = contenders.every(({ trial }) => trial === undefined)
  for (let pausedAt = host.now(); ; ) {
    const open = lanes.filter(({ isOver }) => !isOver)
    const onTrial = open.find(({ isOnTrial }) => isOnTrial)
    if (onTrial === undefined && !isTried) {
      isTried = true
      outrun(open)
      continue
    }
    // One step of a search can take as long as a thousand of another: the one that has spent least is next.
    const next = onTrial ?? open.reduce((least, lane) => (lane.spent < least.spent ? lane : least))
    next.go()
    if (!next.isOver && open.length > 1 && host.memory() >= enough)
      open.reduce((most, lane) => (lane.taken > most.taken ? lane : most)).giveUp('memory')
    if (next.isOver && (open.length === 1 || !next.leavesToOthers)) return ended(lanes, next)
    if (host.now() - pausedAt < pauseMilliseconds) continue
    await host.pause()
    pausedAt = host.now()
  }
}

/** All had their trial: who is slower than the first one has no other turn. */
function outrun([first, ...others]: readonly Lane[]): void {
  for (const lane of others) if (lane.pace < (first?.pace ?? 0)) lane.giveUp('outrun')
}

/** One search with what it has spent. */
class Lane {
  readonly #contender: Contender
  readonly #host: Host
  readonly #drive: InlineDrive
  /** Time, or turns. */
  spent = 0
  /** Bytes by which memory grew while it was its turn. */
  taken = 0
  isOver = false
  /** Signs of progress left of this turn. */
  #left: number

  constructor(contender: Contender, host: Host, isHeard: (lane: Lane) => boolean) {
    const { search, watch, headStart = 0, turn = 0 } = contender
    this.#contender = contender
    this.#host = host
    this.#left = Math.max(headStart, turn)
    const onProgress: Watch['onProgress'] = (progress) => {
      if (isHeard(this)) watch.onProgress?.(progress)
    }
    this.#drive = new InlineDrive(search, { ...watch, onProgress }, host)
  }

  go(): void {
    const before = this.#host.memory()
    if (this.#contender.turn === undefined) this.#goForSomeTime()
    else this.#goForSomeWork(this.#contender.turn)
    this.taken += Math.max(0, this.#host.memory() - before)
  }

  get isOnTrial(): boolean {
    return this.spent < (this.#contender.trial ?? 0)
  }

  get pace(): number {
    return this.#drive.signs.pace
  }

  giveUp(because: EndOfSearch): void {
    this.#drive.abandon(because)
    this.isOver = true
  }

  result(): Driven {
    return this.#drive.result()
  }

  /** A search that is given up for want of memory leaves the rest to the others; no other budget spares anyone. */
  get leavesToOthers(): boolean {
    const { because, diagnostic } = this.result()
    return because === 'memory' || diagnostic?.code === unable
  }

  #goForSomeTime(): void {
    const { headStart = 0 } = this.#contender
    const atLeast = this.spent === 0 ? { signs: headStart, withinMilliseconds: headStartMilliseconds } : undefined
    const worked = (): number => this.#host.worked?.() ?? this.#host.now()
    const before = worked()
    this.isOver = this.#drive.slice({ milliseconds: turnMilliseconds, atLeast })
    this.spent += Math.max(worked() - before, Number.EPSILON)
  }

  /** Pauses do not end a turn: they come when the clock says so. */
  #goForSomeWork(turn: number): void {
    const { signs } = this.#drive
    const before = signs.count
    this.isOver = this.#drive.slice({ milliseconds: pauseMilliseconds, signs: this.#left })
    this.#left -= signs.count - before
    if (this.#left > 0) return
    this.spent++
    this.#left = turn
  }
}

function ended(lanes: readonly Lane[], last: Lane): DrivenInTurn {
  const { because } = last.result()
  const isAnswer = because === 'violation' || because === 'exhausted' || because === 'diagnostic'
  for (const lane of lanes) lane.giveUp(isBudget(because) ? because : 'outrun')
  return { because, by: isAnswer ? lanes.indexOf(last) : undefined, driven: lanes.map((lane) => lane.result()) }
}
