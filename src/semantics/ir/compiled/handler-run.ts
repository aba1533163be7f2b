/**
 * One machine at work, as `Activity` has it, with generated functions over packed values and all ways to choose in one go: what follows a choice is
 * done once for each option, depth first, each time from what the machine was when it came to choose. Whatever goes wrong, pauses or is rare throws
 * `NotCovered`, and then nothing of the run counts: the reference semantics does all of it.
 */
import { haltEvent, type IrHandler, type IrState } from '../../../ir/ir.ts'
import type { Code } from '../code.ts'
import { nothingEvent } from '../coverage.ts'
import { type FairChoices, noFairChoices, optionNames, withOption } from '../fair-choices.ts'
import type { ChoiceSite } from './function-source.ts'
import { type GeneratedProgram, generatedProgram, recordedProgram } from './generated-program.ts'
import { leaveToReference, nodeKinds, type PackedValues, packedFalse, packedNull, packedTrue } from './packed-values.ts'
import type { Recording } from './recording.ts'

/** What becomes of what a machine does. */
export interface Sink {
  /** Checks, and writes down. */
  send(site: number, to: number, event: number, payload: number): void
  announce(event: number, payload: number): void
  /** The machine that is created, named as `creates` says. */
  create(creates: string, payload: number): number
  /** The run has come to an end; it goes on with the next option. */
  done(isHalted: boolean): void
}

/** A function that waits for another one to return; `f`, `s`, `k` and `l`: itself, where it goes on, who waits for it, its locals. */
export interface WaitingFrame {
  readonly f: number
  readonly s: number
  readonly k: WaitingFrame | null
  readonly l: readonly number[]
}

export interface Beginning {
  /** By its place in the program. */
  readonly machine: number
  readonly self: number
  readonly process: string
  readonly state: number
  readonly created: number
}

/** Agendas are threes: what, which one, payload. */
const [callIt, enterIt, haltIt, failIt] = [0, 1, 2, 3]
const nothing: readonly number[] = []

/** As P has it. */
const mostChoices = 10_000
/** A run that makes more of them is left to the reference semantics. */
const mostMade = 1000
/** How many choices are made where it is first asked whether it was there before. */
const firstCompared = 2

/** What the machine was when it came to choose. */
export interface Mark {
  readonly site: ChoiceSite
  readonly options: number
  readonly fields: readonly number[]
  readonly state: number
  readonly agenda: readonly number[]
  readonly at: number
  readonly written: number
  readonly created: number
  readonly fair: FairChoices
  readonly made: number
}

export class HandlerRun {
  readonly both: readonly number[] = [packedFalse, packedTrue]
  /** Of the machine at work: the first so many. */
  readonly fields: Int32Array
  /** Numbers that the sink has written, in order: the first so many. */
  readonly effects: number[] = []
  written = 0
  readonly choices: number[] = []
  /** How many choices were made. */
  made = 0
  state = 0
  created = 0
  machine = 0
  fieldCount = 0
  fair: FairChoices = noFairChoices
  readonly #code: Code
  readonly #values: PackedValues
  readonly #sink: Sink
  readonly #interleaves: boolean
  readonly #plain: GeneratedProgram
  #recorded: GeneratedProgram | undefined
  /** One of both. */
  #program: GeneratedProgram
  readonly #blocks: number
  readonly #below: (readonly number[])[] = []
  readonly #met = new Set<number>()
  /** By how many choices were made: where it was on the way to where it is. */
  readonly #way: number[] = []
  readonly #fairTexts = new Map<string, number>()
  #process = ''
  #agenda = nothing
  #at = 0

  constructor(
    code: Code,
    values: PackedValues,
    sink: Sink,
    limits: { readonly blocks: number; readonly interleaves: boolean },
  ) {
    this.#code = code
    this.#values = values
    this.#sink = sink
    this.#blocks = limits.blocks
    this.fields = new Int32Array(Math.max(1, ...code.machines.map(({ fields }) => fields.length)))
    this.#interleaves = limits.interleaves
    this.#plain = generatedProgram(code.ir, values, this, limits.interleaves)
    this.#program = this.#plain
  }

