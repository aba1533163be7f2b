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
  const last = steps.at(-1)
  if (options !== undefined && last !== undefined) steps[steps.length - 1] = { ...last, sent: [] }
  return written(machines, begun, steps)
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

interface Step {
  readonly machine: number
  readonly received: { readonly sent: Sent; readonly copy: number } | undefined
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
  if (isMessage ? received === undefined : at < 0) return undefined
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

/** Messages under way, and which of them a delivery can have been. */
class Matching {
  readonly #machines: Machines
  readonly #byChannel = new Map<string, Sent[]>()

  constructor(machines: Machines) {
    this.#machines = machines
  }

  sent(envelopes: readonly Envelope[]): readonly Sent[] {
    return envelopes.map((envelope) => {
      const to = this.#machines.machines.indexOf(envelope.to)
      const sent: Sent = { key: envelopeKey(envelope), to, delivered: 0, passed: false, number: -1 }
      this.#channel(envelope).push(sent)
      return sent
    })
  }

  /** The earliest that fits: any later one would leave fewer for the deliveries to come. */
  received(envelope: Envelope): { readonly sent: Sent; readonly copy: number } | undefined {
    const { order, loses, duplicates } = this.#machines.network
    const key = envelopeKey(envelope)
    const channel = this.#channel(envelope)
    const isOpen = (sent: Sent) => !sent.passed && sent.delivered <= duplicates
    const at = channel.findIndex((sent) => isOpen(sent) && sent.key === key)
    const sent = channel[at]
    if (sent === undefined) return undefined
    if (order === 'fifo') {
      const before = channel.slice(0, at)
      if (!loses && before.some((earlier) => !earlier.passed && earlier.delivered === 0)) return undefined
      for (const earlier of before) earlier.passed = true
    }
    return { sent, copy: sent.delivered++ }
  }

  #channel({ from, to }: Envelope): Sent[] {
    const name = JSON.stringify([from, to])
    const known = this.#byChannel.get(name)
    if (known !== undefined) return known
    const channel: Sent[] = []
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
    if (received !== undefined)
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
