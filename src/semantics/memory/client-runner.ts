/** Runs the processes of a client, step by step; what a walk does between going forth and back. */
import type { Call } from '../../core/history.ts'
import { type Access, accessModes } from '../../program/stateful.ts'
import { timeLine } from './canonical.ts'
import { runJobs } from './class-loop.ts'
import { callBody } from './client-body.ts'
import { ClientProcess, type ObjectCall } from './client-process.ts'
import { userSite } from './code.ts'
import { neverEnds, neverReturns } from './endless-calls.ts'
import type { Heap, Touch } from './heap.ts'
import { refuseIncomparable } from './incomparable.ts'
import { births, type Child } from './invoke.ts'
import {
  type AccessOperation,
  asChecked,
  type Caller,
  type Interruptions,
  type Invocation,
  ObjectProcess,
  type Outcome,
  type Pending,
} from './process.ts'
import { settleWith } from './promises.ts'
import { errorText, returnedCall } from './results.ts'
import { BlockedInsideError } from './search-error.ts'
import { type Inside, Sections } from './sections.ts'
import { type Spawned, world } from './spawning.ts'
import { isHeapObject } from './statics.ts'
import { type ObjectSubject, processName } from './subject.ts'
import { callText, historyOf } from './walk-history.ts'

/** A path longer than this has a call that does not return: no client makes so many accesses. */
export const longestPath = 200_000

/** Accesses in one passage through lines without interruption; more are a loop that waits. */
const longestPassage = 2_000

export type Phase = 'idle' | 'silent' | 'visible' | 'returning' | 'ended'

/** One step, with more than a search needs: reports and repairs are made of it. */
export interface Observed {
  readonly client: ClientProcess
  readonly kind: 'call' | 'access' | 'return'
  readonly pending: Pending | undefined
  readonly touches: readonly Touch[]
  /** What the pending operation gave. */
  readonly answer: unknown
  /** The call made, or what it returned, in words. */
  readonly call: string
  /** The number of the call within its process. */
  readonly index: number
}

export class ClientRunner implements Interruptions {
  readonly instance: object
  /** Objects in variables of modules. Variables that are assigned later are boxes, so these stay the same. */
  readonly roots: readonly object[]
  /** By process number; children come and go. */
  clients: (ClientProcess | undefined)[] = []
  /** What the last step did to the time line. */
  time: Access[] = []
  observe: ((step: Observed) => void) | undefined
  /** The calls that ran first and alone. */
  setUp: readonly Call[] = []
  readonly #subject: ObjectSubject
  readonly #heap: Heap
  readonly #numberOf: (name: string) => number
  /** Whose step is under way. */
  #acting: ClientProcess | undefined
  /** By the constructor, before there were processes. */
  #spawnedFirst = 0
  #sections = new Sections([])
  #inside: Inside | undefined

