/**
 * The judge of executions without end. The last decisions of a trace are a round: they lead back to the state in which they began, up
 * to how messages are numbered, so they can be taken for ever. What that breaks is confirmed here: the state is the same again, nothing
 * that fairness asks for is put off for ever, of each fair choice that is made all options are taken, no state on the way is good, and one is as the property asks for, if it does. If
 * the property says since when there must be no good state, the decisions before the round are looked at as well.
 */
import { type CycleProperty, isOwedIn, type Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { Value } from '../core/value.ts'
import { doneBy, dutiesOf, type Path } from '../program/path.ts'

export class Rounds {
  readonly #from: number | undefined
  /** Those that say since when. */
  readonly #sinceGiven: readonly CycleProperty[]
  /** Those without a good state so far. */
  #broken: readonly CycleProperty[]
  /** Those that ask for a state which there was not yet. */
  #unasked: readonly CycleProperty[]
  /** Those that have waited for a good state since when they say. */
  #owed: ReadonlySet<CycleProperty>
  #key: string | undefined
  /** Duties that were possible all the time and not done; undefined before the round. */
  #undone: ReadonlySet<string> | undefined
  /** Whether the round begins in the middle of something; then it goes on for ever there. */
  #isInMiddle = false
  /** Of fair choices on the round. */
  readonly #offered = new Set<string>()
  readonly #taken = new Set<string>()

  /** Without a number, no decision is part of a round. */
  constructor(properties: readonly CycleProperty[], from: number | undefined) {
    this.#broken = properties
    this.#unasked = properties.filter(({ isAskedFor }) => isAskedFor !== undefined)
    this.#sinceGiven = properties.filter(({ since }) => since !== undefined)
    this.#owed = new Set(properties.filter(({ since }) => since === 'start'))
    this.#from = from
  }

  /** To be called before each decision is taken. */
  before(path: Path, decision: Decision, step: number): void {
    if (this.#from === undefined) return
    this.#look(path, step)
    if (step < this.#from) return
    const done = doneBy(path, decision)
    this.#undone = this.#undone && new Set([...this.#undone].filter((duty) => !done.includes(duty)))
    for (const option of path.offeredBy?.(decision) ?? []) this.#offered.add(option)
    for (const option of done) this.#taken.add(option)
  }

  #look(path: Path, step: number): void {
    const states = path.states?.() ?? new Map()
    const isOwed = (one: CycleProperty): boolean => isOwedIn(one, states, this.#owed.has(one))
    this.#owed = new Set(this.#sinceGiven.filter(isOwed))
    if (step >= (this.#from as number)) this.#lookRound(path, step, states)
  }

  /** The first state is looked at when it is met again, or as one that lasts: how it was come to is no part of the round. */
  #lookRound(path: Path, step: number, states: ReadonlyMap<string, Value>): void {
    const atRest = dutiesOf(path)
    if (step === this.#from) this.#isInMiddle = atRest === undefined
    const duties = this.#isInMiddle ? path.dutiesMeanwhile?.() : atRest
    if (step === this.#from) {
      this.#key = path.key()
      this.#undone = duties
    } else if (this.#isInMiddle && duties === undefined) {
      this.#undone = undefined
    } else if (duties !== undefined) {
      this.#undone = this.#undone && new Set([...this.#undone].filter((duty) => duties.has(duty)))
    }
    if (step > (this.#from as number)) this.#broken = this.#broken.filter((property) => !property.isGood(states))
    this.#unasked = this.#unasked.filter((property) => property.isAskedFor?.(states) !== true)
  }

  #lookLasting(path: Path): void {
    const states = path.states?.(true) ?? new Map()
    this.#broken = this.#broken.filter((property) => !property.isGood(states))
  }

  /** What is broken, once all decisions were taken. */
  violations(path: Path, decisions: number): readonly Violation[] {
    if (this.#from === undefined || this.#from > decisions) return []
    this.#look(path, decisions)
    if (this.#from === decisions) this.#lookLasting(path)
    const isRound = this.#key !== undefined && path.key() === this.#key
    // A round that begins in the middle of something has to stay there.
    const isFair = this.#undone !== undefined && this.#undone.size === 0
    const choosesFairly = [...this.#offered].every((option) => this.#taken.has(option))
    if (!isRound || !isFair || !choosesFairly) return []
    const isMeant = (one: CycleProperty): boolean =>
      !this.#unasked.includes(one) && (one.since === undefined || this.#owed.has(one))
    return this.#broken.filter(isMeant).map(({ violation }) => violation)
  }
}
