/** Where one run of a handler comes to choose, and how it goes on from there: depth first each place is met once, and a run may come back to it. */

import type { MachineState } from '../../../semantics/ir/configuration.ts'
import { machineText } from '../../../semantics/ir/configuration.ts'
import type { FairChoices } from '../../../semantics/ir/fair-choices.ts'
import type { Effect } from './outcomes.ts'

/** A run that has come to choose. */
export interface AtChoice {
  readonly machine: MachineState
  readonly effects: readonly Effect[]
  readonly choices: readonly number[]
  readonly fair: FairChoices
}

/** An option, and the place at which it is taken. */
export interface Way {
  readonly place: number
  readonly option: number
}

interface ChoicePlace {
  readonly effects: readonly Effect[]
  /** Names of its options, if the choice is fair. */
  readonly offered: readonly string[]
  /** By option where it leads, if to a place. */
  readonly next: Map<number, number>
}

export class ChoiceGraph {
  readonly places: ChoicePlace[] = []
  readonly #numbers = new Map<string, number>()

  /** A place that a way leads to; undefined: nothing new follows from there. Most handlers choose once or twice, and come back to nowhere. */
  reached(at: AtChoice, way: Way | undefined, offered: readonly string[]): number | undefined {
    const text = at.choices.length > 1 ? choosingText(at) : undefined
    const known = text === undefined ? undefined : this.#numbers.get(text)
    const place = known ?? this.places.push({ effects: at.effects, offered, next: new Map() }) - 1
    if (text !== undefined) this.#numbers.set(text, place)
    if (way !== undefined) this.places[way.place]?.next.set(way.option, place)
    return known === undefined ? place : undefined
  }

  /** Whether some place can be met again and again. */
  get goesRound(): boolean {
    return this.#hasRound(() => true)
  }

  /** Whether that is so by choices of which none is fair. */
  get goesRoundUnfairly(): boolean {
    return this.#hasRound((place) => this.places[place]?.offered.length === 0)
  }

  /** Of places of some kind. */
  #hasRound(isOne: (place: number) => boolean): boolean {
    const left = new Set<number>()
    const onWay = new Set<number>()
    const open: { readonly place: number; readonly next: number[] }[] = []
    const enter = (place: number): void => {
      onWay.add(place)
      open.push({ place, next: [...(this.places[place]?.next.values() ?? [])].filter(isOne) })
    }
    for (const first of this.places.keys()) {
      if (!isOne(first) || left.has(first)) continue
      enter(first)
      for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
        const next = top.next.pop()
        if (next === undefined) {
          open.pop()
          onWay.delete(top.place)
          left.add(top.place)
        } else if (onWay.has(next)) return true
        else if (!left.has(next)) enter(next)
      }
    }
    return false
  }
}

/** Who has chosen otherwise before, where choices are fair, is not where the other one is. */
function choosingText({ machine, effects, fair }: AtChoice): string {
  return `${machineText(machine)}|${effectsText(effects)}|${fair.taken.join()}`
}

function effectsText(effects: readonly Effect[]): string {
  return effects.map((one) => (one.kind === 'tell' ? `t${one.observation}` : `${one.kind}${one.entry}`)).join()
}
