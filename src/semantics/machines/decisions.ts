/**
 * From what happened to the machines of a system to the decisions that make it happen in the `runnable` view: the one way for
 * every engine of machines to a trace that replays.
 *
 * How many copies of a message arrive is decided when it is sent and known only afterwards, so messages are matched with
 * those that received them first, and decisions are written down in a second pass.
 */
import type { Decision } from '../../core/trace.ts'
import { sameValue } from '../../core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines } from '../../program/machines.ts'
import { envelopeKey } from './machines.ts'
import { copiesOf } from './runnable.ts'

/** An event of a machine, with what its handler chose. */
export interface Happening {
  readonly machine: number
  readonly event: MachineEvent
  /** As in `Outcome`. */
  readonly choices: readonly number[]
}

/**
 * Nothing, if this cannot happen: an event that is not enabled, a message that is not under way, choices that nobody has. With
 * `upToLast`, up to the state that the last event leads to: what it sends is left out.
 */
export function decisionsOf(
  machines: Machines,
  happenings: readonly Happening[],
  options?: { readonly upToLast: true },
): readonly Decision[] | undefined {
  const matching = new Matching(machines)
  const states = [...machines.start.states]
  const begun = machines.machines.map((name) =>
    matching.sent(machines.start.underWay.filter(({ from }) => from === name)),
  )
  const steps: Step[] = []
  for (const happening of happenings) {
    const step = stepOf(machines, states, happening, matching)
    if (step === undefined) return undefined
    states[happening.machine] = step.after
    steps.push(step)
  }
  if (!matching.settle()) return undefined
  const last = steps.at(-1)
  if (options !== undefined && last !== undefined) steps[steps.length - 1] = { ...last, sent: [] }
  // A violation before any event: what is under way at the start has nothing to do with it.
  const isBefore = options !== undefined && last === undefined
  return written(machines, isBefore ? begun.map(() => []) : begun, steps)
}

/** A message that was sent, and who got it. */
interface Sent {
  readonly key: string
  readonly to: number
  /** How often it was delivered. */
  delivered: number
  /** Lost, because a later message of the same channel was delivered. */
  passed: boolean
  /** Number of its first copy. */
  number: number
}

/** A delivery; which of the messages sent it was is known at the end. */
interface Received {
  readonly key: string
  /** How many messages had been sent on its channel. */
  readonly available: number
  sent: Sent | undefined
  copy: number
}

interface Step {
  readonly machine: number
  readonly received: Received | undefined
  /** Which of how many events of its own. */
  readonly internal: Chosen | undefined
  readonly outcome: Chosen
  readonly after: LocalState
  readonly sent: readonly Sent[]
}

interface Chosen {
  readonly at: number
  readonly of: number
}

function stepOf(
  machines: Machines,
  states: readonly LocalState[],
  { machine, event, choices }: Happening,
  matching: Matching,
): Step | undefined {
  const state = states[machine]
  if (state === undefined) return undefined
  const isMessage = event.kind === 'message'
  const to = machines.machines[machine] as string
  const received = isMessage ? matching.received({ from: event.from, to, message: event.message }) : undefined
  const events = isMessage ? [] : machines.internal(machine, state)
  const at = events.findIndex((one) => sameValue(one, event))
  if (!isMessage && at < 0) return undefined
  const outcomes = machines.handle(machine, state, event)
  const which = outcomes.findIndex((outcome) => sameValue(outcome.choices, choices))
  const outcome = outcomes[which]
  if (outcome === undefined) return undefined
  // A machine that failed sends nothing more.
  const sent = outcome.violation === undefined ? matching.sent(outcome.sent) : []
  return {
    machine,
    received,
    internal: isMessage ? undefined : { at, of: events.length },
    outcome: { at: which, of: outcomes.length },
    after: outcome.state,
    sent,
  }
}

interface Channel {
  readonly sent: Sent[]
  readonly received: Received[]
}

/** Messages sent and received, and which of them a delivery can have been. */
class Matching {
  readonly #machines: Machines
  readonly #byChannel = new Map<string, Channel>()

  constructor(machines: Machines) {
    this.#machines = machines
  }

  sent(envelopes: readonly Envelope[]): readonly Sent[] {
    return envelopes.map((envelope) => {
      const to = this.#machines.machines.indexOf(envelope.to)
      const sent: Sent = { key: envelopeKey(envelope), to, delivered: 0, passed: false, number: -1 }
      this.#channel(envelope).sent.push(sent)
      return sent
    })
  }

