/** Channels with the faults that have struck, where a budget bounds them: what was spent is a part of what is under way. */
import { mostOf } from '../../../core/faults.ts'
import type { Machines } from '../../../program/machines.ts'
import type { Channels, Delivery, Renamed, Spending } from './channels.ts'

interface Spent extends Spending {
  readonly underWay: unknown
}

export class BudgetedChannels implements Channels<Spent> {
  readonly nothing: Spent
  readonly #channels: Channels
  readonly #most: Spending

  constructor(channels: Channels, { faults }: Pick<Machines, 'faults'>) {
    this.#channels = channels
    this.nothing = { underWay: channels.nothing, losses: 0, duplicates: 0 }
    this.#most = { losses: mostOf(faults, 'losses'), duplicates: mostOf(faults, 'duplicates') }
  }

  put(spent: Spent, messages: readonly number[]): Spent {
    return { ...spent, underWay: this.#channels.put(spent.underWay, messages) }
  }

  begun(spent: Spent, creator: number, created: number): Spent {
    return { ...spent, underWay: this.#channels.begun(spent.underWay, creator, created) }
  }

  deliveries(spent: Spent): readonly Delivery<Spent>[] {
    return this.#channels.deliveries(spent.underWay).flatMap(({ message, after, spends }) => {
      const losses = spent.losses + spends.losses
      const duplicates = spent.duplicates + spends.duplicates
      const isWithin = losses <= this.#most.losses && duplicates <= this.#most.duplicates
      return isWithin ? [{ message, after: { underWay: after, losses, duplicates }, spends }] : []
    })
  }

  messages({ underWay }: Spent): ReadonlySet<number> {
    return this.#channels.messages(underWay)
  }

  key({ underWay, losses, duplicates }: Spent): string {
    return `${losses},${duplicates}|${this.#channels.key(underWay)}`
  }

  renamed(spent: Spent, to: Renamed): Spent {
    return { ...spent, underWay: this.#channels.renamed(spent.underWay, to) }
  }
}
