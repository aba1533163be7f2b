/**
 * Depth-first search over states, in full or reduced by S-POR (thesis §2.2.1.1, Algorithm 1), DE-S-POR (§2.2.1.2, Algorithm 2)
 * or DL-S-POR (§2.2.2, Algorithm 3). Every final state of the program is reached, and with it every violation.
 *
 * Where it departs, and why. The thesis assumes acyclic programs without deadlocks; ours have retry loops and locks.
 *
 * - Cycles. A source set computed from successors that are not fully explored may ignore a process for ever: if (1) reads x
 *   until it is set and (2) sets x, the first read leads back to its own state and finds no process that depends on it. What is
 *   reachable from a successor is only trusted once it is closed (`graph.ts`); until then the successor's process needs the
 *   whole safe set beside it. Other processes, whose steps leave the cycle, may still make up a source set on their own.
 * - Invisible cycles. A process that reads x and loops without end unless x is set hides the other processes behind a loop of
 *   safe sets. The step that closes a cycle of nothing but reducible states makes its state irreducible: all processes that can
 *   move are then to choose from (the cycle proviso of ample sets, where it is needed). `safe` needs no such care, because
 *   sets that are persistent by themselves keep all final states, cycles or not.
 * - Waiting. A process that waits for ever never performs the action that depends on an earlier one (a lock that is never
 *   released), so the actions of waiting processes count: in final states, and where a cycle closes. What a process waits for
 *   must be a matter of its own state alone.
 * - Object numbers. Dependence is followed through the renamings of the steps; see `actions.ts`.
 *
 * Why this suffices. Claim: for every state s of L_r and every execution v from s there is an execution of L_r from s that is
 * equivalent to some prolongation of v. By induction on the length of v, then on components in the order they were closed. Where all
 * processes were explored, the first of v was. At a reducible state either v contains the invisible action, which can
 * come first, or v is possible after it; such states form no cycle. Elsewhere T (`source-set.ts`) is not empty and its
 * steps lead to components closed before. If the first action of v that is of T or dependent on a step of T is of T, it
 * can come first. If v has neither, it is possible after each step of T. If it is of another process p, dependent on the step
 * of t, then p reaches the same place after the step of t; by the claim L_r shows p's action there, or p waiting for
 * it, so p is in the cover of t and in T. For a v that ends in a final state the prolongation is v itself.
 */
import { bit, count, isSubset, least } from '../../collections/bit-mask.ts'
import { KeyIndex } from '../../collections/key-index.ts'
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { Random } from '../../core/random.ts'
import type { Decision } from '../../core/trace.ts'
import type { Counts } from '../../core/verdict.ts'
import { processLimitOfMasks, type Stateful, type Walk } from '../../program/stateful.ts'
import type { EngineEvent } from '../engine.ts'
import { Actions, sameNumbers } from './actions.ts'
import { Eager } from './eager.ts'
import type { Foresight } from './foresight.ts'
import { Graph, nowhere } from './graph.ts'
import { inheritKnown } from './known-successors.ts'
import { Lazy } from './lazy.ts'
import type { StatefulOptions } from './options.ts'
import { candidates } from './source-set.ts'
import { StateFrame } from './state-frame.ts'

/** Without memory of states a loop cannot be told from a long execution. */
export const statelessDepth = 10_000

/** A step of a class, or one along a path, can take a millisecond: an interrupt must not wait for many. */
const progressEvery = 16
const irreducible = Number.MAX_SAFE_INTEGER

export class StateSearch {
  readonly #subject: Stateful
  readonly #fused: ReturnType<NonNullable<Stateful['fused']>> | undefined
  readonly #options: StatefulOptions
  readonly #walk: Walk
  readonly #random: Random
  /** States by canonical text. Without memory of states it holds final states only, so that each is told once. */
  readonly #keys = new KeyIndex()
  readonly #actions = new Actions()
  readonly #graph = new Graph()
  /** Only the reductions that compute source sets look ahead; the others keep neither edges nor labels. */
  readonly #foresight: Foresight | undefined
  /** The path is the frames up to `#depth`; the others are kept to be used again. Invariant: `#walk` is at the last state. */
  readonly #frames: StateFrame[] = []
  #depth = -1
  /** Found by one step of the search and not told yet. */
  readonly #events: EngineEvent[] = []
  #ended = false
  /** Estimate of the share of the search that is done: each state splits its share evenly among the processes to explore. */
  #explored = 0
  #counts = { states: 0, transitions: 0, irreducible: 0, traces: 0, finals: 0 }

