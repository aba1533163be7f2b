/** Locals that may still be read, so that two moments which differ in others alone are one. */
import type { IrEnd, IrExpression, IrFunction, IrInstruction } from '../../../ir/ir.ts'
import { expressionsOf, operandsOf, successorsOf } from '../../../ir/visit.ts'

export class LiveLocals {
  readonly #function: IrFunction
  /** By block: before its first instruction. */
  readonly #before: Set<number>[]

  constructor(declared: IrFunction) {
    this.#function = declared
    this.#before = declared.blocks.map(() => new Set())
    for (let isNew = true; isNew; ) {
      isNew = false
      // What comes later mostly stands later.
      for (let block = declared.blocks.length - 1; block >= 0; block--) {
        const live = this.at(block, 0)
        isNew ||= live.size > (this.#before[block] as Set<number>).size
        this.#before[block] = live
      }
    }
  }

  /** Before an instruction, or the end of the block behind the last one. */
  at(block: number, instruction: number): Set<number> {
    const { instructions, end } = this.#function.blocks[block] as IrFunction['blocks'][number]
    const live = new Set(successorsOf(end).flatMap((next) => [...(this.#before[next] ?? [])]))
    addRead(end, live)
    for (let at = instructions.length - 1; at >= instruction; at--) {
      const one = instructions[at] as IrInstruction
      const written = writtenBy(one)
      if (written !== undefined) live.delete(written)
      addRead(one, live)
    }
    return live
  }
}

function writtenBy(instruction: IrInstruction): number | undefined {
  if (instruction.kind === 'setLocal') return instruction.local
  return 'into' in instruction ? instruction.into : undefined
}

function addRead(part: IrInstruction | IrEnd, live: Set<number>): void {
  const open: IrExpression[] = [...expressionsOf(part)]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.kind === 'local') live.add(one.local)
    open.push(...operandsOf(one))
  }
}
