/** Whether what a file says about a part of a state is what a program can have there: nothing of it is explored unless it fits. */
import { haltEvent, type Ir, type IrFunction, type IrMachine, type IrType } from '../../ir/ir.ts'
import { isWrittenElsewhere, namesEventsLate } from '../../ir/late-types.ts'
import { machinesByFunction } from '../../ir/reach.ts'
import { defaultOf, isOfType } from '../../semantics/ir/typed-value.ts'
import type { IrValue, MachineRef, SeqValue, TupleValue } from '../../semantics/ir/value.ts'
import { partKinds } from './atoms.ts'
import { type Control, type Duty, hasPayload } from './controls.ts'
import type { Slot, SymbolicState } from './state.ts'

/** A part: what it is, and its items. */
interface Part {
  readonly names: number
  readonly items: readonly number[]
}

export class PartCheck {
  readonly #state: SymbolicState
  readonly #ir: Ir
  /** By function: the machines that can run it. */
  readonly #runners: readonly ReadonlySet<number>[]
  /** Whether payloads may be anything, because whoever takes them looks at them. */
  readonly #isAnyPayload: boolean

  constructor(state: SymbolicState) {
    this.#state = state
    this.#ir = state.code.ir
    this.#runners = machinesByFunction(this.#ir)
    this.#isAnyPayload = namesEventsLate(this.#ir)
  }