  get isRecorded(): boolean {
    return this.#program === this.#recorded
  }

  /** From the next start on it is recorded, or not. */
  record(recording: Recording | undefined): void {
    if (recording === undefined) this.#program = this.#plain
    else {
      this.#recorded ??= recordedProgram(this.#code.ir, this.#values, recording, this.#interleaves)
      this.#program = this.#recorded
    }
  }

  /** What the type of the target of a send permits; undefined: anything. */
  permitted(site: number): readonly number[] | undefined {
    return this.#program.permitted[site]
  }

  /** Fields are already in their place. */
  start({ machine, self, process, state, created }: Beginning): this {
    this.machine = machine
    this.fieldCount = this.#code.machines[machine]?.fields.length ?? 0
    this.state = state
    this.created = created
    this.made = 0
    this.written = 0
    this.fair = noFairChoices
    this.#process = process
    this.#agenda = nothing
    this.#at = 0
    if (this.#met.size > 0) this.#met.clear()
    this.#program.start(self, this.#blocks)
    return this
  }

  begin(payload: number): void {
    this.#agenda = [enterIt, this.state, payload]
    this.goOn()
  }

  handle(event: number, payload: number): void {
    this.#handle(event, payload)
    this.goOn()
  }

  handleNothing(handler: IrHandler): void {
    this.#follow(handler, packedNull, nothingEvent)
    this.goOn()
  }

  #here(): IrState {
    return this.#code.machines[this.machine]?.machine.states[this.state] as IrState
  }

