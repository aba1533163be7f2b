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
  /** What the call returns. */
  readonly result: string
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
    if (this.stuck === undefined || this.#path.length > this.best.length) {
      this.best = [...this.#path]
      this.stuck = this.#stuckAt(node)
    }
    for (const { process, result, to } of node.edges) {
      const call = node.counts[process] as number
      if (!this.#isReady(node, process, call) || !this.#fits(process, call, result)) continue
      this.#path.push([process, call])
      this.visit(to)
      this.#path.pop()
      if (this.isComplete) return
    }
    this.#refuted.add(node)
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
      const edge = node.edges.find((one) => one.process === process)
      if (edge === undefined || edge.result !== each[call])
        return { process, call, instead: edge && readable(edge.result) }
    }
    return undefined
  }
}

/** Texts of results are made for comparing; people read the simple ones. */
function readable(text: string): string {
  if (text === 'u') return 'undefined'
  if (text === '0') return 'null'
  return text.startsWith('!')
    ? text.slice(1)
    : text.replace(/^n(?=-?\d)/, '').replace(/^[tf]$/, (mark) => (mark === 't' ? 'true' : 'false'))
}

function* explore(subject: ObjectSubject): Generator<undefined, SequentialNode> {
  const world = new ObjectWorld({ ...subject, isTimed: false, isFused: false, sections: [] })
  const walk = world.walk()
  const nodes = new Map<string, SequentialNode>()
  const pace = { steps: 0 }
  const processes = subject.processes.map((_, index) => index)
  const visit = function* (): Generator<undefined, SequentialNode> {
    const key = walk.key()
    const known = nodes.get(key)
    if (known !== undefined) return known
    const counts = processes.map((process) => walk.finishedCalls(process))
    const edges: Edge[] = []
    for (const process of processes) {
      const depth = walk.depth
      const result = yield* wholeCall(walk, process, pace)
      if (result !== undefined) edges.push({ process, result, to: yield* visit() })
      while (walk.depth > depth) walk.back()
    }
    const node = { counts, edges }
    nodes.set(key, node)
    return node
  }
  return yield* visit()
}

/** So many steps of one call that runs alone, and it will never return. */
const longestCall = 100_000
const stepsPerBreath = 32

/** Runs the next call of a process to its end; nothing if there is none, or if it waits for others. */
function* wholeCall(
  walk: ObjectWalk,
  process: number,
  pace: { steps: number },
): Generator<undefined, string | undefined> {
  const before = walk.finishedCalls(process)
  const from = walk.depth
  while (walk.finishedCalls(process) === before) {
    const moves = walk.moves()
    const move = moves.find((one) => one.process === process) ?? moves.find((one) => !walk.isClient(one.process))
    if (move === undefined) return undefined
    walk.step(move.process)
    if (walk.depth - from > longestCall) throw neverReturns(walk, process)
    if (++pace.steps % stepsPerBreath === 0) yield undefined
  }
  settleChildren(walk)
  return walk.ending().results[process]?.[before]
}

/** What a call began and did not await goes on before the next call. */
function settleChildren(walk: ObjectWalk): void {
  for (;;) {
    const child = walk.moves().find((move) => !walk.isClient(move.process))
    if (child === undefined) return
    walk.step(child.process)
  }
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
