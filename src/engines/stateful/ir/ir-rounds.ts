/**
 * Executions of an IR program that never end, over the states of the search that handles whole messages at once. Fairness is that of paths: what a
 * machine can do by itself all the time it does some time, a line of messages that is never empty moves some time, and of a fair choice that is
 * made again and again each option is taken again and again.
 */
import { IntVector } from '../../../collections/int-vector.ts'
import { PairTable } from '../../../collections/pair-table.ts'
import type { CycleProperty, Violation } from '../../../core/property.ts'
import type { MonitorState } from '../../../semantics/ir/configuration.ts'
import { livenessProperties, monitorStates } from '../../../semantics/ir/liveness.ts'
import type { Rules } from '../../../semantics/ir/moves.ts'
import { FairGraph, type Lasso } from '../fair-graph.ts'
import type { StateSpace } from './space.ts'
import type { Loop, Move, SpaceStep } from './space-steps.ts'

/** A step by the state it leaves, and as which of that state's steps. */
export interface Taken {
  readonly source: number
  readonly ordinal: number
}

export interface FoundRound {
  readonly violation: Violation
  /** Not there yet: still searching. */
  readonly lasso: FoundLasso | undefined
}

export interface FoundLasso {
  readonly stem: readonly Taken[]
  readonly round: readonly Taken[]
  /** In place of a round of steps: a handler that goes on for ever, and what it chooses before its round and on it. */
  readonly handler?: { readonly move: Move; readonly before: readonly number[]; readonly round: readonly number[] }
}

/** A step that is none of the search: into a handler that goes on for ever, or a choice of it. */
type InHandler = { readonly move: Move } | { readonly option: number }

interface FairStep {
  readonly source: number
  readonly target: number
  readonly done: readonly number[]
  readonly offered?: readonly number[]
}

/** Beside entries: of a machine's own moves, of all that it sends, of options of fair choices, and of going on to choose. */
const [own, queue, choice, chooses] = [-1, -2, -3, -4]

export class IrRounds {
  readonly #rules: Rules
  readonly #space: StateSpace
  readonly #properties: readonly CycleProperty[]
  readonly #fair = new FairGraph()
  readonly #duties = new PairTable()
  readonly #options = new Map<string, number>()
  readonly #sources = new IntVector(1024)
  readonly #ordinals = new IntVector(1024)
  /** By state, a bit for each property: whether it is good, and whether it is one that is asked for. */
  readonly #good: IntVector[]
  readonly #askedFor: IntVector[]
  readonly #loops: { readonly source: number; readonly loop: Loop }[] = []
  readonly #inHandlers = new Map<number, InHandler>()

  constructor(rules: Rules, space: StateSpace) {
    this.#rules = rules
    this.#space = space
    this.#properties = livenessProperties(rules.code)
    this.#good = this.#properties.map(() => new IntVector(1024))
    this.#askedFor = this.#properties.map(() => new IntVector(1024))
  }

  get isAsked(): boolean {
    return this.#properties.length > 0
  }

  /** The loaded state, when it is left: states are left in the order of their numbers. */
  addState(hasEnded: boolean): void {
    this.#fair.addState([...new Set(hasEnded ? [] : this.#pending())])
    this.#judge(this.#space.watching, hasEnded)
  }

  #judge(monitors: readonly MonitorState[], hasEnded: boolean): void {
    const states = monitorStates({ monitors }, this.#rules.code, hasEnded)
    for (const [at, property] of this.#properties.entries()) {
      this.#good[at]?.push(property.isGood(states) ? 1 : 0)
      this.#askedFor[at]?.push(property.isAskedFor?.(states) === false ? 0 : 1)
    }
  }

  /** Handlers that may go on for ever, of the loaded state. */
  addLoops(source: number): void {
    for (const loop of this.#space.loops()) this.#loops.push({ source, loop })
  }

  *#pending(): Generator<number> {
    for (const [slot, entry] of this.#space.pending()) yield this.#duty(slot, entry)
  }

  #duty(slot: number, entry: number): number {
    if (entry < 0) return this.#duties.intern(slot, own)
    const { network } = this.#rules.delivery
    if (network === 'bag') return this.#duties.intern(slot, entry)
    return this.#duties.intern(slot, network === 'fifo' ? this.#space.targetOf(entry) : queue)
  }

