/**
 * One machine or monitor at work: from where it was to where it is done, halts or pauses. `raise` and `goto` end all functions under way
 * and are followed by what the state says: exit, the function of the transition, entry. What is still to be done after the functions
 * under way is the agenda, so exits and entries may pause like anything else.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { haltEvent, type IrHandler, type IrState } from '../../ir/ir.ts'
import { choices } from './choices.ts'
import type { Code, End, FunctionCode, IrStep, MachineCode } from './code.ts'
import type { AgendaItem, Frame, Paused, Waits } from './configuration.ts'
import { nothingEvent } from './coverage.ts'
import { boundCalls, Watch } from './endless.ts'
import type { Environment } from './expression.ts'
import { fail } from './failed.ts'
import { eventName } from './typed-value.ts'
import type { EventValue, IrValue, MachineRef } from './value.ts'

/** What the one at work does to others; each may say that others come first. */
export interface Surroundings {
  /** Blocks that may be entered before somebody looks whether the work ends. */
  readonly blocks: number
  /** Checks, tells monitors, and sends unless others come first. */
  send(step: Extract<IrStep, { readonly kind: 'send' }>, environment: Environment): Waits | undefined
  announce(event: number, payload: IrValue, place: IrStep['place']): void
  /** Whether others come before something is created. */
  readonly pausesBeforeNew: boolean
  create(step: Extract<IrStep, { readonly kind: 'new' }>, payload: IrValue): MachineRef
  /** After each change of state. */
  entered(state: number): void
  /** Without it, nobody reads what is printed. */
  print?(text: string, place: IrStep['place']): void
}

export interface Resting {
  readonly state: number
  readonly fields: readonly IrValue[]
  readonly paused: Paused | undefined
}

export type Outcome = 'done' | 'halted' | Waits

/** What a send or a creation counts for: they take more room than what is computed. */
const blocksPerMessage = 100

interface LiveFrame extends Environment {
  readonly function: number
  block: number
  at: number
  readonly below: LiveFrame | undefined
  readonly depth: number
}

export class Activity {
  readonly #code: Code
  readonly #machine: MachineCode
  readonly #self: MachineRef | null
  readonly #around: Surroundings
  readonly #fields: IrValue[]
  #state: number
  #frame: LiveFrame | undefined
  #agenda: AgendaItem[]
  #blocks = 0
  #watch: Watch | undefined

  constructor(code: Code, who: { readonly machine: number; readonly self: MachineRef | null }, around: Surroundings) {
    this.#code = code
    this.#machine = code.machines[who.machine] as MachineCode
    this.#self = who.self
    this.#around = around
    this.#fields = this.#machine.fields.slice()
    this.#state = this.#machine.machine.start
    this.#agenda = []
  }

  /** Goes on from where it was. */
  at({ state, fields, paused }: Resting): this {
    this.#state = state
    for (let at = 0; at < fields.length; at++) this.#fields[at] = fields[at] as IrValue
    if (paused === undefined) return this
    this.#agenda = [...paused.agenda]
    this.#frame = this.#revived(paused.frame)
    return this
  }

