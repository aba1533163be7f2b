/**
 * A state cut into cells, so that it is a vector of small numbers: a record or list that has the same fields in all states is cut into its fields, and
 * those in turn. What differs in its fields, such as a list that grows, is a cell, and so is all that has none. Values of a cell are numbered from 1 as they
 * come.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import { frozenCopy, setField } from '../../core/copy-value.ts'
import { Address, encodeInOrder, type Value } from '../../core/value.ts'
import { type Listener, Part } from './state-views.ts'

/** Beyond, states are too large for what this is good for. */
const mostCells = 1024
const deepest = 5

type Container = { readonly [key: string]: Value }

type Piece = Cell | Split

/** Of a cell: its values by number, from 1 on, and their numbers by text. */
interface CellValues {
  readonly all: Value[]
  readonly numbers: KeyIndex
}

interface Cell {
  readonly part: Part
  readonly cell: number
}

interface Split {
  readonly part: Part
  readonly isList: boolean
  readonly keys: readonly string[]
  readonly pieces: readonly Piece[]
}

/** What is read of a state while somebody is asked about it. */
export interface Looking {
  readonly looks: Set<number>
  readonly listener: Listener
  isOver: boolean
}

/** Thrown where a state does not fit: what is named has other fields than in the first state. */
export class UnfitError extends Error {
  override readonly name = 'UnfitError'
  readonly path: string

  constructor(path: string) {
    super(`a state has other fields at ${path}`)
    this.path = alikePath(path)
  }
}

/** The items of a list are cut alike, as parties are that can change places. */
function alikePath(path: string): string {
  return path.replaceAll(/"\d+"/g, '#')
}

export class Layout {
  readonly part = new Part(0)
  readonly root: Piece
  /** By part, the cells that it consists of; parts within a cell are not here. */
  readonly #cells = new Map<Part, readonly number[]>()
  readonly #cutUp = new Set<Part>()
  readonly #values: CellValues[] = []
  /** Those that are not cut, whatever they are. */
  readonly #uncut: ReadonlySet<string>
  #hasStrayed = false
  #valueCount = 0

  constructor(first: Value, uncut: ReadonlySet<string>) {
    this.#uncut = uncut
    this.root = this.#cut(this.part, first, [])
  }

  get size(): number {
    return this.#values.length
  }

  /** The number of a value in a cell. */
  number(cell: number, value: Value, text = encodeInOrder(value)): number {
    const { numbers, all } = this.#values[cell] as CellValues
    const known = numbers.find(text) + 1
    if (known > 0) return known
    // Apart from those in other cells: who copies a state and changes a part of the copy must change one of them.
    all.push(frozenCopy(value))
    this.#valueCount++
    return numbers.add(text) + 1
  }

