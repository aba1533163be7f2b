/** Channels of `bag`: any order. What is under way is a list, sorted, in which each copy stands. */
import type { MachineNetwork } from '../../../program/machines.ts'
import type { Carried, Channels, Delivery } from './channels.ts'

type Bag = readonly number[]

export class BagChannels implements Channels<Bag> {
  readonly nothing: Bag = []
  readonly #carried: Carried
  readonly #copies: number

  constructor(carried: Carried, { duplicates }: MachineNetwork) {
    this.#carried = carried
    this.#copies = 1 + duplicates
  }

  put(bag: Bag, messages: readonly number[]): Bag {
    if (messages.length === 0) return bag
    const copies = messages.flatMap((message) => Array.from({ length: this.#copies }, () => message))
    return [...bag, ...copies].sort((left, right) => left - right)
  }

  begun(bag: Bag): Bag {
    return bag
  }

  deliveries(bag: Bag): readonly Delivery<Bag>[] {
    const contents = new Set<number>()
    const deliveries: Delivery<Bag>[] = []
    for (const [at, message] of bag.entries()) {
      const content = this.#carried.content(message)
      if (contents.has(content)) continue
      contents.add(content)
      deliveries.push({ message, after: bag.toSpliced(at, 1) })
    }
    return deliveries
  }

  messages(bag: Bag): ReadonlySet<number> {
    return new Set(bag)
  }

  key(bag: Bag): string {
    return bag.join()
  }
}
