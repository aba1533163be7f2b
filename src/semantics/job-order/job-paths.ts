/** Executions of a client in JavaScript's own job order as paths. Going back repeats what came before: executions are short. */
import type { Event } from '../../core/event.ts'
import type { ClientExecution } from '../../core/evidence.ts'
import { invariant } from '../../core/invariant.ts'
import type { Ending, PropertyKind, Violation } from '../../core/property.ts'
import type { Decision } from '../../core/trace.ts'
import type { Value } from '../../core/value.ts'
import type { Path, Paths, Shown } from '../../program/path.ts'
import { JobRun, type JobSubject } from './job-run.ts'

const judges: readonly PropertyKind[] = ['exception', 'deadlock', 'linearizability']

export function jobPaths(subject: JobSubject): Paths {
  return {
    isExclusive: true,
    judges,
    *prepare() {
      yield* subject.prepare?.() ?? []
    },
    begin: () => {
      const work = subject.prepare?.()
      while (work?.next().done === false);
      return new JobPath(subject)
    },
  }
}

class JobPath implements Path {
  readonly #subject: JobSubject
  readonly #taken: string[] = []
  #known: JobRun | undefined

  constructor(subject: JobSubject) {
    this.#subject = subject
  }

  enabled(): readonly Decision[] {
    return this.#run.choices().map((process) => ({ kind: 'step', process }))
  }

  take({ process, kind }: Decision): readonly Event[] {
    const run = this.#run
    invariant(kind === 'step' && run.choices().includes(process), 'a decision that is taken is enabled')
    const before = run.steps.length
    run.take(process)
    this.#taken.push(process)
    return this.events().slice(before)
  }

  back(): void {
    invariant(this.#taken.length > 0, 'a path goes back no further than to its beginning')
    this.#taken.pop()
    this.#known = undefined
  }

  /** What promises and modules keep is not looked at. */
  key(): undefined {
    return undefined
  }

  events(): readonly Event[] {
    const counts = new Map<string, number>()
    return this.#run.steps.map((step) => {
      const index = counts.get(step.process) ?? 0
      counts.set(step.process, index + 1)
      return { ...step, index }
    })
  }

  violations(): readonly Violation[] {
    const violation = this.#run.isEnded ? this.#subject.judge(this.#run.ending()) : undefined
    return violation === undefined ? [] : [violation]
  }

  shown(): readonly Shown[] {
    const choices = this.#run.choices()
    return this.ending().processes.map(({ id, value }) => ({
      process: id,
      state: value ?? null,
      pending: choices.includes(id) ? 'its first call' : undefined,
    }))
  }

  ending(): Ending {
    const { waiting } = this.#run.ending()
    return {
      processes: this.#subject.processes.map((_, index) => {
        const id = `p${index + 1}`
        const base = { id, daemon: false, value: this.#resultsOf(id) }
        const found = waiting.find(({ process }) => process === id)
        if (found === undefined) return { ...base, status: 'returned' as const }
        const forWhat = `${found.operation}: ${found.forWhat}`
        return { ...base, status: 'waiting' as const, waiting: { process: id, forWhat, inbox: [] } }
      }),
    }
  }

  isBlocked(): boolean {
    return this.#run.isEnded && this.#run.ending().waiting.length > 0
  }

  client(): ClientExecution {
    const { told } = this.#subject
    invariant(told !== undefined, 'the executions of this client are told to people')
    return told(this.#run.ending(), this.#run.steps)
  }

  get #run(): JobRun {
    if (this.#known === undefined) {
      this.#known = new JobRun(this.#subject)
      for (const choice of this.#taken) this.#known.take(choice)
    }
    return this.#known
  }

  /** By call: what it returned, or the error it threw. */
  #resultsOf(process: string): Value {
    return this.#run.ending().history.calls.flatMap(({ process: other, operation, result }): readonly Value[] => {
      if (other !== process || result.kind === 'pending' || result.kind === 'unknown') return []
      return [result.kind === 'returned' ? { operation, returned: result.value } : { operation, threw: result.error }]
    })
  }
}
