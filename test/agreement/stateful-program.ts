/**
 * Small shared-memory programs and what they mean: the instructions, and how a process performs one in a state. States are
 * always in canonical form: objects are numbered in the order in which they are reached from the registers of the processes,
 * then from the shared fields, so that their numbers change often.
 */
import { type Access, type AccessMode, accessModes, wholeObject } from '../../src/program/stateful.ts'

/** A number from 0 up, or a reference: -1 - object. Absent objects are 0, as fresh fields are. */
export type Cell = number

/** A shared field, or a field of the object that a register refers to. */
export type PlaceOf = { readonly shared: number } | { readonly of: number; readonly field: number }

/** A constant, a register, or a register counted up (numbers stay below 4). */
export type Source = { readonly constant: number } | { readonly register: number; readonly plus: number }

export type Instruction =
  | { readonly kind: 'read'; readonly into: number; readonly from: PlaceOf }
  | { readonly kind: 'write'; readonly to: PlaceOf; readonly value: Source }
  /** Sets the register to 1 if it took place. `precise`: a failed one is a read. */
  | {
      readonly kind: 'compareAndSet'
      readonly at: PlaceOf
      readonly expected: Source
      readonly value: Source
      readonly into: number
      readonly precise: boolean
    }
  | { readonly kind: 'add'; readonly to: PlaceOf; readonly amount: number }
  /** Reads one place and writes another, in one action. */
  | { readonly kind: 'copy'; readonly from: PlaceOf; readonly to: PlaceOf }
  /** Exchanges two places in one action. */
  | { readonly kind: 'swap'; readonly left: PlaceOf; readonly right: PlaceOf }
  | { readonly kind: 'lock'; readonly at: PlaceOf }
  | { readonly kind: 'unlock'; readonly at: PlaceOf }
  | { readonly kind: 'await'; readonly at: PlaceOf; readonly equals: number }
  | { readonly kind: 'readAll'; readonly into: number; readonly of: number | 'shared' }
  | { readonly kind: 'clear'; readonly of: number | 'shared' }
  | { readonly kind: 'allocate'; readonly into: number }
  /** Allocates and publishes in one action. */
  | { readonly kind: 'publish'; readonly to: PlaceOf; readonly into: number }
  | { readonly kind: 'pause' }
  | { readonly kind: 'begin'; readonly process: number }
  /** Local: happens along with the action before, unless it closes a loop a second time. */
  | { readonly kind: 'jump'; readonly to: number; readonly when: Condition | undefined }
  | { readonly kind: 'forget'; readonly register: number }
  | { readonly kind: 'fail'; readonly when: Condition }

export interface Condition {
  readonly register: number
  readonly equals: number
  readonly negated: boolean
}

export interface ProgramText {
  readonly name: string
  readonly shared: number
  readonly registers: number
  /** By process; those in `later` only begin when another process begins them. */
  readonly bodies: readonly (readonly Instruction[])[]
  readonly later: readonly number[]
}

export const fieldsPerObject = 2

export interface ProcessState {
  readonly at: number
  readonly status: 'unborn' | 'running' | 'ended' | 'failed'
  readonly registers: readonly Cell[]
}

export interface State {
  readonly heap: readonly (readonly Cell[])[]
  /** Number of the object that holds the shared fields. */
  readonly shared: number
  readonly processes: readonly ProcessState[]
}

/** What a process would do next. `next` is missing while it has to wait. Numbers of objects are those of the state before. */
export interface Prospect {
  readonly visible: boolean
  readonly accesses: readonly Access[]
  readonly next: (() => State) | undefined
}

export function initialState(text: ProgramText): State {
  const heap = [new Array<Cell>(text.shared).fill(0)]
  const processes = text.bodies.map(
    (_, process): ProcessState => ({
      at: 0,
      status: text.later.includes(process) ? 'unborn' : 'running',
      registers: new Array<Cell>(text.registers).fill(0),
    }),
  )
  const state = new Draft({ heap, shared: 0, processes })
  for (const process of processes.keys()) state.settle(text, process)
  return state.done()
}

