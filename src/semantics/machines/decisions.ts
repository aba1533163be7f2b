/**
 * From what happened to the machines of a system to the decisions that make it happen in the `runnable` view: the one way for
 * every engine of machines to a trace that replays.
 *
 * How many copies of a message arrive is decided when it is sent and known only afterwards, so it is found out first what each
 * delivery delivers (`matching.ts`), and decisions are written down in a second pass.
 */
import { mostOf } from '../../core/faults.ts'
import type { Decision } from '../../core/trace.ts'
import { sameValue } from '../../core/value.ts'
import type { Envelope, Happening, LocalState, Machines } from '../../program/machines.ts'
import { type Act, networkOf } from './channels/channels.ts'
import { actsOf } from './local-graph.ts'
import { MachineNumbers } from './machine-numbers.ts'
import { envelopeKey } from './machines.ts'
import { type Matched, matched, type Passage, type Sending } from './matching.ts'
import { chosenEvents } from './runnable.ts'
import { type Sight, sightsOf } from './sayings.ts'

export type { Happening } from '../../program/machines.ts'

interface DecisionOptions {
  /** Up to the state that the last event leads to: what it sends and begins is left out. */
  readonly upToLast?: true
  /** Of machines that were created. */
  readonly numbers?: MachineNumbers
}

/** Nothing, if this cannot happen: an event that is not enabled, a message that is not under way, choices that nobody has. */
export function decisionsOf(
  machines: Machines,
  happenings: readonly Happening[],
  { upToLast, numbers = new MachineNumbers(machines.machines) }: DecisionOptions = {},
): readonly Decision[] | undefined {
  const sendings: Sending[] = []
  const send = sendingInto(sendings, numbers)
  for (const { envelope } of machines.byzantine?.sayings ?? []) send(envelope)
  const sights = new Sights(machines)
  const begun = machines.machines.map((name, machine) => {
    const sent = machines.start.underWay.filter(({ from }) => from === name)
    return { own: sent.map(send), sights: sights.of(machine, sent) }
  })
  const crashes = happenings.filter(({ event }) => event.kind === 'crash').length
  if (crashes > mostOf(machines.faults, 'restarts')) return undefined
  const states = [...machines.start.states]
  const steps: Step[] = []
  for (const happening of happenings) {
    const step = stepOf({ machines, states, numbers, send, sights }, happening)
    if (step === undefined) return undefined
    states[happening.machine] = step.after
    for (const { machine, state } of step.begun) states[machine] = state
    steps.push(step)
  }
  const found = matched({ machines, sendings, begun: begun.flatMap(({ own }) => own), passages: steps })
  if (found === undefined) return undefined
  const last = steps.at(-1)
  if (upToLast && last !== undefined) steps[steps.length - 1] = { ...last, own: [], begun: [], sights: [] }
  // A violation before any event: what is under way at the start has nothing to do with it.
  const isBefore = upToLast && last === undefined
  const writing = new Writing({ machines, numbers }, sendings, found)
  return writing.written(isBefore ? begun.map(() => ({ own: [], sights: [] })) : begun, steps)
}

/** What liars are shown by each machine in its present life. */
class Sights {
  readonly #byzantine: Machines['byzantine']
  readonly #shown = new Map<number, Set<string>>()

  constructor({ byzantine }: Machines) {
    this.#byzantine = byzantine
  }

