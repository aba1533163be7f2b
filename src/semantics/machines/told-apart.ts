/** What is said where machines that should play the same part do not: which handler told them apart, and by what. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { withPlaces } from '../../core/operation.ts'
import { Address, encodeInOrder, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { Outcome } from '../../program/machines.ts'
import { placeOfAnnounced } from '../refinement/announced-at.ts'
import type { Said } from './alike-invariants.ts'
import { sendingPlaces } from './context.ts'
import type { LocalGraph, LocalOutcome } from './local-graph.ts'
import type { MachineRenaming } from './machine-renaming.ts'
import { envelopeKey } from './machines.ts'

interface Handled {
  readonly machine: number
  readonly local: number
  readonly event: number
  readonly renaming: MachineRenaming
  /** What does not come about where machines have changed places, and what does. */
  readonly missing: LocalOutcome | undefined
  readonly instead: LocalOutcome | undefined
}

/** A place at which two values differ. */
interface Difference {
  readonly path: string
  readonly expected: Value
  readonly found: Value
}

/** In the words of a diagnostic, and where it happened. */
interface Told {
  readonly what: string
  readonly values: readonly Value[]
  readonly stack?: string | undefined
  readonly isSent?: boolean
}

const shownWidth = 60
const ofNames =
  'leave out --symmetry, or let nothing depend on which machine is which: names not compared by <, sorted always or never, no numbers of machines, no first or last'

export class ToldApart {
  readonly #graph: LocalGraph
  readonly #names: readonly string[]

  constructor(graph: LocalGraph, sets: readonly (readonly number[])[]) {
    this.#graph = graph
    const names = sets.flat().map((machine) => graph.machines.machines[machine] as string)
    // "A1" is a part of "A10".
    this.#names = names.sort((left, right) => right.length - left.length)
  }

  /** Of messages of failures: names may stand in them anywhere. */
  withoutNames(text: string): string {
    return this.#names.reduce((before, name) => before.replaceAll(name, '*'), text)
  }

  atBeginning(renaming: MachineRenaming, machine: number, [expected, found]: readonly [number, number]): never {
    const { path, values } = this.#states(machine, expected, found)
    const what = `the first state of "${this.#name(machine)}" has ${shown(values[1])}${path}, and ${shown(values[0])} where they change places`
    return this.#refuse(renaming, machine, { what, values })
  }

  bySending(renaming: MachineRenaming): never {
    const what = 'what is sent at the beginning is not the same, or in another order, where they change places'
    throw this.#notAlike(renaming, what, this.#ofOrder ?? ofNames, undefined)
  }

  byOwnEvents(
    renaming: MachineRenaming,
    [machine, events]: readonly [number, readonly number[]],
    [to, others]: readonly [number, readonly number[]],
  ): never {
    const words = (all: readonly number[]): string =>
      all.map((event) => this.#eventWords(event)).join(', ') || 'nothing'
    const what = `of itself "${this.#name(machine)}" does ${words(events)}, and "${this.#name(to)}" in its place ${words(others)}`
    return this.#refuse(renaming, machine, { what, values: [] })
  }

  byHandler(handled: Handled): never {
    const { machine, event, renaming } = handled
    const to = renaming.machine(machine)
    const handler = this.#graph.machines.alikeMachines?.handler(to, this.#graph.eventAt(renaming.event(event))).name
    const told = this.#difference(handled)
    const what = `where they change places, ${handler} of "${this.#name(to)}" ${told.what}`
    return this.#refuse(renaming, to, { ...told, what })
  }

  byInvariant(
    renaming: MachineRenaming,
    { name, stack }: { readonly name: string; readonly stack?: string | undefined },
    { before, instead }: { readonly before: Said; readonly instead: Said },
  ): never {
    const words = (said: Said): string => (said === undefined ? 'holds' : `fails: ${said.message}`)
    const what = `invariant "${name}" ${words(before)}; and where they change places it ${words(instead)}`
    const hint = `${ofNames}; what throws must throw in every order of them`
    throw this.#notAlike(renaming, what, hint, stack ?? before?.stack ?? instead?.stack)
  }

  refuseCreation(machine: number): never {
    throw new DiagnosticError({
      code: 'E107',
      message: `machines that others create cannot change places, and "${this.#graph.numbers.name(machine)}" is created`,
      hint: 'leave out --symmetry, or declare all machines in the system',
    })
  }

  #difference(handled: Handled): Told {
    const { machine, renaming, missing, instead } = handled
    if (missing === undefined || instead === undefined) {
      const what = missing === undefined ? 'can do what it could not before' : 'cannot do what it could before'
      return { what: `${what}: ${this.#outcomeWords(renaming, machine, missing, instead)}`, values: [] }
    }
    if (missing.violation !== undefined || instead.violation !== undefined) {
      const words = ({ violation }: LocalOutcome) =>
        violation === undefined ? 'goes on' : `fails with "${violation.message}"`
      return { what: `${words(instead)}, and ${words(missing)} before`, values: [] }
    }
    const to = renaming.machine(machine)
    const expected = renaming.local(machine, missing.local)
    if (expected !== instead.local) {
      const { path, values } = this.#states(to, expected, instead.local)
      return { what: `leaves ${shown(values[1])}${path}, and not ${shown(values[0])}`, values }
    }
    return this.#toldOthers(handled, missing, instead)
  }

