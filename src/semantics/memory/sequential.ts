/**
 * The sequential runs of a client: every order of its calls, each call run to its end before the next one begins. What they
 * return is what the class itself specifies (Violat's way; thesis §2.1.1, footnote).
 */

import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { ObjectEnding, ObjectSubject } from './subject.ts'
import { type ObjectWalk, ObjectWorld } from './world.ts'

interface Edge {
  readonly process: number
  /** What the call returns, to be compared. */
  readonly result: string
  /** The same in words. */
  readonly words: string
  readonly to: SequentialNode
}

export interface SequentialNode {
  /** How many calls of each process have been made. */
  readonly counts: readonly number[]
  readonly edges: readonly Edge[]
}

/** In the place of a process: the calls that ran first and alone. */
export const alone = -1

/** An explanation of as much of an ending as sequential runs can explain. */
export interface Explanation {
  /** Calls in an order that explains them, as [process, call]. */
  readonly order: readonly (readonly [process: number, call: number])[]
  /** A call that cannot come next, with what it would return there, in words; nothing if it cannot even be made. */
  readonly stuck: { readonly process: number; readonly call: number; readonly instead: string | undefined } | undefined
}

export class SequentialRuns {
  readonly #subject: ObjectSubject
  #root: SequentialNode | undefined = undefined

  constructor(subject: ObjectSubject) {
    this.#subject = subject
  }

  /** Runs the client, with a breath now and then, unless it has been done; no other execution of the class may be in progress. */
  *prepare(): Generator<undefined, void> {
    this.#root ??= yield* explore(this.#subject)
  }

