/**
 * States up to the names of machines (symmetry, S in Table 4 of PSym; Ip and Dill 1996; Clarke, Enders, Filkorn and Jha 1996). Machines that one machine has
 * created under one name are siblings. A program that never looks at the order of machines (`order-of-machines.ts`) treats siblings alike: if they change
 * places in a state, with their descendants and with everything that refers to them, its future is the same up to names. So of all states that differ in that
 * alone, one is kept. Siblings are sorted by what they are like without names, and then by how others speak of them. Of those that are still alike every
 * order is tried, unless none makes a difference, and the one with the least state is taken. Where there are too many orders they stay as they are, and
 * several states of one orbit are kept: that costs, and loses nothing.
 *
 * Nothing is lost either if siblings have different data, and nothing gained: then no two states differ in names alone. Where siblings are created with
 * different data, and no two alike, the search is refused: somebody has asked for a symmetry that is not there.
 */
import { SequenceInterner } from '../../../collections/sequence-interner.ts'
import { DiagnosticError } from '../../../core/diagnostic.ts'
import { type Descent, descentOf, OtherNames } from '../../../semantics/ir/siblings.ts'
import type { MachineRef } from '../../../semantics/ir/value.ts'
import type { Permutation } from '../../../semantics/ir/way-back.ts'
import { type Atoms, machineName, monitorName, partKinds } from '../atoms.ts'
import { lineName, type Slot, type SymbolicState } from '../state.ts'
import { emptySeq } from '../summaries/seq.ts'
import { nowhere } from '../summaries/summary.ts'
import { createdApart } from './refusal.ts'
import { RenamedValues } from './renamed-values.ts'
import { Signatures } from './signatures.ts'

/** Which state is kept, and how its machines were renamed; undefined: they were not. */
export interface Settled {
  readonly state: number
  readonly renamed: Permutation | undefined
}

/** What a state has, by the names of its parts. */
type Contents = ReadonlyMap<string, number>

type Group = readonly Slot[]

/** Machines under other names, and values with them. */
interface Names {
  readonly others: OtherNames
  readonly values: RenamedValues
}

/** More orders of siblings than this are not tried in one state. */
const mostOrders = 120
/** Ways to rename that are remembered, each with all values that it was used for. */
const mostNames = 1_000

export class Orbits {
  readonly #state: SymbolicState
  readonly #atoms: Atoms
  readonly #signatures: Signatures
  readonly #sums = new SequenceInterner()
  readonly #names = new Map<string, Names>()
  readonly #descents: Descent[] = []
  /** Which state is kept for each that was met. */
  readonly #known = new Map<number, number>()
  /** Whether siblings have been created of which some are alike. */
  #areAlike = false

  constructor(state: SymbolicState, atoms: Atoms) {
    this.#state = state
    this.#atoms = atoms
    this.#signatures = new Signatures(state.lifting)
  }

  /** Asked again of the same state, it does not tell how machines were renamed. */
  settled(state: number): Settled {
    const known = state === nowhere ? state : this.#known.get(state)
    if (known !== undefined) return { state: known, renamed: undefined }
    const settled = this.#settled(state)
    this.#known.set(state, settled.state)
    return settled
  }

  #settled(state: number): Settled {
    const same = { state, renamed: undefined }
    const contents = this.#atoms.contents(state)
    const present = this.#state.slots.filter((slot) => contents.has(machineName(slot)))
    const groups = this.#groups(present)
    if (groups.length === present.length) return same
    this.#compare(groups, contents)
    const order = this.#least(groups, contents)
    if (order.every((group, at) => group.every((slot, place) => slot === groups[at]?.[place]))) return same
    const names = this.#namesFor(order)
    const refs = present.map(({ ref }) => [ref, names.others.of(ref)] as const)
    return { state: this.#atoms.holding(new Map(this.#renamed(contents, order, names))), renamed: { refs } }
  }

