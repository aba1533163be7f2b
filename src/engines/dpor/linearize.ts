/**
 * From a graph to decisions: an interleaving in which every receive follows the send it reads and, under mailbox, messages
 * are sent in the order their receives imply. Stays with one process as long as it can, because people read the result.
 */
import { InternalError } from '../../core/invariant.ts'
import type { Decision } from '../../core/trace.ts'
import { matching } from './consistency/part.ts'
import { struckIn } from './faults.ts'
import type { Graph, GraphEvent, GraphProcess } from './graph.ts'
import { inPrefix, originalSend } from './graph.ts'

interface LinearizeOptions {
  /** Only the causal prefix of this event, which is itself an execution (prefix-closedness, §3.2.1). */
  readonly upTo?: GraphEvent | undefined
  /** Events that only say in which order others happen. */
  readonly without?: readonly GraphEvent[] | undefined
}

export function linearize(graph: Graph, options: LinearizeOptions = {}): readonly Decision[] {
  return new Linearization(graph, options).decisions()
}

class Linearization {
  readonly #processes: readonly GraphProcess[]
  readonly #upTo: GraphEvent | undefined
  readonly #without: readonly GraphEvent[]
  /** How many events of each process were emitted. */
  readonly #done: Map<GraphProcess, number>
  readonly #numbers = new Map<GraphEvent, number>()
  #sent = 0
  readonly #decisions: Decision[] = []

  constructor(graph: Graph, options: LinearizeOptions) {
    this.#processes = graph.processes.filter((process) => process.alive && process.events.length > 0)
    this.#upTo = options.upTo
    this.#without = options.without ?? []
    this.#done = new Map(graph.processes.map((process) => [process, 0]))
  }

  decisions(): readonly Decision[] {
    for (;;) {
      const process = this.#processes.find((each) => this.#isReady(this.#next(each)))
      if (process === undefined) break
      for (let event = this.#next(process); this.#isReady(event); event = this.#next(process)) this.#emit(event)
    }
    const left = this.#processes.find((process) => this.#next(process) !== undefined)
    if (left !== undefined) throw new InternalError(`dpor: the graph has no linearization at ${left.id}`)
    return this.#decisions
  }

  #next(process: GraphProcess): GraphEvent | undefined {
    const event = process.events[this.#done.get(process) as number]
    return event !== undefined && this.#isWanted(event) ? event : undefined
  }

  #isWanted(event: GraphEvent): boolean {
    return this.#upTo === undefined || inPrefix(event, this.#upTo)
  }

  #isDone(event: GraphEvent): boolean {
    return event.index < (this.#done.get(event.process) as number)
  }

  #isReady(event: GraphEvent | undefined): event is GraphEvent {
    if (event === undefined) return false
    if (!this.#prefixIsDone(event)) return false
    return event.kind !== 'send' || event.network !== 'mailbox' || !this.#overtaken(event)
  }

  /** Every event of another process in its causal prefix was emitted. */
  #prefixIsDone(event: GraphEvent): boolean {
    return event.clock.every(
      (count, number) =>
        number === event.process.number || count <= (this.#done.get(this.#processOf(event, number)) as number),
    )
  }

  #processOf(event: GraphEvent, number: number): GraphProcess {
    return event.process.siblings[number] as GraphProcess
  }

  /** Some receive read another message although it could have taken this one: the other must be sent first. */
  #overtaken(send: GraphEvent): boolean {
    const receives = send.destination?.events ?? []
    return receives.some((receive) => {
      const { source } = receive
      if (source === undefined || source === send || source.network !== 'mailbox' || !this.#isWanted(receive))
        return false
      const takenEarlier = send.reader !== undefined && send.reader.index < receive.index && this.#isWanted(send.reader)
      return !takenEarlier && !this.#isDone(source) && !inPrefix(receive, send) && matching(receive, send)
    })
  }

  #emit(event: GraphEvent): void {
    this.#done.set(event.process, event.index + 1)
    if (event.process.forwards !== undefined || this.#without.includes(event)) return
    const decision = this.#decisionOf(event)
    if (decision !== undefined) this.#decisions.push(decision)
  }

  #decisionOf(event: GraphEvent): Decision | undefined {
    const process = event.process.id
    switch (event.kind) {
      case 'block':
      case 'error':
        return undefined
      case 'choose': {
        const struck = struckIn(event)
        if (struck === undefined) return { kind: 'choose', process, option: event.option }
        if (struck === 'nothing' || struck === 'duplicate' || struck === 'partition') return undefined
        if (struck === 'lose') this.#sent++
        return { kind: struck, process }
      }
      case 'receive':
      case 'poll':
        if (event.source === undefined) return { kind: 'timeout', process }
        return { kind: 'deliver', process, message: this.#numbers.get(originalSend(event.source)) as number }
      case 'send':
        this.#numbers.set(event, this.#sent++)
        return { kind: isDuplicated(event) ? 'duplicate' : 'step', process }
      default:
        return { kind: 'step', process }
    }
  }
}

/** Whether the send is the first of two of the same message. */
function isDuplicated({ process, index }: GraphEvent): boolean {
  return struckIn(process.events[index - 1]) === 'duplicate'
}
