/**
 * States of all machines put together for an invariant about all of them (LMC §4.1), by what the invariant reads: states that it
 * cannot tell apart are of one kind, and kinds are combined instead of states. What it says of a combination of kinds it says of all their
 * states. Only combinations that break it are unfolded into states, and of those only the machines that matter: one that was not looked
 * at, or that breaks it with the others in every state met so far, may be anywhere.
 */
import type { LocalState, SystemInvariant } from '../../program/machines.ts'
import { type Alike, ReadTree, readerOf } from '../../semantics/machines/read-tree.ts'
import type { LocalSpace } from './local-space.ts'
import { anywhere } from './needs.ts'

/** States of one machine that answer every question alike which the invariant has ever asked about it. */
interface Kind {
  readonly number: number
  /** By question; of questions about this machine. */
  readonly answers: number[]
  states: number[]
  /** That break the invariant. */
  readonly broken: Broken[]
}

/** Kinds each combination of which breaks the invariant. */
interface Broken {
  /** By machine; nothing for one that may be anywhere. */
  readonly kinds: (Kind[] | undefined)[]
  /** The same machines, if that is so because all kinds met so far break it; none, if they were not looked at. */
  readonly free: Set<number>
}

/** Combinations between two breaths, */
const stride = 4_096
/** and times that the invariant reads of states: each takes about a microsecond, and it may read all of a long list. */
const readStride = 1_000
/** Combinations that are tried to find out whether machines may be anywhere. */
const mostTrials = 1_024

export class Combinations {
  readonly name: string
  readonly #tree: ReadTree<LocalState>
  readonly #spaces: readonly Pick<LocalSpace, 'states'>[]
  /** By machine and by text of the answers. */
  readonly #kinds: readonly Map<string, Kind>[]
  /** By machine: questions about it, and of how many in all it is known whom they are about. */
  readonly #questions: readonly number[][]
  #known = 0
  #numbered = 0
  /** Those that have free machines, by their other kinds. */
  readonly #withFree = new Map<string, Broken>()
  /** Combinations of kinds. */
  tried = 0
  /** Reads at the last breath. */
  #readsBefore = 0

  constructor(invariant: Pick<SystemInvariant, 'name' | 'violation'>, spaces: readonly Pick<LocalSpace, 'states'>[]) {
    this.name = invariant.name
    this.#tree = new ReadTree(readerOf(invariant, spaces.length))
    this.#spaces = spaces
    this.#kinds = spaces.map(() => new Map())
    this.#questions = spaces.map(() => [])
  }

  /** Nothing is known to be broken as long as it depends on a machine that may be anywhere. */
  isBroken(states: readonly number[]): boolean {
    return this.#tree.violation(states.map((state, machine) => this.#spaces[machine]?.states[state])) !== undefined
  }