/** Undefined for a process that is not running. */
export function prospect(text: ProgramText, state: State, process: number): Prospect | undefined {
  const own = state.processes[process] as ProcessState
  if (own.status !== 'running') return undefined
  const instruction = text.bodies[process]?.[own.at]
  if (instruction === undefined) throw new Error('a running process has an instruction')
  const accesses = accessesOf(state, own, instruction)
  const performed = (): State => {
    const draft = new Draft(state)
    draft.perform(text, process, instruction)
    draft.settle(text, process)
    return draft.done()
  }
  return { visible: accesses.length > 0, accesses, next: waits(state, own, instruction) ? undefined : performed }
}

const { read, write, add } = accessModes

function accessesOf(state: State, own: ProcessState, instruction: Instruction): readonly Access[] {
  const access = (place: PlaceOf, mode: AccessMode): readonly Access[] => {
    const [object, part] = resolve(state, own, place)
    return object < 0 ? [] : [{ object, part, mode }]
  }
  const whole = (of: number | 'shared', mode: AccessMode): readonly Access[] => {
    const object = of === 'shared' ? state.shared : objectIn(own.registers[of] ?? 0)
    return object < 0 ? [] : [{ object, part: wholeObject, mode }]
  }
  switch (instruction.kind) {
    case 'read':
      return access(instruction.from, read)
    case 'write':
    case 'publish':
      return access(instruction.to, write)
    case 'compareAndSet': {
      const { at, expected, precise } = instruction
      return access(at, precise && valueAt(state, own, at) !== sourceValue(own, expected) ? read : write)
    }
    case 'add':
      return access(instruction.to, add)
    case 'copy':
      return [...access(instruction.from, read), ...access(instruction.to, write)]
    case 'swap':
      return [...access(instruction.left, write), ...access(instruction.right, write)]
    case 'lock':
    case 'unlock':
      return access(instruction.at, write)
    case 'await':
      return access(instruction.at, read)
    case 'readAll':
      return whole(instruction.of, read)
    case 'clear':
      return whole(instruction.of, write)
    default:
      return []
  }
}

function waits(state: State, own: ProcessState, instruction: Instruction): boolean {
  if (instruction.kind === 'lock') return valueAt(state, own, instruction.at) > 0
  return instruction.kind === 'await' && valueAt(state, own, instruction.at) !== instruction.equals
}

/** Object -1: there is none. */
function resolve(state: State, own: ProcessState, place: PlaceOf): readonly [object: number, part: number] {
  if ('shared' in place) return [state.shared, place.shared]
  return [objectIn(own.registers[place.of] ?? 0), place.field]
}

function objectIn(cell: Cell): number {
  return cell < 0 ? -1 - cell : -1
}

function valueAt(state: State, own: ProcessState, place: PlaceOf): Cell {
  const [object, part] = resolve(state, own, place)
  return state.heap[object]?.[part] ?? 0
}

function sourceValue(own: ProcessState, source: Source): Cell {
  if ('constant' in source) return source.constant
  const cell = own.registers[source.register] ?? 0
  return cell < 0 ? cell : (cell + source.plus) % 4
}

function holds(own: ProcessState, { register, equals, negated }: Condition): boolean {
  return (own.registers[register] === equals) !== negated
}

/** A state while an action changes it. */
class Draft {
  readonly #heap: Cell[][]
  readonly #shared: number
  readonly #processes: { at: number; status: ProcessState['status']; registers: Cell[] }[]

  constructor({ heap, shared, processes }: State) {
    this.#heap = heap.map((fields) => [...fields])
    this.#shared = shared
    this.#processes = processes.map(({ at, status, registers }) => ({ at, status, registers: [...registers] }))
  }

