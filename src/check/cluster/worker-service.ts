/** A worker: takes units of whatever runs there are at a Redis, explores each in a thread of the program it belongs to, and records it. */
import { deserialize } from 'node:v8'
import type { Diagnostic } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { WorkUnit } from '../../core/verdict.ts'
import { type Known, knownSince } from '../../core/witness.ts'
import { piecesOf } from '../../distribute/carrier.ts'
import type { Heard } from '../../distribute/crew.ts'
import { type Driven, isBudget } from '../../distribute/driver.ts'
import { childId } from '../../distribute/redis/run-keys.ts'
import type { TakenRun, TakenUnit } from '../../distribute/redis/taken-run.ts'
import { engines } from '../../engines/registry.ts'
import type { Bundle } from '../load-bundle.ts'
import { ThreadCrew } from '../thread-crew.ts'
import type { Sent } from './cluster.ts'

/** A unit that was given up is explored in smaller ones, so that what ends its workers is found. */
const targets = { usual: 1_000, scarce: 200, again: 100 } as const
/** Where few units wait, so often something is given away of each; and what is given then, in so many pieces. */
const gifts = 2
const piecesOfGift = 4
const lookMilliseconds = 20
/** For threads that are asked to stop, and do not. */
const patienceMilliseconds = 2_000

/** One thread that explores units of one run. */
export class UnitExplorer {
  readonly #taken: TakenRun
  readonly #sent: Sent
  readonly #bundle: Bundle
  readonly #isStopped: () => boolean
  #crew: ThreadCrew | undefined
  #heard: Heard['kind'] | undefined
  #driven: Driven | undefined
  /** What was given away of the unit, in order. */
  #given: readonly (readonly WorkUnit[])[] = []
  #isAsked = false
  #part = 0
  #before: Known = []

  constructor(taken: TakenRun, sent: Sent, bundle: Buffer, isStopped: () => boolean) {
    this.#taken = taken
    this.#sent = sent
    this.#bundle = deserialize(bundle) as Bundle
    this.#isStopped = isStopped
  }

  /** False if the program cannot be loaded here. */
  async begin(): Promise<boolean> {
    const { source, shown, text } = this.#sent
    const carried = { bundle: this.#bundle, shown }
    const crew = new ThreadCrew({ ...source, carried }, { size: 1, after: 0, search: text })
    this.#crew = crew
    this.#heard = undefined
    this.#before = []
    crew.start((_, heard) => {
      if (crew !== this.#crew) return
      if (heard.kind === 'given' && heard.part === this.#part) {
        this.#isAsked = false
        if (heard.units.length > 0) this.#given = [heard.units, ...this.#given]
      }
      if (heard.kind === 'ended' && heard.part === this.#part) this.#driven = heard.driven
      if (heard.kind !== 'progress') this.#heard = heard.kind
    })
    while (this.#heard === undefined && !this.#isStopped()) await crew.wait(lookMilliseconds)
    return this.#heard === 'ready'
  }

  /** Whether the thread lives. */
  async explore(unit: TakenUnit): Promise<boolean> {
    const target = unit.starts > 1 ? targets.again : unit.isScarce ? targets.scarce : targets.usual
    let driven = await this.#explored(unit, target)
    // What cannot be written down is explored to its end.
    if (driven?.because === 'interrupt' && driven.remaining.length === 0 && !this.#isLeaving())
      driven = await this.#explored(unit, Number.POSITIVE_INFINITY)
    const isWhole = driven !== undefined && (!isBudget(driven.because) || driven.remaining.length > 0)
    if (driven !== undefined && isWhole && driven.because !== 'outrun') await this.#record(unit, driven)
    await unit.done(isWhole || !this.#taken.isNeeded)
    return this.#heard !== 'gone'
  }

  #isLeaving(): boolean {
    return this.#isStopped() || this.#taken.state !== 'running'
  }

  /** Nothing if the thread died, or does not answer. */
  async #explored({ units, isScarce }: TakenUnit, target: number): Promise<Driven | undefined> {
    const crew = this.#crew
    invariant(crew !== undefined, 'units are explored in a thread')
    this.#driven = undefined
    this.#given = []
    this.#isAsked = false
    crew.explore(0, ++this.#part, units)
    const begunAt = performance.now()
    let askedAt: number | undefined
    let wanted = isScarce && target !== Number.POSITIVE_INFINITY ? gifts : 0
    while (this.#driven === undefined && this.#heard !== 'gone') {
      await crew.wait(lookMilliseconds)
      const now = performance.now()
      if (!this.#taken.isNeeded || this.#taken.state === 'over') crew.ask(0, 'drop')
      else if (now - begunAt >= target || this.#isLeaving()) {
        crew.ask(0, 'surrender')
        if (this.#isLeaving()) askedAt ??= now
      } else if (wanted > 0 && !this.#isAsked && now - begunAt >= target / 2) {
        wanted--
        this.#isAsked = true
        crew.ask(0, 'share')
      }
      if (askedAt !== undefined && now - askedAt > patienceMilliseconds) return undefined
    }
    return this.#driven
  }

  async #record(unit: TakenUnit, driven: Driven): Promise<void> {
    const { name, needs, options } = this.#sent.engine
    const engine = engines.find((one) => one.name === name && one.needs === needs)
    const weigh = engine?.weighs
    invariant(weigh !== undefined, 'only searches that can be split are sent to workers')
    const weight = (one: WorkUnit): number => weigh(one, options)
    // Behind a violation nothing counts.
    const isOver = driven.because === 'violation' || driven.because === 'diagnostic'
    const given = isOver ? [] : this.#given.flatMap((units) => piecesOf(units, weight, piecesOfGift))
    const left = [...piecesOf(driven.remaining, weight, 1), ...given]
    const seen = this.#crew?.seen(0)?.witness ?? []
    const children = left.map(({ weight }, at) => ({ id: childId(unit.id, at), weight }))
    const record = {
      id: unit.id,
      driven: { ...driven, remaining: [] },
      children,
      seen: knownSince(seen, this.#before),
    }
    this.#before = seen
    await this.#taken.keep(
      unit,
      record,
      left.map(({ units }) => units),
    )
  }

  /** What the thread has to say of the program that it has called. */
  async finish(): Promise<Diagnostic | undefined> {
    if (this.#heard === undefined || this.#heard === 'gone') return undefined
    const wrong = await this.#crew?.finish(undefined, () => this.#isStopped() || this.#taken.state === 'over')
    return wrong === 'aborted' ? undefined : wrong
  }

  dismiss(): void {
    this.#crew?.dismiss()
  }
}
