/**
 * Settings of a sweep that threads explore ahead of it, such as clients of a class. The sweep goes on in its order, and takes what a thread has found to hold
 * as explored; whatever else a thread came upon is explored where it can be judged and told. So a sweep has the answer and the counts of one thread: each
 * setting by itself has them, unless something was learned on the way, and then nothing of threads counts.
 */
import type { Diagnostic } from '../core/diagnostic.ts'
import { type BudgetName, type Counts, unitFormat, type WorkUnit } from '../core/verdict.ts'
import type { Witness } from '../core/witness.ts'
import type { Heard } from '../distribute/crew.ts'
import type { Sweep } from '../program/program.ts'
import { type Limits, spentNow } from './spent.ts'
import type { ThreadCrew } from './thread-crew.ts'

/** Settings that stand next to each other. */
export interface Stretch {
  readonly from: number
  readonly length: number
}

interface Given extends Stretch {
  readonly member: number
  readonly at: number
  /** Of its first settings, as far as they hold; those are among what is counted. */
  held: Counts | undefined
}

/** A stretch is to take about so long: threads have to be told the next one, and what is ahead of a violation is in vain. */
const wantedMilliseconds = 100
const firstLength = 4
const mostLength = 4_096
const lookMilliseconds = 5

export class SettingsAhead {
  readonly #crew: ThreadCrew
  readonly #sweep: Sweep
  readonly #limits: Limits
  #isSure = true
  /** By their first settings. */
  readonly #given = new Map<number, Given>()
  /** The first setting that nobody was given, and one beyond the last. */
  #next = 0
  #length = firstLength
  #isStarted = false

  constructor(crew: ThreadCrew, sweep: Sweep, limits: Limits) {
    this.#crew = crew
    this.#sweep = sweep
    this.#limits = limits
  }

  /** Something was learned, by which settings are explored in another way than before: threads do not know it. */
  distrust(): void {
    this.#isSure = false
  }

  /** What is known of some settings from this one on; nothing if it has to be explored now. */
  async from(setting: number): Promise<Counts | BudgetName | undefined> {
    this.#next = Math.max(this.#next, setting + 1)
    const { host, startedAt } = this.#limits
    if (!this.#isStarted && host.now() - startedAt >= this.#crew.after) {
      this.#isStarted = true
      this.#crew.start((member, heard) => this.#hear(member, heard))
    }
    const given = this.#given.get(setting)
    while (given !== undefined && given.held === undefined && this.#given.has(setting)) {
      const because = await spentNow(this.#limits)
      if (because !== undefined) return because
      await this.#crew.wait(lookMilliseconds)
    }
    this.#given.delete(setting)
    const held = this.#isSure ? given?.held : undefined
    return held === undefined || this.settingsIn(held) === 0 ? undefined : held
  }

  settingsIn(counts: Counts): number {
    return counts[this.#sweep.counted.names[0] as string] ?? 0
  }

  #hear(member: number, heard: Heard): void {
    if (heard.kind === 'ready') this.#give(member)
    if (heard.kind === 'gone') this.#forget(member)
    if (heard.kind !== 'ended') return
    const given = this.#given.get(heard.part)
    if (given !== undefined) {
      given.held = heard.driven.counts
      this.#adapt(this.#limits.host.now() - given.at)
    }
    this.#give(member)
  }

  #give(member: number): void {
    if (!this.#isSure || this.#next >= this.#sweep.outOf) return
    const stretch = { from: this.#next, length: this.#length }
    this.#next += stretch.length
    this.#given.set(stretch.from, { ...stretch, member, at: this.#limits.host.now(), held: undefined })
    this.#crew.explore(member, stretch.from, [stretchUnit(stretch)])
  }

  #forget(member: number): void {
    for (const [from, given] of this.#given)
      if (given.member === member && given.held === undefined) this.#given.delete(from)
  }

  #adapt(milliseconds: number): void {
    const factor = Math.min(4, Math.max(0.25, wantedMilliseconds / Math.max(1, milliseconds)))
    this.#length = Math.min(mostLength, Math.max(1, Math.round(this.#length * factor)))
  }

  /** Of a sweep that came to its end: what threads have to say of what they called. */
  async finish(): Promise<Diagnostic | 'aborted' | undefined> {
    const { budget, signal } = this.#limits
    return this.#isStarted ? await this.#crew.finish(budget.milliseconds, () => signal?.aborted === true) : undefined
  }

  dismiss(witness: Witness): void {
    this.#crew.tellWitness(witness)
    this.#crew.dismiss()
  }
}

const engineOfStretches = 'sweep'

function stretchUnit(stretch: Stretch): WorkUnit {
  return { format: unitFormat, engine: engineOfStretches, state: stretch }
}

export function stretchIn([unit]: readonly WorkUnit[]): Stretch {
  return (unit as WorkUnit).state as Stretch
}
