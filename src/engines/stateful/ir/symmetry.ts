/**
 * States up to the names of machines. Machines that one machine has created under one name have no say in how they are numbered, so a state in which
 * two of them have changed places has the same future, with the names changed (symmetry: Ip and Dill 1996; Clarke, Enders, Filkorn and Jha
 * 1996). Of such states one is kept: siblings are sorted by what they are like without names, their descendants go with them, and all that
 * refers to them is renamed. Siblings that look alike stay as they are, so one orbit may keep several states: that costs, and loses nothing.
 *
 * Sound for programs that never look at the order of machines (`order-of-machines.ts`). A way through kept states is no execution: `WayBack`
 * undoes the renamings along it.
 */
import type { NetworkName } from '../../../core/operation.ts'
import { machineText, monitorText } from '../../../semantics/ir/configuration.ts'
import { refsOf } from '../../../semantics/ir/held.ts'
import { Renaming } from '../../../semantics/ir/renaming.ts'
import { type Descent, descentOf, OtherNames } from '../../../semantics/ir/siblings.ts'
import { keyOf, type MachineRef, type Values } from '../../../semantics/ir/value.ts'
import type { Permutation } from '../../../semantics/ir/way-back.ts'
import type { HandlerTable } from './handled.ts'
import { inputs } from './local-states.ts'
import type { Outgoing } from './outgoing.ts'
import { localPlace, monitorPlace, sentPlace } from './places.ts'
import type { StateVectors } from './state-vectors.ts'
import type { MonitorTable } from './watched.ts'

interface Tables {
  readonly handlers: HandlerTable
  readonly monitors: MonitorTable
  readonly outgoing: Outgoing
  readonly values: Values
  readonly network: NetworkName
}

interface Known extends Permutation {
  readonly renaming: Renaming
  readonly slots: readonly (readonly [before: number, after: number])[]
  /** What each number of a local state, of what is under way and of monitors becomes. */
  readonly locals: Map<number, number>
  readonly sent: Map<number, number>
  readonly monitors: Map<number, number>
}

export class Symmetry {
  readonly #tables: Tables
  readonly #descents: Descent[] = []
  readonly #creators: (MachineRef | undefined)[] = []
  readonly #known = new Map<string, Known>()
  /** Without names, each found once. */
  readonly #localTexts: (string | undefined)[] = []
  readonly #inputTexts: (string | undefined)[] = []
  readonly #markedLocals = new Map<string, string>()
  readonly #markings = new Map<MachineRef, Renaming>()
  /** Whether what a machine has sent is in an order that does not depend on names. */
  readonly #isInOrder: boolean
  /** Every machine is one of its kind, and nothing else. */
  readonly #anonymous: Renaming