  #descent({ at, ref }: Slot): Descent {
    const known = this.#descents[at] ?? descentOf(ref)
    this.#descents[at] = known
    return known
  }

  /** Siblings of one name and kind, in the order of their numbers; creators before those whom they created. */
  #groups(present: Group): readonly Group[] {
    const groups = new Map<string, Slot[]>()
    for (const slot of present) {
      const { creator, name } = this.#descent(slot)
      const key = `${creator}/${name} ${slot.ref.machine}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [slot])
      else group.push(slot)
    }
    const depth = ([slot]: Group): number => slot?.ref.order.split('/').length ?? 0
    for (const group of groups.values())
      group.sort((left, right) => this.#descent(left).count - this.#descent(right).count)
    return [...groups.values()].sort((left, right) => depth(left) - depth(right))
  }

  /** Siblings that have not begun have what they were created with. */
  #compare(groups: readonly Group[], contents: Contents): void {
    if (this.#areAlike) return
    let apart: Slot | undefined
    for (const group of groups) {
      const created = group.filter((slot) => this.#kindOf(contents, slot) === partKinds.created)
      const looks = new Set(created.map((slot) => this.#signatures.of(contents.get(machineName(slot)) ?? 0)))
      if (looks.size < created.length) this.#areAlike = true
      else if (created.length > 1) apart ??= created[0]
    }
    if (apart !== undefined && !this.#areAlike) throw new DiagnosticError(createdApart(this.#state.code.ir, apart.ref))
  }

  #kindOf(contents: Contents, slot: Slot): number | undefined {
    return this.#state.lifting.opened(contents.get(machineName(slot)) ?? 0)?.names
  }

  /** The order of siblings in which the state becomes the least. */
  #least(groups: readonly Group[], contents: Contents): readonly Group[] {
    const looks = groups.map((group) => this.#byLooks(group, contents))
    const open = looks.map((classes) =>
      classes.map((alike) => (this.#isFree(alike, groups, contents) ? [alike] : ordersOf(alike))),
    )
    const orders = open.flat().reduce((product, one) => product * one.length, 1)
    const first = looks.map((classes) => classes.flat())
    if (orders === 1 || orders > mostOrders) return first
    let [least, leastText] = [first, '']
    for (const order of combinations(open.map((classes) => combinations(classes).map((one) => one.flat())))) {
      const text = textOf(this.#renamed(contents, order, this.#namesFor(order)))
      if (leastText === '' || text < leastText) [least, leastText] = [[...order], text]
    }
    return least
  }

  /** Whether a state is the same in whatever order these siblings are: any two neighbours may change places. */
  #isFree(alike: Group, groups: readonly Group[], contents: Contents): boolean {
    return alike.slice(1).every((slot, before) => {
      const other = alike[before] as Slot
      const swapped = groups.map((group) =>
        group.includes(slot) ? group.map((one) => (one === slot ? other : one === other ? slot : one)) : group,
      )
      for (const [name, value] of this.#renamed(contents, swapped, this.#namesFor(swapped)))
        if (contents.get(name) !== value) return false
      return true
    })
  }

  /** Siblings in this order have their numbers in ascending order; creators come before those whom they created. */
  #namesFor(groups: readonly Group[]): Names {
    const key = groups.map((group) => group.map(({ at }) => at).join()).join(' ')
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const { values } = this.#state.code
    const others = new OtherNames(values)
    const creators = new Map(groups.flat().map(({ ref }) => [ref.order, ref]))
    for (const group of groups) {
      const counts = group.map((slot) => this.#descent(slot).count).sort((left, right) => left - right)
      for (const [at, slot] of group.entries()) {
        const { creator: order, name } = this.#descent(slot)
        const creator = creators.get(order)
        const descent = { creator: creator && others.of(creator), name, count: counts[at] as number }
        others.set(slot.ref, values.machine({ ...descent, machine: slot.ref.machine }))
      }
    }
    const made = { others, values: new RenamedValues(this.#state.lifting.packed, (ref) => others.of(ref)) }
    if (this.#names.size >= mostNames) this.#names.clear()
    this.#names.set(key, made)
    return made
  }

  /** By what they are like without names, and then by how others speak of them: those that are alike in both together. */
  #byLooks(group: Group, contents: Contents): readonly Group[] {
    if (group.length === 1) return [group]
    const own = classesBy(group, (slot) => this.#looks(slot, contents, undefined))
    return own.flatMap((alike) =>
      alike.length === 1 ? [alike] : classesBy(alike, (slot) => this.#surroundings(slot, contents)),
    )
  }

  /** A machine and what it has sent, as a number, without names but that of one machine. */
  #looks(slot: Slot, contents: Contents, marked: MachineRef | undefined): number {
    const { lifting } = this.#state
    const lines = [...slot.lines.keys()].map((key) => {
      const messages = lifting.opened(contents.get(lineName(slot, key)) ?? 0)?.parts[2]
      return messages === undefined ? 0 : this.#signatures.of(messages, marked)
    })
    const sent = lines.filter((line) => line !== 0).sort((left, right) => left - right)
    return this.#sums.intern([this.#signatures.of(contents.get(machineName(slot)) ?? 0, marked), ...sent])
  }

  /** All others, and monitors. */
  #surroundings(one: Slot, contents: Contents): number {
    const { ref } = one
    const others = this.#state.slots.filter((slot) => slot !== one && contents.has(machineName(slot)))
    const looks = others.map((slot) => this.#looks(slot, contents, ref)).sort((left, right) => left - right)
    const watching = this.#state.monitors.map((_, at) => this.#signatures.of(contents.get(monitorName(at)) ?? 0, ref))
    return this.#sums.intern([...looks, -1, ...watching])
  }

  /** Everything at the places of those that machines become. */
  *#renamed(
    contents: Contents,
    groups: readonly Group[],
    { others, values }: Names,
  ): Generator<readonly [string, number]> {
    for (const slot of groups.flat()) {
      const other = this.#state.slotOf(others.of(slot.ref))
      yield [machineName(other), values.of(contents.get(machineName(slot)) ?? 0)]
      for (const line of [...slot.lines.keys()]) {
        const sent = contents.get(lineName(slot, line))
        if (sent === undefined) continue
        const key = this.#lineOf(line, others)
        if (!other.lines.has(key)) other.lines.set(key, emptySeq(this.#state.lifting))
        yield [lineName(other, key), values.line(sent, key)]
      }
    }
    for (const at of this.#state.monitors.keys()) yield [monitorName(at), values.of(contents.get(monitorName(at)) ?? 0)]
  }

  /** Lines are by the slots of their targets, or there is one. */
  #lineOf(line: number, others: OtherNames): number {
    const target = line === 0 ? undefined : this.#state.slots[line]
    return target === undefined ? 0 : this.#state.slotOf(others.of(target.ref)).at
  }
}

/** Those with the same number together, in the order of numbers. */
function classesBy(group: Group, numberOf: (slot: Slot) => number): readonly Group[] {
  const classes = new Map<number, Slot[]>()
  for (const slot of group) {
    const number = numberOf(slot)
    classes.set(number, [...(classes.get(number) ?? []), slot])
  }
  return [...classes].sort(([left], [right]) => left - right).map(([, alike]) => alike)
}

function textOf(contents: Iterable<readonly [string, number]>): string {
  return [...contents]
    .map(([name, value]) => `${name}:${value}`)
    .sort()
    .join()
}

/** Those with too many orders are not asked for them all. */
function ordersOf(group: Group): readonly Group[] {
  let orders: readonly Group[] = [[]]
  for (const slot of group) {
    if (orders.length > mostOrders) return orders
    orders = orders.flatMap((order) => order.map((_, at) => order.toSpliced(at, 0, slot)).concat([[...order, slot]]))
  }
  return orders
}

/** One of each. */
function combinations<T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return choices.reduce<readonly (readonly T[])[]>(
    (all, options) => all.flatMap((one) => options.map((option) => [...one, option])),
    [[]],
  )
}