  #option(name: string): number {
    const known = this.#options.get(name) ?? this.#options.size
    this.#options.set(name, known)
    return this.#duties.intern(known, choice)
  }

  addStep(taken: Taken, step: SpaceStep, target: number): void {
    const { move, ending } = step
    const { offered, taken: chosen } = ending.fair
    const done = [this.#dutyOf(move), ...chosen.map((name) => this.#option(name))]
    const first = this.#space.first
    this.#fair.addStep(
      taken.source - first,
      target - first,
      done,
      offered.map((name) => this.#option(name)),
    )
    this.#sources.push(taken.source)
    this.#ordinals.push(taken.ordinal)
  }

  #dutyOf({ sender, slot, entry }: Move): number {
    return sender < 0 ? this.#duty(slot, own) : this.#duty(sender, entry)
  }

  /** Behind all states of the search: places at which handlers choose that may go on for ever. */
  #addHandlers(): void {
    for (const { source, loop } of this.#loops.splice(0)) {
      const { move, places } = loop
      const goesOn = this.#duties.intern(move.slot, chooses)
      const numbers = places.map(({ around }) => {
        this.#judge(around?.watching ?? [], false)
        const meanwhile = around?.pending.map(([slot, entry]) => this.#duty(slot, entry))
        return this.#fair.addState(undefined, meanwhile && [...new Set([...meanwhile, goesOn])])
      })
      if (places[0]?.around === undefined) continue
      this.#addInHandler(
        { source: source - this.#space.first, target: numbers[0] as number, done: [this.#dutyOf(move)] },
        { move },
      )
      for (const [at, { next, offered }] of places.entries())
        for (const [option, place] of next) {
          if (places[place]?.around === undefined) continue
          const options = offered.map((name) => this.#option(name))
          const done = offered.length === 0 ? [goesOn] : [goesOn, options[option] as number]
          const [source, target] = [numbers[at] as number, numbers[place] as number]
          this.#addInHandler({ source, target, done, offered: options }, { option })
        }
    }
  }

  #addInHandler({ source, target, done, offered = [] }: FairStep, what: InHandler): void {
    this.#inHandlers.set(this.#fair.addStep(source, target, done, offered), what)
    this.#sources.push(0)
    this.#ordinals.push(0)
  }

  /** When all states have been left. */
  *found(): Generator<FoundRound> {
    this.#addHandlers()
    for (const [at, { violation }] of this.#properties.entries()) {
      const [good, askedFor] = [this.#good[at] as IntVector, this.#askedFor[at] as IntVector]
      const search = this.#fair.lasso(
        (state) => good.at(state) === 1,
        (state) => askedFor.at(state) === 1,
      )
      let found = search.next()
      for (; !found.done; found = search.next()) yield { violation, lasso: undefined }
      if (found.value === undefined) continue
      yield { violation, lasso: this.#lasso(found.value) }
    }
  }

  #lasso({ stem, round }: Lasso): FoundLasso {
    const within = [...stem, ...round].flatMap((step) => this.#inHandlers.get(step) ?? [])
    const into = within.find((one): one is Extract<InHandler, { readonly move: Move }> => 'move' in one)
    if (into === undefined) return { stem: this.#taken(stem), round: this.#taken(round) }
    const choices = within.flatMap((one) => ('option' in one ? [one.option] : []))
    const before = choices.length - round.length
    const outside = stem.filter((step) => !this.#inHandlers.has(step))
    const handler = { move: into.move, before: choices.slice(0, before), round: choices.slice(before) }
    return { stem: this.#taken(outside), round: [], handler }
  }

  #taken(steps: readonly number[]): readonly Taken[] {
    return steps.map((step) => ({ source: this.#sources.at(step), ordinal: this.#ordinals.at(step) }))
  }
}