  /** Messages, in the order in which they were sent, or announcements. */
  #toldOthers({ machine, local, event, renaming }: Handled, missing: LocalOutcome, instead: LocalOutcome): Told {
    const to = renaming.machine(machine)
    const again = withPlaces(() => {
      const state = this.#graph.state(to, renaming.local(machine, local))
      const outcomes = this.#graph.machines.handle(to, state, this.#graph.eventAt(renaming.event(event)))
      return outcomes.find(({ choices }) => choices.join() === instead.choices.join())
    })
    const expected = messagesOf(missing).map((message) => this.#graph.messageAt(renaming.message(message)).envelope)
    const found = messagesOf(instead).map((message) => this.#graph.messageAt(message).envelope)
    const at = [...found, ...expected].findIndex((_, place) => {
      const [one, other] = [expected[place], found[place]]
      return one === undefined || other === undefined || envelopeKey(one) !== envelopeKey(other)
    })
    const words = (all: typeof found) =>
      all[at] === undefined ? 'no more' : `${showValue(all[at].message, shownWidth)} to "${all[at].to}"`
    if (at >= 0 && at < Math.max(found.length, expected.length)) {
      const values = [expected[at]?.message, found[at]?.message]
      return {
        what: `sends ${words(found)}, and not ${words(expected)}`,
        values,
        stack: placeOfSend(again, at),
        isSent: true,
      }
    }
    const calls = missing.announced.map((one) => renaming.announced(one))
    const place = calls.findIndex((one, call) => encodeInOrder(one) !== encodeInOrder(missing.announced[call]))
    const named = instead.announced[Math.max(place, 0)]
    return {
      what: `announces ${shown(named)}, which names a machine or is something else than before`,
      values: [named],
      stack: again?.announced?.[Math.max(place, 0)] && placeOfAnnounced(again.announced[Math.max(place, 0)] as never),
    }
  }

  #outcomeWords(
    renaming: MachineRenaming,
    machine: number,
    missing: LocalOutcome | undefined,
    instead: LocalOutcome | undefined,
  ): string {
    const one = instead ?? missing
    if (one === undefined) return 'the same, so many times'
    if (one.violation !== undefined) return `"${one.violation.message}"`
    const at = instead === undefined ? machine : renaming.machine(machine)
    return showValue(this.#graph.state(at, one.local).data, shownWidth)
  }

  #states(
    machine: number,
    expected: number,
    found: number,
  ): { readonly path: string; readonly values: readonly Value[] } {
    const [before, after] = [this.#graph.state(machine, expected), this.#graph.state(machine, found)]
    const difference = firstDifference(before.data, after.data)
    if (difference !== undefined)
      return { path: ` in state${difference.path}`, values: [difference.expected, difference.found] }
    return { path: ' of timers, requests and crashes', values: [countsOf(before), countsOf(after)] }
  }

  #refuse(renaming: MachineRenaming, machine: number, { what, values, stack, isSent }: Told): never {
    const declared = this.#graph.machines.alikeMachines?.handler(machine).stack
    const ofOrder = isSent === true ? this.#ofOrder : undefined
    throw this.#notAlike(renaming, what, ofOrder ?? this.#hint(renaming, values), stack ?? declared)
  }