  isMachine(slot: Slot, packed: number): boolean {
    const { names, items } = this.#part(packed)
    if (items[0] !== this.#packedSelf(slot)) return false
    const { start, states } = this.#machineOf(slot)
    if (names === partKinds.halted) return items.length === 1
    if (names === partKinds.created)
      return items.length === 2 && this.#fitsEntry(states[start]?.entry, this.#unpacked(items[1] as number))
    return names <= partKinds.firstControl && this.#isBegun(slot, partKinds.firstControl - names, items)
  }

  #isBegun(slot: Slot, number: number, items: readonly number[]): boolean {
    const { fields } = this.#machineOf(slot)
    const control = number < this.#state.controls.size ? this.#state.controls.at(number) : undefined
    if (control === undefined || !this.#isControl(control, slot.ref.machine)) return false
    const [, counts, inbox, ...rest] = items
    if (counts === undefined || inbox === undefined || !this.#areCounts(counts)) return false
    const types = [...fields.map(({ type }) => type), ...this.#savedTypes(control)]
    const arrived = this.#list(inbox)
    return (
      arrived?.every((one) => this.#isMessage(one)) === true &&
      rest.length === types.length &&
      rest.every((value, at) => this.#fits(this.#unpacked(value), types[at]))
    )
  }

  #areCounts(packed: number): boolean {
    const { names, items } = this.#part(packed)
    return names === partKinds.counts && items.every((count) => (count & 1) === 1 && count > 0)
  }

  /** Locals of the functions under way, and payloads of what is to be done after them; undefined: it may be anything. */
  #savedTypes({ frames, duties }: Control): readonly (IrType | undefined)[] {
    const { functions } = this.#ir
    const locals = frames.flatMap((frame) => functions[frame.function]?.locals.map(({ type }) => type) ?? [])
    return [...locals, ...duties.filter(hasPayload).map((duty) => this.#payloadType(duty))]
  }

  #payloadType(duty: Duty): IrType | undefined {
    return duty.kind === 'call' && !this.#isAnyPayload ? parameterOf(this.#ir.functions[duty.function]) : undefined
  }

  /** An entry that takes nothing is given anything. */
  #fitsEntry(entry: number | undefined, value: IrValue): boolean {
    return this.#fits(value, entry === undefined ? undefined : parameterOf(this.#ir.functions[entry]))
  }

  #fits(value: IrValue, type: IrType | undefined): boolean {
    if (type === undefined || isWrittenElsewhere(type) || isOfType(value, type, this.#ir)) return true
    return value === defaultOf(type, this.#state.code.values)
  }

  #isControl({ state, frames, duties }: Control, machine: number): boolean {
    const { states } = this.#ir.machines[machine] as IrMachine
    const runs = (index: number): boolean => this.#runners[index]?.has(machine) === true
    if (state >= states.length || (frames.length === 0 && duties.length > 0)) return false
    const isWaiting = frames.every((frame, at) => {
      const block = this.#ir.functions[frame.function]?.blocks[frame.block]
      if (!runs(frame.function) || block === undefined) return false
      if (at === 0) return block.end.kind === 'receive' && frame.at === block.instructions.length
      const call = block.instructions[frame.at]
      return call?.kind === 'call' && call.function === frames[at - 1]?.function
    })
    return isWaiting && duties.every((duty) => this.#isDuty(duty, runs, states.length))
  }

  #isDuty(duty: Duty, runs: (index: number) => boolean, states: number): boolean {
    if (duty.kind === 'call') return runs(duty.function)
    if (duty.kind === 'enter') return duty.state < states
    return duty.kind === 'halt' || (duty.kind === 'unhandled' && duty.event < this.#ir.events.length)
  }

  isLine(slot: Slot, key: number, packed: number): boolean {
    const { names, items } = this.#part(packed)
    const [self, named, line] = items
    if (names !== partKinds.line || items.length !== 3 || self !== this.#packedSelf(slot)) return false
    if (named !== key * 2 + 1 || line === undefined) return false
    const messages = this.#list(line)
    const only = this.#state.messages?.all[key]
    const isFit = (one: IrValue): boolean => (only === undefined ? this.#isSent(one) : one === this.#unpacked(only))
    return messages !== undefined && messages.length > 0 && messages.every(isFit)
  }

  /** A message, or that somebody was created. */
  isUnderWay(packed: number): boolean {
    return this.#isSent(this.#unpacked(packed))
  }

  #isSent(value: IrValue): boolean {
    if (!isTuple(value, 3)) return false
    const [to, event = null, payload = null] = value.items
    const target = (to as MachineRef | null)?.kind === 'machine' ? (to as MachineRef) : undefined
    if (target === undefined) return false
    return event === null ? payload === null : this.#isEventWith(event, payload)
  }

  #isMessage(value: IrValue): boolean {
    return isTuple(value, 2) && this.#isEventWith(value.items[0] as IrValue, value.items[1] as IrValue)
  }

  #isEventWith(event: IrValue, payload: IrValue): boolean {
    if (typeof event !== 'object' || event?.kind !== 'event') return false
    if (event.event === haltEvent || this.#isAnyPayload) return true
    const type = this.#ir.events[event.event]?.payload
    return type === undefined ? payload === null : this.#fits(payload, type)
  }

  isMonitor(at: number, packed: number): boolean {
    const { names, items } = this.#part(packed)
    const [named, state = 0, ...fields] = items
    const declared = this.#ir.machines[this.#state.monitors[at]?.machine ?? -1]
    if (names !== partKinds.monitor || named !== at * 2 + 1 || declared === undefined || (state & 1) === 0) return false
    return (
      state >> 1 >= 0 &&
      state >> 1 < declared.states.length &&
      fields.length === declared.fields.length &&
      fields.every((value, field) => this.#fits(this.#unpacked(value), declared.fields[field]?.type))
    )
  }

  #machineOf({ ref }: Slot): IrMachine {
    return this.#ir.machines[ref.machine] as IrMachine
  }

  #packedSelf({ ref }: Slot): number {
    return this.#state.lifting.packed.packed(ref)
  }

  #unpacked(packed: number): IrValue {
    return this.#state.lifting.packed.unpacked(packed)
  }

  #part(packed: number): Part {
    const opened = this.#state.lifting.opened(packed)
    return opened === undefined ? { names: 0, items: [] } : { names: opened.names, items: opened.parts }
  }

  #list(packed: number): readonly IrValue[] | undefined {
    const value = this.#unpacked(packed) as SeqValue | null
    return value?.kind === 'seq' ? value.items : undefined
  }
}

function parameterOf(declared: IrFunction | undefined): IrType | undefined {
  return declared === undefined || declared.params === 0 ? undefined : declared.locals[0]?.type
}

function isTuple(value: IrValue, length: number): value is TupleValue {
  return typeof value === 'object' && value?.kind === 'tuple' && value.items.length === length
}
