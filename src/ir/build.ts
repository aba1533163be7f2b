/** Makes a function block by block: locals, temporaries that are used again, blocks that are begun before they are filled. */
import { invariant } from '../core/invariant.ts'
import type { IrBlock, IrEnd, IrInstruction, IrType, IrVariable } from './ir.ts'
import { simplified } from './simplify.ts'
import { typeText } from './type-relation.ts'

interface OpenBlock {
  readonly instructions: IrInstruction[]
  end: IrEnd | undefined
  readonly isLoop: boolean
}

/** Instructions go to the current block; after its end, what follows cannot be reached until another block is entered. */
export class FunctionBuilder {
  readonly #locals: IrVariable[] = []
  readonly #namesakes = new Map<string, number>()
  readonly #blocks: OpenBlock[] = []
  #current: OpenBlock
  #temporaries = 0
  /** Temporaries that nobody needs any more, by the text of their type. */
  readonly #free = new Map<string, number[]>()
  /** Those that the statement under way has taken. */
  #taken: number[] = []

  constructor() {
    this.#current = this.#begin(false)
  }

  /** A new local; a second one of the same name is told apart by a number. */
  local(name: string, type: IrType): number {
    const count = (this.#namesakes.get(name) ?? 0) + 1
    this.#namesakes.set(name, count)
    this.#locals.push({ name: count === 1 ? name : `${name}#${count}`, type })
    return this.#locals.length - 1
  }

  /** A local that the source does not have, until the end of the statement that asks for it. */
  temporary(type: IrType): number {
    const free = this.#free.get(typeText(type))?.pop()
    const local = free ?? this.local(`$${this.#temporaries++}`, type)
    this.#taken.push(local)
    return local
  }

  /** Gives back the temporaries that were taken while `work` ran. */
  statement(work: () => void): void {
    const outer = this.#taken
    this.#taken = []
    work()
    for (const local of this.#taken.reverse()) {
      const type = this.#locals[local]?.type
      invariant(type !== undefined, 'temporaries are locals')
      const key = typeText(type)
      this.#free.set(key, [...(this.#free.get(key) ?? []), local])
    }
    this.#taken = outer
  }

  typeOf(local: number): IrType {
    const variable = this.#locals[local]
    invariant(variable !== undefined, 'locals are named by places in the list of locals')
    return variable.type
  }

  /** A block that is not filled yet. */
  block(isLoop = false): number {
    this.#begin(isLoop)
    return this.#blocks.length - 1
  }

  /** Goes on in this block. */
  enter(block: number): void {
    const entered = this.#blocks[block]
    invariant(entered !== undefined && entered.end === undefined, 'a block is entered before it ends')
    this.#current = entered
  }

  emit(instruction: IrInstruction): void {
    this.#current.instructions.push(instruction)
  }

  end(end: IrEnd): void {
    this.#current.end = end
    this.#current = { instructions: [], end: undefined, isLoop: false }
  }

  finish(): { readonly locals: readonly IrVariable[]; readonly blocks: readonly IrBlock[] } {
    const blocks = this.#blocks.map(({ instructions, end, isLoop }) => {
      invariant(end !== undefined, 'every block ends')
      return { instructions, end, isLoop }
    })
    return { locals: this.#locals, blocks: simplified(blocks) }
  }

  #begin(isLoop: boolean): OpenBlock {
    const block: OpenBlock = { instructions: [], end: undefined, isLoop }
    this.#blocks.push(block)
    return block
  }
}
