/**
 * Functions of all executions at once: the control-flow graph is walked with a guard for each block, and ways that meet go on as one (PSym §5.2, its rules for
 * statements; blocks in an order in place of nested statements, so that `break`, `continue` and early returns need nothing of their own).
 *
 * What ends the whole handler, `raise`, `goto` and `receive`, is written down and done when all functions have come to an end: rule RAISE of the paper goes
 * on in the middle of a statement, which leaves callers that have not unwound.
 */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { IrEnd, IrFunction, IrInstruction } from '../../ir/ir.ts'
import { blockOrderOf } from './block-order.ts'
import type { FramePoint } from './controls.ts'
import type { Evaluation, LiftedScope } from './evaluation.ts'
import type { Summary } from './summaries/summary.ts'

/** What a machine does to others while it runs; each is done under a guard. */
export interface Around {
  readonly evaluation: Evaluation
  isVacuous(guard: Diagram): boolean
  choose(instruction: Instruction<'choose'>, scope: LiftedScope, guard: Diagram): Summary
  send(instruction: Instruction<'send'>, scope: LiftedScope, guard: Diagram): void
  announce(instruction: Instruction<'announce'>, scope: LiftedScope, guard: Diagram): void
  create(instruction: Instruction<'new'>, scope: LiftedScope, guard: Diagram): Summary
  foreign(instruction: Instruction<'foreign'>, scope: LiftedScope, guard: Diagram): Summary
}

export type Instruction<Kind extends IrInstruction['kind']> = Extract<IrInstruction, { readonly kind: Kind }>

/** What ended a handler in the middle of its functions. */
export type Ended = { readonly guard: Diagram } & (
  | { readonly kind: 'raise'; readonly event: Diagram; readonly payload: Summary; readonly place: Place }
  | { readonly kind: 'goto'; readonly state: number; readonly payload: Summary }
  /** Frames and their locals, the innermost first. */
  | {
      readonly kind: 'receive'
      readonly frames: readonly FramePoint[]
      readonly saved: readonly (readonly Summary[])[]
    }
)

interface Returned {
  readonly guard: Diagram
  readonly value: Summary | undefined
}

/** Where a handler goes on for so many blocks, nobody waits for it any longer; those that have come out of its loops have as many again. */
const mostBlocks = 100_000
const deepestCalls = 400
/** The same of choices: each has variables of its own, and where a handler goes round its loop all the ways before are told apart. */
const mostChoices = 250

interface Activation {
  readonly index: number
  readonly declared: IrFunction
  readonly scope: LiftedScope
  /** Where it runs at all: what is assigned everywhere needs no old value. */
  readonly guard: Diagram
  readonly pending: Map<number, Diagram>
  returned: Diagram
  value: Summary | undefined
}

export class FunctionRun {
  readonly #around: Around
  readonly #functions: readonly IrFunction[]
  readonly #defaults: (index: number) => readonly Summary[]
  readonly #fields: Summary[]
  readonly #self: Diagram
  /** Where the whole handler runs. */
  readonly #guard: Diagram
  #blocks = 0
  #choicesLeft = mostChoices
  #choicesNext = mostChoices
  #depth = 0
  #ended: Ended[] = []

  constructor(
    around: Around,
    actor: { readonly fields: Summary[]; readonly self: Diagram; readonly guard: Diagram },
    defaults: (index: number) => readonly Summary[],
  ) {
    this.#around = around
    this.#functions = around.evaluation.code.ir.functions
    this.#defaults = defaults
    this.#fields = actor.fields
    this.#self = actor.self
    this.#guard = actor.guard
  }

  /** What ended the handler since this was last asked. */
  takeEnded(): readonly Ended[] {
    const ended = this.#ended
    this.#ended = []
    return ended
  }

