/**
 * The judge of executions without end. The last decisions of a trace are a round: they lead back to the state in which they began, up
 * to how messages are numbered, so they can be taken for ever. What that breaks is confirmed here: the state is the same again, nothing
 * that fairness asks for is put off for ever, of each fair choice that is made all options are taken, no state on the way is good, and one is as the property asks for, if it does.
 */
import type { CycleProperty, Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import { doneBy, dutiesOf, type Path } from '../program/path.ts'

export class Rounds {
  readonly #from: number | undefined
  /** Those without a good state so far. */
  #broken: readonly CycleProperty[]
  /** Those that ask for a state which there was not yet. */
  #unasked: readonly CycleProperty[]
  #key: string | undefined
  /** Duties that were possible all the time and not done; undefined before the round. */
  #undone: ReadonlySet<string> | undefined
  /** Of fair choices on the round. */
  readonly #offered = new Set<string>()
  readonly #taken = new Set<string>()

  /** Without a number, no decision is part of a round. */
  constructor(properties: readonly CycleProperty[], from: number | undefined) {
    this.#broken = properties
    this.#unasked = properties.filter(({ isAskedFor }) => isAskedFor !== undefined)
    this.#from = from
  }

  /** To be called before each decision is taken. */
  before(path: Path, decision: Decision, step: number): void {
    if (this.#from === undefined || step < this.#from) return
    this.#look(path, step)
    const done = doneBy(path, decision)
    this.#undone = this.#undone && new Set([...this.#undone].filter((duty) => !done.includes(duty)))
    for (const option of path.offeredBy?.(decision) ?? []) this.#offered.add(option)
    for (const option of done) this.#taken.add(option)
  }

  #look(path: Path, step: number): void {
    const duties = dutiesOf(path)
    if (step === this.#from) {
      this.#key = path.key()
      this.#undone = duties
    } else if (duties !== undefined) {
      this.#undone = this.#undone && new Set([...this.#undone].filter((duty) => duties.has(duty)))
    }
    const states = path.states?.() ?? new Map()
    this.#broken = this.#broken.filter((property) => !property.isGood(states))
    this.#unasked = this.#unasked.filter((property) => property.isAskedFor?.(states) !== true)
  }

  /** What is broken, once all decisions were taken. */
  violations(path: Path, decisions: number): readonly Violation[] {
    if (this.#from === undefined || this.#from > decisions) return []
    this.#look(path, decisions)
    const isRound = this.#key !== undefined && path.key() === this.#key
    // A round that begins in the middle of something says nothing about duties.
    const isFair = this.#undone !== undefined && this.#undone.size === 0
    const choosesFairly = [...this.#offered].every((option) => this.#taken.has(option))
    if (!isRound || !isFair || !choosesFairly) return []
    return this.#broken.filter((one) => !this.#unasked.includes(one)).map(({ violation }) => violation)
  }
}
