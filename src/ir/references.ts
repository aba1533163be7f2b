/**
 * What machines may do to others, by kind and before anything is run: whom they may send to, whose references they may hand on, what they may tell
 * monitors. A variable may hold references of these kinds if something that holds them is assigned to it somewhere: neither order nor
 * conditions count, and a collection holds what its items hold. So the answer may be too much, and never too little.
 */
import type { Ir, IrExpression, IrFunction, IrInstruction, IrMachine, IrType } from './ir.ts'
import { machinesByFunction } from './reach.ts'
import { operandsOf } from './visit.ts'

/** Kinds are places of machines in the program, as bits. */
export interface References {
  maySend(from: number, to: number): boolean
  /** Whether a machine of one kind may give away references to another kind, in messages or to machines that it creates. */
  mayHandOn(from: number, to: number): boolean
  /** Monitors, by their places in the program's list and as bits, that a machine of the kind, or one that it brings about, may tell something. */
  mayTell(kind: number): bigint
}

export function referencesIn(ir: Ir): References {
  const flow = new Flow(ir)
  flow.settle()
  const { sends, handsOn } = flow
  const tells = tellsByKind(ir)
  return {
    maySend: (from, to) => has(sends[from], to),
    mayHandOn: (from, to) => has(handsOn[from], to),
    mayTell: (kind) => tells[kind] as bigint,
  }
}

function has(kinds: bigint | undefined, kind: number): boolean {
  return ((kinds ?? 0n) & bit(kind)) !== 0n
}

function bit(place: number): bigint {
  return 1n << BigInt(place)
}

/** Kinds that variables, payloads and results may refer to, by name. */
class Flow {
  readonly #ir: Ir
  readonly #owners: readonly (readonly number[])[]
  readonly #held = new Map<string, bigint>()
  readonly sends: bigint[]
  readonly handsOn: bigint[]
  #hasChanged = false

  constructor(ir: Ir) {
    this.#ir = ir
    this.#owners = machinesByFunction(ir).map((owners) => [...owners])
    this.sends = ir.machines.map(() => 0n)
    this.handsOn = ir.machines.map(() => 0n)
  }

  settle(): void {
    do {
      this.#hasChanged = false
      for (const [place, machine] of this.#ir.machines.entries()) this.#enter(place, machine)
      for (const [place, { blocks }] of this.#ir.functions.entries()) {
        for (const { instructions, end } of blocks) {
          for (const instruction of instructions) this.#instruct(place, instruction)
          this.#end(place, end)
        }
      }
    } while (this.#hasChanged)
  }

  #add(name: string, kinds: bigint): void {
    const before = this.#held.get(name) ?? 0n
    if ((kinds & ~before) === 0n) return
    this.#held.set(name, before | kinds)
    this.#hasChanged = true
  }

  #at(name: string): bigint {
    return this.#held.get(name) ?? 0n
  }

