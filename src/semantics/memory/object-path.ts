/**
 * Paths of a class and one client of it: every call, every access and every return is a decision of its own. Of an execution
 * that has ended, the referee says whether some order of the calls explains it.
 *
 * Variables of modules are shared by all walks (`world.ts`), so that one path lives at a time.
 */
import type { Event } from '../../core/event.ts'
import type { ClientExecution } from '../../core/evidence.ts'
import { invariant } from '../../core/invariant.ts'
import type { Ending, PropertyKind, Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type { Value } from '../../core/value.ts'
import type { Path, Paths, Shown } from '../../program/path.ts'
import { type ExecutedAccess, Recorder } from './record.ts'
import type { ObjectSubject } from './subject.ts'
import { type ObjectWalk, ObjectWorld } from './world.ts'

/** What calls throw is a result, which the referee judges as any other; an exception is what nobody handles. */
const judges: readonly PropertyKind[] = ['exception', 'deadlock', 'linearizability']

export interface ObjectPaths extends Paths {
  begin(): ObjectPath
}

export function objectPaths(subject: ObjectSubject): ObjectPaths {
  // Steps that are taken together are a matter of searches: the reference takes each by itself.
  const single = { ...subject, isFused: false }
  return {
    isExclusive: true,
    judges,
    *prepare() {
      yield* single.prepare?.() ?? []
    },
    begin: () => new ObjectPath(single),
  }
}

class ObjectPath implements Path {
  readonly #world: ObjectWorld
  readonly #walk: ObjectWalk
  readonly #recorder: Recorder
  readonly #marks: ReturnType<Recorder['mark']>[] = []
  readonly #events: Event[] = []

  constructor(subject: ObjectSubject) {
    this.#world = new ObjectWorld(subject)
    this.#walk = this.#world.walk()
    this.#recorder = new Recorder(subject.granularity)
    this.#walk.observe = (step) => this.#recorder.note(step)
  }

  enabled(): readonly Decision[] {
    return this.#walk.moves().map(({ process }) => ({ kind: 'step', process: this.#nameOf(process) }))
  }

  take(decision: Decision): readonly Event[] {
    const process = this.#world.processes.indexOf(decision.process)
    const isEnabled = decision.kind === 'step' && this.#walk.moves().some((move) => move.process === process)
    invariant(isEnabled, 'a decision that is taken is enabled')
    this.#marks.push(this.#recorder.mark())
    this.#walk.step(process)
    const before = this.#events.length
    for (const step of this.#recorder.steps.slice(before)) {
      const index = this.#events.filter((event) => event.process === step.process).length
      this.#events.push({ ...step, index })
    }
    return this.#events.slice(before)
  }

  back(): void {
    const mark = this.#marks.pop()
    invariant(mark !== undefined, 'a path goes back no further than to its beginning')
    this.#walk.back()
    this.#recorder.rollBack(mark)
    this.#events.length = this.#recorder.steps.length
  }

  key(): string {
    return this.#walk.key()
  }

  events(): readonly Event[] {
    return this.#events
  }

  violations(): readonly Violation[] {
    const violation = this.#isEnded ? this.#walk.violation() : undefined
    return violation === undefined ? [] : [violation]
  }

  shown(): readonly Shown[] {
    const waiting = new Set(this.#walk.waiting().map(({ process }) => process))
    const moving = new Set(this.#walk.moves().map(({ process }) => process))
    return this.#world.processes.flatMap((process, number): readonly Shown[] => {
      const isClient = this.#walk.isClient(number)
      if (!isClient && !waiting.has(number) && !moving.has(number)) return []
      const { operation, place, text } = this.#walk.position(number)
      const pending = text === undefined ? (moving.has(number) ? operation : undefined) : text
      return [{ process, at: place, state: isClient ? this.#resultsOf(process) : undefined, pending }]
    })
  }

  ending(): Ending {
    const { waiting } = this.#walk.ending()
    return {
      processes: this.#world.processes.slice(0, this.#world.subject.processes.length).map((id) => {
        const found = waiting.find(({ process }) => process === id)
        const base = { id, daemon: false, value: this.#resultsOf(id) }
        if (found === undefined) return { ...base, status: 'returned' }
        const { operation, forWhat } = found
        return { ...base, status: 'waiting', waiting: { process: id, forWhat: `${operation}: ${forWhat}`, inbox: [] } }
      }),
    }
  }

  isBlocked(): boolean {
    return this.#isEnded && this.#walk.waiting().length > 0
  }

  client(): ClientExecution {
    const { told } = this.#world.subject
    invariant(told !== undefined, 'the executions of this client are told to people')
    return told(this.#walk.ending(), this.#recorder.steps)
  }

  /** Every access so far, for finding causes. */
  accesses(): readonly ExecutedAccess[] {
    return this.#recorder.accesses
  }

  get #isEnded(): boolean {
    return this.#walk.moves().length === 0
  }

  #nameOf(process: number): string {
    return this.#world.processes[process] ?? `${process}`
  }

  /** By call: what it returned, or the error it threw. */
  #resultsOf(process: string): Value {
    return this.#walk.ending().history.calls.flatMap(({ process: other, operation, result }): readonly Value[] => {
      if (other !== process || result.kind === 'pending' || result.kind === 'unknown') return []
      return [result.kind === 'returned' ? { operation, returned: result.value } : { operation, threw: result.error }]
    })
  }
}
