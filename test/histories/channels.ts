/**
 * Channels, whose operations wait for each other: a search over atomic steps, in which an operation that cannot go on is
 * suspended, and resumed by the one that lets it. Linearizability has no waiting; this is what its extension by suspended
 * operations means for these two objects (Lincheck, "dual data structures").
 */
import type { Value } from '../../src/core/value.ts'

export interface ChannelCall {
  readonly part: 'init' | 'parallel' | 'post'
  readonly process: number
  readonly f: string
  readonly args: readonly Value[]
  readonly result: 'VoidResult' | 'ValueResult' | 'SuspendedResult' | 'NoResult' | 'CancelledResult'
  readonly value?: Value
  readonly cancelOnSuspension?: boolean
}

export interface ChannelKind {
  /** How many values it can hold; 0: sender and receiver meet. */
  readonly capacity: number
  /** What a receiver gets for what was sent. */
  readonly received: (sent: number) => number
}

interface State {
  /** How many calls of each process have begun, and whether its last one waits. */
  readonly begun: readonly number[]
  readonly buffer: readonly number[]
  /** Calls that wait, by number; senders with their values. */
  readonly senders: readonly (readonly [call: number, value: number])[]
  readonly receivers: readonly number[]
  readonly isCancelled: boolean
}

type Outcome = { readonly kind: 'returned'; readonly value: Value } | { readonly kind: 'suspended' }

/** Whether some interleaving of whole operations gives every call the result that is written down. */
export function hasChannelExecution(calls: readonly ChannelCall[], channel: ChannelKind): boolean {
  const processes = [...new Set(calls.map(({ process }) => process))]
  const programs = processes.map((process) => [...calls.keys()].filter((call) => calls[call]?.process === process))
  const start: State = { begun: programs.map(() => 0), buffer: [], senders: [], receivers: [], isCancelled: false }
  return new ChannelSearch(calls, programs, channel).succeeds(start)
}

class ChannelSearch {
  readonly #known = new Set<string>()
  readonly #calls: readonly ChannelCall[]
  readonly #programs: readonly (readonly number[])[]
  readonly #channel: ChannelKind

  constructor(calls: readonly ChannelCall[], programs: readonly (readonly number[])[], channel: ChannelKind) {
    this.#calls = calls
    this.#programs = programs
    this.#channel = channel
  }

  succeeds(state: State): boolean {
    const key = JSON.stringify(state)
    if (this.#known.has(key)) return false
    this.#known.add(key)
    const waiting = [...state.receivers, ...state.senders.map(([call]) => call)]
    const next = this.#programs.map((program, at) => {
      const isWaiting = program.slice(0, state.begun[at]).some((call) => waiting.includes(call))
      return isWaiting ? undefined : program[state.begun[at] ?? 0]
    })
    if (next.every((call) => call === undefined)) return this.#isRight(state, waiting)
    return next.some((call, process) => {
      if (call === undefined || !this.#mayBegin(call, state)) return false
      const begun = state.begun.map((count, at) => (at === process ? count + 1 : count))
      return this.#after({ ...state, begun }, call).some((after) => this.succeeds(after))
    })
  }

  /** Everything of an earlier part has begun. */
  #mayBegin(call: number, { begun }: State): boolean {
    const order = ['init', 'parallel', 'post']
    const part = order.indexOf(this.#calls[call]?.part ?? '')
    return this.#programs.every((program, at) =>
      program.slice(begun[at]).every((other) => order.indexOf(this.#calls[other]?.part ?? '') >= part),
    )
  }

  /** Those that still wait are the suspended ones, and those that never began are behind them. */
  #isRight({ begun }: State, waiting: readonly number[]): boolean {
    return this.#programs.every((program, at) =>
      program.every((call, place) => {
        const { result } = this.#calls[call] as ChannelCall
        if (place >= (begun[at] ?? 0)) return result === 'NoResult'
        return (result === 'SuspendedResult') === waiting.includes(call)
      }),
    )
  }

  #fits(call: number, outcome: Outcome): boolean {
    const { result, value } = this.#calls[call] as ChannelCall
    if (outcome.kind === 'suspended') return result === 'SuspendedResult'
    if (result === 'VoidResult') return outcome.value === undefined
    return result === 'ValueResult' && (outcome.value ?? null) === (value ?? null)
  }

  #returning(state: State, ...results: readonly (readonly [call: number, value: Value])[]): readonly State[] {
    return results.every(([call, value]) => this.#fits(call, { kind: 'returned', value })) ? [state] : []
  }

  #after(state: State, call: number): readonly State[] {
    const { f, args } = this.#calls[call] as ChannelCall
    switch (f) {
      case 'send':
        return this.#send(state, call, args[0] as number)
      case 'offer':
        return this.#offer(state, call, args[0] as number)
      case 'receive':
      case 'receiveOrNull':
        return this.#receive(state, call)
      case 'poll':
        return this.#poll(state, call)
      case 'cancel':
        return this.#returning({ ...state, isCancelled: true }, [call, undefined])
      default:
        return []
    }
  }

  #send(state: State, call: number, value: number): readonly State[] {
    const { receivers, buffer, senders } = state
    const [receiver] = receivers
    if (receiver !== undefined) {
      return this.#returning(
        { ...state, receivers: receivers.slice(1) },
        [call, undefined],
        [receiver, this.#channel.received(value)],
      )
    }
    if (buffer.length < this.#channel.capacity) {
      return this.#returning({ ...state, buffer: [...buffer, value] }, [call, undefined])
    }
    return this.#suspend(state, { ...state, senders: [...senders, [call, value]] }, call)
  }

  #offer(state: State, call: number, value: number): readonly State[] {
    const { receivers, buffer } = state
    const [receiver] = receivers
    if (receiver !== undefined) {
      return this.#returning(
        { ...state, receivers: receivers.slice(1) },
        [call, true],
        [receiver, this.#channel.received(value)],
      )
    }
    const hasRoom = buffer.length < this.#channel.capacity
    return this.#returning(hasRoom ? { ...state, buffer: [...buffer, value] } : state, [call, hasRoom])
  }

  #receive(state: State, call: number): readonly State[] {
    return this.#taken(state, call) ?? this.#suspend(state, { ...state, receivers: [...state.receivers, call] }, call)
  }

  #poll(state: State, call: number): readonly State[] {
    return this.#taken(state, call) ?? this.#returning(state, [call, null])
  }

  /** What happens if there is something to take; a sender that waits then puts its value into the buffer, or hands it over. */
  #taken(state: State, call: number): readonly State[] | undefined {
    const { buffer, senders } = state
    const [sender] = senders
    const [first = sender?.[1]] = buffer
    if (first === undefined) return undefined
    const filled = sender === undefined ? buffer : [...buffer, sender[1]]
    const after = { ...state, buffer: filled.slice(1), senders: senders.slice(1) }
    const resumed = sender === undefined ? [] : [[sender[0], undefined] as const]
    return this.#returning(after, [call, this.#channel.received(first)], ...resumed)
  }

  /** Waits if it was waiting or resumed in the end, or is cancelled at once. */
  #suspend(before: State, waiting: State, call: number): readonly State[] {
    const { cancelOnSuspension, result } = this.#calls[call] as ChannelCall
    if (cancelOnSuspension === true) return result === 'CancelledResult' ? [before] : []
    return [waiting]
  }
}
