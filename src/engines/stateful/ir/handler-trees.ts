/**
 * Handlers whose machine has many local states: what a handler does is remembered by what it looks at (`look-tree.ts`), in stretches that end where it
 * chooses. A stretch is told by the functions under way and what they know; what they have not looked at is in registers, beside the fields. At its end are the
 * terms of what becomes of the registers, so that to go along a stretch takes some looks, and to compute what is new in the local state.
 *
 * A stretch that was not gone along with such values before is run, recorded. Whatever recording does not cover is left to generated code.
 */
import { PairMap } from '../../../collections/pair-map.ts'
import { invariant } from '../../../core/invariant.ts'
import type { HandlerRun } from '../../../semantics/ir/compiled/handler-run.ts'
import { leaveToReference, NotCovered, type PackedValues } from '../../../semantics/ir/compiled/packed-values.ts'
import { type Chosen, type Ended, Recording } from '../../../semantics/ir/compiled/recording.ts'
import { mostRegisters, type Terms } from '../../../semantics/ir/compiled/terms.ts'
import { Failed } from '../../../semantics/ir/failed.ts'
import type { FairChoices } from '../../../semantics/ir/fair-choices.ts'
import { LookTree } from './look-tree.ts'
import { ChoicePath, type Effect, type Ending } from './outcomes.ts'

/** How often a handler is run before it is recorded, unless told otherwise. */
const usuallyRuns = 32
/** Stretches that are recorded before it is asked whether that pays, and how often each is to be gone along then. */
const [fewStretches, worthwhile] = [1 << 13, 4]
const mostNodes = 1 << 18

/** The end of a handler. */
export interface Over {
  /** All of the local state but the fields. */
  readonly head: number
  /** The local state, if the machine has halted; 0: it has not. */
  readonly halted: number
  readonly effects: readonly Effect[]
  readonly fair: FairChoices
  /** By what was chosen on the way, as they are asked for. */
  readonly endings: (Ending | undefined)[]
}

/** What runs handlers. */
export interface Runs {
  /** From the beginning. */
  handle(local: number, input: number): void
  /** Ready to go on after a choice. */
  start(local: number, input: number): void
  over(isHalted: boolean): Over
  /** A handler has ended, with as many of these fields as its machine has. */
  ended(over: Over, path: ChoicePath, fields: Int32Array): void
}

/** What becomes of a stretch; a class, so that all ends have one shape. */
class End {
  /** Terms that may fail, and that nothing else computes. */
  readonly checks: readonly number[]
  /** By register, what it holds then. */
  readonly registers: readonly number[]
  /** By option, if it chooses. */
  readonly ways: readonly Stretch[]
  readonly over: Over | undefined

  constructor({ checks, registers, ways, over }: Pick<End, 'checks' | 'registers' | 'ways' | 'over'>) {
    this.checks = checks
    this.registers = registers
    this.ways = ways
    this.over = over
  }
}

interface Stretch {
  readonly tree: LookTree<End>
  /** How it begins; undefined: it is the first one. */
  readonly chosen: Chosen | undefined
  readonly option: number
}

interface Root {
  readonly first: Stretch
  readonly input: number
  /** By the choice with which they begin, and the option that is taken. */
  readonly stretches: Map<string, Map<number, Stretch>>
}

const uncovered = new End({ checks: [], registers: [], ways: [], over: undefined })

export class HandlerTrees {
  readonly #values: PackedValues
  readonly #run: HandlerRun
  readonly #runs: Runs
  readonly #recording: Recording
  readonly #terms: Terms
  readonly #runsBefore: number
  /** By all of a local state but the fields, and the input: how often it was asked for, or below 0 which root it is. */
  readonly #asked = new PairMap()
  readonly #roots: Root[] = []
  /** By how many choices were made. */
  readonly #registers = Array.from({ length: 8 }, () => new Int32Array(mostRegisters))
  readonly #noChoices = new ChoicePath()
  #fieldCount = 0
  #gone = 0
  #recorded = 0
  #nodes = 0
  #local = 0

  constructor(run: HandlerRun, values: PackedValues, runs: Runs, runsBefore = usuallyRuns) {
    this.#values = values
    this.#run = run
    this.#runs = runs
    this.#recording = new Recording(run, values)
    this.#terms = this.#recording.terms
    this.#runsBefore = runsBefore
  }

  /** The run that is recorded has come to its end. */
  recorded(isHalted: boolean): void {
    this.#recording.done(isHalted)
  }

