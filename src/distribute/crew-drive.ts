/**
 * One search explored by several threads, with the answer of one. This thread explores, too: a search begins here alone, goes on while
 * the others are being started, and goes on alone if none of them comes. Whoever has nothing to do is given what another one can spare,
 * and whoever has most left is asked for it. Which violation is reported does not depend on who is fast: see `Parts`.
 */
import { invariant } from '../core/invariant.ts'
import type { BudgetName } from '../core/verdict.ts'
import { Audits } from './audits.ts'
import type { Crew, Heard } from './crew.ts'
import { type Driven, type Host, isBudget, type Search, type Watch } from './driver.ts'
import { InlineDrive } from './inline.ts'
import { type Part, Parts } from './parts.ts'

const progressMilliseconds = 100
/** As long as nobody else explores; and when others may have to be answered. */
const sliceMilliseconds = { alone: 50, together: 5 }
/** Whoever had nothing to spare is not asked again before. */
const askedAgainMilliseconds = 5
/** Threads write down what is left as soon as they hear of it: whoever does not is in the middle of a very long step. */
const patienceMilliseconds = 1_000

/** For engines that weigh their units, and without a budget of executions: no thread knows how many the others have explored. */
export async function driveWithCrew(search: Search, watch: Watch, host: Host, crew: Crew): Promise<Driven> {
  return await new CrewDrive(search, watch, host, crew).run()
}

/** Somebody who explores: a thread of the crew, or this one. */
interface Hand {
  readonly member: number | undefined
  part: Part | undefined
  isAsked: boolean
  /** Not asked before. */
  askAt: number
}

class CrewDrive {
  readonly #search: Search
  readonly #watch: Watch
  readonly #host: Host
  readonly #crew: Crew
  readonly #audits: Audits
  readonly #startedAt: number
  readonly #parts: Parts
  readonly #own: Hand = handOf(undefined)
  /** All that can explore now. */
  readonly #hands = new Map<number | undefined, Hand>([[undefined, this.#own]])
  #drive: InlineDrive | undefined
  #isStarted = false
  #reportedAt: number
  #leaving: { readonly because: BudgetName; readonly since: number } | undefined

  constructor(search: Search, watch: Watch, host: Host, crew: Crew) {
    this.#search = search
    this.#watch = watch
    this.#host = host
    this.#crew = crew
    this.#audits = new Audits(watch.audit)
    this.#startedAt = host.now()
    this.#reportedAt = this.#startedAt
    const { engine, options } = search
    const weigh = engine.weighs
    invariant(weigh !== undefined, 'an engine whose search is given away in parts says how large they are')
    this.#parts = new Parts((units) => units.reduce((sum, unit) => sum + weigh(unit, options), 0))
    this.#explore(this.#parts.first(search.units))
  }

  async run(): Promise<Driven> {
    for (;;) {
      this.#goOn()
      if (!this.#isStarted && this.#elapsed() >= this.#crew.after) this.#start()
      this.#heedBudgets()
      this.#drop()
      if (this.#leaving === undefined) this.#deal()
      const busy = [...this.#hands.values()].filter(({ part }) => part !== undefined)
      if (busy.length === 0) return this.#parts.result(this.#leaving?.because)
      this.#report()
      if (this.#drive === undefined) await this.#crew.wait(sliceMilliseconds.together)
      else await this.#host.pause()
    }
  }

  #elapsed(): number {
    return this.#host.now() - this.#startedAt
  }

  #start(): void {
    this.#isStarted = true
    this.#crew.start((member, heard) => this.#hear(member, heard))
  }

  /** This thread takes a part. */
  #explore(part: Part): void {
    const own = this.#own
    own.part = part
    const { budget, keepGoing } = this.#watch
    const isLeaving = (): boolean => this.#leaving !== undefined || this.#watch.signal?.aborted === true
    const signal = {
      get aborted() {
        return isLeaving()
      },
    }
    const milliseconds = budget.milliseconds === undefined ? undefined : budget.milliseconds - this.#elapsed()
    const sharing = {
      isAsked: () => own.isAsked,
      given: (units: Parameters<Parts['give']>[1]) => this.#give(own, units),
      explored: () => undefined,
    }
    const search = { ...this.#search, units: part.units }
    const watch = { budget: { ...budget, milliseconds }, keepGoing, signal, sharing }
    this.#drive = new InlineDrive(search, watch, this.#host, this.#audits)
  }

  #goOn(): void {
    const { part } = this.#own
    if (this.#drive === undefined || part === undefined) return
    const isTogether = this.#hands.size > 1
    const isOver = this.#drive.slice({
      milliseconds: isTogether ? sliceMilliseconds.together : sliceMilliseconds.alone,
    })
    const driven = this.#drive.result()
    part.progress = { counts: driven.counts, violations: driven.found.length, explored: driven.explored }
    if (isOver) this.#ended(this.#own, driven)
  }

