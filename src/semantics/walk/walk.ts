/**
 * Executions of processes that go forwards only, as those who sample draw them: the same as in a `World`, decision by decision, without
 * what a sample does not ask for (clocks, events with their values, ways back). A step is then a few lookups instead of code that runs.
 *
 * What it does not know is left to the path: a message over a network that needs clocks or all queues makes the rest of the execution
 * one of the reference semantics, which takes the decisions so far again.
 */
import { invariant } from '../../core/invariant.ts'
import type { NetworkName, Operation } from '../../core/operation.ts'
import { type Ending, seeing, type Violation } from '../../core/property.ts'
import { processLimit, tooManyProcesses } from '../../core/running.ts'
import { type Decision, describeDecision } from '../../core/trace.ts'
import type { Value } from '../../core/value.ts'
import { type Paths, type Walk, walkOf } from '../../program/path.ts'
import type { Runnable } from '../../program/program.ts'
import { initialProcesses } from '../process-start.ts'
import { type Beginning, Memory, nothingCame, type Situation } from './situation.ts'
import { type Letter, WalkingProcess } from './walking-process.ts'

/** How to begin one after the other; nothing where paths know more than is known here. */
export function walksOf(subject: Runnable, paths: Paths): (() => Walk) | undefined {
  if (!isPlain(subject)) return undefined
  const memory = new Memory(subject)
  const known = new Map<string, WalkingProcess>()
  let initial: readonly Beginning[] | undefined
  let isKnown = true
  const leave = (taken: readonly Decision[]): Walk => {
    isKnown = false
    const path = walkOf(paths.begin())
    for (const decision of taken) path.take(decision)
    return path
  }
  return () => {
    if (!isKnown) return walkOf(paths.begin())
    initial ??= initialProcesses(subject).map((start) => memory.beginning(start))
    return new ProcessWalk({ subject, memory, known, initial, leave })
  }
}

/** Nobody watches but what must hold at the end, and nothing goes wrong by itself. */
function isPlain({ monitors, beside, watches, refines, faults, exposing, overhears, ...others }: Runnable): boolean {
  const { properties, network, reference, shownMessage } = others
  const watching = [monitors, beside ?? [], watches ?? [], refines ?? []].some((list) => list.length > 0)
  const special = [faults, exposing, overhears, reference, shownMessage].some((one) => one !== undefined)
  return !watching && !special && properties.every(({ sees }) => sees === 'ending') && isPlainNetwork(network)
}

function isPlainNetwork(network: NetworkName): boolean {
  return network === 'bag' || network === 'fifo' || network === 'mailbox'
}

interface Walking {
  readonly subject: Runnable
  readonly memory: Memory
  /** Processes of earlier walks, by name. */
  readonly known: Map<string, WalkingProcess>
  readonly initial: readonly Beginning[]
  /** Goes on in another way, after these decisions. */
  readonly leave: (taken: readonly Decision[]) => Walk
}

class ProcessWalk implements Walk {
  readonly #walking: Walking
  /** In the order in which they began. */
  readonly #processes: WalkingProcess[] = []
  readonly #taken: Decision[] = []
  /** To processes that have not begun. */
  #early: Letter[] = []
  readonly #violations: Violation[] = []
  #messages = 0
  #length = 0
  readonly #enabled: Decision[] = []
  #isAsked = false
  #endViolations: readonly Violation[] | undefined
  #left: Walk | undefined

  constructor(walking: Walking) {
    this.#walking = walking
    for (const beginning of walking.initial) this.#begin(beginning)
  }

