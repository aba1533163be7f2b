/**
 * What is different, wherever a guard holds: several diagrams beside what they were before, and a diagram that says whose change it is. They are walked down
 * together. A diagram that is what it was is left alone from there on, and nothing is built: a diagram of all changes has a node for each of them, and so has
 * each that it is made of. For 77,000 states (a counter with 15 machines) making those took half of the time of the search.
 */
import { SequenceInterner } from '../collections/sequence-interner.ts'
import type { Assignment, Diagram } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'
import { leafLevel } from './node-table.ts'

export interface Changed {
  readonly now: Diagram
  readonly before: Diagram
}

/** Where something is different: whose change it is, and so many places with their new values. It is good until the visit returns. */
export interface Difference {
  readonly of: number
  readonly count: number
  readonly places: Int32Array
  readonly values: Int32Array
  /** One that leads here: variables that are not on the way are false. */
  readonly assignment: Assignment
}

/** Whoever is told of a difference may do as much as so many steps of the walk. */
const stepsPerVisit = 16
const stepsBetweenBreaths = 1 << 14
/** A guard and whose change it is; then a place, what is there and what was there before for each diagram that is different. */
const head = 2
const cellsPerPlace = 3
/** How many places, below 0 if others may lead to the same; how long the way is, and the last literal of it. */
const tail = 3

export class Differences {
  readonly #store: DiagramStore
  readonly #visit: (difference: Difference) => void
  /** Frames of various lengths, the tail of each above the rest. */
  #stack = new Int32Array(1 << 10)
  #top = 0
  readonly #way: Way
  /** Frames that others may lead to: those met by a variable that says nothing about whose change it is. */
  readonly #met = new SequenceInterner()
  readonly #key: number[] = []
  readonly #difference: { -readonly [name in keyof Difference]: Difference[name] }
  /** The frame whose children are pushed. */
  #from = 0
  #to = 0
  /** How many are left before a breath. */
  #steps = 0

  constructor(store: DiagramStore, visit: (difference: Difference) => void) {
    this.#store = store
    this.#visit = visit
    this.#way = new Way(store.order.size)
    const none = new Int32Array(0)
    this.#difference = { of: 0, count: 0, places: none, values: none, assignment: this.#way }
  }

  /** Each difference at least once, in the order of assignments; it takes breaths. */
  *all(guard: Diagram, of: Diagram, changed: readonly Changed[]): Generator<undefined, void> {
    this.#difference.places = new Int32Array(changed.length)
    this.#difference.values = new Int32Array(changed.length)
    this.#makeRoom(head + changed.length * cellsPerPlace)
    const stack = this.#stack
    stack[0] = guard
    stack[1] = of
    let top = head
    for (const [place, { now, before }] of changed.entries()) {
      if (now === before) continue
      stack.set([place, now, before], top)
      top += cellsPerPlace
    }
    if (guard === 0 || top === head) return
    stack.set([(top - head) / cellsPerPlace, 0, -1], top)
    this.#top = top + tail
    while (!this.#isDone(stepsBetweenBreaths)) yield
  }

  #isDone(steps: number): boolean {
    this.#steps = steps
    while (this.#top > 0) {
      if (this.#steps-- <= 0) return false
      this.#take()
    }
    return true
  }

  /** The topmost frame gives way to those below it. */
  #take(): void {
    const { nodes } = this.#store.table
    const end = this.#top - tail
    const told = this.#stack[end]!
    const count = Math.abs(told)
    const start = end - count * cellsPerPlace - head
    this.#way.goOn(this.#stack[end + 1]!, this.#stack[end + 2]!)
    if (told < 0 && this.#isKnown(start, end)) {
      this.#top = start
      return
    }
    const level = this.#levelOf(nodes, start, end)
    if (level !== leafLevel) return this.#open(nodes, { start, end, level })
    this.#top = start
    this.#tell(nodes, start, count)
  }