  #handle(event: number, payload: number): void {
    const handler = this.#here().handlers.get(event)
    if (handler !== undefined) return this.#follow(handler, payload, event)
    this.#agenda = [...this.#exit(), event === haltEvent ? haltIt : failIt, event, packedNull]
    this.#at = 0
  }

  /** An event that is raised where it is deferred is dropped, as one that is ignored. */
  #follow(handler: IrHandler, payload: number, event: number): void {
    if (handler.kind !== 'defer' && handler.kind !== 'ignore')
      this.#code.coverage?.handled(this.machine, this.state, event)
    if (handler.kind === 'do') {
      this.#agenda = [callIt, handler.function, payload]
      this.#at = 0
    }
    if (handler.kind === 'goto') this.#goToState(handler.state, payload, handler.with)
  }

  #goToState(state: number, payload: number, between: number | undefined): void {
    const call = between === undefined ? nothing : [callIt, between, payload]
    this.#agenda = [...this.#exit(), ...call, enterIt, state, payload]
    this.#at = 0
  }

  #exit(): readonly number[] {
    const { exit } = this.#here()
    return exit === undefined ? nothing : [callIt, exit, packedNull]
  }

  /** One more number of what is written. */
  write(number: number): void {
    this.effects[this.written++] = number
  }

  // Called by generated code

  leave(): never {
    return leaveToReference()
  }

  eventOf(value: number): number {
    return this.#values.eventOf(value)
  }

  send(site: number, to: number, event: number, payload: number): void {
    this.#sink.send(site, to, event, payload)
  }

  announce(event: number, payload: number): void {
    this.#sink.announce(event, payload)
  }

  create(block: number, at: number, index: number, payload: number): number {
    const instruction = this.#code.ir.functions[index]?.blocks[block]?.instructions[at]
    return instruction?.kind === 'new' ? this.#sink.create(instruction.creates, payload) : leaveToReference()
  }

  raise(event: number, payload: number): void {
    this.#agenda = nothing
    this.#at = 0
    this.#handle(event, payload)
  }

  goto(state: number, payload: number): void {
    this.#goToState(state, payload, undefined)
  }

  /** A function that may choose has returned. */
  returned(caller: WaitingFrame | null, value: number): void {
    if (caller === null) this.goOn()
    else this.#program.goBack(caller, value)
  }

  /** What is still to be done after the functions under way. */
  goOn(): void {
    for (;;) {
      const agenda = this.#agenda
      const at = this.#at
      if (at >= agenda.length) return this.#done(false)
      this.#at = at + 3
      const which = agenda[at + 1] as number
      const payload = agenda[at + 2] as number
      let called: number | undefined = which
      switch (agenda[at]) {
        case haltIt:
          return this.#done(true)
        case failIt:
          return leaveToReference()
        case enterIt:
          this.state = which
          this.#code.coverage?.entered(this.machine, which)
          called = this.#here().entry
      }
      if (called === undefined) continue
      const isForking = this.#program.forks[called] === true
      this.#program.call(called, payload)
      // It has gone on by itself, once for each option.
      if (isForking) return
    }
  }

  #done(isHalted: boolean): void {
    if (this.#program.entered() > this.#blocks) leaveToReference()
    this.#sink.done(isHalted)
  }

  below(count: number): readonly number[] {
    const most = count >> 1
    if ((count & 1) === 0 || most < 0 || most > mostChoices) return leaveToReference()
    const known = this.#below[most]
    if (known !== undefined) return known
    const made = Array.from({ length: Math.max(most, 1) }, (_, at) => (at << 1) | 1)
    this.#below[most] = made
    return made
  }

  fork(site: number, options: number): Mark {
    if (this.made === mostMade) leaveToReference()
    const { state, created, fair, made, written } = this
    const fields: number[] = []
    for (let at = 0; at < this.fieldCount; at++) fields.push(this.fields[at] as number)
    const chosen = this.#program.choiceSites[site] as ChoiceSite
    return { site: chosen, options, fields, state, agenda: this.#agenda, at: this.#at, written, created, fair, made }
  }

  /** Goes back to where it chose, with this option. */
  take(mark: Mark, option: number): void {
    const { site, fields, fair, made } = mark
    for (let at = 0; at < fields.length; at++) this.fields[at] = fields[at] as number
    this.state = mark.state
    this.#agenda = mark.agenda
    this.#at = mark.at
    this.written = mark.written
    this.created = mark.created
    this.made = made + 1
    this.choices[made] = option
    if (!site.isFair) this.fair = fair
    else {
      const names = optionNames(this.#process, [site.function, site.block, site.at], mark.options)
      this.fair = withOption(fair, names, option)
    }
  }

  join({ made }: Mark): void {
    this.made = made
  }

  /** All that decides how it goes on from a choice, but what its functions and fields hold. */
  moment(mark: Mark): readonly (number | readonly number[])[] {
    const { state, created, made, written, agenda, at } = mark
    return [state, created, made, this.#fairNumber(), this.effects.slice(0, written), agenda.slice(at)]
  }

  /**
   * Whether it has come to this choice before in the very same way: then nothing new follows. If it was on the way here, the handler goes round: whether it ends is
   * for the reference semantics to say.
   */
  isMet(site: number, caller: WaitingFrame | null, locals: readonly number[]): boolean {
    const parts = [site, this.state, this.created, this.#fairNumber(), ...locals]
    for (let at = 0; at < this.fieldCount; at++) parts.push(this.fields[at] as number)
    for (let frame = caller; frame !== null; frame = frame.k) parts.push(frame.f, frame.s, ...frame.l)
    parts.push(this.written, ...this.effects.slice(0, this.written), ...this.#agenda.slice(this.#at))
    const moment = this.#values.heap.of(nodeKinds.list, parts)
    if (!this.#met.has(moment)) {
      this.#met.add(moment)
      this.#way[this.made] = moment
      return false
    }
    for (let before = firstCompared; before < this.made; before++) if (this.#way[before] === moment) leaveToReference()
    return true
  }

  #fairNumber(): number {
    const text = this.fair.taken.join()
    const number = this.#fairTexts.get(text) ?? this.#fairTexts.size
    this.#fairTexts.set(text, number)
    return number
  }
}
