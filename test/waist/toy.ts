/**
 * A kind of program that the toolkit does not know: a counter in shared memory that processes read and then write, one more than they
 * read. It is given as paths alone.
 */
import type { Event } from '../../src/core/event.ts'
import type { Ending, Violation } from '../../src/core/property.ts'
import type { Decision } from '../../src/core/trace.ts'
import type { Path, Paths, Shown } from '../../src/program/path.ts'
import { type Program, registerProgram } from '../../src/program/program.ts'

export interface ToyOptions {
  /** Paths that cannot live together: what the one before was asked after the next one began is an error. */
  readonly isExclusive?: boolean
  /** Makes executions differ from each other, as users' mistakes do. */
  readonly noise?: () => number
}

/** A counter that is wrong if it does not count every process. */
export function toyCounter(options: ToyOptions = {}): Program {
  return registerProgram({
    name: 'toy counter',
    params: { processes: 2 },
    every: {},
    network: 'fifo',
    options: {},
    views: { path: ({ params }) => pathsOver(Number(params.processes), options) },
    stack: undefined,
  })
}

function pathsOver(processes: number, { isExclusive = false, noise }: ToyOptions): Paths {
  let living: ToyPath | undefined
  return {
    isExclusive,
    judges: ['final'],
    begin: () => {
      const path: ToyPath = new ToyPath(processes, {
        noise: noise?.() ?? 0,
        isAlive: () => !isExclusive || living === path,
      })
      living = path
      return path
    },
  }
}

interface State {
  readonly counter: number
  /** What each process has read; undefined before it has. */
  readonly read: readonly (number | undefined)[]
  readonly written: readonly boolean[]
}

interface Life {
  /** Added to what is read. */
  readonly noise: number
  readonly isAlive: () => boolean
}

class ToyPath implements Path {
  readonly #states: State[]
  readonly #events: Event[] = []
  readonly #life: Life

  constructor(processes: number, life: Life) {
    const none = Array.from({ length: processes })
    this.#states = [{ counter: 0, read: none.map(() => undefined), written: none.map(() => false) }]
    this.#life = life
  }

  enabled(): readonly Decision[] {
    return this.#now().written.flatMap((written, at) => (written ? [] : [{ kind: 'step', process: nameOf(at) }]))
  }

  take({ process }: Decision): readonly Event[] {
    const { counter, read, written } = this.#now()
    const at = written.findIndex((_, index) => nameOf(index) === process)
    const known = read[at]
    const value = known === undefined ? `reads ${counter + this.#life.noise}` : `writes ${known + 1}`
    this.#states.push(
      known === undefined
        ? { counter, read: read.with(at, counter), written }
        : { counter: known + 1, read, written: written.with(at, true) },
    )
    const index = known === undefined ? 0 : 1
    const event: Event = { kind: 'choose', process, index, option: 0, options: 1, value }
    this.#events.push(event)
    return [event]
  }

  back(): void {
    this.#now()
    this.#states.pop()
    this.#events.pop()
  }

  key(): string {
    return JSON.stringify(this.#now(), (_, value) => value ?? null)
  }

  events(): readonly Event[] {
    this.#now()
    return [...this.#events]
  }

  violations(): readonly Violation[] {
    const { counter, written } = this.#now()
    if (counter === written.length || this.enabled().length > 0) return []
    return [{ kind: 'final', property: 'counts all', message: `the counter is ${counter}` }]
  }

  shown(): readonly Shown[] {
    const { read, written } = this.#now()
    return read.map((known, at) => ({
      process: nameOf(at),
      state: known,
      pending: written[at] ? undefined : known === undefined ? 'read' : 'write',
    }))
  }

  ending(): Ending {
    const processes = this.#now().written.map((written, at) => {
      return { id: nameOf(at), daemon: false, status: written ? 'returned' : 'waiting', value: undefined } as const
    })
    return { processes }
  }

  isBlocked(): boolean {
    return false
  }

  #now(): State {
    const state = this.#states.at(-1)
    if (state === undefined || !this.#life.isAlive()) throw new Error('another path has begun')
    return state
  }
}

function nameOf(process: number): string {
  return `p${process}`
}