  #notAlike(renaming: MachineRenaming, what: string, hint: string, stack: string | undefined): DiagnosticError {
    const names = [...renaming.names.keys()].map((name) => JSON.stringify(name)).join(' and ')
    return new DiagnosticError({ code: 'E235', message: `${names} are not alike: ${what}`, hint, stack })
  }

  /** Where a network shows in which order one machine sends to several. */
  get #ofOrder(): string | undefined {
    const { network } = this.#graph.machines
    if (network === 'bag' || network === 'fifo') return undefined
    return `on ${network} it shows in which order a machine sends to several: try --network bag or fifo, or leave out --symmetry`
  }

  #hint(renaming: MachineRenaming, values: readonly Value[]): string {
    const hidden = values.flatMap((value) => [...this.#hiddenNames(value)])[0]
    if (hidden !== undefined)
      return `the name "${hidden.name}" is a part of the text ${showValue(hidden.text, shownWidth)}, in which it is not changed: let a name be a text of its own, or the key of a field`
    const [one, other] = [...renaming.names.keys()].map((name) => this.#graph.numbers.of(name)) as [number, number]
    const { alikeMachines } = this.#graph.machines
    const [left, right] = [alikeMachines?.handler(one).args, alikeMachines?.handler(other).args]
    const difference = firstDifference(left, right)
    if (difference === undefined) return ofNames
    return `${ofNames}; args${difference.path} is ${shown(difference.expected)} for one of them and ${shown(difference.found)} for the other`
  }

  *#hiddenNames(value: Value): Generator<{ readonly name: string; readonly text: string }> {
    if (typeof value === 'string') {
      const name = this.#names.find((one) => value.includes(one))
      if (name !== undefined && value !== name && !value.startsWith(`${name}/`)) yield { name, text: value }
    } else for (const [key, part] of partsOf(value)) yield* [...this.#hiddenNames(key), ...this.#hiddenNames(part)]
  }

  #eventWords(event: number): string {
    const happens = this.#graph.eventAt(event)
    switch (happens.kind) {
      case 'message':
        return showValue(happens.message, shownWidth)
      case 'timer':
        return `timer "${happens.name}"`
      case 'request':
        return `request "${happens.name}" ${happens.argument === undefined ? '' : showValue(happens.argument, shownWidth)}`.trim()
      case 'crash':
        return 'a crash'
    }
  }

  #name(machine: number): string {
    return this.#graph.numbers.name(machine) as string
  }
}

function messagesOf({ acts }: LocalOutcome): readonly number[] {
  return acts.flatMap((act) => (typeof act === 'number' ? [act] : []))
}

function placeOfSend(outcome: Outcome | undefined, at: number): string | undefined {
  const envelope = outcome?.sent[at] ?? outcome?.sent.at(-1)
  return envelope && sendingPlaces.get(envelope)
}

function countsOf({
  timers,
  requests,
  crashes,
}: {
  timers: readonly string[]
  requests: number
  crashes: number
}): Value {
  return [timers, requests, crashes]
}

function shown(value: Value): string {
  return showValue(value, shownWidth)
}

/** The first place at which they differ for a reader: orders count. */
function firstDifference(expected: Value, found: Value): Difference | undefined {
  if (encodeInOrder(expected) === encodeInOrder(found)) return undefined
  const whole = { path: '', expected, found }
  const [before, after] = [partsOf(expected), partsOf(found)]
  const isAlike = kindOfValue(expected) === kindOfValue(found) && before.length === after.length
  // Items in another order are best seen together.
  if (!isAlike || kindOfValue(expected) !== 'record') return whole
  for (const [at, [key, part]] of before.entries()) {
    const [other, item] = after[at] as readonly [Value, Value]
    if (key !== other) return whole
    const difference = firstDifference(part, item)
    if (difference !== undefined) return { ...difference, path: `.${String(key)}${difference.path}` }
  }
  return whole
}

function kindOfValue(value: Value): string {
  if (typeof value !== 'object' || value === null || value instanceof Address) return 'primitive'
  if (Array.isArray(value) || value instanceof Set || value instanceof Map) return value.constructor.name
  return 'record'
}

function partsOf(value: Value): readonly (readonly [Value, Value])[] {
  if (typeof value !== 'object' || value === null || value instanceof Address) return []
  if (Array.isArray(value)) return value.map((item) => [undefined, item])
  if (value instanceof Set) return [...value].map((item) => [undefined, item])
  if (value instanceof Map) return [...value]
  return Object.entries(value)
}
