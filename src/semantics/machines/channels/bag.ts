/** Channels of `bag`: any order. What is under way is a list, sorted, in which each copy stands. */
import type { Machines } from '../../../program/machines.ts'
import type { Carried, Channels, Delivery, Renamed } from './channels.ts'
import { Copies } from './copies.ts'

type Bag = readonly number[]

export class BagChannels implements Channels<Bag> {
  readonly nothing: Bag = []
  readonly #carried: Carried
  readonly #copies: Copies

  constructor(carried: Carried, machines: Pick<Machines, 'faults'>) {
    this.#carried = carried
    this.#copies = new Copies(carried, machines)
  }

  put(bag: Bag, messages: readonly number[]): Bag {
    if (messages.length === 0) return bag
    const copies = messages.flatMap((message) => this.#copies.of(message))
    return [...bag, ...copies].sort((left, right) => left - right)
  }

  begun(bag: Bag): Bag {
    return bag
  }

  /** Of equal messages those first that cost nothing: whichever comes, receivers see the same. */
  deliveries(bag: Bag): readonly Delivery<Bag>[] {
    const contents = new Set<number>()
    const deliveries: Delivery<Bag>[] = []
    for (const isDuplicate of [false, true]) {
      for (const [at, copy] of bag.entries()) {
        if (this.#copies.isDuplicate(copy) !== isDuplicate) continue
        const message = this.#copies.message(copy)
        const content = this.#carried.content(message)
        if (contents.has(content)) continue
        contents.add(content)
        deliveries.push({ message, after: bag.toSpliced(at, 1), spends: this.#copies.spending(copy, []) })
      }
    }
    return deliveries
  }

  messages(bag: Bag): ReadonlySet<number> {
    return new Set(bag.map((copy) => this.#copies.message(copy)))
  }

  key(bag: Bag): string {
    return bag.join()
  }

  renamed(bag: Bag, to: Renamed): Bag {
    return bag.map((copy) => this.#copies.renamed(copy, to)).sort((left, right) => left - right)
  }
}
