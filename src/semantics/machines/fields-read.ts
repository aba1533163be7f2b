/**
 * Fields of states that properties of a system read, and that no state has: JavaScript answers `undefined`, and what is compared with
 * that may hold for ever. What a property reads is seen by asking it once more about views of the same states, whose answer is ignored;
 * that is done for the first states and then for one in so many. Whether a field is ever there is looked up in all states that
 * machines come to, whatever an engine asks the property about, so that what is told is true, and the same for all engines.
 */
import { nameMeant } from '../../core/did-you-mean.ts'
import { isAskedByPrinters } from '../../core/lacking-fields.ts'
import type { Value } from '../../core/value.ts'
import type { Witness } from '../../core/witness.ts'
import { isView, Part, recorded } from './state-views.ts'

type States = { readonly [machine: string]: Value }
type Container = { readonly [key: string]: unknown }

/** Views are some ten times as slow as states. A prime, so that no rhythm of the search is met. */
const lookedAtFirst = 4_096
const lookedAtEvery = 251

/** In place of the number of an element of a list. */
const element = '*'

/** Read of a state, and not there so far. */
interface Missing {
  readonly keys: readonly string[]
  readonly subject: string
}

/** One for all properties of a system. */
export class FieldsRead {
  readonly #witness: Witness
  /** Of the states of all machines, without what is within them. */
  readonly #fields = new Set<string>()
  readonly #missing = new Map<string, Missing>()
  /** Paths that some state had when they were read. */
  readonly #there = new Set<string>()
  #asked = 0

  constructor(witness: Witness) {
    this.#witness = witness
  }

  /** A machine is in this state. */
  met(state: Value): void {
    if (!isRecord(state)) return
    for (const field of Object.keys(state)) this.#fields.add(field)
    for (const [path, { keys, subject }] of this.#missing) if (isAnywhere(state, keys)) this.#found(path, subject)
  }

  /** Asks a property about states that tell what is read of them. */
  look(states: States, property: string, ask: (states: States) => void): void {
    const machines = Object.entries(states)
    if (machines.some(([, state]) => isView(state))) return
    const count = this.#asked++
    const isLookedAt = count < lookedAtFirst || count % lookedAtEvery === 0
    // Searches on numbers ask about states that no handler was seen to lead to.
    if (isLookedAt || this.#missing.size > 0) for (const [, state] of machines) this.met(state)
    if (!isLookedAt) return
    const views = new Map<string | symbol, unknown>()
    for (const [number, [machine, state]] of machines.entries())
      views.set(
        machine,
        recorded(new Part(number), state, (part, asked) => {
          if (asked === 'what') this.#read(part, state, { machine, property })
        }),
      )
    ask(new Proxy(states, { get: (named, name) => (views.has(name) ? views.get(name) : Reflect.get(named, name)) }))
  }

  #read(
    part: Part,
    state: Value,
    { machine, property }: { readonly machine: string; readonly property: string },
  ): void {
    if (part.within === undefined || part.key in Object.prototype || isAskedByPrinters(part.key)) return
    const whole = part.within.in(state)
    if (!isRecord(whole)) return
    const path = JSON.stringify(pathOf(part, state))
    if (Object.hasOwn(whole, part.key)) this.#there.add(path)
    const isField = part.within.within === undefined
    if (this.#there.has(path) || this.#missing.has(path) || (isField && this.#fields.has(part.key))) return
    const meant = nameMeant(part.key, Object.keys(whole))
    // Further within, keys are often data: names of machines, rounds. There only what is like another name is meant for it.
    if (!isField && meant === undefined) return
    const like = meant === undefined ? '' : `, whose name is like "${meant}",`
    const subject = `field "${part.key}" of machine "${machine}"${like} in ${property}`
    this.#missing.set(path, { keys: pathOf(part, state), subject })
    this.#witness.ask('field-never-there', subject, 0)
  }

  #found(path: string, subject: string): void {
    this.#missing.delete(path)
    this.#there.add(path)
    this.#witness.answer('field-never-there', subject)
  }
}

/** From the state of the machine on. */
function pathOf({ within, key }: Part, state: Value): string[] {
  if (within === undefined) return []
  return [...pathOf(within, state), Array.isArray(within.in(state)) ? element : key]
}

function isAnywhere(value: unknown, [key, ...below]: readonly string[]): boolean {
  if (key === undefined) return true
  if (key === element) return Array.isArray(value) && value.some((one) => isAnywhere(one, below))
  return isRecord(value) && Object.hasOwn(value, key) && isAnywhere(value[key], below)
}

function isRecord(value: unknown): value is Container {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
