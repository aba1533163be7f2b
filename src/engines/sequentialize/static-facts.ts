/**
 * What the text of a program tells beforehand, whatever it does: which processes a variable may name, which kinds a send may
 * have, and to whom it may go (Brisk §5.2, with channels instead of types alone).
 *
 * Processes are told apart by declaration only, and a variable or a kind is looked at as a whole: a message that carries a
 * process in one field may carry it in all.
 */
import {
  type Count,
  type Expression,
  expressionsOf,
  type Icet,
  type IcetProcess,
  type Statement,
  type StatementOf,
  statementsOf,
} from '../../program/icet.ts'
import { Refusal } from './refusal.ts'

export interface SendSite {
  readonly statement: StatementOf<'send'>
  readonly process: IcetProcess
  /** Undefined: any. */
  readonly kinds: readonly string[] | undefined
  readonly targets: ReadonlySet<string>
  /** Processes the message may name. */
  readonly carries: ReadonlySet<string>
}

/** Computed once for a program and shared by all states of a proof. Over-approximations: more may be named than ever is. */
export class StaticFacts {
  readonly icet: Icet
  readonly #processes = new Map<string, IcetProcess>()
  /** By process and variable: the declarations whose members it may name. */
  readonly #named = new Map<string, Set<string>>()
  /** By process and variable: the kinds a message in it may have; undefined: any. */
  readonly #kinds = new Map<string, ReadonlySet<string> | undefined>()
  /** By number of the send. */
  readonly #sites = new Map<number, SendSite>()

  constructor(icet: Icet) {
    this.icet = icet
    for (const process of icet.processes) this.#processes.set(process.name, process)
    this.#findKinds()
    this.#findNames()
    for (const [process, statement] of this.#statements()) {
      if (statement.kind === 'send') this.#sites.set(statement.id, this.#siteOf(process, statement))
    }
  }

  process(name: string): IcetProcess {
    const found = this.#processes.get(name)
    if (found === undefined) throw new Refusal('no such step', `there is no process ${name}`)
    return found
  }

  /** Of sets. */
  get sizes(): ReadonlyMap<string, Count> {
    return new Map(
      this.icet.processes.flatMap(({ name, count }) => (count === undefined ? [] : [[name, count] as const])),
    )
  }

  get sites(): Iterable<SendSite> {
    return this.#sites.values()
  }

  site(statement: StatementOf<'send'>): SendSite {
    return this.#sites.get(statement.id) as SendSite
  }

  siteById(id: number): SendSite | undefined {
    return this.#sites.get(id)
  }

  /** Declarations whose members the variable may name. */
  mayName(process: string, variable: string): ReadonlySet<string> {
    return this.#named.get(slot(process, variable)) ?? none
  }

