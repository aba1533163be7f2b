/** An IR program made ready to run: every expression is a function, and every block a list of steps. */
import type { Place } from '../../core/diagnostic.ts'
import type { Ir, IrBlock, IrCase, IrEnd, IrExpression, IrFunction, IrInstruction, IrMachine } from '../../ir/ir.ts'
import type { IrCoverage } from './coverage.ts'
import { type Compiling, compiledExpression, type Environment, type Evaluate } from './expression.ts'
import { foreignCall } from './foreign.ts'
import { type Computing, generatedCode } from './generated-code.ts'
import { defaultOf } from './typed-value.ts'
import { type IrValue, Values } from './value.ts'

export interface Code {
  readonly ir: Ir
  readonly values: Values
  readonly functions: readonly FunctionCode[]
  readonly machines: readonly MachineCode[]
  /** Is told what is entered and handled, if somebody asks. */
  readonly coverage: IrCoverage | undefined
}

export interface MachineCode {
  readonly index: number
  readonly machine: IrMachine
  /** What its fields begin with. */
  readonly fields: readonly IrValue[]
}

export interface FunctionCode {
  readonly declared: IrFunction
  /** What its locals begin with, parameters included. */
  readonly locals: readonly IrValue[]
  readonly blocks: readonly BlockCode[]
  /** The same, as far as it is only computed. */
  readonly computing: Computing | undefined
}

interface BlockCode {
  readonly steps: readonly IrStep[]
  readonly end: End
}

interface Placed {
  readonly place: Place
}

export type IrStep = Placed &
  (
    | { readonly kind: 'do'; readonly run: (environment: Environment) => void }
    | { readonly kind: 'print'; readonly message: Evaluate }
    | {
        readonly kind: 'choose'
        readonly among: 'boolean' | 'below' | 'element'
        readonly from: Evaluate
        readonly isFair: boolean
        readonly into: number
      }
    | { readonly kind: 'new'; readonly creates: string; readonly payload: Evaluate; readonly into: number | undefined }
    | {
        readonly kind: 'send'
        readonly to: Evaluate
        /** What the type of the target permits; undefined: anything. */
        readonly permitted: readonly number[] | undefined
        readonly event: Evaluate
        readonly payload: Evaluate
      }
    | { readonly kind: 'announce'; readonly event: Evaluate; readonly payload: Evaluate }
    | {
        readonly kind: 'call'
        readonly function: number
        readonly args: readonly Evaluate[]
        readonly into: number | undefined
      }
    | { readonly kind: 'foreign'; readonly name: string }
  )

export type End = Placed &
  (
    | { readonly kind: 'jump'; readonly to: number }
    | { readonly kind: 'branch'; readonly condition: Evaluate; readonly then: number; readonly otherwise: number }
    | { readonly kind: 'return'; readonly value: Evaluate }
    | { readonly kind: 'raise'; readonly event: Evaluate; readonly payload: Evaluate }
    | { readonly kind: 'goto'; readonly state: number; readonly payload: Evaluate }
    | { readonly kind: 'receive'; readonly cases: readonly IrCase[] }
    | { readonly kind: 'fail'; readonly message: Evaluate }
  )

export interface CodeOptions {
  /** Whether what only computes becomes JavaScript, where that is possible; otherwise it is gone through step by step. */
  readonly generates?: boolean | undefined
  /** Is told what is entered and handled. */
  readonly coverage?: IrCoverage | undefined
}

export function codeOf(ir: Ir, { generates = true, coverage }: CodeOptions = {}): Code {
  const values = new Values()
  const compiling = { ir, values }
  return {
    ir,
    values,
    coverage,
    functions: ir.functions.map((declared) => functionCode(declared, compiling, generates)),
    machines: ir.machines.map((machine, index) => ({
      index,
      machine,
      fields: machine.fields.map(({ type }) => defaultOf(type, values)),
    })),
  }
}

function functionCode(declared: IrFunction, compiling: Compiling, generates: boolean): FunctionCode {
  return {
    declared,
    computing: generates ? generatedCode(declared, compiling) : undefined,
    locals: declared.locals.map(({ type }) => defaultOf(type, compiling.values)),
    blocks: declared.blocks.map(({ instructions, end }: IrBlock) => ({
      steps: instructions.map((instruction) => stepOf(instruction, compiling)),
      end: endOf(end, compiling),
    })),
  }
}

const nothing: Evaluate = () => null

function orNothing(expression: IrExpression | undefined, compiling: Compiling): Evaluate {
  return expression === undefined ? nothing : compiledExpression(expression, compiling)
}

function stepOf(instruction: IrInstruction, compiling: Compiling): IrStep {
  const { place } = instruction
  const evaluated = (expression: IrExpression): Evaluate => compiledExpression(expression, compiling)
  switch (instruction.kind) {
    case 'setLocal': {
      const [{ local }, value] = [instruction, evaluated(instruction.value)]
      const run = (environment: Environment): void => {
        environment.locals[local] = value(environment)
      }
      return { kind: 'do', place, run }
    }
    case 'setField': {
      const [{ field }, value] = [instruction, evaluated(instruction.value)]
      const run = (environment: Environment): void => {
        environment.fields[field] = value(environment)
      }
      return { kind: 'do', place, run }
    }
    case 'print':
      return { kind: 'print', place, message: evaluated(instruction.message) }
    case 'choose':
      return { ...instruction, from: orNothing(instruction.from, compiling) }
    case 'new':
      return { ...instruction, payload: orNothing(instruction.payload, compiling) }
    case 'send':
      return {
        kind: 'send',
        place,
        to: evaluated(instruction.to),
        permitted: instruction.to.type.kind === 'machine' ? instruction.to.type.receives : undefined,
        event: evaluated(instruction.event),
        payload: orNothing(instruction.payload, compiling),
      }
    case 'announce':
      return {
        kind: 'announce',
        place,
        event: evaluated(instruction.event),
        payload: orNothing(instruction.payload, compiling),
      }
    case 'call':
      return { ...instruction, args: instruction.args.map(evaluated) }
    case 'foreign': {
      const { name, into } = instruction
      const call = foreignCall(instruction, instruction.args.map(evaluated), compiling)
      if (call === undefined) return { kind: 'foreign', place, name }
      const run = (environment: Environment): void => {
        const value = call(environment)
        if (into !== undefined) environment.locals[into] = value
      }
      return { kind: 'do', place, run }
    }
  }
}

function endOf(end: IrEnd, compiling: Compiling): End {
  switch (end.kind) {
    case 'branch':
      return { ...end, condition: compiledExpression(end.condition, compiling) }
    case 'return':
      return { ...end, value: orNothing(end.value, compiling) }
    case 'raise':
      return {
        ...end,
        event: compiledExpression(end.event, compiling),
        payload: orNothing(end.payload, compiling),
      }
    case 'goto':
      return { ...end, payload: orNothing(end.payload, compiling) }
    case 'fail':
      return { ...end, message: compiledExpression(end.message, compiling) }
    default:
      return end
  }
}
