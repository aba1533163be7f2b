/**
 * A handler at work until it has to choose or is over, recorded: what it looked at, and what it computes from what it began with. Whatever begins with other
 * values and shows the same at each look does the same.
 */
import type { HandlerRun, Mark } from './handler-run.ts'
import { PackedOperations } from './packed-operations.ts'
import { leaveToReference, type PackedValues, packedFalse, packedTrue } from './packed-values.ts'
import { type Recorded, RecordingOperations, Unseen } from './recording-operations.ts'
import { mostRegisters, Terms } from './terms.ts'

/** A function under way, with locals as they are in this run. */
export interface RecordedFrame {
  readonly f: number
  readonly s: number
  readonly k: RecordedFrame | null
  readonly l: readonly Recorded[]
}

/** Where a handler chooses: with what it goes on, whichever option is taken. */
export interface Chosen {
  readonly mark: Mark
  readonly options: readonly number[]
  /** Locals of functions under way; what is in a register is `KeptLocal`. */
  readonly frame: KeptFrame
  /** What is in each register, as terms of the registers before. */
  readonly registers: readonly number[]
  /** The same for the same way to go on. */
  readonly key: string
}

interface KeptFrame {
  readonly f: number
  readonly s: number
  readonly k: KeptFrame | null
  readonly l: readonly (number | KeptLocal)[]
}

interface KeptLocal {
  readonly register: number
}

/** What became of a run. */
export type Ended = { readonly kind: 'done'; readonly isHalted: boolean } | ({ readonly kind: 'chosen' } & Chosen)

/** A choice behind so many others is left to code that knows where it has been. */
const mostChoices = 2

export class Recording {
  readonly both: readonly number[] = [packedFalse, packedTrue]
  readonly terms: Terms
  readonly operations: RecordingOperations
  /** Of the machine at work. */
  readonly fields: Recorded[] = []
  ended: Ended | undefined
  readonly #run: HandlerRun
  readonly #values: PackedValues
  #goBack: (frame: RecordedFrame, value: number) => void = () => {}

  constructor(run: HandlerRun, values: PackedValues) {
    this.#run = run
    this.#values = values
    const packed = new PackedOperations(values)
    this.terms = new Terms(packed)
    this.operations = new RecordingOperations(packed, this.terms)
  }

  /** How code goes back to a function that waits. */
  returnsBy(goBack: (frame: RecordedFrame, value: number) => void): void {
    this.#goBack = goBack
  }

  begin(registers: Int32Array, fields: number): void {
    this.operations.begin()
    this.ended = undefined
    for (let at = 0; at < fields; at++) this.fields[at] = new Unseen(at, registers[at] as number)
  }

  /** Goes on with one of the options. */
  resume({ mark, options, frame }: Chosen, option: number, registers: Int32Array): void {
    this.#run.take(mark, option)
    this.#goBack(revived(frame, registers), options[option] as number)
  }

  done(isHalted: boolean): void {
    this.ended = { kind: 'done', isHalted }
  }

  // Called by generated code

  leave(): never {
    return leaveToReference()
  }

  eventOf(value: Recorded): number {
    return this.#values.eventOf(this.operations.seen(value))
  }

  send(site: number, to: Recorded, event: number, payload: Recorded): void {
    this.#run.send(site, this.operations.seen(to), event, this.operations.seen(payload))
  }

  announce(event: number, payload: Recorded): void {
    this.#run.announce(event, this.operations.seen(payload))
  }

  create(block: number, at: number, index: number, payload: Recorded): number {
    return this.#run.create(block, at, index, this.operations.seen(payload))
  }

  raise(event: number, payload: Recorded): void {
    this.#run.raise(event, this.operations.seen(payload))
  }

  goto(state: number, payload: Recorded): void {
    this.#run.goto(state, this.operations.seen(payload))
  }

  returned(caller: RecordedFrame | null, value: Recorded): void {
    if (caller === null) this.#run.goOn()
    else this.#goBack(caller, value as number)
  }

  goOn(): void {
    this.#run.goOn()
  }

  below(count: Recorded): readonly number[] {
    return this.#run.below(this.operations.seen(count))
  }

  choose(site: number, options: readonly number[], frame: RecordedFrame): void {
    const run = this.#run
    if (run.made >= mostChoices) leaveToReference()
    const mark = run.fork(site, options.length)
    const registers = this.fields.slice(0, run.fieldCount).map((field) => this.operations.termOf(field))
    const kept = keptFrame(frame, registers)
    if (registers.length > mostRegisters) leaveToReference()
    const key = JSON.stringify([kept, run.moment(mark)])
    this.ended = { kind: 'chosen', mark, options, frame: kept, registers, key }
  }
}

/** What was not looked at is put into registers. */
function keptFrame({ f, s, k, l }: RecordedFrame, registers: number[]): KeptFrame {
  return { f, s, k: k === null ? null : keptFrame(k, registers), l: l.map((one) => keptLocal(one, registers)) }
}

function keptLocal(value: Recorded, registers: number[]): number | KeptLocal {
  return typeof value === 'number' ? value : { register: registers.push(value.term) - 1 }
}

function revived({ f, s, k, l }: KeptFrame, registers: Int32Array): RecordedFrame {
  const value = (one: number | KeptLocal): Recorded =>
    typeof one === 'number' ? one : new Unseen(one.register, registers[one.register] as number)
  return { f, s, k: k === null ? null : revived(k, registers), l: l.map(value) }
}
