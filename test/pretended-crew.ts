/** A crew without threads: members explore in turn whenever the driver waits, who and how long is drawn from a seed, and some of them die. */
import { Random } from '../src/core/random.ts'
import type { WorkUnit } from '../src/core/verdict.ts'
import type { Asked, Crew, Heard } from '../src/distribute/crew.ts'
import type { Host, Search } from '../src/distribute/driver.ts'
import { Member } from '../src/distribute/member.ts'
import { tickingHost } from './ticking-host.ts'

export interface Pretended {
  readonly size: number
  readonly seed: number
  /** The search as a member has it, which is not the driver's own. */
  readonly search: () => Search
  readonly keepGoing: boolean
  /** Of 1000 steps of a member, the last one of its life. */
  readonly deaths?: number
  /** Of 1000 steps of a member, where something that nobody needs is asked of it. */
  readonly whims?: number
}

interface Place {
  member: Member | undefined
  asked: Asked | undefined
  explored: number
  /** What was told and not heard yet. */
  readonly told: Heard[]
}

export class PretendedCrew implements Crew {
  readonly size: number
  readonly after: number
  readonly host: Host
  /** What happened, so that tests can tell whether anything did. */
  given = 0
  died = 0
  /** Called between steps. */
  onStep: () => void = () => undefined
  readonly #pretended: Pretended
  readonly #random: Random
  readonly #places: Place[] = []
  #hear: (member: number, heard: Heard) => void = () => undefined

  constructor(pretended: Pretended) {
    this.#pretended = pretended
    this.size = pretended.size
    this.#random = new Random(pretended.seed)
    this.after = this.#random.below(40)
    this.host = { ...tickingHost(), pause: async () => this.#steps() }
  }

  start(hear: (member: number, heard: Heard) => void): void {
    this.#hear = hear
    for (let at = 0; at < this.size; at++) this.#places.push({ ...nobody, told: [] })
    for (const place of this.#places) {
      const isLost = this.#random.below(1000) < (this.#pretended.deaths ?? 0)
      if (!isLost) place.member = this.#member(place)
      place.told.push({ kind: isLost ? 'gone' : 'ready' })
    }
  }

  #member(place: Place): Member {
    const { search, keepGoing } = this.#pretended
    return new Member(search(), { keepGoing }, tickingHost(), {
      asked: () => {
        const { asked } = place
        if (asked === 'share') place.asked = undefined
        return asked
      },
      explored: (share) => (place.explored = share),
      tell: (report) => {
        if (report.kind === 'given') this.given += report.units.length
        place.told.push(structuredClone(report))
      },
    })
  }

  explore(member: number, part: number, units: readonly WorkUnit[]): void {
    const place = this.#places[member] as Place
    place.asked = undefined
    place.explored = 0
    place.member?.begin(part, JSON.parse(JSON.stringify(units)) as readonly WorkUnit[])
  }

  ask(member: number, what: Asked): void {
    ;(this.#places[member] as Place).asked = what
  }

  explored(member: number): number {
    return this.#places[member]?.explored ?? 0
  }

  async wait(): Promise<void> {
    this.#steps()
  }

  #steps(): void {
    const random = this.#random
    const { deaths = 0, whims = 0 } = this.#pretended
    for (let steps = random.below(2 * this.size + 1); steps > 0; steps--) {
      const at = random.below(this.size)
      const place = this.#places[at]
      if (place === undefined) continue
      if (random.below(1000) < whims) place.asked ??= 'share'
      if (place.member?.slice() === false && random.below(1000) < deaths) {
        this.died++
        place.member = undefined
        place.told.push({ kind: 'gone' })
      }
      // Some time later all of it is heard, or a part.
      for (let heard = random.below(place.told.length + 1); heard > 0; heard--)
        this.#hear(at, place.told.shift() as Heard)
    }
    this.onStep()
  }
}

const nobody = { member: undefined, asked: undefined, explored: 0 }