  constructor(tables: Tables) {
    this.#tables = tables
    const { values } = tables
    this.#isInOrder = tables.network === 'sender-queue'
    this.#anonymous = new Renaming(values, ({ machine }) =>
      values.machine({ creator: undefined, name: `of kind ${machine}`, count: 1, machine }),
    )
  }

  /** Renames the machines of the vector that is being made; undefined: it stays as it is. */
  settle(vectors: StateVectors): Permutation | undefined {
    const present = this.#present(vectors)
    const groups = this.#groups(present)
    if (groups.length === present.length) return undefined
    const others = this.#sorted(groups, vectors)
    const { refs } = this.#tables.handlers
    if (present.every((slot) => others.of(refs[slot] as MachineRef) === refs[slot])) return undefined
    const permutation = this.#permutation(present, others)
    this.#apply(permutation, vectors)
    return permutation
  }

  #present(vectors: StateVectors): readonly number[] {
    const { refs } = this.#tables.handlers
    const present: number[] = []
    for (let slot = 0; slot < refs.length; slot++) if (vectors.get(localPlace(slot)) !== 0) present.push(slot)
    return present
  }

  #descent(slot: number): Descent {
    const known = this.#descents[slot] ?? descentOf(this.#tables.handlers.refs[slot] as MachineRef)
    this.#descents[slot] = known
    return known
  }

  #creator(slot: number): MachineRef | undefined {
    if (slot in this.#creators) return this.#creators[slot]
    const { creator } = this.#descent(slot)
    const found = this.#tables.handlers.refs.find(({ order }) => order === creator)
    this.#creators[slot] = found
    return found
  }

  /** Siblings of one name and kind; creators before those whom they created. */
  #groups(present: readonly number[]): readonly (readonly number[])[] {
    const groups = new Map<string, number[]>()
    for (const slot of present) {
      const { creator, name } = this.#descent(slot)
      const key = `${creator}/${name}/${this.#tables.handlers.refs[slot]?.machine}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [slot])
      else group.push(slot)
    }
    const depth = ([slot = 0]: readonly number[]): number => this.#descent(slot).creator.split('/').length
    return [...groups.values()].sort((left, right) => depth(left) - depth(right))
  }

  #sorted(groups: readonly (readonly number[])[], vectors: StateVectors): OtherNames {
    const { refs } = this.#tables.handlers
    const { values } = this.#tables
    const others = new OtherNames(values)
    const texts = this.#texts(groups, vectors)
    const mentions = new Map<number, string>()
    const order = (left: number, right: number): number =>
      compared(texts.get(left) ?? '', texts.get(right) ?? '') ||
      compared(...([left, right].map((slot) => once(mentions, slot, () => this.#mentions(slot, vectors))) as Two))
    for (const group of groups) {
      const counts = group.map((slot) => this.#descent(slot).count).sort((left, right) => left - right)
      const byCount = [...group].sort((left, right) => this.#descent(left).count - this.#descent(right).count)
      const sorted = byCount.sort(order)
      for (const [at, slot] of sorted.entries()) {
        const ref = refs[slot] as MachineRef
        const { name } = this.#descent(slot)
        const creator = this.#creator(slot)
        const descent = { creator: creator && others.of(creator), name, count: counts[at] as number }
        others.set(ref, values.machine({ ...descent, machine: ref.machine }))
      }
    }
    return others
  }

  /** What machines with siblings are like, up to names: their local states, what they sent, and what is sent to them. */
  #texts(groups: readonly (readonly number[])[], vectors: StateVectors): ReadonlyMap<number, string> {
    const { handlers, outgoing } = this.#tables
    const parts = new Map<number, string[]>()
    for (const group of groups) if (group.length > 1) for (const slot of group) parts.set(slot, [])
    for (const slot of groups.flat()) {
      const sent = vectors.get(sentPlace(slot))
      if (sent === 0) continue
      const kind = handlers.refs[slot]?.machine
      for (const entry of outgoing.entries(sent)) {
        const target = handlers.targetOf(entry)
        const input = this.#inputText(handlers.inputOf(entry))
        parts.get(slot)?.push(`>${handlers.refs[target]?.machine}${input}`)
        parts.get(target)?.push(`<${kind}${input}`)
      }
    }
    return new Map(
      [...parts].map(([slot, own]) => [
        slot,
        `${this.#localText(vectors.get(localPlace(slot)))}${own.sort().join(' ')}`,
      ]),
    )
  }

  /** Where others speak of a machine: what they are like, up to names but this one. Those that look alike differ in this, mostly. */
  #mentions(slot: number, vectors: StateVectors): string {
    const { handlers, outgoing, monitors } = this.#tables
    const ref = handlers.refs[slot] as MachineRef
    const told: string[] = []
    for (let other = 0; other < handlers.refs.length; other++) {
      const local = vectors.get(localPlace(other))
      if (local === 0 || other === slot) continue
      const sent = outgoing.entries(vectors.get(sentPlace(other))).map((entry) => this.#entryText(entry, ref))
      told.push(`${this.#markedLocal(local, ref)}${this.#isInOrder ? sent.join() : sent.sort().join()}`)
    }
    const watching = monitors.states(vectors.get(monitorPlace))
    const marked = this.#marked(ref)
    return `${told.sort().join('|')}|${watching.map((one) => monitorText(marked.monitor(one))).join()}`
  }

  #entryText(entry: number, ref: MachineRef): string {
    const { handlers } = this.#tables
    const [target, input] = [handlers.refs[handlers.targetOf(entry)] as MachineRef, handlers.inputOf(entry)]
    const message = handlers.message(input)
    const payload = message === undefined ? null : this.#marked(ref).value(message.payload)
    return `${target === ref ? '*' : target.machine}:${message?.event ?? input}(${keyOf(payload)})`
  }

  #markedLocal(local: number, ref: MachineRef): string {
    return once(this.#markedLocals, `${local}:${ref.id}`, () => {
      const machine = this.#tables.handlers.local(local)
      return refsOf(machine).has(ref) ? machineText(this.#marked(ref).machine(machine)) : ''
    })
  }

  /** Every machine is one of its kind, but one. */
  #marked(ref: MachineRef): Renaming {
    return once(this.#markings, ref, () => {
      const { values } = this.#tables
      const mark = values.machine({ creator: undefined, name: 'this one', count: 1, machine: ref.machine })
      return new Renaming(values, (one) => (one === ref ? mark : this.#anonymous.value(one)) as MachineRef)
    })
  }

  #localText(local: number): string {
    const text = this.#localTexts[local] ?? machineText(this.#anonymous.machine(this.#tables.handlers.local(local)))
    this.#localTexts[local] = text
    return text
  }

  #inputText(input: number): string {
    const known = this.#inputTexts[input]
    if (known !== undefined) return known
    const message = this.#tables.handlers.message(input)
    const text =
      message === undefined ? `${input}` : `${message.event}(${keyOf(this.#anonymous.value(message.payload))})`
    this.#inputTexts[input] = text
    return text
  }

  #permutation(present: readonly number[], others: OtherNames): Known {
    const { handlers, values } = this.#tables
    const refs = present.map((slot) => {
      const ref = handlers.refs[slot] as MachineRef
      return [ref, others.of(ref)] as const
    })
    const key = refs.map(([before, after]) => `${before.id}>${after.id}`).join()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made: Known = {
      refs,
      renaming: new Renaming(values, (ref) => others.of(ref)),
      slots: refs.map(([before, after]) => [handlers.slotOf(before), handlers.slotOf(after)]),
      locals: new Map(),
      sent: new Map([[0, 0]]),
      monitors: new Map(),
    }
    this.#known.set(key, made)
    return made
  }

  #apply(known: Known, vectors: StateVectors): void {
    const { renaming, slots } = known
    const { handlers, monitors, outgoing } = this.#tables
    const before = slots.map(([slot]) => [vectors.get(localPlace(slot)), vectors.get(sentPlace(slot))] as const)
    for (const [slot] of slots) {
      vectors.set(localPlace(slot), 0)
      vectors.set(sentPlace(slot), 0)
    }
    for (const [at, [, slot]] of slots.entries()) {
      const [local, sent] = before[at] as readonly [number, number]
      const renamed = once(known.locals, local, () => handlers.localOf(renaming.machine(handlers.local(local))))
      const underWay = once(known.sent, sent, () =>
        outgoing.entries(sent).reduce((all, entry) => outgoing.add(all, this.#entry(entry, known)), 0),
      )
      vectors.set(localPlace(slot), renamed)
      vectors.set(sentPlace(slot), underWay)
    }
    const watching = vectors.get(monitorPlace)
    const renamed = once(known.monitors, watching, () =>
      monitors.numberOf(monitors.states(watching).map((one) => renaming.monitor(one))),
    )
    vectors.set(monitorPlace, renamed)
  }

  #entry(entry: number, { renaming }: Known): number {
    const { handlers } = this.#tables
    const to = renaming.value(handlers.refs[handlers.targetOf(entry)] as MachineRef) as MachineRef
    const message = handlers.message(handlers.inputOf(entry))
    if (message === undefined) return handlers.entryFor(handlers.slotOf(to), inputs.begin)
    return handlers.sends(to, message.event as number, renaming.value(message.payload))
  }
}

function once<Key, Made>(known: Map<Key, Made>, key: Key, make: () => Made): Made {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make()
  known.set(key, made)
  return made
}

type Two = [left: string, right: string]

function compared(...[left, right]: Two): number {
  return left < right ? -1 : left > right ? 1 : 0
}