  constructor(subject: Stateful, options: StatefulOptions) {
    const isFused = options.static && options.reduction !== 'none'
    this.#fused = isFused ? subject.fused?.() : undefined
    this.#subject = this.#fused ?? subject
    this.#options = options
    this.#walk = this.#subject.walk()
    this.#random = new Random(options.seed)
    const { reduction } = options
    if (reduction === 'eager') this.#foresight = new Eager(this.#graph, this.#actions)
    if (reduction === 'lazy') this.#foresight = new Lazy(this.#graph, this.#actions)
    this.#enter(options.stateless ? '' : this.#walk.key(), 1, undefined)
  }

  /** The next thing to tell; undefined at the end. Between calls the path is the one that the last event speaks of. */
  next(): EngineEvent | undefined {
    while (this.#events.length === 0 && !this.#ended) this.#advance()
    return this.#events.shift()
  }

  get ended(): boolean {
    return this.#ended
  }

  #advance(): void {
    const frame = this.#frames[this.#depth]
    if (frame === undefined) {
      this.#ended = true
      this.#explored = 1
      this.#tellProgress()
      return
    }
    const choices =
      this.#foresight === undefined ? frame.safe & ~frame.done : candidates(frame.safe, frame.done, frame.covers)
    if (choices === 0) this.#leave(frame)
    else this.#take(frame, this.#choice(choices & frame.known || choices))
  }

  #choice(choices: number): number {
    if (this.#options.order === 'random') {
      let left = choices
      for (let skipped = this.#random.below(count(choices)); skipped > 0; skipped--) left &= left - 1
      return least(left)
    }
    const first = this.#options.permutation?.find((process) => (choices & bit(process)) !== 0)
    return first ?? least(choices)
  }

  #take(frame: StateFrame, process: number): void {
    const step = this.#walk.step(process)
    if (++this.#counts.transitions % progressEvery === 0) this.#tellProgress()
    frame.process = process
    frame.done |= bit(process)
    if (this.#foresight !== undefined) {
      frame.label = this.#actions.label(step.action)
      frame.renaming = this.#actions.renaming(step.renaming)
    }
    const key = this.#options.stateless ? '' : this.#walk.key()
    const target = this.#options.stateless ? -1 : this.#keys.find(key)
    if (target < 0) return this.#enter(key, frame.share, frame)
    this.#walk.back()
    this.#counts.traces++
    this.#explored += frame.share
    this.#return(frame, target, target)
  }

