/**
 * Every execution of a P program, the simplest way: the whole state is plain data, its text is its key, and each step copies it.
 * It knows nothing of how the product does it. What it says is the set of outcomes.
 */
import type { Checked, MachineSymbol, TestCase } from '../../../src/frontends/p/symbols.ts'
import { type Handled, handle, stateOf, type Trigger } from './handle.ts'
import type { Effect, FailureClass, Subject } from './handling.ts'
import { nothing, type Value } from './value.ts'
import {
  arrive,
  arriving,
  begun,
  copyOf,
  type Delivery,
  fieldsOf,
  keyOf,
  type Machine,
  machineOf,
  post,
  runOf,
  shown,
  tidy,
  type World,
} from './world.ts'

/** Texts, sorted. */
export interface Outcomes {
  /** States in which nothing can happen any more. */
  readonly ends: readonly string[]
  /** What went wrong, and with whom. */
  readonly violations: readonly string[]
  readonly states: number
}

export interface InterpretOptions {
  readonly delivery: Delivery
  readonly mostStates: number
  /** So many choices in one run of a handler decide everything: what goes on after that has been somewhere twice. Undefined: no handler goes round. */
  readonly mostChoices?: number | undefined
}

/** Undefined: there are more states than asked for, or very many choices. */
export function interpret(checked: Checked, test: TestCase, options: InterpretOptions): Outcomes | undefined {
  try {
    return new Interpreter({ checked, test }, options).outcomes()
  } catch (error) {
    if (error instanceof TooMuch) return undefined
    throw error
  }
}

class TooMuch extends Error {}

/** How often a handler may run for each state. */
const [runsPerState, runsWithRounds] = [10, 1000]

type Next = { readonly world: World } | { readonly violation: string }

class Interpreter {
  readonly #subject: Subject
  readonly #delivery: Delivery
  readonly #mostStates: number
  readonly #mostChoices: number | undefined
  #runs = 0

  constructor(subject: Subject, { delivery, mostStates, mostChoices }: InterpretOptions) {
    this.#subject = subject
    this.#delivery = delivery
    this.#mostStates = mostStates
    this.#mostChoices = mostChoices
  }

  outcomes(): Outcomes {
    const ends = new Set<string>()
    const violations = new Set<string>()
    const seen = new Set<string>()
    const { machines, monitors } = this.#subject.test
    const symbols = new Map([...machines, ...monitors.map(({ monitor }) => monitor)].map((one) => [one.name, one]))
    const todo = [...this.#begin()]
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if ('violation' in next) {
        violations.add(next.violation)
        continue
      }
      const key = keyOf(next.world)
      if (seen.has(key)) continue
      seen.add(key)
      if (seen.size > this.#mostStates) throw new TooMuch()
      const after = this.#after(next.world)
      todo.push(...after)
      if (after.length > 0) continue
      ends.add(shown(next.world, symbols))
      for (const violation of this.#atTheEnd(next.world)) violations.add(violation)
    }
    return { ends: [...ends].sort(), violations: [...violations].sort(), states: seen.size }
  }

  /** Monitors begin, in their order, and then there is the main machine. */
  #begin(): readonly Next[] {
    const { test } = this.#subject
    const world: World = { machines: {}, monitors: {}, channels: {}, known: {} }
    for (const { monitor } of test.monitors) {
      world.monitors[monitor.name] = { state: monitor.start.name, fields: fieldsOf(monitor) }
      const violation = this.#toMonitor(world, monitor, { kind: 'start', payload: nothing })
      if (violation !== undefined) return [{ violation }]
    }
    world.machines[test.main.name] = this.#born(test.main.name, nothing)
    return [{ world }]
  }

  #born(type: string, payload: Value): Machine {
    const machine = this.#symbol(type)
    const run = begun({ kind: 'start', payload })
    const [state, fields] = [machine.start.name, fieldsOf(machine)]
    return { type, status: 'unborn', state, fields, counts: {}, inbox: [], run }
  }