  /** Tells all ends of a handler, in order, unless nothing is known of it: then false. Throws `NotCovered` where generated code is needed. */
  tell(local: number, input: number): boolean {
    const root = this.#rootOf(this.#values.heap.part(local, 0), input)
    if (root === undefined) return false
    const { heap } = this.#values
    const registers = this.#registers[0] as Int32Array
    const count = heap.lengthOf(local) - 1
    if (count > mostRegisters) return false
    for (let at = 0; at < count; at++) registers[at] = heap.part(local, at + 1)
    this.#local = local
    this.#fieldCount = count
    this.#go(root, root.first, this.#noChoices)
    return true
  }

  #rootOf(head: number, input: number): Root | undefined {
    const asked = this.#asked.get(head, input) ?? 0
    if (asked < 0) return this.#roots[-1 - asked]
    if (asked + 1 < this.#runsBefore) {
      this.#asked.set(head, input, asked + 1)
      return undefined
    }
    const root = { first: this.#stretch(undefined, 0), input, stretches: new Map() }
    this.#asked.set(head, input, -this.#roots.push(root))
    return root
  }

  #stretch(chosen: Chosen | undefined, option: number): Stretch {
    return { tree: new LookTree(this.#terms), chosen, option }
  }

  #go(root: Root, stretch: Stretch, path: ChoicePath): void {
    const made = path.choices.length
    const registers = this.#registers[made] as Int32Array
    this.#gone++
    const end = stretch.tree.done(registers) ?? this.#record(root, stretch, registers)
    const { checks, over, ways } = end
    for (let at = 0; at < checks.length; at++) this.#terms.shown(checks[at] as number, registers)
    if (over === undefined && ways.length === 0) leaveToReference()
    const next = this.#registers[made + 1] as Int32Array
    const terms = end.registers
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number
      next[at] = term === at ? (registers[at] as number) : this.#terms.shown(term, registers)
    }
    if (over !== undefined) return this.#runs.ended(over, path, next)
    for (let option = 0; option < ways.length; option++) this.#go(root, ways[option] as Stretch, path.after(option))
  }

  #record(root: Root, stretch: Stretch, registers: Int32Array): End {
    const isWorthwhile = this.#recorded < fewStretches || this.#gone > this.#recorded * worthwhile
    if (!isWorthwhile || this.#nodes > mostNodes) leaveToReference()
    this.#recorded++
    const { tree } = stretch
    const before = tree.size
    const end = this.#recordedEnd(root, stretch, registers)
    const isLearnt = tree.learn(registers, this.#recording.operations.looks, end)
    // What is not covered may depend on more than was looked at: then others that show the same go on.
    invariant(isLearnt || end === uncovered, 'what a handler looks at follows from what it has seen')
    this.#nodes += tree.size - before
    return end
  }

  #recordedEnd(root: Root, { chosen, option }: Stretch, registers: Int32Array): End {
    const recording = this.#recording
    recording.begin(registers, this.#fieldCount)
    this.#run.record(recording)
    try {
      if (chosen === undefined) this.#runs.handle(this.#local, root.input)
      else {
        this.#runs.start(this.#local, root.input)
        recording.resume(chosen, option, registers)
      }
      return recording.ended === undefined ? uncovered : this.#end(root, recording.ended)
    } catch (error) {
      if (error instanceof NotCovered || error instanceof Failed || error instanceof RangeError) return uncovered
      throw error
    } finally {
      this.#run.record(undefined)
    }
  }

  #end(root: Root, ended: Ended): End {
    const { operations, fields } = this.#recording
    if (ended.kind === 'chosen') {
      const { registers } = ended
      const known = root.stretches.get(ended.key) ?? new Map<number, Stretch>()
      root.stretches.set(ended.key, known)
      const ways = ended.options.map((_, option) => this.#way(known, ended, option))
      return new End({ checks: operations.unchecked(registers), registers, ways, over: undefined })
    }
    const over = this.#runs.over(ended.isHalted)
    const kept = over.halted === 0 ? fields.slice(0, this.#fieldCount) : []
    const registers = kept.map((field) => operations.termOf(field))
    return new End({ checks: operations.unchecked(registers), registers, ways: [], over })
  }

  #way(stretches: Map<number, Stretch>, chosen: Chosen, option: number): Stretch {
    const value = chosen.options[option] as number
    const known = stretches.get(value)
    if (known !== undefined) return known
    const made = this.#stretch(chosen, option)
    stretches.set(value, made)
    return made
  }
}