  enabled(): readonly Decision[] {
    if (this.#left !== undefined) return this.#left.enabled()
    const enabled = this.#enabled
    if (this.#isAsked) return enabled
    // The same list again and again: this is the inner loop of sampling.
    let count = 0
    for (let at = 0; at < this.#processes.length; at++) {
      const moves = (this.#processes[at] as WalkingProcess).moves(this.#hasEnded)
      for (let move = 0; move < moves.length; move++) enabled[count++] = moves[move] as Decision
    }
    if (enabled.length > count) enabled.length = count
    this.#isAsked = true
    return enabled
  }

  take(decision: Decision): void {
    if (this.#left !== undefined) return this.#left.take(decision)
    this.#isAsked = false
    const process = this.#process(decision.process)
    const operation = process?.situation.operation
    invariant(operation !== undefined && process !== undefined, `${describeDecision(decision)} is enabled`)
    this.#taken.push(decision)
    this.#length++
    switch (decision.kind) {
      case 'step':
        return this.#step(process, operation)
      case 'deliver': {
        const letter = process.take(decision.message)
        return this.#resume(process, letter.sent, letter.value, letter)
      }
      case 'timeout':
        return this.#resume(process, nothingCame, undefined)
      case 'choose':
        return this.#resume(process, decision.option, (operation.payload as readonly unknown[])[decision.option])
      default:
        invariant(false, 'nothing goes wrong here by itself')
    }
  }

  violations(): readonly Violation[] {
    if (this.#left !== undefined) return this.#left.violations()
    if (this.enabled().length > 0) return this.#violations
    const { properties } = this.#walking.subject
    if (properties.length === 0) return this.#violations
    const ending = this.#endViolations === undefined ? this.#ending() : undefined
    this.#endViolations ??= seeing(properties, 'ending').flatMap((one) => one.violation(ending as Ending) ?? [])
    return this.#endViolations.length === 0 ? this.#violations : [...this.#violations, ...this.#endViolations]
  }

  isBlocked(): boolean {
    if (this.#left !== undefined) return this.#left.isBlocked()
    return this.#processes.some((process) => process.isBlocked)
  }

  get length(): number {
    return this.#left?.length ?? this.#length
  }

  #ending(): Ending {
    return { processes: this.#processes.map((process) => process.ended()) }
  }

  readonly #hasEnded = (id: string): boolean => this.#process(id)?.hasReturned === true

  #process(id: string): WalkingProcess | undefined {
    const process = this.#walking.known.get(id)
    return process?.walk === this ? process : undefined
  }

  #step(process: WalkingProcess, operation: Operation): void {
    switch (operation.kind) {
      case 'send':
        return this.#send(process, operation)
      case 'spawn': {
        const { child } = process.situation
        invariant(child !== undefined, 'a spawn names who begins')
        this.#begin(child)
        return this.#resume(process, undefined, child.address)
      }
      default:
        return this.#resume(process, undefined, undefined)
    }
  }

  #send(process: WalkingProcess, operation: Operation): void {
    const network = (operation.detail as NetworkName | undefined) ?? this.#walking.subject.network
    if (!isPlainNetwork(network)) {
      this.#left = this.#walking.leave(this.#taken)
      return
    }
    const { situation } = process
    const to = (operation.target as { readonly id: string }).id
    const value = operation.payload as Value
    const letter: Letter = { number: this.#messages++, from: process.id, to, value, network, sent: situation }
    const receiver = this.#process(to)
    if (receiver === undefined) this.#early.push(letter)
    else receiver.put(letter)
    this.#resume(process, undefined, undefined)
  }

  #resume(
    process: WalkingProcess,
    key: undefined | number | Situation | typeof nothingCame,
    answer: unknown,
    source?: Letter,
  ) {
    process.resume(key, answer, source)
    this.#note(process.situation)
  }

  #begin({ start: { id }, first }: Beginning): void {
    invariant(this.#process(id) === undefined, 'process ids are unique in an execution')
    if (this.#processes.length >= processLimit) throw tooManyProcesses(id)
    const inbox = this.#early.length === 0 ? [] : this.#early.filter(({ to }) => to === id)
    if (inbox.length > 0) this.#early = this.#early.filter(({ to }) => to !== id)
    const { known, memory } = this.#walking
    let process = known.get(id)
    if (process === undefined) {
      process = new WalkingProcess(id, memory, first)
      known.set(id, process)
    }
    process.begin(this, first, inbox)
    this.#processes.push(process)
    this.#note(first)
  }

  #note({ status, violation }: Situation): void {
    if (status === 'stopped') this.#length++
    if (violation === undefined) return
    this.#violations.push(violation)
    this.#length++
  }
}