  /** A state is met for the first time. */
  #enter(key: string, weight: number, from: StateFrame | undefined): void {
    const moves = this.#walk.moves()
    const frame = this.#push()
    frame.state = this.#counts.states++
    if (!this.#options.stateless) this.#keys.add(key)
    if (this.#foresight !== undefined) frame.low = this.#graph.add()
    let [enabled, invisible] = [0, -1]
    for (const { process, visible } of moves) {
      invariant(process < processLimitOfMasks, 'processes are numbered below the limit of masks')
      enabled |= bit(process)
      if (!visible && invisible < 0) invisible = process
    }
    const reducible = invisible >= 0 && this.#options.static && this.#options.reduction !== 'none'
    frame.enabled = enabled
    frame.safe = reducible ? bit(invisible) : enabled
    frame.done = 0
    frame.edges.count = 0
    frame.closesCycle = false
    frame.known = 0
    if (from !== undefined && this.#foresight !== undefined && !this.#options.stateless)
      inheritKnown(frame, from, this.#graph, this.#actions)
    frame.reducibleSince = reducible ? Math.min(from?.reducibleSince ?? irreducible, frame.state) : irreducible
    frame.share = weight / Math.max(1, count(frame.safe))
    if (enabled === 0) this.#tellEnding(key, weight)
    else if (invisible < 0) this.#counts.irreducible++
  }

  #push(): StateFrame {
    const depth = ++this.#depth
    if (this.#options.stateless && depth > statelessDepth) throw new DiagnosticError(endless(depth))
    const frame = this.#frames[depth] ?? new StateFrame()
    this.#frames[depth] = frame
    return frame
  }

  /** Everything needed has been explored from the state. */
  #leave(frame: StateFrame): void {
    this.#explored += frame.share * count(frame.safe & ~frame.done)
    if (this.#foresight !== undefined) this.#complete(frame, this.#foresight)
    const from = this.#frames[--this.#depth]
    if (from === undefined) return
    this.#walk.back()
    this.#return(from, frame.state, frame.low)
  }

  #complete(frame: StateFrame, foresight: Foresight): void {
    if (frame.enabled === 0 || frame.closesCycle) {
      for (const action of this.#walk.waiting()) frame.edges.add(nowhere, this.#actions.label(action), sameNumbers)
    }
    this.#graph.complete(frame.state, frame.edges)
    if (frame.low === frame.state) foresight.closed(this.#graph.close(frame.state))
  }

  /** The search is back in a state after a step to `target`, whose component reaches down to `low`. */
  #return(frame: StateFrame, target: number, low: number): void {
    if (this.#foresight === undefined) return
    const { process, label, renaming } = frame
    frame.edges.add(target, label, renaming)
    frame.successors[process] = target
    frame.successorLabels[process] = label
    const closed = this.#graph.isClosed(target)
    if (!closed) {
      frame.low = Math.min(frame.low, low)
      if (this.#graph.isOpen(target)) this.#closeCycle(frame, target)
    }
    if (frame.done === frame.safe) return
    const onlyKnown = isSubset(frame.safe, frame.done | frame.known)
    frame.covers[process] = closed && !onlyKnown ? this.#cover(frame, target, this.#foresight) : frame.safe
  }

  #cover({ safe, label, renaming }: StateFrame, target: number, foresight: Foresight): number {
    const dependents = foresight.dependents(target, this.#actions.continued(label, renaming), safe)
    return isSubset(dependents, safe) ? dependents : safe
  }

  #closeCycle(frame: StateFrame, target: number): void {
    frame.closesCycle = true
    // The states of the path between have greater numbers than the target: it is in the run of reducible states or not.
    if (target < frame.reducibleSince) return
    frame.reducibleSince = irreducible
    frame.safe = frame.enabled
    // The share of the state has been given out already: processes added now must not count a second time.
    frame.share = 0
  }

  #tellEnding(key: string, weight: number): void {
    this.#counts.traces++
    this.#explored += weight
    const ending = this.#options.stateless ? this.#walk.key() : key
    if (this.#options.stateless) {
      if (this.#keys.find(ending) >= 0) return
      this.#keys.add(ending)
    }
    this.#counts.finals++
    const violation = this.#walk.violation()
    const counts = this.#snapshot()
    this.#events.push({ kind: 'ending', counts, key: ending, violation, decisions: () => this.#decisions() })
    if (violation === undefined) return
    const decisions = this.#decisions()
    const expand = this.#fused && (() => this.#fused?.single(decisions) ?? decisions)
    this.#events.push({ kind: 'violation', violation, decisions, foundIn: decisions.length, expand })
  }

  #tellProgress(): void {
    this.#events.push({ kind: 'progress', counts: this.#snapshot(), explored: Math.min(1, this.#explored) })
  }

  #snapshot(): Counts {
    return { ...this.#counts }
  }

  #decisions(): readonly Decision[] {
    return this.#frames
      .slice(0, this.#depth)
      .map(({ process }) => ({ kind: 'step', process: this.#subject.processes[process] ?? `${process}` }))
  }
}

function endless(depth: number) {
  return {
    code: 'E203',
    message: `an execution has not ended after ${depth} steps`,
    hint: 'without memory of states a loop has no end: leave out stateless',
  } as const
}