  /** Payloads become parameters of handlers and of the entries of the states they lead to. */
  #enter(place: number, { states, start }: IrMachine): void {
    this.#param(states[start]?.entry, this.#at(`created ${place}`))
    for (const { handlers } of states) {
      for (const [event, handler] of handlers) {
        const payload = this.#at(`event ${event}`)
        if (handler.kind === 'do') this.#param(handler.function, payload)
        if (handler.kind !== 'goto') continue
        this.#param(handler.with, payload)
        this.#param(states[handler.state]?.entry, payload)
      }
    }
  }

  #param(of: number | undefined, kinds: bigint): void {
    if (of !== undefined && (this.#ir.functions[of]?.params ?? 0) > 0) this.#add(`local ${of}.0`, kinds)
  }

  #instruct(place: number, one: IrInstruction): void {
    const kinds = (expression: IrExpression | undefined): bigint => this.#kinds(place, expression)
    const into = (local: number | undefined, held: bigint): void => {
      if (local !== undefined) this.#add(`local ${place}.${local}`, held)
    }
    switch (one.kind) {
      case 'setLocal':
        return into(one.local, kinds(one.value))
      case 'setField':
        return this.#eachOwner(place, (owner) => this.#add(`field ${owner}.${one.field}`, kinds(one.value)))
      case 'choose':
        return into(one.into, kinds(one.from))
      case 'foreign':
        return into(
          one.into,
          one.args.reduce((all, argument) => all | kinds(argument), 0n),
        )
      case 'call':
        for (const [at, argument] of one.args.entries()) this.#add(`local ${one.function}.${at}`, kinds(argument))
        return into(one.into, this.#at(`result ${one.function}`))
      case 'new':
        return this.#eachOwner(place, (owner) => this.#create(owner, one, kinds(one.payload), into))
      case 'send':
        return this.#send(place, one, kinds)
    }
  }

  #create(
    owner: number,
    { creates, into }: Extract<IrInstruction, { readonly kind: 'new' }>,
    payload: bigint,
    put: (local: number | undefined, held: bigint) => void,
  ): void {
    const created = this.#ir.machines[owner]?.creates[creates]
    if (created === undefined) return
    put(into, bit(created))
    this.#add(`created ${created}`, payload)
    this.#grow(this.handsOn, owner, payload)
  }

  #send(
    place: number,
    { to, event, payload }: Extract<IrInstruction, { readonly kind: 'send' }>,
    kinds: (expression: IrExpression | undefined) => bigint,
  ): void {
    this.#carry(event, kinds(payload))
    this.#eachOwner(place, (owner) => {
      this.#grow(this.sends, owner, kinds(to))
      this.#grow(this.handsOn, owner, kinds(payload))
    })
  }

  #grow(table: bigint[], owner: number, kinds: bigint): void {
    const before = table[owner] as bigint
    if ((kinds & ~before) === 0n) return
    table[owner] = before | kinds
    this.#hasChanged = true
  }

  #carry(event: IrExpression, payload: bigint): void {
    for (const one of eventsNamed(event, this.#ir)) this.#add(`event ${one}`, payload)
  }

  #end(place: number, end: IrFunction['blocks'][number]['end']): void {
    switch (end.kind) {
      case 'return':
        return this.#add(`result ${place}`, this.#kinds(place, end.value))
      case 'raise':
        return this.#carry(end.event, this.#kinds(place, end.payload))
      case 'goto':
        return this.#eachOwner(place, (owner) =>
          this.#param(this.#ir.machines[owner]?.states[end.state]?.entry, this.#kinds(place, end.payload)),
        )
      case 'receive':
        for (const { events, into } of end.cases) {
          if (into === undefined) continue
          for (const event of events) this.#add(`local ${place}.${into}`, this.#at(`event ${event}`))
        }
    }
  }

  #eachOwner(place: number, each: (owner: number) => void): void {
    for (const owner of this.#owners[place] ?? []) each(owner)
  }

  #kinds(place: number, expression: IrExpression | undefined): bigint {
    if (expression === undefined || !mayRefer(expression.type)) return 0n
    switch (expression.kind) {
      case 'local':
        return this.#at(`local ${place}.${expression.local}`)
      case 'field':
        return (this.#owners[place] ?? []).reduce((all, one) => all | this.#at(`field ${one}.${expression.field}`), 0n)
      case 'this':
        return (this.#owners[place] ?? []).reduce((all, one) => all | bit(one), 0n)
      default:
        return operandsOf(expression).reduce((all, one) => all | this.#kinds(place, one), 0n)
    }
  }
}

/** Whether values of the type may be or have references to machines. */
export function mayRefer(type: IrType): boolean {
  switch (type.kind) {
    case 'machine':
    case 'any':
    case 'foreign':
      return true
    case 'seq':
    case 'set':
      return mayRefer(type.of)
    case 'map':
      return mayRefer(type.key) || mayRefer(type.value)
    case 'tuple':
      return type.items.some(mayRefer)
    case 'record':
      return type.fields.some((field) => mayRefer(field.type))
    default:
      return false
  }
}

/** All of them, unless the expression is the name of one. */
function eventsNamed(event: IrExpression, { events }: Ir): readonly number[] {
  if (event.kind === 'constant' && event.value.kind === 'event') return [event.value.event]
  return [...events.keys()]
}

/** Monitors, by their places in the program's list and as bits, that a machine of each kind may tell something by itself. */
export function toldByKind(ir: Ir): readonly bigint[] {
  const tells = ir.machines.map(() => 0n)
  for (const [place, owners] of machinesByFunction(ir).entries()) {
    const said = new Set(saidIn(ir.functions[place] as IrFunction, ir))
    for (const owner of owners) tells[owner] = (tells[owner] as bigint) | listeners(owner, said, ir)
  }
  return tells
}

function tellsByKind(ir: Ir): readonly bigint[] {
  const tells = [...toldByKind(ir)]
  // What a machine creates tells on its behalf.
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const [place, { creates }] of ir.machines.entries()) {
      const before = tells[place] as bigint
      const after = Object.values(creates).reduce((all, one) => all | (tells[one] ?? 0n), before)
      if (after === before) continue
      tells[place] = after
      hasChanged = true
    }
  }
  return tells
}

function saidIn({ blocks }: IrFunction, ir: Ir): readonly number[] {
  return blocks.flatMap(({ instructions }) =>
    instructions.flatMap((one) => (one.kind === 'send' || one.kind === 'announce' ? eventsNamed(one.event, ir) : [])),
  )
}

function listeners(owner: number, said: ReadonlySet<number>, { monitors, machines }: Ir): bigint {
  return monitors.reduce((all, { machine, over }, at) => {
    const listens = over.includes(owner) && machines[machine]?.observes.some((event) => said.has(event)) === true
    return listens ? all | bit(at) : all
  }, 0n)
}