  constructor(subject: ObjectSubject, heap: Heap, numberOf: (name: string) => number) {
    this.#subject = subject
    this.#heap = heap
    this.#numberOf = numberOf
    births.born = (parent, child) => this.#bear(parent, child)
    world.spawn = (spawned) => this.#spawn(spawned)
    this.instance = asChecked(() => subject.create())
    runJobs()
    heap.publish(this.instance)
    this.roots = subject.modules.roots().filter(isHeapObject)
    for (const root of this.roots) heap.publish(root)
    // Calls that run alone are never interrupted, so that lines without interruption are lines like others to them.
    this.#setUp()
    this.#sections = new Sections(subject.sections)
    for (const [index, calls] of subject.processes.entries()) {
      this.clients[index] = this.#clientOf(index, processName(index), calls)
    }
    if (this.#startsEarly) for (const client of this.clients) if (client !== undefined) this.#startNext(client)
  }

  canMove(client: ClientProcess): boolean {
    switch (client.status) {
      case 'idle':
        // Up to its first await, a call that begins may pass through lines without interruption.
        return this.#subject.granularity === 'access' || this.#canComplete(client)
      case 'returning':
        return true
      case 'ended':
        return false
      case 'running': {
        const { operation, site, frame } = client.process.pending as Pending
        if (!operation.isEnabled(client.process)) return false
        const isOutside = this.#subject.granularity === 'access' && this.#sections.at(site, frame) === undefined
        return isOutside || this.#canComplete(client)
      }
    }
  }

  isVisible(client: ClientProcess): boolean {
    const { granularity, isTimed } = this.#subject
    if (client.status === 'returning') return isTimed && client.promise === undefined
    if (client.status === 'idle') return isTimed || granularity === 'await'
    if (granularity === 'await') return true
    const { operation, site, frame } = client.process.pending as Pending
    // Lines without interruption are one step, whatever they begin with.
    return operation.visible || this.#sections.at(site, frame) !== undefined
  }

  isTimer({ status, process: { pending } }: ClientProcess): boolean {
    return status === 'running' && pending?.operation.isTimer === true
  }

  perform(client: ClientProcess): void {
    this.time = []
    if (!this.#subject.isFused) return this.#single(client)
    if (client.status !== 'returning') this.#single(client)
    while (this.#isSilent(client)) this.#single(client)
    if (client.status !== 'returning' || client.promise !== undefined) return
    this.#single(client)
    if (this.#startsEarly) this.#startNext(client)
  }

  /** What the next step of a process would be. */
  phaseOf(client: ClientProcess): Phase {
    if (client.status !== 'running') return client.status
    return this.isVisible(client) ? 'visible' : 'silent'
  }

  // Interruptions

  mayInterrupt(process: ObjectProcess, site: number, waits: boolean): boolean {
    const isPoint = waits || this.#subject.granularity === 'access'
    if (this.#sections.isEmpty) return isPoint
    const now = this.#sections.at(site, process.frame)
    const continues = this.#inside !== undefined && this.#sections.continues(this.#inside, now)
    this.#inside = continues || !isPoint ? this.#sections.onward(continues ? this.#inside : undefined, now) : undefined
    // A loop that waits for others inside the lines would wait for ever.
    if (continues && (this.#inside?.length ?? 0) > longestPassage) throw new BlockedInsideError()
    return isPoint && !continues
  }

  blockedInside(process: ObjectProcess, operation: AccessOperation): void {
    if (this.#inside === undefined) return
    operation.touch(this.#heap, process)
    throw new BlockedInsideError()
  }

  /** Only local work precedes the first access, so that it can be done as soon as the last call has returned. */
  get #startsEarly(): boolean {
    return this.#subject.isFused && this.#subject.granularity === 'access'
  }

  #isSilent(client: ClientProcess): boolean {
    return client.status === 'running' && !this.isVisible(client)
  }

  /** Begins the next call up to its first visible access; calls that have none are over at once, unless time matters. */
  #startNext(client: ClientProcess): void {
    while (this.phaseOf(client) === 'idle') {
      this.#begin(client)
      while (this.#isSilent(client)) this.#access(client)
      if (this.phaseOf(client) === 'returning' && !this.#subject.isTimed) this.#return(client)
    }
  }

  /** One step as it is when nothing is fused. */
  #single(client: ClientProcess): void {
    const { status } = client
    if (status === 'returning') this.#return(client)
    else if (status === 'idle') {
      this.#make(client)
      this.#begin(client)
    } else {
      if (!client.isMade && client.promise === undefined) this.#make(client)
      this.#access(client)
    }
  }

  /** From here on the call counts as made. */
  #make(client: ClientProcess): void {
    client.isMade = true
    this.#tell(client, 'call', undefined)
    if (!this.#subject.isTimed) return
    const counts = this.clients.slice(0, this.#subject.processes.length).map((other) => other?.returned.length ?? 0)
    client.before = [...client.before, counts]
    this.time.push({ object: timeLine, part: 0, mode: accessModes.read })
  }

  #begin(client: ClientProcess): void {
    const { process, returned, calls } = client
    const { operation, args } = calls[returned.length] as ObjectCall
    const values = args.map((one) => (one.kind === 'value' ? structuredClone(one.value) : returned[one.call]?.raw))
    this.#inside = undefined
    this.#acts(client)
    const touched = this.#heap.touched.length
    const outcome = process.start({ body: callBody, self: undefined, args: [this.instance, operation, values] })
    this.#went(client, outcome)
    if (this.#heap.touched.length > touched) this.#tell(client, 'access', undefined, touched)
  }

  #access(client: ClientProcess): void {
    const { process } = client
    const pending = process.ready()
    const touched = this.#heap.touched.length
    const answers = process.log.length
    this.#acts(client)
    this.#inside = this.#sections.onward(undefined, this.#sections.at(pending.site, pending.frame))
    const outcome = process.perform()
    this.#inside = undefined
    this.#went(client, outcome)
    this.#tell(client, 'access', pending, touched, process.log[answers])
  }

  #went(client: ClientProcess, outcome: Outcome | undefined): void {
    client.outcome = outcome
    client.status = outcome === undefined ? 'running' : 'returning'
    if (outcome !== undefined && client.promise !== undefined) this.#settle(client)
    runJobs()
  }

  #return(client: ClientProcess): void {
    if (!client.isMade) this.#make(client)
    const outcome = client.outcome ?? { kind: 'returned', value: undefined }
    const { operation } = client.calls[client.returned.length] as ObjectCall
    if (outcome.kind === 'returned') refuseIncomparable(operation, outcome.value, this.instance as object)
    const returned = returnedCall(outcome)
    client.returned = [...client.returned, returned]
    client.outcome = undefined
    client.isMade = false
    client.begunBefore += client.process.children
    client.status = client.returned.length < client.calls.length ? 'idle' : 'ended'
    if (this.#subject.isTimed) this.time.push({ object: timeLine, part: 0, mode: accessModes.add })
    this.#tell(client, 'return', undefined)
  }

  /** The end of a call that was not awaited where it was made. */
  #settle(client: ClientProcess): void {
    const { outcome, promise } = client
    if (outcome === undefined || promise === undefined) return
    if (client.isAlone) this.#endAlone(outcome)
    else if (outcome.kind === 'returned') settleWith(promise, 'fulfilled', outcome.value)
    else settleWith(promise, 'rejected', outcome.error)
    client.status = 'ended'
  }

  #tell(
    client: ClientProcess,
    kind: Observed['kind'],
    pending: Pending | undefined,
    touchedFrom?: number,
    answer?: unknown,
  ): void {
    if (this.observe === undefined) return
    const touches = touchedFrom === undefined ? [] : this.#heap.touched.slice(touchedFrom)
    const index = kind === 'return' ? client.returned.length - 1 : client.returned.length
    this.observe({ client, kind, pending, touches, answer, call: callText(client, kind), index })
  }

  /** Lines without interruption are entered only if they can be left again. */
  #canComplete(client: ClientProcess): boolean {
    if (this.#sections.isEmpty) return true
    const saved = client.save()
    const { mark } = this.#heap
    const { observe } = this
    this.observe = undefined
    try {
      this.perform(client)
      return true
    } catch (error) {
      if (error instanceof BlockedInsideError) return false
      throw error
    } finally {
      this.observe = observe
      this.#heap.rollBack(mark)
      client.restore(saved)
    }
  }

  #clientOf(number: number, name: string, calls: readonly ObjectCall[]): ClientProcess {
    return new ClientProcess(new ObjectProcess(number, name, this.#heap, this), calls)
  }

  #setUp(): void {
    const calls = this.#subject.setup
    if (calls.length === 0) return
    const client = this.#clientOf(-1, 'setup', calls)
    this.clients = [client]
    let steps = 0
    for (let next = this.#nextAlone(client); next !== undefined; next = this.#nextAlone(client)) {
      if (steps++ > longestPath) throw neverReturns(client)
      this.#single(next)
    }
    if (client.status !== 'ended') throw neverReturns(client)
    if (this.clients.some((one) => one !== undefined && one.status !== 'ended' && !this.isTimer(one))) throw neverEnds()
    this.setUp = historyOf([client]).map((call) => ({ ...call, process: 'setup' }))
  }

  /** As calls that run one after the other: what a call began and did not await goes on before the next one. */
  #nextAlone(client: ClientProcess): ClientProcess | undefined {
    const others = this.clients.filter((one) => one !== undefined && one !== client && one.status !== 'ended')
    const movable = others.filter((one) => one !== undefined && this.canMove(one))
    const begun = movable.find((one) => one !== undefined && !this.isTimer(one))
    const isBetween = client.status === 'idle' || client.status === 'ended'
    if (isBetween && begun !== undefined) return begun
    if (client.status !== 'ended' && this.canMove(client)) return client
    // Time passes if the call waits for it.
    return begun ?? (isBetween ? undefined : movable[0])
  }

  #bear(parent: ObjectProcess, { invocation, promise, frame, from, name }: Child): void {
    // Numbered over all calls of the parent, in whatever order the begun ones end: so that equal orders lead to equal states.
    const id = `${parent.name}.${(this.clients[parent.number]?.begunBefore ?? 0) + name + 1}`
    const number = this.#numberOf(id)
    const child = new ClientProcess(new ObjectProcess(number, id, this.#heap, this), [], promise)
    const { site, live, operation, frame: inner } = parent.pending as Pending
    this.#publishCall(invocation, live)
    const pending = { site, live, operation, frame: withoutCallers(inner, frame) }
    child.process.adopt(invocation, parent.log.slice(from), parent.logSites.slice(from), pending)
    this.#heap.publish(promise)
    this.#add(child)
  }

  /** Code that goes on by itself and was begun by no code that could be run again. */
  #spawn({ invocation, promise, isAlone, round }: Spawned): void {
    const by = this.#acting
    const count = by === undefined ? this.#spawnedFirst++ : by.spawned++
    const id = `${by?.process.name ?? 'new'}:${count + 1}`
    const { site, callers } = this.#heap.position
    const frame = { site: userSite(site, callers), live: [], parent: undefined }
    const origin = { frame, round: round ?? world.acting?.round ?? 0 }
    const process = new ObjectProcess(this.#numberOf(id), id, this.#heap, this, origin)
    const child = new ClientProcess(process, [], promise, isAlone)
    this.#heap.publish(promise)
    this.#publishCall(invocation, [])
    const inside = this.#inside
    this.#inside = undefined
    this.#acts(child)
    child.outcome = process.start(invocation)
    if (child.outcome === undefined) this.#add(child)
    else this.#settle(child)
    this.#heap.at(site, callers)
    this.#acts(by)
    this.#inside = inside
  }

  /** What a callback throws whose result nobody sees ends a program of Node's. */
  #endAlone(outcome: Outcome): void {
    if (outcome.kind === 'returned') return
    const { site, callers } = this.#heap.position
    const thrown = { words: `uncaught ${errorText(outcome.error)}`, site: userSite(site, callers) }
    this.#heap.change(this.#heap.host, 'thrown', [...this.#heap.host.thrown, thrown])
  }

  #acts(client: ClientProcess | undefined): void {
    this.#acting = client
    world.acting = client?.process
  }

  /** What code that goes on by itself works on, others can reach. */
  #publishCall({ callable, self, args }: Invocation, live: readonly unknown[]): void {
    for (const value of [callable, self, ...args, ...live]) this.#heap.publish(value)
  }

  #add(child: ClientProcess): void {
    const { number } = child.process
    const before = this.clients[number]
    this.clients[number] = child
    this.#heap.onRollBack(() => {
      this.clients[number] = before
    })
  }
}

/** The frames of a call that was begun, without those of its caller. */
function withoutCallers(frame: Caller | undefined, outer: Caller): Caller | undefined {
  if (frame === undefined || frame === outer) return undefined
  return { site: frame.site, live: frame.live, parent: withoutCallers(frame.parent, outer) }
}