  #symbol(type: string): MachineSymbol {
    const found = this.#subject.test.machines.find(({ name }) => name === type)
    if (found === undefined) throw new Error(`there is no machine ${type}`)
    return found
  }

  #after(world: World): readonly Next[] {
    return [
      ...Object.keys(world.machines).flatMap((id) => this.#moves(world, id)),
      ...arriving(world, this.#delivery).flatMap((next) => this.#delivered(world, next)),
    ]
  }

  /** What a machine does by itself. */
  #moves(before: World, id: string): readonly Next[] {
    const { status, inbox, run } = machineOf(before, id)
    switch (status) {
      case 'halted':
        return []
      case 'unborn':
        return this.#advance(before, id)
      case 'busy':
        return this.#goOn(before, id)
      case 'blocked':
        return inbox.some(({ event }) => accepts(run?.waits ?? [], event)) ? this.#advance(before, id) : []
      case 'idle':
        return this.#takes(before, id)
    }
  }

  /** Does what it stands before, with mailboxes: at once it is where it goes. */
  #goOn(before: World, id: string): readonly Next[] {
    const world = copyOf(before)
    const { pending } = runOf(machineOf(world, id))
    if (pending?.kind === 'create') world.machines[pending.id] = this.#born(pending.type, pending.payload)
    if (pending?.kind === 'send') {
      const target = machineOf(world, pending.to)
      const message = { event: pending.event, payload: pending.payload }
      if (target.status !== 'halted') target.inbox = [...target.inbox, message]
    }
    return this.#advance(world, id)
  }

  /** The first message that is not deferred. Ignored ones before it are gone; those after it stay. */
  #takes(before: World, id: string): readonly Next[] {
    const { inbox } = machineOf(before, id)
    const kindOf = this.#handlers(machineOf(before, id))
    const at = inbox.findIndex(({ event }) => !isPassedOver(kindOf(event)))
    const taken = inbox[at]
    const world = copyOf(before)
    if (taken === undefined) {
      machineOf(world, id).inbox = inbox.filter(({ event }) => kindOf(event) === 'defer')
      const idling: Trigger = { kind: 'event', event: 'null', payload: nothing }
      return kindOf('null') === undefined ? [] : this.#start(world, id, idling)
    }
    machineOf(world, id).inbox = inbox.filter(
      ({ event }, index) => index > at || (index < at && kindOf(event) === 'defer'),
    )
    return this.#start(world, id, { kind: 'event', ...taken })
  }

  /** What comes of something that is under way. */
  #delivered(before: World, { channel, at, entry: head }: ReturnType<typeof arriving>[number]): readonly Next[] {
    const world = copyOf(before)
    arrive(world, channel, at)
    if (head.kind === 'create') {
      world.machines[head.id] = this.#born(head.type, head.payload)
      return this.#advance(world, head.id)
    }
    const target = world.machines[head.to]
    if (target === undefined || target.status === 'unborn') return []
    const message = { event: head.event, payload: head.payload }
    if (target.status === 'blocked') {
      const waits = target.run?.waits ?? []
      if (target.inbox.some(({ event }) => accepts(waits, event))) return []
      target.inbox = [...target.inbox, message]
      return accepts(waits, head.event) ? this.#advance(world, head.to) : [{ world: tidy(world) }]
    }
    const kindOf = this.#handlers(target)
    // What waits in the inbox goes first.
    if (target.inbox.some(({ event }) => !isPassedOver(kindOf(event)))) return []
    // Whoever looks for something to handle drops what is ignored on the way.
    target.inbox = target.inbox.filter(({ event }) => kindOf(event) === 'defer')
    if (!isPassedOver(kindOf(head.event))) return this.#start(world, head.to, { kind: 'event', ...message })
    if (kindOf(head.event) === 'defer') target.inbox = [...target.inbox, message]
    return [{ world: tidy(world) }]
  }

  #handlers({ type, state }: Machine): (event: string) => string | undefined {
    const { handlers } = stateOf({ machine: this.#symbol(type), state })
    return (event) => handlers.get(event)?.kind
  }

  #start(before: World, id: string, trigger: Trigger): readonly Next[] {
    const world = copyOf(before)
    machineOf(world, id).run = begun(trigger)
    return this.#advance(world, id)
  }

  /** Runs a handler on, as far as it goes without others; every choice is made in all ways. */
  #advance(before: World, id: string, made = 0): readonly Next[] {
    const handled = this.#handle(before, id)
    if (handled.end.kind !== 'choice') return [this.#done(before, id, handled)]
    if (made === this.#mostChoices) return []
    if (made > 0 && this.#isEndless(before, id, made))
      return [this.#done(before, id, { ...handled, end: { kind: 'failure', failure: 'endless' } })]
    return this.#chosen(before, id, handled).flatMap((world) => this.#advance(world, id, made + 1))
  }

  /** With each option of the choice at which the handler stands. */
  #chosen(before: World, id: string, { inbox, answers, end }: Handled): readonly World[] {
    return Array.from({ length: end.kind === 'choice' ? end.options : 0 }, (_, option) => {
      const world = copyOf(before)
      const machine = machineOf(world, id)
      // What was waited for has come; the next time it waits again.
      if (inbox.length < machine.inbox.length) machine.status = 'idle'
      machine.inbox = inbox
      machine.run = { ...runOf(machine), answers: [...answers, option] }
      return world
    })
  }

  /** Whether no way to choose leads to the end of the handler; asked as long as enough choices are left to see one. */
  #isEndless(before: World, id: string, made: number): boolean {
    const most = this.#mostChoices
    if (most === undefined || made > most / 2) return false
    const mayEnd = (world: World, left: number): boolean => {
      const handled = this.#handle(world, id)
      if (handled.end.kind !== 'choice') return true
      return left > 0 && this.#chosen(world, id, handled).some((next) => mayEnd(next, left - 1))
    }
    return !mayEnd(before, most - made)
  }

  #handle(world: World, id: string): Handled {
    this.#runs++
    const perState = this.#mostChoices === undefined ? runsPerState : runsWithRounds
    if (this.#runs > perState * this.#mostStates) throw new TooMuch()
    const machine = machineOf(world, id)
    const { type, state, fields, counts, inbox } = machine
    const { trigger, answers, told } = runOf(machine)
    const self = { machine: this.#symbol(type), id, state, fields, counts }
    const pausesAfter = this.#delivery === 'mailbox' ? told : undefined
    const mayTake = machine.status === 'blocked'
    return handle({ subject: this.#subject, self, trigger, answers, inbox, mayTake, pausesAfter })
  }

  #done(before: World, id: string, { effects, answers, inbox, self, end }: Handled): Next {
    const world = copyOf(before)
    const machine = machineOf(world, id)
    const { told, trigger } = runOf(machine)
    for (const effect of effects.slice(told)) {
      const violation = this.#tell(world, self.machine, effect)
      if (violation !== undefined) return { violation }
      if (effect.kind !== 'announce' && this.#delivery !== 'mailbox') post(world, this.#delivery, id, effect)
    }
    if (end.kind === 'failure') return { violation: violationOf(end.failure, id) }
    machine.inbox = end.kind === 'halted' ? [] : inbox
    if (end.kind === 'blocked' || end.kind === 'pause') {
      machine.status = end.kind === 'pause' ? 'busy' : 'blocked'
      const pending = end.kind === 'pause' ? effects.at(-1) : undefined
      const waits = end.kind === 'blocked' ? end.events : []
      const now = { state: self.state, fields: self.fields }
      machine.run = { trigger, answers, told: effects.length, pending, waits, now }
    } else {
      machine.status = end.kind === 'halted' ? 'halted' : 'idle'
      machine.run = undefined
      machine.state = self.state
      machine.fields = end.kind === 'halted' ? {} : self.fields
      machine.counts = self.counts
    }
    return { world: tidy(world) }
  }

  #tell(world: World, sender: MachineSymbol, effect: Effect): string | undefined {
    if (effect.kind === 'create') return undefined
    const { event, payload } = effect
    for (const { monitor, over } of this.#subject.test.monitors) {
      if (!monitor.observes.includes(event) || !over.has(sender)) continue
      const violation = this.#toMonitor(world, monitor, { kind: 'event', event, payload })
      if (violation !== undefined) return violation
    }
    return undefined
  }

  #toMonitor(world: World, monitor: MachineSymbol, trigger: Trigger): string | undefined {
    const before = world.monitors[monitor.name]
    if (before === undefined) throw new Error(`${monitor.name} has not begun`)
    const handled = handle({
      subject: this.#subject,
      self: { machine: monitor, id: monitor.name, ...before, counts: {} },
      trigger,
      answers: [],
      inbox: [],
      mayTake: false,
      pausesAfter: undefined,
    })
    if (handled.end.kind === 'failure') return violationOf(handled.end.failure, monitor.name)
    world.monitors[monitor.name] = { state: handled.self.state, fields: handled.self.fields }
    return undefined
  }

  /** Machines that wait for ever, and monitors that still want something. */
  #atTheEnd({ machines, monitors }: World): readonly string[] {
    const waiting = Object.entries(machines).filter(([, { status }]) => status === 'blocked')
    const hot = this.#subject.test.monitors.filter(({ monitor }) => {
      const state = monitors[monitor.name]?.state
      return (
        monitor.kind === 'spec' && state !== undefined && stateOf({ machine: monitor, state }).temperature === 'hot'
      )
    })
    return [
      ...(waiting.length > 0
        ? [
            violationOf(
              'deadlock',
              waiting
                .map(([id]) => id)
                .sort()
                .join(', '),
            ),
          ]
        : []),
      ...hot.map(({ monitor }) => violationOf('hot', monitor.name)),
    ]
  }
}

/** `halt` is always received. */
function accepts(waits: readonly string[], event: string): boolean {
  return event === 'halt' || waits.includes(event)
}

function isPassedOver(kind: string | undefined): boolean {
  return kind === 'defer' || kind === 'ignore'
}

export function violationOf(what: FailureClass | 'deadlock' | 'hot', who: string): string {
  return `${what}: ${who}`
}