  /** The state whose cells hold these values. */
  data(values: Int32Array): Value {
    return this.filled((cell) => this.#values[cell]?.all[(values[cell] as number) - 1])
  }

  /** The state with this in each cell. */
  filled(content: (cell: number) => Value): Value {
    return this.#data(this.root, content)
  }

  /** Of a state that was made of another one by moving things about: the cell that what is in each cell was in. Nothing if anything else was done. */
  sources(data: Value, before: readonly Value[]): readonly number[] | undefined {
    const sources: number[] = []
    const look = (piece: Piece, value: Value): boolean => {
      if ('cell' in piece) {
        sources[piece.cell] = before.indexOf(value)
        return (sources[piece.cell] as number) >= 0
      }
      const fields = isLike(piece, value) ? value : undefined
      return fields !== undefined && piece.pieces.every((one, at) => look(one, fields[piece.keys[at] as string]))
    }
    return look(this.root, data) ? sources : undefined
  }

  /** Tells the number in each cell where a state may differ from another one that has the fields of this layout: where they share parts they do not. */
  changedNumbers(before: Value, after: Value, tell: (cell: number, number: number) => void): void {
    this.#tellChanged(this.root, before, after, tell)
  }

  /** From now on, and it must be the first thing that is asked for, equal values have equal numbers in all of these cells. */
  share(cells: readonly number[]): void {
    for (const cell of cells) this.#values[cell] = this.#values[cells[0] as number] as CellValues
  }

  /** How many values there are in all cells together. */
  get valueCount(): number {
    return this.#valueCount
  }

  /** Tells the number in each cell. Throws if a state does not fit. */
  numbers(data: Value, tell: (cell: number, number: number) => void): void {
    this.#tell(this.root, data, tell)
  }

  /** Hears of what is read of a state, and adds the looks at it. */
  looking(): Looking {
    const looks = new Set<number>()
    const listener: Listener = (part, asked) => {
      if (looking.isOver) this.#hasStrayed = true
      else this.#hear(part, asked, looks)
    }
    const looking: Looking = { looks, listener, isOver: false }
    return looking
  }

  /** Whether a view was read after its time: somebody has kept it, and may depend on a state that is long gone. */
  get hasStrayed(): boolean {
    return this.#hasStrayed
  }

  #hear(part: Part, asked: Parameters<Listener>[1], looks: Set<number>): void {
    const cells = this.#cells.get(part)
    if (cells === undefined) return looksAt(this.#around(part), looks)
    // Above cells all states are alike, unless somebody asks for everything at once. A cell is always there.
    if (asked === 'whole' || (asked === 'parts' && !this.#cutUp.has(part))) return looksAt(cells, looks)
    if (asked === 'what' && !this.#cutUp.has(part)) looks.add(kindLook(cells[0] as number))
  }

  /** Of a look that shows no more than the kind of a value: which one it is, if the value is a list or a record; 0 if it shows the value itself. */
  kindShown(look: number, number: number): number {
    const value = isKindLook(look) ? this.#values[cellOf(look)]?.all[number - 1] : undefined
    return isContainer(value) ? (Array.isArray(value) ? -1 : -2) : 0
  }

  /** All that can be looked at. */
  get looks(): readonly number[] {
    return this.#values.map((_, cell) => cell << 1)
  }

  /** The fields of a piece, if a value has just these. Throws if it has others. */
  fields(piece: Split, value: Value): Container {
    if (!isLike(piece, value)) throw new UnfitError(piece.part.path)
    return value
  }

  #cut(part: Part, value: Value, path: readonly string[]): Piece {
    const keys = isContainer(value) ? Object.keys(value) : []
    const isWhole = keys.length === 0 || path.length >= deepest || this.size + keys.length > mostCells
    if (isWhole || this.#uncut.has(alikePath(part.path))) {
      const cell = this.#values.push({ numbers: new KeyIndex(), all: [] }) - 1
      this.#cells.set(part, [cell])
      return { part, cell }
    }
    this.#cutUp.add(part)
    const before = this.size
    const pieces = keys.map((key) => this.#cut(part.part(key), (value as Container)[key], [...path, key]))
    this.#cells.set(
      part,
      Array.from({ length: this.size - before }, (_, at) => before + at),
    )
    return { part, isList: Array.isArray(value), keys, pieces }
  }

  /** The cell that a part lies in; none if it is a field that no state has. */
  #around(part: Part): readonly number[] {
    for (let at = part.within; at !== undefined; at = at.within) {
      const cells = this.#cells.get(at)
      if (cells !== undefined) return this.#cutUp.has(at) ? [] : cells
    }
    return []
  }

  #data(piece: Piece, content: (cell: number) => Value): Value {
    if ('cell' in piece) return content(piece.cell)
    if (piece.isList) return Object.freeze(piece.pieces.map((one) => this.#data(one, content)))
    const record = {}
    for (const [at, one] of piece.pieces.entries()) setField(record, piece.keys[at] as string, this.#data(one, content))
    return Object.freeze(record)
  }

  #tellChanged(piece: Piece, before: Value, after: Value, tell: (cell: number, number: number) => void): void {
    if (Object.is(after, before)) return
    if ('cell' in piece) return tell(piece.cell, this.number(piece.cell, after))
    const [old, fields] = [before as Container, this.fields(piece, after)]
    for (const [at, one] of piece.pieces.entries()) {
      const key = piece.keys[at] as string
      this.#tellChanged(one, old[key], fields[key], tell)
    }
  }

  #tell(piece: Piece, value: Value, tell: (cell: number, number: number) => void): void {
    if ('cell' in piece) return tell(piece.cell, this.number(piece.cell, value))
    const fields = this.fields(piece, value)
    for (const [at, one] of piece.pieces.entries()) this.#tell(one, fields[piece.keys[at] as string], tell)
  }
}

/** Whether a value has just the fields of a piece, in their order. */
export function isLike({ isList, keys }: Split, value: unknown): value is Container & Value {
  if (!isContainer(value as Value) || Array.isArray(value) !== isList) return false
  const fields = Object.keys(value as Container)
  return fields.length === keys.length && fields.every((field, at) => field === keys[at])
}

/**
 * A look at a state shows the value in a cell, or, of a list or record, no more than that it is one: who copies a list of lists has looked at them so. It is a
 * number: twice the cell, and 1 more for the latter.
 */
function kindLook(cell: number): number {
  return (cell << 1) | 1
}

/** The cell that is looked at. */
export function cellOf(look: number): number {
  return look >> 1
}

function isKindLook(look: number): boolean {
  return (look & 1) === 1
}

function looksAt(cells: readonly number[], looks: Set<number>): void {
  for (const cell of cells) looks.add(cell << 1)
}

function isContainer(value: Value): value is Container & Value {
  if (typeof value !== 'object' || value === null || value instanceof Address) return false
  return !(value instanceof Map) && !(value instanceof Set)
}
