/**
 * Objects as a transition system: the walk over the states of an instance and the processes of a client (thesis §2.1).
 *
 * A step of a process is: making its next call; one access to shared state together with everything up to the next one; or the
 * return of its call. Calls and returns are invisible unless their order matters (`isTimed`): then a call reads the time line
 * and a return adds to it, so that calls commute, returns commute, and a call and a return do not.
 */
import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import {
  type Access,
  type Move,
  processLimitOfMasks,
  type Stateful,
  type AccessAction as StatefulAction,
  type Step,
  type Walk,
} from '../../program/stateful.ts'
import { Canonical, timeLine } from './canonical.ts'
import { loopWith } from './class-loop.ts'
import type { ClientProcess, Saved } from './client-process.ts'
import { ClientRunner, longestPath, type Observed, type Phase } from './client-runner.ts'
import { placeOfSite, userSite } from './code.ts'
import { neverReturns } from './endless-calls.ts'
import { Heap, type Touch } from './heap.ts'
import { asChecked, machine } from './process.ts'
import { showResult } from './results.ts'
import { refuse } from './search-error.ts'
import { world } from './spawning.ts'
import { type ObjectEnding, type ObjectSubject, processName } from './subject.ts'
import { failuresOf, historyOf, waitingOf } from './walk-history.ts'
import { addClient } from './walk-state.ts'

/** The transition system of one client; each search takes walks from it. */
export class ObjectWorld implements Stateful {
  readonly processes: string[]
  readonly subject: ObjectSubject
  /** By name. Children are added by the first walk that begins them; their numbers stay for all walks. */
  readonly #numbers = new Map<string, number>()

  constructor(subject: ObjectSubject) {
    this.subject = subject
    this.processes = subject.processes.map((_, index) => processName(index))
    for (const [index, name] of this.processes.entries()) this.#numbers.set(name, index)
  }

  walk(): ObjectWalk {
    // Nothing is left to do where somebody had it done before, with breaths.
    const preparing = this.subject.prepare?.()
    while (preparing?.next().done === false);
    return new ObjectWalk(this.subject, (name) => this.#numberOf(name))
  }

  fused(): FusedWorld {
    return new FusedWorld({ ...this.subject, isFused: true })
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const number = this.processes.length
    if (number >= processLimitOfMasks) {
      refuse({
        code: 'E203',
        message: `more than ${processLimitOfMasks} async calls were begun and not awaited`,
        hint: 'await calls where they are made, or check a smaller client',
      })
    }
    this.processes.push(name)
    this.#numbers.set(name, number)
    return number
  }
}

/** With invisible steps taken together with visible ones (`ObjectSubject.isFused`). */
class FusedWorld extends ObjectWorld {
  /** Its decisions as decisions about single steps. Begins a walk, so that no other may be under way. */
  single(decisions: readonly Decision[]): readonly Decision[] {
    const { granularity } = this.subject
    const world = new ObjectWorld({ ...this.subject, isFused: false })
    const walk = world.walk()
    const single: Decision[] = []
    const step = (process: number): void => {
      walk.step(process)
      single.push({ kind: 'step', process: world.processes[process] ?? `${process}` })
    }
    for (const decision of decisions) {
      const process = world.processes.indexOf(decision.process)
      const isCallOnly = walk.phaseOf(process) === 'idle' && granularity === 'await'
      // A call that was begun and not awaited stands before its first await, which need not be visible.
      const isBegun = !walk.isClient(process) && walk.phaseOf(process) === 'silent'
      if (walk.phaseOf(process) === 'idle') step(process)
      while (walk.phaseOf(process) === 'silent') step(process)
      if (!isCallOnly && !isBegun && walk.phaseOf(process) === 'visible') step(process)
      while (walk.phaseOf(process) === 'silent') step(process)
      if (walk.phaseOf(process) === 'returning') step(process)
    }
    // Calls that were begun at once and wait for ever took no decision.
    const isWaiting = ({ process }: Move): boolean =>
      walk.phaseOf(process) === 'idle' || walk.phaseOf(process) === 'silent'
    for (let next = walk.moves().find(isWaiting); next !== undefined; next = walk.moves().find(isWaiting))
      step(next.process)
    return single
  }
}

interface PathEntry {
  readonly client: ClientProcess
  readonly saved: Saved
  /** Length of the undo log before the step. */
  readonly mark: number
  /** Of the state the step started from. */
  readonly state: NumberedState | undefined
}

interface NumberedState {
  readonly key: string
  readonly numbers: ReadonlyMap<object, number>
}

interface WalkPosition {
  /** The call that is made next, or under way. */
  readonly operation: string
  readonly place: Place | undefined
  /** What it does next, if it is under way: 'reads items[1]'. */
  readonly text: string | undefined
}

export class ObjectWalk implements Walk {
  readonly #subject: ObjectSubject
  readonly #heap: Heap
  readonly #runner: ClientRunner
  /** One entry for each step that can be taken back. */
  readonly #path: PathEntry[] = []
  /** The key of the present state, once it was asked for; undefined after a step. */
  #state: NumberedState | undefined

