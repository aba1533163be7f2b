/**
 * Calls of logs as paths: a decision lets a machine make its next calls, if all that comes before them in every order was made. Each path that ends is an
 * order which the logs allow, and there are no others. Abstract objects are asked along it, as they are along every path.
 */
import type { Event } from '../../core/event.ts'
import { InternalError, invariant } from '../../core/invariant.ts'
import type { EndedProcess, Ending, Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import type { LoggedCalls, LoggedStep } from '../../program/logged.ts'
import type { Path, Paths, Shown } from '../../program/path.ts'
import { conflictingCalls } from './conflicting-calls.ts'
import { Ghost } from './ghost.ts'

export function loggedPaths(logged: LoggedCalls, witness?: Witness | undefined): Paths {
  const ghost = new Ghost(logged.objects, witness)
  return { isExclusive: false, judges: ['refinement'], begin: () => new LoggedPath(logged, ghost) }
}

class LoggedPath implements Path {
  readonly #logged: LoggedCalls
  readonly #ghost: Ghost
  /** By machine: how many of its steps were taken. */
  readonly #done: number[]
  /** Machines, in the order of their steps. */
  readonly #order: number[] = []
  /** What objects were before each step, and are now. */
  readonly #ghosts: number[]

  constructor(logged: LoggedCalls, ghost: Ghost) {
    this.#logged = logged
    this.#ghost = ghost
    this.#done = logged.callers.map(() => 0)
    this.#ghosts = [ghost.first]
  }

  /** The earliest first, by logical time: that is an order which the system can have had. */
  enabled(): readonly Decision[] {
    if (this.#isRefused) return []
    const next = this.#logged.callers.flatMap(({ name, steps }, machine) => {
      const step = steps[this.#done[machine] as number]
      return step !== undefined && this.#isPast(step) ? [{ name, at: step.at }] : []
    })
    next.sort((one, other) => one.at - other.at)
    return next.map(({ name }) => ({ kind: 'choose', process: name, option: 0 }))
  }

  take({ process }: Decision): readonly Event[] {
    const machine = this.#logged.callers.findIndex(({ name }) => name === process)
    const index = this.#done[machine]
    const step = index === undefined ? undefined : this.#logged.callers[machine]?.steps[index]
    if (index === undefined || step === undefined) throw new InternalError(`"${process}" has no further calls`)
    this.#done[machine] = index + 1
    this.#order.push(machine)
    this.#ghosts.push(this.#ghost.after(this.#now, step.calls))
    return eventsOf(process, index, step)
  }

  back(): void {
    const machine = this.#order.pop()
    invariant(machine !== undefined, 'a path goes back as often as it went on')
    this.#ghosts.pop()
    this.#done[machine] = (this.#done[machine] as number) - 1
  }

  key(): string {
    return `${this.#done.join()}|${this.#now}`
  }

  events(): readonly Event[] {
    const made = this.#done.map(() => 0)
    return this.#order.flatMap((machine) => {
      const { name, steps } = this.#logged.callers[machine] as LoggedCalls['callers'][number]
      const index = made[machine] as number
      made[machine] = index + 1
      return eventsOf(name, index, steps[index] as LoggedStep)
    })
  }

  violations(): readonly Violation[] {
    if (!this.#isRefused) return []
    const events = this.events()
    return this.#ghost.violations(this.#now).map((refused) => {
      const object = this.#logged.objects.find(({ name }) => name === refused.property)
      // What else the order holds stays: which events a call depends on is not among these, which are calls and nothing else.
      const { calls } = (object && conflictingCalls(object, events)) ?? {}
      const place = events[calls?.at(-1)?.event ?? -1]?.place
      return { ...refused, ...(calls === undefined ? {} : { calls }), ...(place === undefined ? {} : { place }) }
    })
  }

  shown(): readonly Shown[] {
    return this.#logged.callers.map(({ name }, machine) => ({ process: name, state: this.#done[machine] as Value }))
  }

  ending(): Ending {
    return {
      processes: this.#logged.callers.map(({ name, steps }, machine): EndedProcess => {
        const status = this.#done[machine] === steps.length ? 'returned' : 'stopped'
        return { id: name, daemon: false, status, value: undefined }
      }),
    }
  }

  isBlocked(): boolean {
    return false
  }

  get #now(): number {
    return this.#ghosts.at(-1) as number
  }

  get #isRefused(): boolean {
    return this.#ghost.violations(this.#now).length > 0
  }

  #isPast({ past }: LoggedStep): boolean {
    return past.every((count, machine) => count <= (this.#done[machine] as number))
  }
}

/** The first call is the step, and those that the same handler announced belong to it. */
function eventsOf(process: string, index: number, { calls, place }: LoggedStep): readonly Event[] {
  return calls.map((value, at) =>
    at === 0
      ? { kind: 'choose', process, index, option: 0, options: 1, value, isCall: true, place }
      : { kind: 'announce', process, index, value, isCall: true, place },
  )
}