  /** Arguments beyond the parameters are dropped: handlers need not take the payload. */
  call(index: number, args: readonly Summary[], guard: Diagram): Returned {
    const { params } = this.#functions[index] as IrFunction
    const locals = [...this.#defaults(index)]
    for (let at = 0; at < params; at++) locals[at] = args[at] ?? this.#around.evaluation.value(null)
    return this.#run(index, locals, { block: 0, at: 0 }, guard)
  }

  /** The innermost function goes on in a block, and those that called it after it. */
  resume(
    frames: readonly FramePoint[],
    saved: readonly (readonly Summary[])[],
    begin: { readonly block: number; readonly local: number | undefined; readonly value: Summary },
    guard: Diagram,
  ): Returned {
    const [innermost, ...callers] = frames
    invariant(innermost !== undefined, 'what goes on was under way')
    const locals = [...(saved[0] ?? [])]
    if (begin.local !== undefined) locals[begin.local] = begin.value
    const before = this.#ended.length
    let returned = this.#run(innermost.function, locals, { block: begin.block, at: 0 }, guard)
    this.#keepCallers(before, callers, saved.slice(1))
    for (const [at, caller] of callers.entries()) {
      if (this.#around.isVacuous(returned.guard)) return returned
      const kept = [...(saved[at + 1] ?? [])]
      const step = this.#functions[caller.function]?.blocks[caller.block]?.instructions[caller.at]
      if (step?.kind === 'call' && step.into !== undefined && returned.value !== undefined)
        kept[step.into] = returned.value
      const from = this.#ended.length
      returned = this.#run(caller.function, kept, { block: caller.block, at: caller.at + 1 }, returned.guard)
      this.#keepCallers(from, callers.slice(at + 1), saved.slice(at + 2))
    }
    return returned
  }

  /** Whatever waits within a call waits within its callers. */
  #keepCallers(from: number, callers: readonly FramePoint[], saved: readonly (readonly Summary[])[]): void {
    for (let at = from; at < this.#ended.length; at++) {
      const one = this.#ended[at] as Ended
      if (one.kind !== 'receive') continue
      this.#ended[at] = { ...one, frames: [...one.frames, ...callers], saved: [...one.saved, ...saved] }
    }
  }

  #run(
    index: number,
    locals: Summary[],
    start: { readonly block: number; readonly at: number },
    guard: Diagram,
  ): Returned {
    const declared = this.#functions[index] as IrFunction
    const { lifting, live } = this.#around.evaluation
    const { diagrams } = lifting
    if (this.#depth >= deepestCalls) {
      live.goesOn(guard, declared.place)
      return { guard: diagrams.never, value: undefined }
    }
    this.#depth++
    const scope = { locals, fields: this.#fields, self: this.#self }
    const activation: Activation = {
      index,
      declared,
      scope,
      guard,
      pending: new Map(),
      returned: diagrams.never,
      value: undefined,
    }
    this.#block(activation, start.block, start.at, guard)
    const order = blockOrderOf(declared)
    while (activation.pending.size > 0) {
      const block = order.first(activation.pending.keys())
      const here = activation.pending.get(block) as Diagram
      activation.pending.delete(block)
      if (!this.#around.isVacuous(here)) this.#block(activation, block, 0, here)
    }
    this.#depth--
    return { guard: activation.returned, value: activation.value }
  }

  #block(activation: Activation, block: number, from: number, guard: Diagram): void {
    const { declared } = activation
    const { lifting, live } = this.#around.evaluation
    if (++this.#blocks > mostBlocks) {
      this.#blocks = 0
      return live.goesOn(guard, declared.place)
    }
    const { instructions, end } = declared.blocks[block] as IrFunction['blocks'][number]
    const { diagrams } = lifting
    let here = guard
    for (let at = from; at < instructions.length; at++) {
      here = this.#step(activation, instructions[at] as IrInstruction, { block, at }, here)
      if (here === diagrams.never) return
    }
    this.#end(activation, end, { block, at: instructions.length }, here)
  }

  /** Where the function goes on after the instruction. */
  #step(
    activation: Activation,
    instruction: IrInstruction,
    point: { readonly block: number; readonly at: number },
    guard: Diagram,
  ): Diagram {
    const { scope } = activation
    const { evaluation } = this.#around
    const into = (local: number | undefined, value: Summary | undefined): void => {
      if (local !== undefined && value !== undefined) this.#assign(activation, local, value, guard)
    }
    switch (instruction.kind) {
      case 'setLocal':
        into(instruction.local, evaluation.evaluate(instruction.value, scope, guard))
        break
      case 'setField': {
        const value = evaluation.evaluate(instruction.value, scope, guard)
        const { field } = instruction
        const before = this.#fields[field] as Summary
        this.#fields[field] = guard === this.#guard ? value : evaluation.ite(guard, value, before)
        break
      }
      case 'choose':
        if (this.#choicesLeft-- <= 0) {
          // Whatever goes round by another way has less and less time.
          this.#choicesNext = Math.floor(this.#choicesNext / 2)
          this.#choicesLeft = this.#choicesNext
          evaluation.live.goesOn(guard, instruction.place)
          return evaluation.lifting.diagrams.never
        }
        into(instruction.into, this.#around.choose(instruction, scope, guard))
        break
      case 'new':
        into(instruction.into, this.#around.create(instruction, scope, guard))
        break
      case 'send':
        this.#around.send(instruction, scope, guard)
        break
      case 'announce':
        this.#around.announce(instruction, scope, guard)
        break
      case 'foreign':
        into(instruction.into, this.#around.foreign(instruction, scope, guard))
        break
      case 'print':
        evaluation.evaluate(instruction.message, scope, guard)
        break
      case 'call':
        return this.#called(activation, instruction, point, guard)
    }
    return guard
  }

  #assign({ scope, guard: everywhere }: Activation, local: number, value: Summary, guard: Diagram): void {
    const before = scope.locals[local] as Summary
    scope.locals[local] = guard === everywhere ? value : this.#around.evaluation.ite(guard, value, before)
  }

  #called(
    activation: Activation,
    instruction: Instruction<'call'>,
    { block, at }: { readonly block: number; readonly at: number },
    guard: Diagram,
  ): Diagram {
    const { scope, index } = activation
    const args = instruction.args.map((arg) => this.#around.evaluation.evaluate(arg, scope, guard))
    const before = this.#ended.length
    const returned = this.call(instruction.function, args, guard)
    this.#keepCallers(before, [{ function: index, block, at }], [[...scope.locals]])
    if (instruction.into !== undefined && returned.value !== undefined)
      this.#assign(activation, instruction.into, returned.value, returned.guard)
    return returned.guard
  }

  #end(
    activation: Activation,
    end: IrEnd,
    point: { readonly block: number; readonly at: number },
    guard: Diagram,
  ): void {
    const { scope, index } = activation
    const { evaluation } = this.#around
    const { diagrams } = evaluation.lifting
    const orNull = (expression: Parameters<Evaluation['evaluate']>[0] | undefined): Summary =>
      expression === undefined ? evaluation.value(null) : evaluation.evaluate(expression, scope, guard)
    switch (end.kind) {
      case 'jump':
        return this.#enter(activation, end.to, guard)
      case 'branch': {
        const holds = evaluation.condition(end.condition, scope, guard)
        this.#enter(activation, end.then, holds)
        return this.#enter(activation, end.otherwise, diagrams.minus(guard, holds))
      }
      case 'return': {
        const value = orNull(end.value)
        activation.value = activation.value === undefined ? value : evaluation.ite(guard, value, activation.value)
        activation.returned = diagrams.or(activation.returned, guard)
        return
      }
      case 'raise': {
        const event = evaluation.scalar(end.event, scope, guard)
        this.#ended.push({ kind: 'raise', guard, event, payload: orNull(end.payload), place: end.place })
        return
      }
      case 'goto':
        this.#ended.push({ kind: 'goto', guard, state: end.state, payload: orNull(end.payload) })
        return
      case 'receive': {
        const frames = [{ function: index, ...point }]
        this.#ended.push({ kind: 'receive', guard, frames, saved: [[...scope.locals]] })
        return
      }
      case 'fail':
        evaluation.evaluate(end.message, scope, guard)
        evaluation.live.fails(guard, 'assertion', end.place)
    }
  }

  #enter({ pending }: Activation, block: number, guard: Diagram): void {
    const { diagrams } = this.#around.evaluation.lifting
    if (guard === diagrams.never) return
    const before = pending.get(block)
    pending.set(block, before === undefined ? guard : diagrams.or(before, guard))
  }
}
