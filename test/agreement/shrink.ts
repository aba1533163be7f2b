/** Smaller programs that still fail: drops instructions, and processes with them, as long as the failure stays. */
import type { FaultBudget } from '../../src/core/faults.ts'
import { type Instruction, isWellFormed, type ProgramText } from './text.ts'

export function shrink(text: ProgramText, fails: (smaller: ProgramText) => boolean): ProgramText {
  // A program that users could write stays one.
  const strange = !isWellFormed(text.main)
  const smaller = candidates(text).find((candidate) => (strange || isWellFormed(candidate.main)) && fails(candidate))
  return smaller === undefined ? text : shrink(smaller, fails)
}

function candidates(text: ProgramText): ProgramText[] {
  return [
    ...(text.monitor === undefined ? [] : [{ ...text, monitor: undefined }]),
    ...(text.unwantedSum === undefined ? [] : [{ ...text, unwantedSum: undefined }]),
    ...faultBudgets(text.faults).map((faults) => ({ ...text, faults })),
    ...bodies(text.main).map((main) => ({ ...text, main })),
  ]
}

/** Every budget with one fault less. */
function faultBudgets(faults: FaultBudget | undefined): FaultBudget[] {
  return Object.entries(faults ?? {}).flatMap(([name, most]) => {
    if (most === 'any') return [{ ...faults, [name]: 1 }]
    const fewer = { ...faults, [name]: (most ?? 0) - 1 }
    return (most ?? 0) > 0 && (fewer.restarts ?? 0) <= (fewer.crashes ?? 0) ? [fewer] : []
  })
}

/** Every body with one instruction less or one instruction simpler. */
function bodies(body: readonly Instruction[]): Instruction[][] {
  return body.flatMap((instruction, at) => {
    const replacedBy = (...others: readonly Instruction[]) => [...body.slice(0, at), ...others, ...body.slice(at + 1)]
    return [replacedBy(), ...simpler(instruction).map((other) => replacedBy(other))]
  })
}

function simpler(instruction: Instruction): Instruction[] {
  switch (instruction.kind) {
    case 'spawn':
      return [
        ...bodies(instruction.body).map((body) => ({ ...instruction, body })),
        ...(instruction.daemon ? [{ ...instruction, daemon: false }] : []),
      ]
    case 'send':
      return [
        ...(instruction.network === undefined ? [] : [{ ...instruction, network: undefined }]),
        ...(instruction.when.kind === 'always' ? [] : [{ ...instruction, when: { kind: 'always' } as const }]),
      ]
    case 'receive':
    case 'poll':
      return [
        ...(instruction.filter.kind === 'any' ? [] : [{ ...instruction, filter: { kind: 'any' } as const }]),
        ...(instruction.from === undefined ? [] : [{ ...instruction, from: undefined }]),
      ]
    case 'choose':
      return instruction.options > 2 ? [{ ...instruction, options: 2 }] : []
    default:
      return []
  }
}