  of(machine: number, sent: readonly Envelope[]): readonly Sight[] {
    const shown = this.#shown.get(machine) ?? new Set()
    this.#shown.set(machine, shown)
    return sightsOf(this.#byzantine, sent, shown)
  }

  forget(machine: number): void {
    this.#shown.delete(machine)
  }
}

/** What a machine does after an event, or when it begins. */
interface Done {
  /** Of the machine itself, and of those that it created. */
  readonly own: readonly Act[]
  /** Liars see it after all that was sent. */
  readonly sights: readonly Sight[]
}

interface Step extends Passage, Done {
  readonly machine: number
  /** Which of how many events of its own, or that it crashed. */
  readonly internal: Chosen | 'crash' | undefined
  readonly outcome: Chosen
  readonly after: LocalState
  readonly begun: readonly { readonly machine: number; readonly state: LocalState; readonly sent: readonly number[] }[]
}

interface Chosen {
  readonly at: number
  readonly of: number
}

function sendingInto(sendings: Sending[], numbers: MachineNumbers): (envelope: Envelope) => number {
  return (envelope) => {
    const [from, to] = [numbers.of(envelope.from), numbers.of(envelope.to)]
    return sendings.push({ key: envelopeKey(envelope), from, to, envelope }) - 1
  }
}

interface Present {
  readonly machines: Machines
  /** By machine, of those that exist. */
  readonly states: readonly LocalState[]
  readonly numbers: MachineNumbers
  readonly send: (envelope: Envelope) => number
  readonly sights: Sights
}

function stepOf(
  { machines, states, numbers, send, sights }: Present,
  { machine, event, choices }: Happening,
): Step | undefined {
  const state = states[machine]
  if (state === undefined) return undefined
  const isMessage = event.kind === 'message'
  const to = numbers.name(machine) as string
  const events = chosenEvents(machines, machine, state)
  const at = events.findIndex((one) => sameValue(one, event))
  const isCrash = event.kind === 'crash'
  if (!isMessage && !isCrash && at < 0) return undefined
  const outcomes = machines.handle(machine, state, event)
  const which = outcomes.findIndex((outcome) => sameValue(outcome.choices, choices))
  const outcome = outcomes[which]
  if (outcome === undefined) return undefined
  // A machine that failed does nothing more.
  const done = outcome.violation === undefined ? outcome : { ...outcome, sent: [], created: [] }
  const own = actsOf(done, { creator: machine, numbers, send })
  if (isCrash) sights.forget(machine)
  const begun = (done.created ?? []).map((one) => ({
    machine: numbers.of(one.name),
    state: one.state,
    sent: one.sent.map(send),
  }))
  return {
    machine,
    received: isMessage ? envelopeKey({ from: event.from, to, message: event.message }) : undefined,
    internal: isMessage ? undefined : isCrash ? 'crash' : { at, of: events.length },
    outcome: { at: which, of: outcomes.length },
    after: outcome.state,
    own,
    sights: sights.of(machine, done.sent),
    begun,
    acts: [...own, ...begun.flatMap(({ sent }) => sent)],
  }
}

/** What its process decides in one go, and what must have been decided before. */
interface Item {
  readonly process: string
  readonly after: Item[]
  readonly write: () => void
  isWritten: boolean
}

/**
 * Decisions in the order of events, where nothing forbids it. Where it shows in which order different machines sent, messages
 * are sent in the order in which they are delivered, and whatever is not delivered last; so an event may have to come earlier.
 */
class Writing {
  readonly #machines: Machines
  readonly #numbersOfMachines: MachineNumbers
  readonly #sendings: readonly Sending[]
  readonly #matched: Matched
  readonly #decisions: Decision[]
  readonly #items: Item[] = []
  /** By process. */
  readonly #last = new Map<string, Item>()
  /** By sending: of each copy that arrives who sends it, and the number it gets. */
  readonly #copies: Item[][] = []
  readonly #numbers: number[][] = []
  /** By process and signature: who shows it to the process, and the number of that message. */
  readonly #shown = new Map<string, { readonly item: Item; number: number }>()
  #messages = 0

  constructor(
    { machines, numbers }: Pick<Present, 'machines' | 'numbers'>,
    sendings: readonly Sending[],
    found: Matched,
  ) {
    this.#machines = machines
    this.#numbersOfMachines = numbers
    this.#sendings = sendings
    this.#matched = found
    this.#decisions = machines.machines.map(() => ({ kind: 'step', process: 'main' }))
  }

  written(begun: readonly Done[], steps: readonly Step[]): readonly Decision[] {
    for (const [machine, { own, sights }] of begun.entries()) {
      this.#act(machine, own)
      this.#show(machine, sights)
    }
    const received = [...this.#matched.received]
    for (const step of steps) {
      const delivered = step.received === undefined ? undefined : (received.shift() as Received)
      if (delivered !== undefined) this.#say(delivered.sending)
      this.#event(step, delivered)
      this.#act(step.machine, step.own)
      this.#show(step.machine, step.sights)
      for (const { machine, sent } of step.begun) this.#act(machine, sent)
    }
    if (networkOf(this.#machines.network).sendingOrderShows) this.#keepSendingOrder()
    for (const item of this.#items) write(item)
    return this.#decisions
  }

  #add(machine: number, write: (process: string) => void): Item {
    return this.#addTo(this.#numbersOfMachines.name(machine) as string, write)
  }

  #addTo(process: string, write: (process: string) => void): Item {
    const before = this.#last.get(process)
    const after = before === undefined ? [] : [before]
    const item: Item = { process, after, write: () => write(process), isWritten: false }
    this.#last.set(process, item)
    this.#items.push(item)
    return item
  }

  #event({ machine, internal, outcome }: Step, received: Received | undefined): void {
    const item = this.#add(machine, (process) => {
      if (received !== undefined) {
        const message = this.#numbers[received.sending]?.[received.copy] as number
        this.#decisions.push({ kind: 'deliver', process, message })
      }
      if (internal === 'crash') this.#decisions.push({ kind: 'restart', process })
      else if (internal !== undefined) {
        this.#decisions.push({ kind: 'timeout', process })
        this.#choose(process, internal)
      }
      this.#choose(process, outcome)
    })
    const source = received && this.#copies[received.sending]?.[received.copy]
    if (source !== undefined) item.after.push(source)
  }

