/**
 * What an invariant reads and what it says then, as a tree: a node is the next question about a state, its branches are the answers, a
 * leaf is what the invariant says. As it depends on nothing else, what a leaf says holds of all states that answer the questions on the
 * way to it alike, whatever else they are. So combinations of states need not be tried one by one.
 */
import { PairMap } from '../../collections/pair-map.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'
import type { LocalState, SystemInvariant } from '../../program/machines.ts'
import { isRecord } from './context.ts'
import { type Listener, Part, recorded } from './state-views.ts'

interface Question {
  readonly part: Part
  readonly asked: Parameters<Part['answer']>[0]
}

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

/** What is tried, by machine; all alternatives of a kind answer every known question alike. */
export interface Tried<Alternative> {
  readonly alternatives: readonly (readonly Alternative[])[]
  stateOf(alternative: Alternative, machine: number): LocalState
  /** The number of the answer. */
  answerOf(alternative: Alternative, question: number): number
}

export class ReadTree {
  readonly #invariant: Pick<SystemInvariant, 'name' | 'violation'>
  readonly #whole: readonly Part[]
  readonly #questions: Question[] = []
  readonly #numbers = new Map<Part, { [asked in Question['asked']]?: number }>()
  /** By text. */
  readonly #answers = new Map<string, number>()
  /** By node: its question, and what is said at a leaf. The root is node 0. */
  readonly #asks: number[] = [open]
  readonly #says: (Violation | undefined)[] = []
  readonly #branches = new PairMap()

  constructor(invariant: Pick<SystemInvariant, 'name' | 'violation'>, machines: number) {
    this.#invariant = invariant
    this.#whole = Array.from({ length: machines }, (_, machine) => new Part(machine))
  }

  /** Questions that were ever asked, numbered from 0. */
  get questions(): number {
    return this.#questions.length
  }

  machineOf(question: number): number {
    return (this.#questions[question] as Question).part.machine
  }

  answerOf(question: number, state: LocalState): number {
    const { part, asked } = this.#questions[question] as Question
    const text = part.answer(asked, state)
    const known = this.#answers.get(text) ?? this.#answers.size
    this.#answers.set(text, known)
    return known
  }

  /** What the invariant says of states; `undefined` in place of one that is not known. Nothing if it asks about that one. */
  violation(states: readonly (LocalState | undefined)[]): Violation | undefined {
    for (let node = 0; ; ) {
      const question = this.#asks[node] as number
      if (question === leaf) return this.#says[node]
      if (question === open) {
        if (states.includes(undefined)) return undefined
        this.#ask(states as readonly LocalState[])
        continue
      }
      const state = states[this.machineOf(question)]
      if (state === undefined) return undefined
      node = this.#after(node, this.answerOf(question, state))
    }
  }

  /**
   * All combinations of alternatives, those together that answer alike. Stops when a question turns up that was never asked
   * before: then alternatives may have to be told apart first.
   */
  *combinations<Alternative>(tried: Tried<Alternative>): Generator<Alike<Alternative> | 'new question'> {
    const all: Branch<Alternative> = { node: 0, alternatives: tried.alternatives, read: [] }
    const branches = [all]
    for (let branch = branches.pop(); branch !== undefined; branch = branches.pop()) {
      const { node, alternatives, read } = branch
      if (this.#asks[node] === open) {
        const { questions } = this
        this.#ask(alternatives.map((some, machine) => tried.stateOf(some[0] as Alternative, machine)))
        if (this.questions > questions) return yield 'new question'
      }
      const question = this.#asks[node] as number
      if (question === leaf) {
        yield { violation: this.#says[node], alternatives, read }
        continue
      }
      const machine = this.machineOf(question)
      const nowRead = read.includes(machine) ? read : [...read, machine]
      const groups = grouped(alternatives[machine] ?? [], (one) => tried.answerOf(one, question))
      for (const [answer, some] of [...groups].reverse())
        branches.push({
          node: this.#after(node, answer),
          alternatives: alternatives.with(machine, some),
          read: nowRead,
        })
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
  #ask(states: readonly LocalState[]): void {
    const asked = new Set<number>()
    const listener = (part: Part, about: Question['asked']) => asked.add(this.#number(part, about))
    const seen = states.map((state, machine) => recordedState(this.#whole[machine] as Part, state, listener))
    const violation = this.#invariant.violation(seen)
    let node = 0
    for (const question of asked) {
      if (this.#asks[node] === open) this.#asks[node] = question
      else if (this.#asks[node] !== question) throw new DiagnosticError(notDeterministic(this.#invariant.name))
      node = this.#after(node, this.answerOf(question, states[this.machineOf(question)] as LocalState))
    }
    if ((this.#asks[node] as number) >= 0) throw new DiagnosticError(notDeterministic(this.#invariant.name))
    this.#asks[node] = leaf
    this.#says[node] = violation
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

function notDeterministic(name: string) {
  return {
    code: 'E201',
    message: `invariant "${name}" is not deterministic: asked about the same states, it first looked at one thing and then at another`,
    hint: 'an invariant may depend on the states it is given, and on nothing else',
  } as const
}
