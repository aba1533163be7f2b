/** Random programs, drawn from a seed: small ones, because every interleaving of each is going to be enumerated. */
import type { FaultBudget } from '../../src/core/faults.ts'
import { networkNames } from '../../src/core/operation.ts'
import { Random } from '../../src/core/random.ts'
import {
  type Condition,
  childId,
  type Filter,
  type Instruction,
  type ProgramText,
  type Tag,
  type Target,
} from './text.ts'

export interface GenerateOptions {
  /** Whether sends may name a network of their own. */
  readonly mixed: boolean
  /** Whether programs may have monitors and announcements. */
  readonly monitors: boolean
  /** Whether filters may read variables that change after the receive. */
  readonly changing?: boolean
  /** Whether filters may throw. */
  readonly throwing?: boolean
  /** Whether processes may send to processes whose address never reached them, and that may not have begun yet. */
  readonly anywhere?: boolean
  /** Whether receives may name a sender, and messages leave out theirs. */
  readonly senders?: boolean
  /** Whether processes often wait for others to end, and tell what they know then. */
  readonly joins?: boolean
  /** Whether something may go wrong: programs get a budget of faults, and fewer operations. */
  readonly faults?: boolean
  /** Operations beside spawns, all processes together; by number of processes when left out. */
  readonly operations?: number
}

/** The program of a seed. */
export function generate(seed: number, options: GenerateOptions): ProgramText {
  return new Generator(seed, options).program()
}

/** A process while it is written. */
interface Draft {
  readonly id: string
  readonly parent: Draft | undefined
  readonly body: Instruction[]
  /** Addresses that have reached it; a child also knows all its parent knew. */
  readonly known: string[]
}

/** Operations that keep the number of interleavings in the hundreds, by number of processes. */
const usualOperations: { readonly [processes: number]: number } = { 2: 8, 3: 7, 4: 5, 5: 5 }

class Generator {
  readonly #random: Random
  readonly #options: GenerateOptions
  readonly #name: string
  readonly #drafts: Draft[] = []
  #withMonitor = false

  constructor(seed: number, options: GenerateOptions) {
    this.#random = new Random(Math.imul(seed + 1, 0x9e3779b1)).split()
    this.#options = options
    this.#name = `generated ${seed}${options.mixed ? ' mixed' : ''}`
  }