  constructor(subject: ObjectSubject, numberOf: (name: string) => number) {
    this.#subject = subject
    this.#heap = new Heap(subject.modules.assigned)
    takeOver(this.#heap)
    this.#runner = new ClientRunner(subject, this.#heap, numberOf)
  }

  /** Is told every step. */
  set observe(observer: (step: Observed) => void) {
    this.#runner.observe = observer
  }

  key(): string {
    return this.#numbered().key
  }

  moves(): readonly Move[] {
    const moves: Move[] = []
    for (const client of this.#runner.clients) {
      if (client !== undefined && this.#runner.canMove(client)) {
        moves.push({ process: client.process.number, visible: this.#runner.isVisible(client) })
      }
    }
    return moves
  }

  waiting(): readonly StatefulAction[] {
    const waiting: StatefulAction[] = []
    for (const client of this.#runner.clients) {
      if (client === undefined || client.status === 'ended') continue
      // What keeps a process from passing through lines without interruption may lie in the midst of them: all it touches counts.
      this.#heap.touched = []
      if (this.#runner.canMove(client)) continue
      client.process.pending?.operation.touch(this.#heap, client.process)
      const accesses = accessesOf(this.#heap.touched, this.#numbered().numbers)
      waiting.push({ process: client.process.number, visible: true, accesses })
    }
    return waiting
  }

  step(process: number): Step {
    const client = this.#runner.clients[process] as ClientProcess
    const from = this.#numbered()
    const visible = this.#runner.isVisible(client)
    if (this.#path.length >= longestPath) throw neverReturns(client)
    this.#path.push({ client, saved: client.save(), mark: this.#heap.mark, state: this.#state })
    this.#heap.touched = []
    this.#runner.perform(client)
    const accesses = [...this.#runner.time, ...accessesOf(this.#heap.touched, from.numbers)]
    const action = { process, visible: visible || accesses.length > 0, accesses }
    this.#state = undefined
    return new WalkStep(action, from.numbers, () => this.#numbered().numbers)
  }

  back(): void {
    const { client, saved, mark, state } = this.#path.pop() as PathEntry
    this.#heap.rollBack(mark)
    client.restore(saved)
    this.#state = state
  }

  violation(): Violation | undefined {
    return this.#subject.judge(this.ending())
  }

  /** Of a call that has returned: its result, to be compared and in words. */
  resultOf(process: number, call: number): { readonly result: string; readonly words: string } {
    const returned = this.#runner.clients[process]?.returned[call]
    invariant(returned !== undefined, 'the call has returned')
    return { result: returned.text, words: showResult(returned.result) }
  }

  /** The calls made so far; in a final state, all of them. */
  ending(): ObjectEnding {
    const clients = this.#runner.clients.slice(0, this.#subject.processes.length) as readonly ClientProcess[]
    return {
      setup: this.#runner.setUp,
      history: { calls: historyOf(clients) },
      results: clients.map(({ returned }) => returned.map(({ text }) => text)),
      before: clients.map((client) => this.#before(client, clients)),
      waiting: clients.flatMap((client) =>
        waitingOf(client, {
          isKeptOut: this.#isKeptOut(client),
          clients: this.#runner.clients.filter((one) => one !== undefined),
        }),
      ),
      failures: failuresOf(this.#heap),
    }
  }

  /** A call that has done nothing but wait is made as late as possible, after everything that has returned. */
  #before(client: ClientProcess, clients: readonly ClientProcess[]): ClientProcess['before'] {
    const { status, isMade, before } = client
    if (!this.#subject.isTimed || isMade || !(status === 'running' || this.#isKeptOut(client))) return before
    return [...before, clients.map(({ returned }) => returned.length)]
  }

  /** Its next call would begin with lines without interruption, and could not leave them. */
  #isKeptOut(client: ClientProcess): boolean {
    return client.status === 'idle' && !this.#runner.canMove(client)
  }

  /** How many calls the process has finished. */
  finishedCalls(process: number): number {
    return this.#runner.clients[process]?.returned.length ?? 0
  }

  /** Where a process stands. */
  position(process: number): WalkPosition {
    const client = this.#runner.clients[process]
    const operation = client?.calls[client.returned.length]?.operation ?? ''
    const { site = -1, frame, operation: pending } = client?.status === 'running' ? (client.process.pending ?? {}) : {}
    return { operation, place: placeOfSite(userSite(site, frame)), text: pending?.text }
  }

  phaseOf(process: number): Phase {
    const client = this.#runner.clients[process]
    return client === undefined ? 'ended' : this.#runner.phaseOf(client)
  }

  get depth(): number {
    return this.#path.length
  }

  /** Whether it waits for a timer of its own. */
  isTimer(process: number): boolean {
    const client = this.#runner.clients[process]
    return client !== undefined && this.#runner.isTimer(client)
  }

  isClient(process: number): boolean {
    return process < this.#subject.processes.length
  }

  #numbered(): NumberedState {
    if (this.#state !== undefined) return this.#state
    const canonical = new Canonical()
    canonical.add(this.#runner.instance)
    for (const root of this.#runner.roots) canonical.add(root)
    // Also when nothing is armed: who arms the first timer accesses it.
    canonical.add(this.#heap.host)
    for (const client of this.#runner.clients) if (client !== undefined) addClient(canonical, client)
    this.#state = { key: canonical.key(), numbers: canonical.numbers }
    return this.#state
  }
}

function accessesOf(touches: readonly Touch[], numbers: ReadonlyMap<object, number>): readonly Access[] {
  const accesses: Access[] = []
  for (const { object, part, mode } of touches) {
    const number = numbers.get(object)
    if (number !== undefined) accesses.push({ object: number, part, mode })
  }
  return accesses
}

class WalkStep implements Step {
  readonly action: StatefulAction
  readonly #before: ReadonlyMap<object, number>
  readonly #after: () => ReadonlyMap<object, number>

  constructor(action: StatefulAction, before: ReadonlyMap<object, number>, after: () => ReadonlyMap<object, number>) {
    this.action = action
    this.#before = before
    this.#after = after
  }

  /** Asked for while the walk is in the state after the step, or not at all. */
  get renaming(): readonly number[] {
    const renaming = [timeLine]
    const after = this.#after()
    for (const object of this.#before.keys()) renaming.push(after.get(object) ?? -1)
    return renaming
  }
}

/** The heap of the last walk. Only one walk is alive at a time: a new one ends it, because both would change the same modules. */
let active: Heap | undefined

/** Variables of modules are shared by all walks: the last one's changes are undone before the next one begins. */
function takeOver(heap: Heap | undefined): void {
  active?.rollBack(0)
  active = heap
  machine.heap = heap
  world.spawn = undefined
  world.acting = undefined
  loopWith(heap)
}

/** Ends the last walk: what is loaded or done now is not part of it, and stays when the next one begins. */
export function endWalks(): void {
  takeOver(undefined)
}

/** Makes an instance outside of all walks, and takes back what it did to variables of modules. */
export function withoutTraces<T>(run: () => T): T {
  takeOver(new Heap(new Set()))
  try {
    return asChecked(run)
  } finally {
    endWalks()
  }
}
