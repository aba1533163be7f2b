/**
 * What a plan means, worked out without any of the product: handlers, timers, requests, crashes and invariants, as the guide
 * tells users. Engines and the semantics below them are judged by this.
 */
import type { Violation } from '../../src/core/property.ts'
import type { Value } from '../../src/core/value.ts'
import type {
  Envelope,
  InternalEvent,
  LocalState,
  MachineEvent,
  Machines,
  Outcome,
} from '../../src/program/machines.ts'
import {
  type Acting,
  type Deed,
  firstState,
  type InvariantPlan,
  invariantName,
  kindOf,
  nameOf,
  type PlannedMessage,
  type PlannedState,
  perform,
  type SystemPlan,
} from './machine-plan.ts'

export function referenceOf(plan: SystemPlan): Machines {
  const starts = plan.machines.map(({ start }, machine) => run({ machine, deeds: start, state: blank }, []))
  const machines: Machines = {
    machines: plan.machines.map((_, machine) => nameOf(machine)),
    start: { states: starts.map(({ state }) => state), underWay: starts.flatMap(({ sent }) => sent) },
    network: plan.network,
    faults: plan.faults,
    internal: (machine, state) => internalEvents(plan, machine, state),
    handle: (machine, state, event) => outcomesOf(plan, machine, state, event),
    key: stateText,
    invariants: plan.invariants.map((one, at) => ({
      name: invariantName(one, at),
      violation: (states) => broken(one, at, states.map(dataOf)),
      decomposed: undefined,
    })),
    from: (states, underWay) => ({ ...machines, start: { states, underWay } }),
  }
  return machines
}

/** Equal for equal states, also for those that the product made. */
export function stateText({ data, timers, requests, crashes }: LocalState): string {
  const { value, seen, notes } = data as unknown as PlannedState
  return JSON.stringify([value, seen, notes, timers, requests, crashes])
}

export function dataOf({ data }: LocalState): PlannedState {
  return data as unknown as PlannedState
}

export function broken(plan: InvariantPlan, at: number, states: readonly PlannedState[]): Violation | undefined {
  const message = complaint(plan, states)
  return message === undefined ? undefined : { kind: 'invariant', property: invariantName(plan, at), message }
}

function complaint(plan: InvariantPlan, states: readonly PlannedState[]): string | undefined {
  const values = states.map(({ value }) => value)
  switch (plan.kind) {
    case 'sum': {
      const sum = values.reduce((total, value) => total + value, 0)
      return sum >= plan.below ? `the sum is ${sum}` : undefined
    }
    case 'never':
      return values.every((value, machine) => value === plan.values[machine]) ? 'the invariant is false' : undefined
    case 'clash': {
      const isClash = (left: number, right: number) => left === plan.first && right === plan.second
      return pairText(values, (left, right) => isClash(left, right) || isClash(right, left))
    }
    case 'agree': {
      const facts = states.map((state) => state[plan.field])
      return pairText(facts, (left, right) => left > plan.above && right > plan.above && left !== right)
    }
  }
}

function pairText(facts: readonly number[], isWrong: (left: number, right: number) => boolean): string | undefined {
  for (const [at, left] of facts.entries())
    for (const [other, right] of facts.entries())
      if (at < other && isWrong(left, right)) return `${nameOf(at)} says ${left}, ${nameOf(other)} says ${right}`
  return undefined
}

const blank: LocalState = { data: plain(firstState()), timers: [], requests: 0, crashes: 0 }

function plain(data: PlannedState): Value {
  return data as unknown as Value
}

function internalEvents(plan: SystemPlan, machine: number, state: LocalState): readonly InternalEvent[] {
  const events: InternalEvent[] = state.timers.map((name) => ({ kind: 'timer', name }))
  if (state.requests < (plan.machines[machine]?.requests ?? 0))
    events.push({ kind: 'request', name: 'go', argument: undefined })
  if (state.crashes < (plan.faults.restarts ?? 0)) events.push({ kind: 'crash' })
  return events
}

interface Run {
  readonly machine: number
  readonly deeds: readonly Deed[]
  readonly state: LocalState
  readonly from?: string
  readonly message?: PlannedMessage
}

function outcomesOf(plan: SystemPlan, machine: number, state: LocalState, event: MachineEvent): readonly Outcome[] {
  const own = plan.machines[machine]
  if (own === undefined) throw new Error('machines are numbered')
  switch (event.kind) {
    case 'message': {
      const message = event.message as unknown as PlannedMessage
      const deeds = own.on[Number(message.kind.slice(1))] ?? own.others
      if (deeds === undefined) return [unhandled(machine, state, message.kind)]
      return allRuns({ machine, deeds, state, from: event.from, message })
    }
    case 'timer': {
      const timers = state.timers.filter((name) => name !== event.name)
      return allRuns({ machine, deeds: own.timer, state: { ...state, timers } })
    }
    case 'request':
      return allRuns({ machine, deeds: own.request, state: { ...state, requests: state.requests + 1 } })
    case 'crash': {
      const kept = Object.fromEntries(own.durable.map((field) => [field, dataOf(state)[field]]))
      const data = plain({ ...firstState(), ...kept })
      return allRuns({
        machine,
        deeds: own.start,
        state: { data, timers: [], requests: state.requests, crashes: state.crashes + 1 },
      })
    }
  }
}

/** Ends a run that has to choose and was not told what. */
class Undecided extends Error {}
class Failed extends Error {}

function allRuns(what: Run, choices: readonly number[] = []): readonly Outcome[] {
  try {
    return [run(what, choices)]
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    return [0, 1].flatMap((choice) => allRuns(what, [...choices, choice]))
  }
}

function run({ machine, deeds, state, from, message }: Run, choices: readonly number[]): Outcome {
  const { value, seen, notes } = dataOf(state)
  const own: PlannedState = { value, seen, notes: [...notes] }
  const timers = new Set(state.timers)
  const sent: Envelope[] = []
  const self = nameOf(machine)
  let chosen = 0
  const context: Acting = {
    self,
    ...(from === undefined ? {} : { from }),
    send: (to, content) => sent.push({ from: self, to, message: content as unknown as Value }),
    announce: () => undefined,
    setTimer: (name) => timers.add(name),
    cancelTimer: (name) => timers.delete(name),
    choose: (options) => {
      const choice = choices[chosen++]
      if (choice === undefined) throw new Undecided()
      return options[choice] as number
    },
    assert: (condition, text) => {
      if (!condition) throw new Failed(text)
    },
  }
  try {
    perform(deeds, own, context, message)
  } catch (error) {
    if (error instanceof Undecided || !(error instanceof Error)) throw error
    const isAssertion = error instanceof Failed
    const text = isAssertion ? error.message : `Error: ${error.message}`
    return failing(state, choices, {
      kind: isAssertion ? 'assertion' : 'exception',
      property: text,
      message: text,
      process: self,
    })
  }
  const { requests, crashes } = state
  return {
    state: { data: plain(own), timers: [...timers].sort(), requests, crashes },
    sent,
    choices,
    violation: undefined,
  }
}

function unhandled(machine: number, state: LocalState, kind: string): Outcome {
  const text = `machine "${kindOf(machine)}" received a message of kind "${kind}", for which it has no handler`
  return failing(state, [], { kind: 'exception', property: text, message: text, process: nameOf(machine) })
}

function failing(state: LocalState, choices: readonly number[], violation: Violation): Outcome {
  return { state, sent: [], choices, violation }
}
