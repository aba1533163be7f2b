/**
 * All functions of a program as one piece of JavaScript. What is generated has numbers and operators only: names, texts and places of a program never
 * become code.
 */
import type { Ir } from '../../../ir/ir.ts'
import { abilitiesOf } from './abilities.ts'
import { ExpressionSource } from './expression-source.ts'
import { type ChoiceSite, FunctionSource, type Generating } from './function-source.ts'
import type { HandlerRun, WaitingFrame } from './handler-run.ts'
import { PackedOperations } from './packed-operations.ts'
import type { PackedValues } from './packed-values.ts'
import type { Recording } from './recording.ts'
import type { Recorded } from './recording-operations.ts'

export interface GeneratedProgram {
  /** By function: whether it goes on by itself until the handler is over. */
  readonly forks: readonly boolean[]
  readonly choiceSites: readonly ChoiceSite[]
  /** By number of a send: what the type of its target permits. */
  readonly permitted: readonly (readonly number[] | undefined)[]
  /** Who works next, and how many blocks it may enter. */
  start(self: number, blocks: number): void
  call(index: number, payload: number): number
  goBack(caller: WaitingFrame, value: number): void
  /** Blocks since the last choice. */
  entered(): number
}

type Made = Pick<GeneratedProgram, 'start' | 'entered'> & {
  readonly calls: ((payload: number) => number)[]
  readonly returns: ((caller: WaitingFrame, value: number) => void)[]
}

/** Throws an `EvalError` where no code may be made from text. */
export function generatedProgram(
  ir: Ir,
  values: PackedValues,
  run: HandlerRun,
  interleaves: boolean,
): GeneratedProgram {
  const operations = new PackedOperations(values)
  const expressions = new ExpressionSource(ir, values, operations, false)
  const { program } = generated(ir, { expressions, interleaves, records: false }, (make) =>
    make(operations, run.fields, expressions.rare, run),
  )
  return program
}

/** The same code, to be recorded. What is rare looks at all its operands. */
export function recordedProgram(
  ir: Ir,
  values: PackedValues,
  recording: Recording,
  interleaves: boolean,
): GeneratedProgram {
  const { operations, fields } = recording
  const expressions = new ExpressionSource(ir, values, new PackedOperations(values), true)
  const { program, made } = generated(ir, { expressions, interleaves, records: true }, (make) => {
    const rare = expressions.rare.map(
      (one) => (operands: readonly Recorded[]) => one(operands.map((operand) => operations.seen(operand))),
    )
    return make(operations, fields, rare, recording)
  })
  recording.returnsBy((frame, value) => made.returns[frame.f]?.(frame as WaitingFrame, value))
  return program
}

type Make = (...given: readonly unknown[]) => Made

function generated(
  ir: Ir,
  how: Pick<Generating, 'expressions' | 'interleaves' | 'records'>,
  from: (make: Make) => Made,
): { readonly program: GeneratedProgram; readonly made: Made } {
  const { functions } = ir
  const abilities = abilitiesOf(ir)
  const generating: Generating = { functions, abilities, ...how, choiceSites: [], permitted: [] }
  const texts = functions.map((_, index) => new FunctionSource(index, generating).text())
  const source = `"use strict"; let n = 0, most = 0, S = 0; const H = [], B = [];
${texts.join('\n')}
return { calls: H, returns: B, start(self, blocks) { S = self; most = blocks; n = 0; }, entered() { return n; } };`
  const made = from(new Function('O', 'D', 'E', 'R', source) as Make)
  const { calls, returns, start, entered } = made
  const { choiceSites, permitted } = generating
  const program: GeneratedProgram = {
    forks: abilities.map(({ forks }) => forks),
    choiceSites,
    permitted,
    start,
    entered,
    call: (index, payload) => (calls[index] as Made['calls'][number])(payload),
    goBack: (caller, value) => (returns[caller.f] as Made['returns'][number])(caller, value),
  }
  return { program, made }
}
