/**
 * Which machines suffice to be followed from a state, so that orders that make no difference are left out. What is kept: every state in which nothing
 * more can happen, and every violation of an execution that ends.
 *
 * A set of machines is safe if, as long as none of them moves, nobody else can do anything that depends on what they can do now (persistent sets,
 * Godefroid 1996, chapter 4; stubborn sets, Valmari 1989). Two steps depend on each other if one machine takes both, if one
 * makes the other possible, or if both tell one monitor. To take a message from a sender's queue and to append to that queue is
 * independent, since what is taken was there before. So a machine with something to do is safe with those who may send to it, unless
 * their next message to it is on its way: then what they send later comes later. Who may send is who has a reference (`held.ts`) and
 * is of a kind that may send (`references.ts`). Bags have no order, and there the exception does not count.
 *
 * Where each send goes into the target's inbox at once, what depends on each other are sends to one machine; to take from an inbox
 * and to append to it is independent, unless the machine would do something if there were nothing to take.
 *
 * The thesis finds source sets by looking at what was explored before (`../search.ts`). Here that would seldom help: timers and retries run in circles,
 * and nothing in a circle is known before all of it is. Safe sets need no more than the state. Cycles are the matter of the
 * search: where every step of a safe set leads to states that have been left before, it must take all others as well.
 */
import type { IrMachine } from '../../../ir/ir.ts'
import { type References, referencesIn } from '../../../ir/references.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import { phases } from './local-states.ts'
import type { StateSpace } from './space.ts'
import type { SpaceStep } from './space-steps.ts'

export class SafeSets {
  readonly #space: StateSpace
  readonly #rules: Rules
  readonly #references: References
  /** By kind: whether such machines may do something because there is nothing to receive. */
  readonly #isRestless: readonly boolean[]
  /** Of the loaded state, by machine: who has something on the way to it, who refers to it, and what it can do. */
  #sendersTo: Set<number>[] = []
  #holders: Set<number>[] = []
  #steps: SpaceStep[][] = []
  /** By machine whose creation is on its way: by whom it was sent. */
  readonly #creators = new Map<number, number>()

  constructor(rules: Rules, space: StateSpace) {
    this.#rules = rules
    this.#space = space
    const { ir } = rules.code
    this.#references = referencesIn(ir)
    this.#isRestless = ir.machines.map(({ states }: IrMachine) => states.some(({ onNull }) => onNull !== undefined))
  }

  /** A safe set that leaves out some of the steps of the loaded state, and many if it can; undefined: none does. */
  among(steps: readonly SpaceStep[]): ReadonlySet<number> | undefined {
    const movers = [...new Set(steps.map(({ move }) => move.slot))]
    if (movers.length < 2) return undefined
    this.#look(steps)
    let [best, least] = [undefined as ReadonlySet<number> | undefined, steps.length]
    for (const slot of movers) {
      const safe = this.#closed(slot)
      const size = movers.reduce((sum, one) => sum + (safe.has(one) ? (this.#steps[one]?.length ?? 0) : 0), 0)
      if (size < least) [best, least] = [safe, size]
      if (least === 1) break
    }
    return best
  }

  #look(steps: readonly SpaceStep[]): void {
    const space = this.#space
    const machines = Array.from({ length: space.machines }, (_, slot) => slot)
    this.#sendersTo = machines.map(() => new Set())
    this.#holders = machines.map(() => new Set())
    this.#steps = machines.map(() => [])
    this.#creators.clear()
    for (const step of steps) this.#steps[step.move.slot]?.push(step)
    for (const slot of machines) {
      for (const held of space.heldAt(slot)) this.#holders[held]?.add(slot)
      for (const entry of space.sentAt(slot)) {
        const target = space.targetOf(entry)
        this.#sendersTo[target]?.add(slot)
        if (space.isCreation(entry)) this.#creators.set(target, slot)
        for (const held of space.heldIn(entry)) this.#holders[held]?.add(target)
      }
    }
  }

  /** The least safe set with a machine in it. */
  #closed(first: number): ReadonlySet<number> {
    const safe = new Set([first])
    const add = (slot: number): void => {
      if (this.#space.phaseAt(slot) !== phases.halted) safe.add(slot)
    }
    const follow = this.#rules.delivery.interleaves ? this.#interleaved : this.#arriving
    // A set is gone through in the order of insertion, with what is added on the way.
    for (const slot of safe) {
      follow.call(this, slot, add)
      this.#telling(slot, add)
    }
    return safe
  }

  #arriving(slot: number, add: (slot: number) => void): void {
    const phase = this.#space.phaseAt(slot)
    // Nothing reaches it before it has emptied its inbox.
    if (phase === phases.busy) return
    if (phase === phases.created) {
      const creator = this.#creators.get(slot)
      if (creator !== undefined) this.#unblock(creator, slot, add)
      return
    }
    const arrives = this.#sendersTo[slot] as Set<number>
    for (const sender of arrives) this.#unblock(sender, slot, add)
    const isOrdered = this.#rules.delivery.network !== 'bag'
    this.#senders(slot, isOrdered ? arrives : none, add)
  }

  /** Of a sender's one queue the first message comes first, whoever it is for. */
  #unblock(sender: number, slot: number, add: (slot: number) => void): void {
    if (this.#rules.delivery.network !== 'sender-queue') return
    const [first] = this.#space.sentAt(sender)
    if (first === undefined) return
    const target = this.#space.targetOf(first)
    if (target !== slot) add(target)
  }

  /** Who may send something to a machine that is not on its way yet; of some, what is on its way comes first. */
  #senders(slot: number, except: ReadonlySet<number>, add: (slot: number) => void): void {
    const kind = this.#space.kindAt(slot)
    for (const holder of this.#holders[slot] as Set<number>) {
      if (holder === slot) continue
      const own = this.#space.kindAt(holder)
      const sends = this.#references.maySend(own, kind) && !except.has(holder)
      if (sends || this.#references.mayHandOn(own, kind)) add(holder)
    }
  }

  #interleaved(slot: number, add: (slot: number) => void): void {
    const steps = this.#steps[slot] as SpaceStep[]
    // It waits for somebody to send, or something else to do turns up when somebody does.
    if (steps.length === 0 || this.#space.phaseAt(slot) === phases.restless) this.#senders(slot, none, add)
    const targets = new Set(this.#space.sendsItself(slot) ? [slot] : [])
    for (const { ending } of steps) {
      for (const effect of ending.effects) if (effect.kind === 'send') targets.add(this.#space.targetOf(effect.entry))
    }
    for (const target of targets) {
      this.#senders(target, none, add)
      if (this.#meddles(this.#space.kindAt(target))) add(target)
    }
  }

  /** Of a kind of machine: whether what it does itself may depend on what is sent to it meanwhile, or bring about more of that. */
  #meddles(kind: number): boolean {
    const { maySend, mayHandOn } = this.#references
    return this.#isRestless[kind] === true || maySend(kind, kind) || mayHandOn(kind, kind)
  }

  /** Those who may tell a monitor that is told something now. */
  #telling(slot: number, add: (slot: number) => void): void {
    let told = 0n
    for (const { ending } of this.#steps[slot] as SpaceStep[]) told |= this.#space.toldBy(ending)
    if (told === 0n) return
    for (let other = 0; other < this.#space.machines; other++) {
      const isThere = this.#space.phaseAt(other) !== phases.none
      if (isThere && (this.#references.mayTell(this.#space.kindAt(other)) & told) !== 0n) add(other)
    }
  }
}

const none: ReadonlySet<number> = new Set()