  /** Both children go where the frame is, so it is moved above them. */
  #open(nodes: Int32Array, { start, end, level }: Opened): void {
    this.#makeRoom(end - start)
    this.#from = start + 2 * (end - start + tail)
    this.#to = this.#from + end - start
    this.#stack.copyWithin(this.#from, start, end)
    this.#top = start
    const variable = this.#store.order.variableAt(level)
    this.#push(nodes, level, 2 * variable + 1)
    this.#push(nodes, level, 2 * variable)
  }

  #levelOf(nodes: Int32Array, start: number, end: number): number {
    const stack = this.#stack
    let level = Math.min(nodes[stack[start]! << 2]!, nodes[stack[start + 1]! << 2]!)
    for (let at = start + head; at < end; at += cellsPerPlace)
      level = Math.min(level, nodes[stack[at + 1]! << 2]!, nodes[stack[at + 2]! << 2]!)
    return level
  }

  #push(nodes: Int32Array, level: number, literal: number): void {
    const stack = this.#stack
    const side = 1 + (literal & 1)
    const guard = below(nodes, stack[this.#from]!, level, side)
    if (guard === 0) return
    const of = stack[this.#from + 1]!
    const start = this.#top
    stack[start] = guard
    stack[start + 1] = below(nodes, of, level, side)
    let top = start + head
    for (let at = this.#from + head; at < this.#to; at += cellsPerPlace) {
      const now = below(nodes, stack[at + 1]!, level, side)
      const before = below(nodes, stack[at + 2]!, level, side)
      if (now === before) continue
      stack[top] = stack[at]!
      stack[top + 1] = now
      stack[top + 2] = before
      top += cellsPerPlace
    }
    if (top === start + head) return
    const count = (top - start - head) / cellsPerPlace
    stack[top] = nodes[of << 2] === level ? count : -count
    stack[top + 1] = this.#way.length
    stack[top + 2] = literal
    this.#top = top + tail
  }

  #isKnown(start: number, end: number): boolean {
    const key = this.#key
    key.length = 0
    for (let at = start; at < end; at++) key.push(this.#stack[at]!)
    const before = this.#met.size
    return this.#met.intern(key) < before
  }

  #tell(nodes: Int32Array, start: number, count: number): void {
    const stack = this.#stack
    const difference = this.#difference
    difference.of = nodes[(stack[start + 1]! << 2) + 1]!
    difference.count = count
    for (let index = 0; index < count; index++) {
      const at = start + head + index * cellsPerPlace
      difference.places[index] = stack[at]!
      difference.values[index] = nodes[(stack[at + 1]! << 2) + 1]!
    }
    this.#steps -= stepsPerVisit
    this.#visit(difference)
  }

  /** For a frame of this length, both of its children and a copy of it. */
  #makeRoom(length: number): void {
    const needed = this.#top + 3 * (length + tail)
    if (needed <= this.#stack.length) return
    const stack = new Int32Array(needed * 2)
    stack.set(this.#stack)
    this.#stack = stack
  }
}

/** Literals: 2 v + 1 if variable v holds, 2 v if it does not. */
class Way implements Assignment {
  readonly #literals: Int32Array
  /** By variable. */
  readonly #holds: Uint8Array
  length = 0

  constructor(variables: number) {
    this.#literals = new Int32Array(variables + 1)
    this.#holds = new Uint8Array(variables)
  }

  get(variable: number): boolean {
    return this.#holds[variable] === 1
  }

  /** From where it was so long, by a literal; below 0: by none. */
  goOn(length: number, literal: number): void {
    const literals = this.#literals
    while (this.length > length) this.#holds[literals[--this.length]! >> 1] = 0
    if (literal < 0) return
    literals[this.length++] = literal
    this.#holds[literal >> 1] = literal & 1
  }
}

interface Opened {
  readonly start: number
  readonly end: number
  readonly level: number
}

/** The child of a diagram that tests the variable of this level, else itself. `side`: 1 is low, 2 is high. */
function below(nodes: Int32Array, diagram: Diagram, level: number, side: number): Diagram {
  return nodes[diagram << 2] === level ? nodes[(diagram << 2) + side]! : diagram
}