  #act(machine: number, acts: readonly Act[]): void {
    for (const act of acts) {
      if (typeof act === 'number') this.#send(machine, act)
      else {
        const item = this.#add(machine, (process) => this.#decisions.push({ kind: 'step', process }))
        this.#last.set(this.#numbersOfMachines.name(act.created) as string, item)
      }
    }
  }

  #show(machine: number, sights: readonly Sight[]): void {
    for (const { saying, signature } of sights) {
      const key = JSON.stringify([saying.process, signature])
      const shown = {
        number: -1,
        item: this.#add(machine, (process) => {
          this.#decisions.push({ kind: 'step', process })
          shown.number = this.#messages++
        }),
      }
      // Whoever has seen it does not look again.
      if (!this.#shown.has(key)) this.#shown.set(key, shown)
    }
  }

  /** What a liar says, by a process that has seen all it needs, just before it is delivered. */
  #say(sending: number): void {
    const saying = this.#machines.byzantine?.sayings[sending]
    if (saying === undefined) return
    for (const signature of saying.needs) {
      const shown = this.#shown.get(JSON.stringify([saying.process, signature]))
      const item = this.#addTo(saying.process, (process) => {
        this.#decisions.push({ kind: 'deliver', process, message: shown?.number ?? -1 })
      })
      if (shown !== undefined) item.after.push(shown.item)
    }
    const item = this.#addTo(saying.process, (process) => {
      this.#decisions.push({ kind: 'step', process })
      this.#numbers[sending] = [this.#messages++]
    })
    this.#copies[sending] = [item]
  }

  #send(machine: number, sending: number): void {
    const { envelope } = this.#sendings[sending] as Sending
    const isForLiar = this.#machines.byzantine?.names.includes(envelope.to) === true
    // Faults do not strike it, and nobody waits for it.
    const copies = isForLiar ? 1 : (this.#matched.arriving[sending] as number)
    const kinds = fates[copies] as readonly Fate[]
    this.#numbers[sending] = []
    const items = kinds.map((kind) =>
      this.#add(machine, (process) => {
        this.#decisions.push({ kind, process })
        this.#numbers[sending]?.push(this.#messages++)
      }),
    )
    this.#copies[sending] = items.slice(0, copies)
  }

  #keepSendingOrder(): void {
    const last = new Map<number, Item>()
    const delivered = new Set<Item>()
    for (const { sending, copy } of this.#matched.received) {
      const item = this.#copies[sending]?.[copy] as Item
      const { to } = this.#sendings[sending] as Sending
      const before = last.get(to)
      if (before !== undefined) item.after.push(before)
      last.set(to, item)
      delivered.add(item)
    }
    for (const [sending, copies] of this.#copies.entries()) {
      const before = last.get((this.#sendings[sending] as Sending).to)
      for (const item of copies ?? []) if (before !== undefined && !delivered.has(item)) item.after.push(before)
    }
  }

  /** Nothing to choose among one. */
  #choose(process: string, { at, of }: Chosen): void {
    if (of > 1) this.#decisions.push({ kind: 'choose', process, option: at })
  }
}

type Received = Matched['received'][number]
type Fate = 'lose' | 'step' | 'duplicate'

/** What becomes of a message, by how many copies of it arrive. */
const fates: readonly (readonly Fate[])[] = [['lose'], ['step'], ['duplicate', 'step']]

function write(item: Item): void {
  if (item.isWritten) return
  item.isWritten = true
  for (const before of item.after) write(before)
  item.write()
}