  explain(ending: ObjectEnding): Explanation {
    invariant(this.#root !== undefined, 'sequential runs are prepared before an execution begins')
    const search = new ExplanationSearch(ending)
    search.visit(this.#root)
    return { order: search.best, stuck: search.isComplete ? undefined : search.stuck }
  }
}

class ExplanationSearch {
  readonly #ending: ObjectEnding
  /** Nodes from which the rest cannot be explained; nodes are shared, so this saves whole subtrees. */
  readonly #refuted = new Set<SequentialNode>()
  readonly #path: (readonly [number, number])[] = []
  /** The longest path so far, and why it goes no further. */
  best: readonly (readonly [number, number])[] = []
  stuck: Explanation['stuck']
  isComplete = false

  constructor(ending: ObjectEnding) {
    this.#ending = ending
  }

  visit(node: SequentialNode): void {
    const { results } = this.#ending
    if (results.every((each, process) => (node.counts[process] ?? 0) >= each.length)) {
      this.isComplete = true
      this.best = [...this.#path]
      return
    }
    if (this.#refuted.has(node)) return
    this.#refuted.add(node)
    if (this.stuck === undefined || this.#path.length > this.best.length) {
      this.best = [...this.#path]
      this.stuck = this.#stuckAt(node)
    }
    for (const { process, result, to } of node.edges) {
      if (process === meanwhile) {
        this.visit(to)
        if (this.isComplete) return
        continue
      }
      const call = node.counts[process] as number
      if (!this.#isReady(node, process, call) || !this.#fits(process, call, result)) continue
      this.#path.push([process, call])
      this.visit(to)
      this.#path.pop()
      if (this.isComplete) return
    }
  }

  /** Everything that had returned when the call was made comes before it. */
  #isReady({ counts }: SequentialNode, process: number, call: number): boolean {
    const before = this.#ending.before[process]?.[call]
    return before === undefined || before.every((count, other) => (counts[other] ?? 0) >= count)
  }

  /** A call that has not returned may have taken effect with any result. */
  #fits(process: number, call: number, result: string): boolean {
    const returned = this.#ending.results[process]?.[call]
    if (returned !== undefined) return returned === result
    const calls = this.#ending.results[process]?.length ?? 0
    return call === calls && this.#ending.waiting.length > 0
  }

  #stuckAt(node: SequentialNode): Explanation['stuck'] {
    for (const [process, each] of this.#ending.results.entries()) {
      const call = node.counts[process] ?? 0
      if (call >= each.length || !this.#isReady(node, process, call)) continue
      const edges = node.edges.filter((one) => one.process === process)
      if (edges.some(({ result }) => result === each[call])) continue
      return { process, call, instead: edges[0]?.words }
    }
    return undefined
  }
}

function* explore(subject: ObjectSubject): Generator<undefined, SequentialNode> {
  const world = new ObjectWorld({ ...subject, isTimed: false, isFused: false, sections: [] })
  const walk = world.walk()
  const nodes = new Map<string, SequentialNode>()
  const runs = new CallRuns(walk)
  const processes = subject.processes.map((_, index) => index)
  const visit = function* (): Generator<undefined, SequentialNode> {
    const key = walk.key()
    const known = nodes.get(key)
    if (known !== undefined) return known
    const edges: Edge[] = []
    const node = { counts: processes.map((process) => walk.finishedCalls(process)), edges }
    nodes.set(key, node)
    for (const process of processes) {
      const call = walk.finishedCalls(process)
      for (const end of runs.endsOf(process)) {
        if (end === undefined) yield undefined
        else edges.push({ process, ...walk.resultOf(process, call), to: yield* visit() })
      }
    }
    for (const { process } of walk.moves().filter((one) => walk.isTimer(one.process))) {
      for (const end of runs.endsAfter(process)) {
        if (end === undefined) yield undefined
        else edges.push({ process: meanwhile, result: '', words: '', to: yield* visit() })
      }
    }
    return node
  }
  return yield* visit()
}

/** In the place of a process: a timer fires between calls. */
const meanwhile = -2

/** So many steps of one call that runs alone, and it will never return. */
const longestCall = 100_000
const stepsPerBreath = 32

/** What a call may do that runs alone: it, and what it began, in every order. Gives nothing for a breath, and true at each end. */
class CallRuns {
  readonly #walk: ObjectWalk
  #steps = 0

  constructor(walk: ObjectWalk) {
    this.#walk = walk
  }

  /** Of the next call of a process; none if there is no such call, or if it waits for others. */
  endsOf(process: number): Generator<true | undefined, void> {
    const run = { process, call: this.#walk.finishedCalls(process), from: this.#walk.depth, seen: new Set<string>() }
    return this.#goOn(run)
  }

  /** Of a timer that fires between calls. */
  *endsAfter(timer: number): Generator<true | undefined, void> {
    const run = { process: undefined, call: 0, from: this.#walk.depth, seen: new Set<string>() }
    this.#walk.step(timer)
    yield* this.#goOn(run)
    this.#walk.back()
  }

  *#goOn(run: Run): Generator<true | undefined, void> {
    const walk = this.#walk
    const depth = walk.depth
    let next = this.#next(run)
    for (; next.length === 1; next = this.#next(run)) {
      if (this.#step(run, next[0] as number)) yield undefined
    }
    if (next.length === 0 && this.#isOver(run)) yield true
    // Several orders may lead to one state, from which all goes on alike.
    const isNew = next.length > 1 && !run.seen.has(walk.key())
    if (isNew) run.seen.add(walk.key())
    for (const process of isNew ? next : []) {
      if (this.#step(run, process)) yield undefined
      yield* this.#goOn(run)
      walk.back()
    }
    while (walk.depth > depth) walk.back()
  }

  #step(run: Run, process: number): boolean {
    this.#walk.step(process)
    if (this.#walk.depth - run.from > longestCall) throw neverReturns(this.#walk, run.process ?? process)
    return ++this.#steps % stepsPerBreath === 0
  }

  /** Who may go on. When the call has returned, what it began goes on before the next one, except what waits for a timer. */
  #next(run: Run): readonly number[] {
    const walk = this.#walk
    const isOver = this.#isOver(run)
    const moving = walk.moves().map(({ process }) => process)
    if (isOver) return moving.filter((process) => !walk.isClient(process) && !walk.isTimer(process))
    return moving.filter((process) => process === run.process || !walk.isClient(process))
  }

  #isOver({ process, call }: Run): boolean {
    return process === undefined || this.#walk.finishedCalls(process) > call
  }
}

interface Run {
  readonly process: number | undefined
  /** Its number. */
  readonly call: number
  readonly from: number
  readonly seen: Set<string>
}

function neverReturns(walk: ObjectWalk, process: number): DiagnosticError {
  const { operation, place } = walk.position(process)
  return new DiagnosticError({
    code: 'E304',
    message: `${operation}() does not return even when it runs alone`,
    hint: 'every operation must come to an end: bound its loops, or wait with allways/sync',
    place,
  })
}
