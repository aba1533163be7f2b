/**
 * What an invariant reads and what it says then, as a tree: a node is the next question about a state, its branches are the answers, a
 * leaf is what the invariant says. As it depends on nothing else, what a leaf says holds of all states that answer the questions on the
 * way to it alike, whatever else they are. So combinations of states need not be tried one by one.
 */
import { PairMap } from '../../collections/pair-map.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { sameViolation, type Violation } from '../../core/property.ts'
import type { LocalState, SystemInvariant } from '../../program/machines.ts'
import { isRecord } from './context.ts'
import { type Listener, Part, recorded } from './state-views.ts'

/** An invariant over states by number. */
export interface Reader<State> {
  readonly name: string
  readonly stack?: string | undefined
  /** What it says of states as they are, or of views of them by which a listener is told all that is read. */
  violation(states: readonly State[], listener?: Listener): Violation | undefined
}

/** An invariant of a system, by machine. */
export function readerOf(
  { name, violation, seen = violation, stack }: Pick<SystemInvariant, 'name' | 'violation' | 'seen' | 'stack'>,
  machines: number,
): Reader<LocalState> {
  const parts = Array.from({ length: machines }, (_, machine) => new Part(machine))
  const viewed = (states: readonly LocalState[], listener: Listener) =>
    states.map((state, machine) => recordedState(parts[machine] as Part, state, listener))
  return {
    name,
    stack,
    violation: (states, listener) => (listener === undefined ? violation(states) : seen(viewed(states, listener))),
  }
}

interface Question {
  readonly part: Part
  readonly asked: Parameters<Part['answer']>[0]
}

/** Ways that are followed between two breaths; at the end of one, user code may run. */
const stride = 16

/** In place of a question: nobody knows what comes next, or the invariant says something. */
const open = -1
const leaf = -2

/** Combinations of alternatives that answer alike. Machines that the invariant did not look at have all of theirs. */
export interface Alike<Alternative> {
  readonly violation: Violation | undefined
  readonly alternatives: readonly (readonly Alternative[])[]
  /** Machines that it looked at. */
  readonly read: readonly number[]
}

interface Branch<Alternative> extends Omit<Alike<Alternative>, 'violation'> {
  readonly node: number
}

/** What is tried, by machine. */
export interface Tried<Alternative, State> {
  readonly alternatives: readonly (readonly Alternative[])[]
  stateOf(alternative: Alternative, machine: number): State
  /** The number of the answer. */
  answerOf(alternative: Alternative, question: number): number
  /** Those of the alternatives that are met together, such that the first ones are; nothing if none are. */
  together(alternatives: readonly (readonly Alternative[])[]): readonly (readonly Alternative[])[] | undefined
}

export class ReadTree<State> {
  readonly #reader: Reader<State>
  /** By machine. */
  readonly #wholes: Part[] = []
  readonly #questions: Question[] = []
  readonly #numbers = new Map<Part, { [asked in Question['asked']]?: number }>()
  /** By text. */
  readonly #answers = new Map<string, number>()
  /** By node: its question, and what is said at a leaf. The root is node 0. */
  readonly #asks: number[] = [open]
  readonly #says: (Violation | undefined)[] = []
  readonly #branches = new PairMap()
  /** Times that user code read something of a state: what it costs to ask. */
  reads = 0

  constructor(reader: Reader<State>) {
    this.#reader = reader
  }

  /** Nodes so far. */
  get size(): number {
    return this.#asks.length
  }

  /** Questions that were ever asked, numbered from 0. */
  get questions(): number {
    return this.#questions.length
  }

