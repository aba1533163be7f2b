/** A crew of threads, each of which loads the program by itself. Whatever happens to one of them, the search goes on without it. */

import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Diagnostic } from '../core/diagnostic.ts'
import type { WorkUnit } from '../core/verdict.ts'
import type { Witness } from '../core/witness.ts'
import type { Asked, Crew, Heard } from '../distribute/crew.ts'
import { addCoverage } from '../semantics/ir/coverage.ts'
import {
  askedNumbers,
  type CrewData,
  type CrewSource,
  type FromMember,
  type Seen,
  type ToMember,
} from './crew-messages.ts'
import { threadFile } from './thread-file.ts'

export interface ThreadCrewOptions {
  readonly size: number
  readonly after: number
  /** See `CrewData`. */
  readonly search: string
  /** The code of the threads; the built one unless told otherwise. */
  readonly file?: string | URL | undefined
}

interface Thread {
  readonly worker: Worker
  isReady: boolean
  seen: Seen | undefined
  /** Of a search that ended; null: not yet. */
  diagnostic: Diagnostic | undefined | null
}

/** Milliseconds between two looks at whether somebody wants to stop. */
const lookMilliseconds = 50

export class ThreadCrew implements Crew {
  readonly size: number
  readonly after: number
  readonly #source: CrewSource
  readonly #options: ThreadCrewOptions
  readonly #asked: Int32Array<SharedArrayBuffer>
  readonly #explored: Float64Array<SharedArrayBuffer>
  /** Those that live, and what those that died had seen. */
  readonly #threads = new Map<number, Thread>()
  readonly #seenBefore: Seen[] = []
  #wake: () => void = () => undefined

  constructor(source: CrewSource, options: ThreadCrewOptions) {
    this.size = options.size
    this.after = options.after
    this.#source = source
    this.#options = options
    this.#asked = new Int32Array(new SharedArrayBuffer(4 * options.size))
    this.#explored = new Float64Array(new SharedArrayBuffer(8 * options.size))
  }

  start(hear: (member: number, heard: Heard) => void): void {
    for (let member = 0; member < this.size; member++) {
      try {
        this.#begin(member, hear)
      } catch {
        // There are no more threads to be had, or what was asked cannot be sent to one.
        return
      }
    }
  }

  #begin(member: number, hear: (member: number, heard: Heard) => void): void {
    const workerData: CrewData = {
      kind: 'crew',
      ...this.#source,
      member,
      search: this.#options.search,
      asked: this.#asked,
      explored: this.#explored,
    }
    // What modules print while they are loaded was printed when they were loaded here.
    const worker = new Worker(this.#options.file ?? threadFile(), { workerData, stdout: true, stderr: true })
    worker.stdout.resume()
    worker.stderr.resume()
    const thread: Thread = { worker, isReady: false, seen: undefined, diagnostic: null }
    this.#threads.set(member, thread)
    const end = (): void => {
      if (!this.#threads.delete(member)) return
      if (thread.seen !== undefined) this.#seenBefore.push(thread.seen)
      hear(member, { kind: 'gone' })
      this.#wake()
      void worker.terminate()
    }
    worker.on('message', (message: FromMember) => {
      if (!this.#threads.has(member)) return
      if (message.kind === 'seen') thread.seen = message.seen
      else if (message.kind === 'finished') thread.diagnostic = message.diagnostic
      else if (message.kind === 'unfit') end()
      else {
        if (message.kind === 'ready') thread.isReady = true
        hear(member, message)
      }
      this.#wake()
    })
    worker.on('error', end)
    worker.on('messageerror', end)
    worker.on('exit', end)
  }

  explore(member: number, part: number, units: readonly WorkUnit[]): void {
    Atomics.store(this.#asked, member, 0)
    this.#explored[member] = 0
    this.#tell(member, { kind: 'explore', part, units })
  }

  #tell(member: number, message: ToMember): void {
    this.#threads.get(member)?.worker.postMessage(message)
  }

  ask(member: number, what: Asked): void {
    Atomics.store(this.#asked, member, askedNumbers[what])
  }

  explored(member: number): number {
    return this.#explored[member] ?? 0
  }

  /** All that it has seen, as it said last. */
  seen(member: number): Seen | undefined {
    return this.#threads.get(member)?.seen
  }

  async wait(milliseconds: number): Promise<void> {
    const over = new AbortController()
    const heard = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await Promise.race([heard, delay(milliseconds, undefined, { signal: over.signal }).catch(() => undefined)])
    over.abort()
  }

  /** After a search that ended: what each has to say of the program, which it has called on its own; nothing if nobody waits for it. */
  async finish(
    milliseconds: number | undefined,
    isAborted: () => boolean,
  ): Promise<Diagnostic | 'aborted' | undefined> {
    for (const [member, { isReady }] of this.#threads) if (isReady) this.#tell(member, { kind: 'finish', milliseconds })
    for (;;) {
      const threads = [...this.#threads.values()].filter(({ isReady }) => isReady)
      const wrong = threads.find(({ diagnostic }) => diagnostic !== null && diagnostic !== undefined)?.diagnostic
      if (wrong !== undefined && wrong !== null) return wrong
      if (threads.every(({ diagnostic }) => diagnostic === undefined)) return undefined
      if (isAborted()) return 'aborted'
      await this.wait(lookMilliseconds)
    }
  }

  /** What all threads have seen, added to what was seen here. */
  tellWitness(witness: Witness): void {
    const here = [...this.#threads.values()].flatMap(({ seen }) => (seen === undefined ? [] : [seen]))
    for (const { witness: known, coverage } of [...this.#seenBefore, ...here]) {
      witness.add(known)
      addCoverage(witness, coverage)
    }
  }

  dismiss(): void {
    const threads = [...this.#threads.values()]
    this.#threads.clear()
    for (const { worker } of threads) void worker.terminate()
  }
}