  program(): ProgramText {
    const main: Draft = { id: 'main', parent: undefined, body: [], known: ['main'] }
    this.#drafts.push(main)
    this.#withMonitor = this.#options.monitors && this.#chance(0.12)
    const processes = this.#weighted([2, 3, 4, 5], [3, 6, 3, 1])
    const usual = (usualOperations[processes] ?? 4) - (this.#withMonitor ? 2 : 0)
    // Faults multiply interleavings.
    const faultless = usual - this.#random.below(2)
    let left = this.#options.operations ?? (this.#options.faults ? Math.max(2, faultless - 2) : faultless)
    for (let spawned = 1; spawned < processes; spawned++) {
      // Now and then something happens before the next process starts.
      while (left > 0 && this.#chance(0.15)) left -= this.#addOperation()
      this.#addProcess(spawned)
    }
    if (this.#options.joins && this.#chance(0.5)) left -= this.#addHandover()
    else if (processes < 5 && this.#chance(0.3)) left -= this.#chance(0.6) ? this.#addRelay() : this.#addCrossing()
    while (left > 0) left -= this.#addOperation()
    const monitor = { tag: this.#tag(), hears: 1 + this.#random.below(2), fears: this.#random.below(3) }
    return {
      name: this.#name,
      main: main.body,
      monitor: this.#withMonitor ? monitor : undefined,
      unwantedSum: this.#chance(0.2) ? this.#random.below(5) : undefined,
      ...(this.#options.faults ? { faults: this.#faultBudget() } : {}),
    }
  }

  /** Mostly one kind of fault, so that the program stays small enough; now and then two. */
  #faultBudget(): FaultBudget {
    const kinds = ['crashes', 'restarts', 'losses', 'duplicates', 'partitions'] as const
    const drawn = this.#random.shuffle(kinds).slice(0, this.#chance(0.3) ? 2 : 1)
    const budget = Object.fromEntries(drawn.map((kind) => [kind, this.#chance(0.3) ? 2 : 1])) as FaultBudget
    return { ...budget, crashes: Math.max(budget.crashes ?? 0, budget.restarts ?? 0) }
  }

  #addProcess(number: number): void {
    const parent = this.#chance(0.8) ? (this.#drafts[0] as Draft) : this.#random.pick(this.#drafts)
    // A name that is not used by a sibling: `p1`, `p2`, … under main, `p1/p3` inside.
    const name = `p${number}`
    const id = childId(parent.id, name)
    parent.known.push(id)
    const child: Draft = { id, parent, body: [], known: [...parent.known] }
    const spawn = { kind: 'spawn', name, daemon: this.#chance(0.1), body: child.body } as const
    parent.body.push(this.#options.faults && this.#chance(0.1) ? { ...spawn, crashes: false } : spawn)
    this.#drafts.push(child)
  }

  /** Adds an operation to some process; how much of the budget it used. */
  #addOperation(): number {
    // Mostly where a message is still to be received: processes that wait for nothing make dull programs.
    const expecting = this.#drafts.filter((draft) => this.#unread(draft) > 0)
    if (expecting.length > 0 && this.#chance(0.4)) {
      const kind = this.#chance(0.7) ? 'receive' : 'poll'
      const draft = this.#random.pick(expecting)
      draft.body.push(this.#reading(kind, draft))
      return 1
    }
    const draft = this.#random.pick(this.#drafts)
    const instruction = this.#instruction(draft)
    draft.body.push(instruction)
    return instruction.kind === 'assume' || instruction.kind === 'assert' ? 0 : 1
  }

  /** Sends to a process so far, less its receives. */
  #unread({ id, body }: Draft): number {
    const sends = this.#drafts.flatMap((draft) =>
      draft.body.filter((each) => each.kind === 'send' && each.to !== 'sender' && each.to.id === id),
    )
    return sends.length - body.filter(({ kind }) => kind === 'receive' || kind === 'poll').length
  }

  #instruction(draft: Draft): Instruction {
    const kinds = ['send', 'receive', 'poll', 'choose', 'assume', 'assert', 'join', 'announce'] as const
    const kind = this.#weighted(kinds, [60, 4, 6, 6, 3, 3, this.#options.joins ? 20 : 3, this.#withMonitor ? 6 : 0])
    switch (kind) {
      case 'send':
        return this.#send(draft)
      case 'receive':
      case 'poll':
        return this.#reading(kind, draft)
      case 'choose':
        return { kind, options: this.#chance(0.8) ? 2 : 3 }
      case 'assume':
      case 'assert':
        return { kind, that: this.#condition(0.1) }
      case 'announce':
        return { kind, tag: this.#tag() }
      case 'join': {
        const others = draft.known.filter((id) => id !== draft.id)
        return others.length === 0 ? this.#send(draft) : { kind, target: this.#random.pick(others) }
      }
    }
  }

  /** One process tells a second and then a third, who tells the second too: where causal delivery differs from fifo. */
  #addRelay(): number {
    const [second, first, third] = this.#random.shuffle(this.#drafts)
    if (second === undefined || first === undefined || third === undefined) return 0
    if (!knows(first, second) || !knows(first, third) || !knows(third, second)) return 0
    first.body.push(this.#sendTo(second), this.#sendTo(third))
    third.body.push(this.#reading('receive', third), this.#sendTo(second))
    second.body.push(this.#reading('receive', second))
    return 6
  }

  /** Two processes send to the same two in opposite orders: where a mailbox differs from causal delivery. */
  #addCrossing(): number {
    const [first, second, left, right] = this.#random.shuffle([...this.#drafts, ...this.#drafts])
    if (first === undefined || second === undefined || left === undefined || right === undefined || left === right)
      return 0
    if (![first, second].every((sender) => knows(sender, left) && knows(sender, right))) return 0
    first.body.push(this.#sendTo(left), this.#sendTo(right))
    second.body.push(this.#sendTo(right), this.#sendTo(left))
    for (const receiver of [left, right]) receiver.body.push(this.#reading('receive', receiver))
    return 7
  }

  /** As a crossing, but one of the two tells only one, ends, and another process that waited for its end tells the other. */
  #addHandover(): number {
    for (let attempt = 0; attempt < 10; attempt++) {
      const [first, heir, second] = this.#random.shuffle(this.#drafts)
      const [left, right] = this.#random.shuffle(this.#drafts)
      if (first === undefined || heir === undefined || second === undefined || left === first || right === first)
        continue
      if (left === undefined || right === undefined || !knows(heir, first) || !knows(heir, right)) continue
      if (!knows(first, left) || !knows(second, left) || !knows(second, right)) continue
      first.body.push(this.#sendTo(left))
      heir.body.push({ kind: 'join', target: first.id }, this.#sendTo(right))
      second.body.push(this.#sendTo(right), this.#sendTo(left))
      for (const receiver of [left, right]) receiver.body.push({ kind: 'receive', filter: { kind: 'any' } })
      return 7
    }
    return 0
  }

  #sendTo({ id }: Draft): Instruction {
    return { ...this.#sending({ id }), when: { kind: 'always' } }
  }

  #send(draft: Draft): Instruction {
    return this.#sending(this.#chance(0.15) ? 'sender' : { id: this.#random.pick(this.#likelyTargets(draft)) })
  }

  #sending(to: Target): Extract<Instruction, { kind: 'send' }> {
    return {
      kind: 'send',
      to,
      tag: this.#tag(),
      value: this.#chance(0.2) ? 'last' : this.#random.below(4),
      network: this.#options.mixed && this.#chance(0.6) ? this.#random.pick(networkNames) : undefined,
      when: this.#condition(0.8),
      ...(this.#options.senders && this.#chance(0.4) ? { anonymous: true } : {}),
    }
  }

  #reading(kind: 'receive' | 'poll', draft: Draft): Instruction {
    const filter = this.#filter()
    if (!this.#options.senders || this.#chance(0.4)) return { kind, filter }
    if (this.#chance(0.25)) return { kind, filter, from: 'sender' }
    const sending = this.#drafts.filter((sender) => knows(draft, sender) && sendsTo(sender, draft))
    const known = sending.length > 0 && this.#chance(0.9) ? sending.map(({ id }) => id) : draft.known
    return { kind, filter, from: { id: this.#random.pick(known) } }
  }

  /** Messages meet in few inboxes, or they never compete: processes that receive already count three times. */
  #likelyTargets(draft: Draft): readonly string[] {
    const receivers = this.#drafts
      .filter(
        ({ id, body }) => draft.known.includes(id) && body.some(({ kind }) => kind === 'receive' || kind === 'poll'),
      )
      .map(({ id }) => id)
    if (this.#options.anywhere && this.#chance(0.4)) return this.#drafts.map(({ id }) => id)
    return [...draft.known, ...receivers, ...receivers]
  }

  #condition(always: number): Condition {
    if (this.#chance(always)) return { kind: 'always' }
    const kind = this.#weighted(['is', 'even', 'nothing'] as const, [2, 2, 1])
    return kind === 'is' ? { kind, value: this.#random.below(4) } : { kind }
  }

  #filter(): Filter {
    const kind = this.#weighted(['any', 'tag', 'value', 'parity', 'other', 'changing', 'throwing'] as const, [
      10,
      3,
      1,
      2,
      1,
      this.#options.changing ? 4 : 0,
      this.#options.throwing ? 30 : 0,
    ])
    switch (kind) {
      case 'tag':
        return { kind, tag: this.#tag() }
      case 'value':
        return { kind, value: this.#random.below(4) }
      case 'parity':
        return { kind, parity: this.#random.below(2) }
      case 'throwing':
        return { kind, parity: this.#random.below(2), tag: this.#tag() }
      default:
        return { kind }
    }
  }

  #tag(): Tag {
    return this.#chance(0.5) ? 'x' : 'y'
  }

  #chance(share: number): boolean {
    return this.#random.below(1000) < share * 1000
  }

  #weighted<T>(items: readonly T[], weights: readonly number[]): T {
    let draw = this.#random.below(weights.reduce((sum, weight) => sum + weight, 0))
    for (const [at, item] of items.entries()) {
      draw -= weights[at] ?? 0
      if (draw < 0) return item
    }
    return items[0] as T
  }
}

function sendsTo(sender: Draft, { id }: Draft): boolean {
  return sender.body.some((each) => each.kind === 'send' && each.to !== 'sender' && each.to.id === id)
}

function knows(draft: Draft, other: Draft): boolean {
  return draft.known.includes(other.id)
}