  #siteOf(process: IcetProcess, statement: StatementOf<'send'>): SendSite {
    const kinds = this.#kindsOf(process, statement.message)
    return {
      statement,
      process,
      kinds: kinds === undefined ? undefined : [...kinds],
      targets: this.#namesIn(process, statement.to),
      carries: this.#namesIn(process, statement.message),
    }
  }

  *#statements(): Generator<readonly [IcetProcess, Statement]> {
    for (const process of this.icet.processes) {
      for (const statement of statementsOf(process.body)) yield [process, statement]
    }
  }

  /** By variable: the kinds of what is assigned to it; undefined where that cannot be told. */
  #findKinds(): void {
    for (let changed = true; changed; ) {
      changed = false
      for (const [process, statement] of this.#statements()) {
        for (const [variable, kinds] of this.#kindsAssigned(process, statement)) {
          const key = slot(process.name, variable)
          const before = this.#kinds.get(key)
          const isKnown = this.#kinds.has(key)
          const after = isKnown && before === undefined ? undefined : union(isKnown ? before : none, kinds)
          if (isKnown && after?.size === before?.size) continue
          this.#kinds.set(key, after)
          changed = true
        }
      }
    }
  }

  *#kindsAssigned(
    process: IcetProcess,
    statement: Statement,
  ): Generator<readonly [string, ReadonlySet<string> | undefined]> {
    if (statement.kind === 'receive' && statement.variable !== undefined) {
      yield [statement.variable, statement.kinds === undefined ? undefined : new Set(statement.kinds)]
    } else if (statement.kind === 'assign') {
      yield [statement.variable, this.#kindsOf(process, statement.value)]
    } else if (statement.kind === 'choose') {
      for (const option of statement.options) yield [statement.variable, this.#kindsOf(process, option)]
    }
  }

  #kindsOf(process: IcetProcess, message: Expression): ReadonlySet<string> | undefined {
    switch (message.kind) {
      case 'record': {
        const kind = message.fields.findLast(({ name }) => name === 'kind')?.value
        if (kind === undefined) return none
        return kind.kind === 'literal' && typeof kind.value === 'string' ? new Set([kind.value]) : undefined
      }
      case 'either':
        return union(this.#kindsOf(process, message.then), this.#kindsOf(process, message.otherwise))
      case 'variable': {
        const key = slot(process.name, message.name)
        return this.#kinds.has(key) ? this.#kinds.get(key) : none
      }
      case 'literal':
      case 'self':
      case 'process':
      case 'parameter':
        return none
      default:
        return undefined
    }
  }

  #findNames(): void {
    for (let changed = true; changed; ) {
      changed = false
      for (const [process, statement] of this.#statements()) {
        const variable = 'variable' in statement ? statement.variable : undefined
        if (variable === undefined) continue
        const key = slot(process.name, variable)
        const known = this.#named.get(key) ?? new Set()
        const before = known.size
        for (const name of this.#namesAssigned(process, statement)) known.add(name)
        this.#named.set(key, known)
        if (known.size > before) changed = true
      }
    }
  }

  *#namesAssigned(process: IcetProcess, statement: Statement): Generator<string> {
    if (statement.kind === 'each' || statement.kind === 'pick') yield statement.set
    else if (statement.kind === 'receive') yield* this.#namesReceived(process, statement)
    else for (const expression of expressionsOf(statement)) yield* this.#namesIn(process, expression)
  }

  *#namesReceived(process: IcetProcess, receive: StatementOf<'receive'>): Generator<string> {
    for (const [sender, statement] of this.#statements()) {
      if (statement.kind !== 'send' || !this.#namesIn(sender, statement.to).has(process.name)) continue
      const kinds = this.#kindsOf(sender, statement.message)
      if (mayMatch(kinds === undefined ? undefined : [...kinds], receive.kinds)) {
        yield* this.#namesIn(sender, statement.message)
      }
    }
  }

  #namesIn(process: IcetProcess, expression: Expression): ReadonlySet<string> {
    switch (expression.kind) {
      case 'self':
        return new Set([process.name])
      case 'process':
        return new Set([expression.name])
      case 'variable':
        return this.mayName(process.name, expression.name)
      case 'record':
        return this.#namesInAll(
          process,
          expression.fields.map(({ value }) => value),
        )
      case 'field':
        return this.#namesIn(process, expression.of)
      case 'either':
        return this.#namesInAll(process, [expression.then, expression.otherwise])
      case 'binary':
        return this.#namesInAll(process, [expression.left, expression.right])
      case 'opaque':
        return this.#namesInAll(process, expression.inputs)
      default:
        return none
    }
  }

  #namesInAll(process: IcetProcess, expressions: readonly Expression[]): ReadonlySet<string> {
    return new Set(expressions.flatMap((expression) => [...this.#namesIn(process, expression)]))
  }
}

const none: ReadonlySet<string> = new Set()

/** Whether a message of these kinds could be one that a receive of those takes; undefined: any. */
export function mayMatch(sent: readonly string[] | undefined, taken: readonly string[] | undefined): boolean {
  return sent === undefined || taken === undefined || sent.some((kind) => taken.includes(kind))
}

function slot(process: string, variable: string): string {
  return `${process}.${variable}`
}

function union(
  left: ReadonlySet<string> | undefined,
  right: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  return left === undefined || right === undefined ? undefined : new Set([...left, ...right])
}