  received(envelope: Envelope): Received {
    const channel = this.#channel(envelope)
    const received = { key: envelopeKey(envelope), available: channel.sent.length, sent: undefined, copy: 0 }
    channel.received.push(received)
    return received
  }

  /** Finds for each delivery what it delivers. False if that cannot be. */
  settle(): boolean {
    for (const channel of this.#byChannel.values()) {
      const served = this.#assigned(channel)
      if (served === undefined) return false
      for (const [at, received] of channel.received.entries()) {
        const sent = channel.sent[served[at] as number] as Sent
        received.sent = sent
        received.copy = sent.delivered++
      }
      const last = served.at(-1) ?? 0
      if (this.#machines.network.order === 'fifo')
        for (const sent of channel.sent.slice(0, last)) sent.passed = sent.delivered === 0
    }
    return true
  }

  #assigned(channel: Channel): readonly number[] | undefined {
    const { order, loses } = this.#machines.network
    return order === 'fifo' && !loses ? this.#gapless(channel) : this.#earliest(channel)
  }

  /** The earliest that fits: any later one would leave fewer for the deliveries to come. */
  #earliest({ sent, received }: Channel): readonly number[] | undefined {
    const { order, duplicates } = this.#machines.network
    const counts = sent.map(() => 0)
    const found: number[] = []
    for (const { key, available } of received) {
      const from = order === 'fifo' ? (found.at(-1) ?? 0) : 0
      const at = sent.findIndex((one, place) => {
        return place >= from && place < available && one.key === key && (counts[place] as number) <= duplicates
      })
      if (at < 0) return undefined
      counts[at] = (counts[at] as number) + 1
      found.push(at)
    }
    return found
  }

  /** Where nothing is lost, none may be passed over: a copy of the last, or the next. Which of them is right shows later. */
  #gapless({ sent, received }: Channel): readonly number[] | undefined {
    const { duplicates } = this.#machines.network
    const hopeless = new Set<string>()
    const found: number[] = []
    const used: number[] = []
    const fits = (place: number) => {
      const wanted = received[found.length] as Received
      return place >= 0 && place < wanted.available && sent[place]?.key === wanted.key
    }
    const take = (place: number, count: number) => {
      found.push(place)
      used.push(count)
    }
    while (found.length < received.length) {
      const [last, count] = [found.at(-1) ?? -1, used.at(-1) ?? 0]
      if (count <= duplicates && fits(last) && !hopeless.has(`${found.length} ${last} ${count + 1}`))
        take(last, count + 1)
      else if (fits(last + 1) && !hopeless.has(`${found.length} ${last + 1} 1`)) take(last + 1, 1)
      else if (found.length === 0) return undefined
      else hopeless.add(`${found.length - 1} ${found.pop()} ${used.pop()}`)
    }
    return found
  }

  #channel({ from, to }: Envelope): Channel {
    const name = JSON.stringify([from, to])
    const known = this.#byChannel.get(name)
    if (known !== undefined) return known
    const channel: Channel = { sent: [], received: [] }
    this.#byChannel.set(name, channel)
    return channel
  }
}

function written(machines: Machines, begun: readonly (readonly Sent[])[], steps: readonly Step[]): readonly Decision[] {
  const decisions: Decision[] = machines.machines.map(() => ({ kind: 'step', process: 'main' }))
  const options = copiesOf(machines)
  let messages = 0
  const choose = (process: string, { at, of }: Chosen) => {
    if (of > 1) decisions.push({ kind: 'choose', process, option: at })
  }
  const send = (process: string, sends: readonly Sent[]) => {
    for (const sent of sends) {
      const copies = copiesThatArrive(sent, options)
      choose(process, { at: options.indexOf(copies), of: options.length })
      sent.number = messages
      messages += copies
      for (let copy = 0; copy < copies; copy++) decisions.push({ kind: 'step', process })
    }
  }
  for (const [machine, sends] of begun.entries()) send(machines.machines[machine] as string, sends)
  for (const { machine, received, internal, outcome, sent } of steps) {
    const process = machines.machines[machine] as string
    if (received?.sent !== undefined)
      decisions.push({ kind: 'deliver', process, message: received.sent.number + received.copy })
    if (internal !== undefined) {
      decisions.push({ kind: 'timeout', process })
      choose(process, internal)
    }
    choose(process, outcome)
    send(process, sent)
  }
  return decisions
}

/** One that nobody received is still under way, unless others overtook it where nothing overtakes. */
function copiesThatArrive({ delivered, passed }: Sent, options: readonly number[]): number {
  return delivered === 0 && passed ? (options[0] as number) : Math.max(1, delivered)
}