  #revived(frame: Frame | undefined): LiveFrame | undefined {
    let revived: LiveFrame | undefined
    for (const { function: index, block, at, locals } of framesFromBelow(frame))
      revived = this.#newFrame(index, [...locals], { block, at, below: revived })
    return revived
  }

  #newFrame(
    index: number,
    locals: IrValue[],
    { block, at, below }: Pick<LiveFrame, 'block' | 'at' | 'below'>,
  ): LiveFrame {
    const depth = below === undefined ? 1 : below.depth + 1
    return { function: index, block, at, locals, fields: this.#fields, self: this.#self, below, depth }
  }

  get state(): number {
    return this.#state
  }

  get fields(): readonly IrValue[] {
    return this.#fields.slice()
  }

  /** Where it pauses. */
  paused(waits: Waits): Paused {
    invariant(this.#frame !== undefined, 'whoever pauses does so in a function')
    return { frame: kept(this.#frame), agenda: this.#agenda, waits }
  }

  begin(payload: IrValue): Outcome {
    this.#agenda = [{ kind: 'enter', state: this.#state, payload }]
    return this.#run()
  }

  handle(event: number, payload: IrValue): Outcome {
    this.#handle(event, payload)
    return this.#run()
  }

  handleNothing(handler: IrHandler): Outcome {
    this.#follow(handler, null, nothingEvent)
    return this.#run()
  }

  choose(option: IrValue): Outcome {
    const step = this.#currentStep()
    invariant(this.#frame !== undefined && step?.kind === 'choose', 'the one that chooses pauses at a choice')
    this.#frame.locals[step.into] = option
    this.#frame.at++
    return this.#run()
  }

  /** What a `receive` waits for; halting is always among it. */
  receive(event: number, payload: IrValue): Outcome {
    const frame = this.#frame
    const end = frame && this.#code.functions[frame.function]?.blocks[frame.block]?.end
    invariant(end?.kind === 'receive' && frame !== undefined, 'the one that receives pauses at the end of a block')
    const found = end.cases.find(({ events }) => events.includes(event))
    if (found === undefined) this.#raise(event, payload)
    else {
      if (found.into !== undefined) frame.locals[found.into] = payload
      this.#goTo(frame, found.to)
    }
    return this.#run()
  }

  /** After the others came first and the message was sent. */
  afterSend(): Outcome {
    if (this.#frame !== undefined) this.#frame.at++
    return this.#run()
  }

  afterPauseBeforeNew(): Outcome {
    const step = this.#currentStep()
    invariant(this.#frame !== undefined && step?.kind === 'new', 'the one that creates pauses at a creation')
    this.#create(step, this.#frame)
    return this.#run()
  }

  #currentStep(): IrStep | undefined {
    const frame = this.#frame
    return frame && this.#code.functions[frame.function]?.blocks[frame.block]?.steps[frame.at]
  }

  #run(): Outcome {
    for (;;) {
      const frame = this.#frame
      if (frame === undefined) {
        const item = this.#agenda.shift()
        if (item === undefined) return 'done'
        if (item.kind === 'halt') return 'halted'
        this.#attend(item)
        continue
      }
      const code = this.#code.functions[frame.function]
      const segment = code?.computing?.segments[frame.block]?.[frame.at]
      if (segment !== undefined) {
        this.#compute(frame, segment, code as FunctionCode)
        continue
      }
      const block = code?.blocks[frame.block]
      invariant(block !== undefined, 'a frame stands in a block of its function')
      const step = block.steps[frame.at]
      const waits = step === undefined ? this.#end(block.end, frame) : this.#step(step, frame)
      if (waits !== undefined) return waits
    }
  }

  #compute(frame: LiveFrame, segment: number, { computing, declared }: FunctionCode): void {
    const entered = computing?.compute(frame, segment, this.#around.blocks - this.#blocks) ?? 0
    if (entered > 0) this.#spend(declared, entered)
  }

  #attend(item: Exclude<AgendaItem, { readonly kind: 'halt' }>): void {
    switch (item.kind) {
      case 'call':
        return this.#call(item.function, [item.payload], undefined)
      case 'enter': {
        this.#state = item.state
        this.#around.entered(item.state)
        this.#code.coverage?.entered(this.#machine.index, item.state)
        const { entry } = this.#here()
        if (entry !== undefined) this.#call(entry, [item.payload], undefined)
        return undefined
      }
      case 'unhandled':
        return fail('unhandled event', this.#unhandled(item.event), this.#here().place)
    }
  }

  #unhandled(event: number): string {
    return `unhandled event ${eventName(event, this.#code.ir)} in state ${this.#here().name}`
  }

  #here(): IrState {
    return this.#machine.machine.states[this.#state] as IrState
  }

  /** Arguments beyond the parameters are dropped: handlers need not take the payload. */
  #call(index: number, args: readonly IrValue[], below: LiveFrame | undefined): void {
    const { locals: defaults, declared } = this.#code.functions[index] as Code['functions'][number]
    const locals = defaults.slice()
    for (let at = 0; at < declared.params; at++) locals[at] = args[at] ?? null
    this.#frame = this.#newFrame(index, locals, { block: 0, at: 0, below })
    boundCalls(this.#frame.depth, declared)
    this.#spend(declared)
  }

  #goTo(frame: LiveFrame, block: number): void {
    frame.block = block
    frame.at = 0
    this.#spend(this.#code.functions[frame.function]?.declared)
  }

  /** Only where a block has just been entered: who is seen twice at one place without having gone on has not come back to it. */
  #spend(declared: Code['functions'][number]['declared'] | undefined, spent = 1): void {
    const { blocks } = this.#around
    this.#blocks += spent
    if (this.#blocks <= blocks || declared === undefined) return
    this.#watch ??= new Watch()
    const here = { state: this.#state, fields: this.#fields, agenda: this.#agenda, frame: this.#frame }
    this.#watch.look(here, { blocks: this.#blocks, first: blocks }, declared)
  }

  #step(step: IrStep, frame: LiveFrame): Waits | undefined {
    switch (step.kind) {
      case 'do':
        step.run(frame)
        break
      case 'print': {
        // Making the text may fail, whoever reads it.
        const text = String(step.message(frame))
        this.#around.print?.(text, step.place)
        break
      }
      case 'choose': {
        const options = choices(step.among, step.from(frame), step.place)
        if (options.length > 1) return { kind: 'choose', options, isFair: step.isFair, place: step.place }
        frame.locals[step.into] = options[0] as IrValue
        break
      }
      case 'send': {
        this.#blocks += blocksPerMessage
        const waits = this.#around.send(step, frame)
        if (waits !== undefined) return waits
        break
      }
      case 'announce':
        this.#around.announce(this.#eventOf(step.event(frame), step), step.payload(frame), step.place)
        break
      case 'new':
        if (this.#around.pausesBeforeNew) {
          // What is passed is evaluated before others come: if that fails, nobody comes any more.
          step.payload(frame)
          return { kind: 'new', place: step.place }
        }
        this.#create(step, frame)
        return undefined
      case 'call': {
        // The caller stays where it is until the function returns.
        const args = step.args.map((arg) => arg(frame))
        return this.#call(step.function, args, frame) as undefined
      }
      case 'foreign':
        throw new DiagnosticError(writtenElsewhere(step))
    }
    frame.at++
    return undefined
  }

  #create(step: Extract<IrStep, { readonly kind: 'new' }>, frame: LiveFrame): void {
    this.#blocks += blocksPerMessage
    const created = this.#around.create(step, step.payload(frame))
    if (step.into !== undefined) frame.locals[step.into] = created
    frame.at++
  }

  #eventOf(value: IrValue, { place }: Pick<IrStep, 'place'>): number {
    if (value === null) fail('null event', 'null is no event', place)
    return (value as EventValue).event
  }

  #end(end: End, frame: LiveFrame): Waits | undefined {
    switch (end.kind) {
      case 'jump':
        this.#goTo(frame, end.to)
        return undefined
      case 'branch':
        this.#goTo(frame, end.condition(frame) === true ? end.then : end.otherwise)
        return undefined
      case 'return':
        this.#return(end.value(frame), frame.below)
        return undefined
      case 'raise':
        this.#raise(this.#eventOf(end.event(frame), end), end.payload(frame))
        return undefined
      case 'goto':
        this.#goToState(end.state, end.payload(frame), undefined)
        return undefined
      case 'receive':
        return { kind: 'receive', events: end.cases.flatMap(({ events }) => events), place: end.place }
      case 'fail':
        return fail('assertion', String(end.message(frame)) || 'assertion failed', end.place)
    }
  }

  #return(value: IrValue, caller: LiveFrame | undefined): void {
    this.#frame = caller
    if (caller === undefined) return
    const step = this.#currentStep()
    if (step?.kind === 'call' && step.into !== undefined) caller.locals[step.into] = value
    caller.at++
  }

  #raise(event: number, payload: IrValue): void {
    this.#frame = undefined
    this.#agenda = []
    this.#handle(event, payload)
  }

  #handle(event: number, payload: IrValue): void {
    const { handlers } = this.#here()
    const handler = handlers.get(event)
    if (handler !== undefined) return this.#follow(handler, payload, event)
    if (this.#machine.machine.kind !== 'machine')
      return fail('unhandled event', this.#unhandled(event), this.#here().place)
    this.#agenda = [...this.#exit(), event === haltEvent ? { kind: 'halt' } : { kind: 'unhandled', event }]
  }

  /** An event that is raised where it is deferred is dropped, as one that is ignored. */
  #follow(handler: IrHandler, payload: IrValue, event: number): void {
    if (handler.kind !== 'defer' && handler.kind !== 'ignore')
      this.#code.coverage?.handled(this.#machine.index, this.#state, event)
    if (handler.kind === 'do') this.#agenda = [{ kind: 'call', function: handler.function, payload }]
    if (handler.kind === 'goto') this.#goToState(handler.state, payload, handler.with)
  }

  #goToState(state: number, payload: IrValue, between: number | undefined): void {
    this.#frame = undefined
    const call: readonly AgendaItem[] = between === undefined ? [] : [{ kind: 'call', function: between, payload }]
    this.#agenda = [...this.#exit(), ...call, { kind: 'enter', state, payload }]
  }

  #exit(): readonly AgendaItem[] {
    const { exit } = this.#here()
    return exit === undefined ? [] : [{ kind: 'call', function: exit, payload: null }]
  }
}

function writtenElsewhere({ name, place }: Extract<IrStep, { readonly kind: 'foreign' }>): Diagnostic {
  return {
    code: 'E231',
    message: `\`${name}\` is written elsewhere, and what it does is not known`,
    hint: 'give it a body in P, with `choose` where its answer is not known',
    place,
  }
}

/** Calls may be nested deeper than functions of our own can be. */
function kept(frame: LiveFrame): Frame {
  let below: Frame | undefined
  for (const { function: index, block, at, locals } of framesFromBelow(frame))
    below = { function: index, block, at, locals, below }
  return below as Frame
}

/** The outermost one first. */
function framesFromBelow<Each extends { readonly below: Each | undefined }>(
  innermost: Each | undefined,
): readonly Each[] {
  const frames: Each[] = []
  for (let frame = innermost; frame !== undefined; frame = frame.below) frames.push(frame)
  return frames.reverse()
}
