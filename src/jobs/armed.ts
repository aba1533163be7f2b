/**
 * Timers and immediates: armed by the program, fired by the owner of the loop.
 *
 * Node reads the clock whenever a timer is armed, so the order in which two timers fire is certain only if the first was armed no
 * later *and* its delay is no longer. Otherwise both orders are real: it depends on how long the code between takes. With pace
 * `any` the owner is offered all orders that this allows. With pace `instant` code takes no time, and timers fire when they are due.
 */
export type Pace = 'instant' | 'any'

export interface Armed {
  readonly kind: 'timer' | 'immediate'
  /** By which a program may clear it. */
  readonly id: number
  /** Grows with every arming. */
  readonly sequence: number
  /** In milliseconds; 0 for an immediate. */
  readonly delay: number
  /** When a timer fires if code takes no time. */
  readonly due: number
  /** Whether it is armed again after it fired. */
  readonly repeats: boolean
  /** Whether the program waits for it to fire before it ends (`unref`). */
  readonly isReferenced: boolean
  readonly context: unknown
  readonly callback: () => void
}

type Entry = { -readonly [Key in keyof Armed]: Armed[Key] }

export interface Arming {
  readonly kind: Armed['kind']
  readonly delay: number
  readonly repeats: boolean
  readonly context: unknown
  readonly callback: () => void
}

/** Is told of timers, and fires them itself. */
export interface Watcher {
  armed(timer: Armed): void
  disarmed(timer: Armed): void
}

export class ArmedSet {
  watcher: Watcher | undefined = undefined
  readonly #pace: Pace
  #timers: Entry[] = []
  #immediates: Entry[] = []
  /** Immediates at the head that belong to the round that is under way: no timer comes between them. */
  #inRound = 0
  #sequence = 0
  /** The timer that is being fired, unless it was cleared meanwhile. */
  #firing: Entry | undefined
  now = 0

  constructor(pace: Pace) {
    this.#pace = pace
  }

  get isEmpty(): boolean {
    return this.#timers.length === 0 && this.#immediates.length === 0
  }

  /** Whether anything is armed that the owner may fire. */
  get mayFireNow(): boolean {
    return this.#immediates.length > 0 || (this.watcher === undefined && this.#timers.length > 0)
  }

  /** Whether anything armed keeps the program from ending. */
  get isAlive(): boolean {
    return this.#timers.some(isReferenced) || this.#immediates.some(isReferenced)
  }

  arm(arming: Arming): Armed {
    const delay = arming.kind === 'timer' ? delayOf(arming.delay) : 0
    const sequence = this.#sequence++
    const entry = { ...arming, delay, due: this.now + delay, id: sequence + 1, sequence, isReferenced: true }
    if (entry.kind === 'immediate') this.#immediates.push(entry)
    else {
      this.#timers.push(entry)
      this.watcher?.armed(entry)
    }
    return entry
  }

  /** Takes it back; of one that is not armed nothing happens. */
  disarm(one: Armed): void {
    if (this.#firing === one) this.#firing = undefined
    this.#remove(one)
    if (one.kind === 'timer') this.watcher?.disarmed(one)
  }

  /** The time when a timer fires, if somebody else knows it. */
  passTo(one: Armed, now: number): void {
    ;(one as Entry).due = now
  }

  find(id: number): Armed | undefined {
    return this.#timers.find((timer) => timer.id === id)
  }

  isArmed(one: Armed): boolean {
    return this.#firing === one || this.#timers.includes(one as Entry) || this.#immediates.includes(one as Entry)
  }

  /** As if it were armed now, `refresh` of a timer. */
  rearm(one: Armed): void {
    this.#remove(one)
    this.watcher?.disarmed(one)
    this.#armAgain(one as Entry, this.now)
  }

  setReferenced(one: Armed, value: boolean): void {
    ;(one as Entry).isReferenced = value
  }

  /** What may fire next: the oldest immediate, unless there is none, and timers, unless a round of immediates is under way. */
  mayFire(): readonly Armed[] {
    const [immediate] = this.#immediates
    if (immediate !== undefined && this.#inRound > 0) return [immediate]
    const timers = this.watcher === undefined ? this.#timersNext() : []
    return immediate === undefined ? timers : [...timers, immediate]
  }

  /** Before its callback. */
  beginFiring(one: Armed): void {
    if (one.kind === 'immediate') {
      if (this.#inRound === 0) this.#inRound = this.#immediates.length
      this.#remove(one)
      return
    }
    this.#remove(one)
    this.now = Math.max(this.now, one.due)
    this.#firing = one as Entry
  }

  /** After its callback: an interval counts from before the callback, and stands behind what the callback armed. */
  endFiring(one: Armed): void {
    if (one.kind === 'immediate' || this.#firing !== one) return
    this.#firing = undefined
    if (one.repeats && !this.#timers.includes(one as Entry)) this.#armAgain(one as Entry, this.now)
  }

  saved(): () => void {
    const [timers, immediates] = [this.#timers.map(copied), this.#immediates.map(copied)]
    const { now } = this
    const [inRound, sequence] = [this.#inRound, this.#sequence]
    return () => {
      // The same objects as before: programs hold them.
      this.#timers = timers.map(restored)
      this.#immediates = immediates.map(restored)
      this.now = now
      this.#inRound = inRound
      this.#sequence = sequence
    }
  }

  #timersNext(): readonly Armed[] {
    const first = Math.min(...this.#timers.map(({ due }) => due))
    const due = this.#pace === 'any' ? this.#timers : this.#timers.filter((timer) => timer.due === first)
    return due.filter((timer) => !due.some((other) => certainlyPrecedes(other, timer)))
  }

  #armAgain(one: Entry, from: number): void {
    one.sequence = this.#sequence++
    one.due = from + one.delay
    this.#timers.push(one)
    this.watcher?.armed(one)
  }

  #remove(one: Armed): void {
    const timer = this.#timers.indexOf(one as Entry)
    if (timer >= 0) this.#timers.splice(timer, 1)
    const immediate = this.#immediates.indexOf(one as Entry)
    if (immediate < 0) return
    this.#immediates.splice(immediate, 1)
    if (immediate < this.#inRound) this.#inRound--
  }
}

function certainlyPrecedes(one: Armed, other: Armed): boolean {
  return one.sequence < other.sequence && one.delay <= other.delay
}

function isReferenced(one: Armed): boolean {
  return one.isReferenced
}

/** As Node reads a delay. */
function delayOf(delay: number): number {
  return delay >= 1 && delay <= 0x7fff_ffff ? Math.trunc(delay) : 1
}

function copied(entry: Entry): { readonly entry: Entry; readonly copy: Entry } {
  return { entry, copy: { ...entry } }
}

function restored({ entry, copy }: ReturnType<typeof copied>): Entry {
  return Object.assign(entry, copy)
}