  #ended(hand: Hand, driven: Driven): void {
    const { part } = hand
    if (hand === this.#own) this.#drive = undefined
    hand.part = undefined
    hand.isAsked = false
    hand.askAt = 0
    if (part === undefined || part.isDropped) return
    this.#parts.end(part, driven)
    if (isBudget(driven.because)) this.#leave(driven.because)
  }

  #hear(member: number, heard: Heard): void {
    if (heard.kind === 'ready') {
      this.#hands.set(member, handOf(member))
      return
    }
    const hand = this.#hands.get(member)
    if (hand === undefined) return
    const { part } = hand
    switch (heard.kind) {
      case 'gone':
        this.#hands.delete(member)
        if (part !== undefined && !part.isDropped) this.#parts.again(part)
        return
      case 'given':
        return this.#give(hand, heard.units)
      case 'progress':
        if (part !== undefined) part.progress = heard.progress
        return
      case 'ended':
        invariant(part?.id === heard.part, 'a thread explores the part that it was told')
        this.#ended(hand, heard.driven)
    }
  }

  #give(hand: Hand, units: Parameters<Parts['give']>[1]): void {
    hand.isAsked = false
    if (units.length === 0) hand.askAt = this.#host.now() + askedAgainMilliseconds
    if (units.length === 0 || hand.part === undefined || hand.part.isDropped) return
    this.#parts.give(hand.part, units, this.#idle().length)
  }

  #idle(): readonly Hand[] {
    return [...this.#hands.values()].filter(({ part }) => part === undefined)
  }

  /** What waits is given to those who have nothing to do; for others that have nothing, somebody is asked. */
  #deal(): void {
    // Others first: this thread also has to answer them.
    const idle = [...this.#idle()].sort((left, right) => Number(left === this.#own) - Number(right === this.#own))
    for (const hand of idle) {
      const part = this.#parts.take()
      if (part === undefined) break
      if (hand.member === undefined) this.#explore(part)
      else {
        hand.part = part
        invariant(part.units !== undefined, 'the whole search is begun here')
        this.#crew.explore(hand.member, part.id, part.units)
      }
    }
    const wanting = this.#idle().length
    const busy = [...this.#hands.values()].filter(({ part }) => part?.isDropped === false)
    const now = this.#host.now()
    for (let asked = busy.filter(({ isAsked }) => isAsked).length; asked < wanting; asked++) {
      const [most] = busy
        .filter(({ isAsked, askAt }) => !isAsked && askAt <= now)
        .sort((left, right) => this.#weightLeft(right) - this.#weightLeft(left))
      if (most === undefined) return
      most.isAsked = true
      if (most.member !== undefined) this.#crew.ask(most.member, 'share')
    }
  }

  #weightLeft({ member, part }: Hand): number {
    if (part === undefined) return 0
    return part.weight - (member === undefined ? part.progress.explored : this.#crew.explored(member))
  }

  /** Nobody goes on with what does not count any more. */
  #drop(): void {
    for (const hand of this.#hands.values()) {
      if (hand.part?.isDropped !== true) continue
      if (hand === this.#own) {
        this.#drive?.abandon('outrun')
        this.#ended(hand, (this.#drive as InlineDrive).result())
      } else if (hand.member !== undefined) this.#crew.ask(hand.member, 'drop')
    }
  }

  #heedBudgets(): void {
    const { budget, signal } = this.#watch
    const { milliseconds = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = budget
    if (this.#leaving !== undefined) return this.#hurry(this.#leaving.since)
    if (signal?.aborted) this.#leave('interrupt')
    else if (this.#elapsed() >= milliseconds) this.#leave('time')
    else if (bytes !== Number.POSITIVE_INFINITY && this.#host.memory() >= bytes) this.#leave('memory')
  }

  /** Everybody writes down what is left. */
  #leave(because: BudgetName): void {
    if (this.#leaving !== undefined) return
    this.#leaving = { because, since: this.#host.now() }
    for (const { member, part } of this.#hands.values())
      if (part !== undefined && member !== undefined) this.#crew.ask(member, 'surrender')
  }

  /** What somebody does not hand over in time is as it was given to him. */
  #hurry(since: number): void {
    if (this.#host.now() - since < patienceMilliseconds) return
    for (const [member, { part }] of this.#hands) {
      if (member === undefined) continue
      this.#hands.delete(member)
      if (part !== undefined && !part.isDropped) this.#parts.again(part)
    }
  }

  #report(): void {
    const now = this.#host.now()
    if (now - this.#reportedAt < progressMilliseconds) return
    this.#reportedAt = now
    this.#watch.onProgress?.({ ...this.#parts.progress(), milliseconds: now - this.#startedAt })
  }
}

function handOf(member: number | undefined): Hand {
  return { member, part: undefined, isAsked: false, askAt: 0 }
}
