/** What may happen next in a configuration, as decisions and as what they are to the machine concerned. */
import type { Decision } from '../../core/trace.ts'
import { haltEvent } from '../../ir/ir.ts'
import type { Code } from './code.ts'
import type { Configuration, MachineState, Message } from './configuration.ts'
import type { Delivery } from './delivery.ts'
import type { ChoosingHandlers } from './endless-choices.ts'
import { optionNames } from './fair-choices.ts'
import type { RefinedObjects } from './refined.ts'
import type { IrValue } from './value.ts'

export interface Rules {
  readonly code: Code
  readonly delivery: Delivery
  /** Blocks that one turn of a machine may enter before somebody looks whether it ends. */
  readonly blocks: number
  /** Looks whether handlers that choose can end. */
  readonly choosing: ChoosingHandlers
  /** Turns that each machine has, if they are bounded. */
  readonly turns: number | undefined
  /** Abstract objects that are refined, if there are any. */
  readonly refined?: RefinedObjects | undefined
  /** Whether what lies between steps is told. */
  readonly details?: boolean | undefined
}

export type Move = { readonly decision: Decision; readonly machine: MachineState } & (
  | { readonly kind: 'begin'; readonly message: Message | undefined }
  /** After others came first. */
  | { readonly kind: 'goOn' }
  /** What a state does when there is nothing to receive. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'arrive' | 'take'; readonly message: Message }
  | { readonly kind: 'choose'; readonly option: IrValue }
)

export interface Moves {
  readonly moves: readonly Move[]
  /** Machines that could move, had they turns left. */
  readonly stopped: readonly MachineState[]
}

export function movesIn(configuration: Configuration, rules: Rules): Moves {
  const { machines, choosing, violation } = configuration
  if (violation !== undefined) return { moves: [], stopped: [] }
  if (choosing !== undefined) return { moves: choiceMoves(machines.get(choosing) as MachineState), stopped: [] }
  const all = [...ownMoves(configuration, rules), ...arrivals(configuration, rules)]
  const { turns } = rules
  if (turns === undefined) return { moves: all, stopped: [] }
  const stopped = new Set(all.map(({ machine }) => machine).filter((machine) => machine.turns >= turns))
  return { moves: all.filter(({ machine }) => machine.turns < turns), stopped: [...stopped] }
}

function choiceMoves(machine: MachineState): readonly Move[] {
  const waits = machine.paused?.waits
  const options = waits?.kind === 'choose' ? waits.options : []
  return options.map((option, at) => {
    const decision = { kind: 'choose', process: machine.ref.process, option: at } as const
    return { kind: 'choose', decision, machine, option }
  })
}

/** A name for each option of a machine that chooses fairly. Each machine has each choice of the program to itself. */
export function fairOptions({ ref, paused }: MachineState): readonly string[] {
  if (paused?.waits.kind !== 'choose' || !paused.waits.isFair) return []
  const { function: index, block, at } = paused.frame
  return optionNames(ref.process, [index, block, at], paused.waits.options.length)
}

function* ownMoves({ machines }: Configuration, rules: Rules): Generator<Move> {
  for (const machine of machines.values()) {
    const { process } = machine.ref
    const step = { kind: 'step', process } as const
    if (machine.phase === 'created' && rules.delivery.interleaves)
      yield { kind: 'begin', decision: step, machine, message: undefined }
    if (machine.phase !== 'begun') continue
    const message = nextInInbox(machine, rules.code)
    if (message !== undefined)
      yield { kind: 'take', decision: { kind: 'deliver', process, message: message.number }, machine, message }
    else if (machine.paused === undefined) {
      if (stateOf(machine, rules.code).onNull !== undefined) yield { kind: 'nothing', decision: step, machine }
    } else if (machine.paused.waits.kind !== 'receive') yield { kind: 'goOn', decision: step, machine }
  }
}

/** A machine that has something to take from its inbox takes that first. */
function* arrivals({ machines, underWay }: Configuration, { code, delivery }: Rules): Generator<Move> {
  for (const message of delivery.arriving(underWay)) {
    const machine = machines.get(message.to) as MachineState
    const { process } = message.to
    if (message.event === undefined) yield { kind: 'begin', decision: { kind: 'step', process }, machine, message }
    else if (machine.phase === 'begun' && nextInInbox(machine, code) === undefined)
      yield { kind: 'arrive', decision: { kind: 'deliver', process, message: message.number }, machine, message }
  }
}

/** The message in the inbox that the machine takes next. What a `receive` takes is not a matter of the state. */
export function nextInInbox(machine: MachineState, code: Code): Message | undefined {
  const { inbox, paused } = machine
  if (inbox.length === 0) return undefined
  if (paused === undefined) {
    const { handlers } = stateOf(machine, code)
    return inbox.find(({ event }) => handlers.get(event as number)?.kind !== 'defer')
  }
  const { waits } = paused
  if (waits.kind !== 'receive') return undefined
  return inbox.find(({ event }) => event === haltEvent || waits.events.includes(event as number))
}

/** Drops what the state ignores, as far as the machine looks for something to handle. One that has not begun does not look yet. */
export function settledInbox(machine: MachineState, code: Code): readonly Message[] {
  const { inbox, paused, phase } = machine
  if (phase !== 'begun' || paused !== undefined || inbox.length === 0) return inbox
  const { handlers } = stateOf(machine, code)
  const isIgnored = ({ event }: Message): boolean => handlers.get(event as number)?.kind === 'ignore'
  const isDeferred = ({ event }: Message): boolean => handlers.get(event as number)?.kind === 'defer'
  const taken = inbox.findIndex((message) => !isIgnored(message) && !isDeferred(message))
  const end = taken < 0 ? inbox.length : taken
  return inbox.filter((message, at) => at >= end || !isIgnored(message))
}

export function stateOf({ ref, state }: MachineState, { ir }: Code) {
  const found = ir.machines[ref.machine]?.states[state]
  if (found === undefined) throw new RangeError(`${ref.process} is in a state that it has`)
  return found
}