  done(): State {
    return { heap: this.#heap, shared: this.#shared, processes: this.#processes }
  }

  perform(text: ProgramText, process: number, instruction: Instruction): void {
    const own = this.#own(process)
    own.at++
    switch (instruction.kind) {
      case 'read':
        own.registers[instruction.into] = this.#value(process, instruction.from)
        return
      case 'write':
        return this.#set(process, instruction.to, sourceValue(own, instruction.value))
      case 'compareAndSet': {
        const { at, expected, value, into } = instruction
        const fits = this.#value(process, at) === sourceValue(own, expected)
        if (fits) this.#set(process, at, sourceValue(own, value))
        own.registers[into] = fits ? 1 : 0
        return
      }
      case 'add': {
        const before = this.#value(process, instruction.to)
        return this.#set(process, instruction.to, before < 0 ? before : (before + instruction.amount) % 4)
      }
      case 'copy':
        return this.#set(process, instruction.to, this.#value(process, instruction.from))
      case 'swap': {
        const { left, right } = instruction
        const [wasLeft, wasRight] = [this.#value(process, left), this.#value(process, right)]
        this.#set(process, left, wasRight)
        return this.#set(process, right, wasLeft)
      }
      case 'lock':
        return this.#set(process, instruction.at, 1)
      case 'unlock':
        return this.#set(process, instruction.at, 0)
      case 'readAll': {
        const fields = this.#whole(process, instruction.of)
        own.registers[instruction.into] = fields.reduce((sum, cell) => sum + (cell < 0 ? 1 : cell), 0) % 4
        return
      }
      case 'clear':
        this.#whole(process, instruction.of).fill(0)
        return
      case 'allocate':
        own.registers[instruction.into] = this.#fresh()
        return
      case 'publish':
        own.registers[instruction.into] = this.#fresh()
        return this.#set(process, instruction.to, own.registers[instruction.into] as Cell)
      case 'begin': {
        const child = this.#own(instruction.process)
        if (child.status === 'unborn') child.status = 'running'
        return this.settle(text, instruction.process)
      }
      case 'jump':
        if (instruction.when === undefined || holds(own, instruction.when)) own.at = instruction.to
        return
      default:
        return
    }
  }

  /** Lets the process do what is local, up to its next action or its end. */
  settle(text: ProgramText, process: number): void {
    const own = this.#own(process)
    const body = text.bodies[process] as readonly Instruction[]
    for (let loops = 0; own.status !== 'failed'; ) {
      const instruction = body[own.at]
      if (instruction === undefined) {
        if (own.status === 'running') own.status = 'ended'
        return
      }
      if (instruction.kind === 'fail') {
        own.at++
        if (holds(own, instruction.when)) own.status = 'failed'
      } else if (instruction.kind === 'forget') {
        own.at++
        own.registers[instruction.register] = 0
      } else if (instruction.kind === 'jump') {
        const back = instruction.to <= own.at && (instruction.when === undefined || holds(own, instruction.when))
        if (back && loops++ > 0) return
        this.perform(text, process, instruction)
      } else return
    }
  }

  #own(process: number) {
    return this.#processes[process] as { at: number; status: ProcessState['status']; registers: Cell[] }
  }

  #fresh(): Cell {
    this.#heap.push(new Array<Cell>(fieldsPerObject).fill(0))
    return -this.#heap.length
  }

  #value(process: number, place: PlaceOf): Cell {
    return valueAt(this.done(), this.#own(process), place)
  }

  #set(process: number, place: PlaceOf, cell: Cell): void {
    const [object, part] = resolve(this.done(), this.#own(process), place)
    const fields = this.#heap[object]
    if (fields !== undefined) fields[part] = cell
  }

  #whole(process: number, of: number | 'shared'): Cell[] {
    const object = of === 'shared' ? this.#shared : objectIn(this.#own(process).registers[of] ?? 0)
    return this.#heap[object] ?? []
  }
}