  /** Combinations that the state makes possible and that break the invariant; nothing, every so many; and a breath, more often. */
  *add(machine: number, state: number): Generator<readonly number[] | 'breath' | undefined, void> {
    const kinds = this.#kinds[machine] as Map<string, Kind>
    const known = kinds.get(this.#answers(machine, state).join())
    if (known !== undefined) {
      known.states.push(state)
      for (const broken of known.broken) yield* unfolded(broken, machine, state)
      return
    }
    const isFirst = this.#kinds.some(({ size }) => size === 0)
    yield* this.#noLongerFree(machine, state)
    const kind: Kind = { number: this.#numbered++, answers: this.#answers(machine, state), states: [state], broken: [] }
    kinds.set(kind.answers.join(), kind)
    if (this.#kinds.some(({ size }) => size === 0)) return
    const breaking: { readonly broken: Broken; readonly read: readonly number[] }[] = []
    const found = yield* this.#combined(() =>
      this.#kinds.map((all, at) => (at === machine ? [kind] : [...all.values()])),
    )
    for (const [at, { violation, alternatives, read }] of found.entries()) {
      if (at % stride === stride - 1) yield 'breath'
      // Without it the combination was there before.
      if (!isFirst && !read.includes(machine)) continue
      this.tried++
      if (violation === undefined) continue
      breaking.push({ broken: this.#entered({ alternatives, read }), read })
    }
    for (const { broken, read } of breaking)
      if (yield* this.#isNewWithFree(broken, read)) yield* unfolded(broken, machine, state)
  }

  /** From now on it learns of what its kinds are divided into. */
  #entered({ alternatives, read }: Pick<Alike<Kind>, 'alternatives' | 'read'>): Broken {
    const kinds = alternatives.map((some, machine) => (read.includes(machine) ? [...some] : undefined))
    const broken = { kinds, free: new Set<number>() }
    for (const kind of kinds.flatMap((some) => some ?? [])) kind.broken.push(broken)
    return broken
  }

  #left(broken: Broken, kinds = broken.kinds): void {
    for (const kind of kinds.flatMap((some) => some ?? [])) kind.broken.splice(kind.broken.indexOf(broken), 1)
  }

  /** Frees as many machines as it can. False if the same is known already. */
  *#isNewWithFree(broken: Broken, read: readonly number[]): Generator<undefined, boolean> {
    const { kinds, free } = broken
    for (const machine of read) {
      if (!(yield* this.#breakAll(() => this.#alternatives(broken, machine)))) continue
      this.#left(broken, [kinds[machine]])
      free.add(machine)
      kinds[machine] = undefined
    }
    if (free.size === 0) return true
    // One that was not looked at may be, where a free one is of another kind.
    for (const [machine, some] of kinds.entries()) if (some === undefined) free.add(machine)
    const text = kinds.map((some) => some?.map(({ number }) => number).join('+') ?? '').join()
    const isNew = !this.#withFree.has(text)
    if (isNew) this.#withFree.set(text, broken)
    else this.#left(broken)
    return isNew
  }

  /** By machine, with all kinds of those that are free, and of one more. */
  #alternatives({ kinds }: Broken, also?: number): Kind[][] {
    return this.#kinds.map((all, machine) => (machine === also ? undefined : kinds[machine]) ?? [...all.values()])
  }

  /** Whether all combinations break the invariant, kinds told apart by what it asks. */
  *#breakAll(alternatives: () => readonly (readonly Kind[])[]): Generator<undefined, boolean> {
    for (;;) {
      const all = alternatives()
      if (all.reduce((product, some) => product * some.length, 1) > mostTrials) return false
      for (const kinds of combined(all)) {
        const states = kinds.map((kind, machine) => this.#ofKinds.stateOf(kind, machine))
        if (this.#tree.violation(states) === undefined) return false
        if (this.#isBreathless()) yield undefined
      }
      if (!this.#tellApart()) return true
    }
  }

  /** A new state may hold where all others are broken: then they are told one by one. */
  *#noLongerFree(machine: number, state: number): Generator<readonly number[] | 'breath' | undefined, void> {
    const added: Kind = { number: -1, answers: [], states: [state], broken: [] }
    for (const [text, broken] of this.#withFree) {
      if (!broken.free.has(machine)) continue
      if (yield* this.#breakAll(() => this.#alternatives(broken).with(machine, [added]))) continue
      const told = yield* this.#combined(() => this.#alternatives(broken))
      this.#withFree.delete(text)
      this.#left(broken)
      for (const alike of told) yield* unfolded(this.#entered(alike), anywhere, anywhere)
    }
  }

  /** From the beginning again whenever a new question tells states apart that were of one kind. */
  *#combined(kinds: () => readonly (readonly Kind[])[]): Generator<'breath' | undefined, readonly Alike<Kind>[]> {
    for (;;) {
      this.#tellApart()
      const found: Alike<Kind>[] = []
      let isComplete = true
      for (const alike of this.#tree.combinations({ alternatives: kinds(), ...this.#ofKinds })) {
        isComplete = alike !== 'new question'
        if (this.#isBreathless()) yield undefined
        if (alike === 'new question') break
        if (alike === 'breath') yield alike
        else if (found.push(alike) % stride === 0) yield undefined
      }
      if (isComplete) return found
    }
  }

  /** Whether much was read since the last breath, which is now. */
  #isBreathless(): boolean {
    const { reads } = this.#tree
    if (reads - this.#readsBefore < readStride) return false
    this.#readsBefore = reads
    return true
  }

  readonly #ofKinds = {
    stateOf: ({ states }: Kind, machine: number) => this.#state(machine, states[0] as number),
    answerOf: ({ answers }: Kind, question: number) => answers[question] as number,
    together: (kinds: readonly (readonly Kind[])[]) => kinds,
  }

  #state(machine: number, state: number): LocalState {
    return this.#spaces[machine]?.states[state] as LocalState
  }

  #answers(machine: number, state: number): number[] {
    const answers: number[] = []
    for (const question of this.#questions[machine] ?? [])
      answers[question] = this.#tree.answerOf(question, this.#state(machine, state))
    return answers
  }

  /** By new questions. What broke the invariant before breaks it still: it was not asked what tells the states apart. */
  #tellApart(): boolean {
    const changed = new Set<number>()
    for (; this.#known < this.#tree.questions; this.#known++) {
      const machine = this.#tree.machineOf(this.#known)
      this.#questions[machine]?.push(this.#known)
      changed.add(machine)
    }
    for (const machine of changed) {
      const kinds = this.#kinds[machine] as Map<string, Kind>
      const before = [...kinds.values()]
      kinds.clear()
      for (const kind of before) this.#divide(kinds, machine, kind)
    }
    return changed.size > 0
  }

  #divide(kinds: Map<string, Kind>, machine: number, kind: Kind): void {
    const { states } = kind
    kind.states = []
    for (const state of states) {
      const answers = this.#answers(machine, state)
      const text = answers.join()
      const part = kinds.get(text) ?? (kind.states.length === 0 ? kind : this.#part(kind, machine))
      if (part.states.length === 0) {
        kinds.set(text, part)
        Object.assign(part.answers, answers)
      }
      part.states.push(state)
    }
  }

  #part(kind: Kind, machine: number): Kind {
    const part: Kind = { number: this.#numbered++, answers: [], states: [], broken: [...kind.broken] }
    for (const { kinds } of kind.broken) kinds[machine]?.push(part)
    return part
  }
}

/** All combinations of states, with the state of the machine if the machine takes part. */
function unfolded({ kinds }: Broken, machine: number, state: number): Generator<readonly number[], void> {
  return combined(
    kinds.map((some, other) => {
      if (some === undefined) return [anywhere]
      return other === machine ? [state] : some.flatMap(({ states }) => states)
    }),
  )
}

/** One of each, like an odometer. */
function* combined<Item>(choices: readonly (readonly Item[])[]): Generator<readonly Item[], void> {
  const at = choices.map(() => 0)
  for (;;) {
    yield at.map((position, other) => choices[other]?.[position] as Item)
    let last = at.length - 1
    while (last >= 0 && (at[last] as number) + 1 === choices[last]?.length) at[last--] = 0
    if (last < 0) return
    at[last] = (at[last] as number) + 1
  }
}