  machineOf(question: number): number {
    return (this.#questions[question] as Question).part.machine
  }

  answerOf(question: number, state: State): number {
    const { part, asked } = this.#questions[question] as Question
    const text = part.answer(asked, state)
    const known = this.#answers.get(text) ?? this.#answers.size
    this.#answers.set(text, known)
    return known
  }

  /** What the invariant says of states; `undefined` in place of one that is not known. Nothing if it asks about that one. */
  violation(states: readonly (State | undefined)[]): Violation | undefined {
    for (let node = 0; ; ) {
      const question = this.#asks[node] as number
      if (question === leaf) return this.#says[node]
      if (question === open) {
        if (states.includes(undefined)) return undefined
        this.#ask(states as readonly State[])
        continue
      }
      const state = states[this.machineOf(question)]
      if (state === undefined) return undefined
      node = this.#after(node, this.answerOf(question, state))
    }
  }

  /**
   * All combinations of alternatives, those together that answer alike. Tells when a question turns up that was never asked
   * before: who took alternatives for alike may have to tell them apart first. A breath is nothing, for who looks at the clock.
   */
  *combinations<Alternative>(
    tried: Tried<Alternative, State>,
  ): Generator<Alike<Alternative> | 'new question' | 'breath'> {
    const branches: Branch<Alternative>[] = []
    const enter = (branch: Branch<Alternative>) => {
      const alternatives = tried.together(branch.alternatives)
      if (alternatives !== undefined) branches.push({ ...branch, alternatives })
    }
    enter({ node: 0, alternatives: tried.alternatives, read: [] })
    for (let [branch, count] = [branches.pop(), 1]; branch !== undefined; branch = branches.pop(), count++) {
      if (count % stride === 0) yield 'breath'
      const { node, alternatives, read } = branch
      if (this.#asks[node] === open) {
        const { questions } = this
        this.#ask(alternatives.map((some, machine) => tried.stateOf(some[0] as Alternative, machine)))
        if (this.questions > questions) yield 'new question'
      }
      const question = this.#asks[node] as number
      if (question === leaf) {
        yield { violation: this.#says[node], alternatives, read }
        continue
      }
      const machine = this.machineOf(question)
      const nowRead = read.includes(machine) ? read : [...read, machine]
      const groups = grouped(alternatives[machine] ?? [], (one) => tried.answerOf(one, question))
      if (groups.size === 1) {
        const [answer] = groups.keys()
        branches.push({ node: this.#after(node, answer as number), alternatives, read: nowRead })
        continue
      }
      for (const [answer, some] of [...groups].reverse())
        enter({ node: this.#after(node, answer), alternatives: alternatives.with(machine, some), read: nowRead })
    }
  }

  #after(node: number, answer: number): number {
    const known = this.#branches.get(node, answer)
    if (known !== undefined) return known
    const next = this.#asks.push(open) - 1
    this.#branches.set(node, answer, next)
    return next
  }

  /** Lets user code look at these states, and notes its way through the tree. */
  #ask(states: readonly State[]): void {
    const asked = new Set<number>()
    const seen = this.#seen(states, (part, about) => {
      this.reads++
      asked.add(this.#number(part, about))
    })
    const violation = this.#reader.violation(states)
    // What looks at an object by other means than its properties cannot be told: then it may depend on everything.
    if (!isSame(seen, violation))
      for (const machine of states.keys()) asked.add(this.#number(this.#wholeOf(machine), 'whole'))
    let node = 0
    for (const question of asked) {
      if (this.#asks[node] === open) this.#asks[node] = question
      else if (this.#asks[node] !== question) throw new DiagnosticError(notDeterministic(this.#reader))
      node = this.#after(node, this.answerOf(question, states[this.machineOf(question)] as State))
    }
    if ((this.#asks[node] as number) >= 0) throw new DiagnosticError(notDeterministic(this.#reader))
    this.#asks[node] = leaf
    this.#says[node] = violation
  }

  /** What it says of views; they may be refused where the states themselves are not. */
  #seen(states: readonly State[], listener: Listener): Violation | undefined | 'refused' {
    try {
      return this.#reader.violation(states, listener)
    } catch (error) {
      if (error instanceof DiagnosticError) return 'refused'
      throw error
    }
  }

  #wholeOf(machine: number): Part {
    this.#wholes[machine] ??= new Part(machine)
    return this.#wholes[machine]
  }

  #number(part: Part, asked: Question['asked']): number {
    const numbers = this.#numbers.get(part) ?? {}
    this.#numbers.set(part, numbers)
    numbers[asked] ??= this.#questions.push({ part, asked }) - 1
    return numbers[asked]
  }
}

/** The state of a machine is a record for ever, or never: to be given it says nothing. */
function recordedState(part: Part, state: LocalState, listener: Listener): LocalState {
  if (!isRecord(state.data)) return recorded(part, state, listener) as LocalState
  return { ...state, data: recorded(part.part('data'), state.data, listener) as LocalState['data'] }
}

function isSame(seen: Violation | undefined | 'refused', violation: Violation | undefined): boolean {
  if (seen === undefined || violation === undefined) return seen === violation
  return seen !== 'refused' && sameViolation(seen, violation)
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => number): ReadonlyMap<number, readonly Item[]> {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

function notDeterministic({ name, stack }: Pick<Reader<unknown>, 'name' | 'stack'>) {
  return {
    code: 'E201',
    message: `invariant "${name}" is not deterministic: asked about the same states, it first looked at one thing and then at another`,
    hint: 'an invariant may depend on the states it is given, and on nothing else',
    stack,
  } as const
}
