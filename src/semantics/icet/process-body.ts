/** One process of an ICET term as a coroutine that performs its statements and returns its final store. */
import { isOfKind } from '../../core/filter.ts'
import { unreachable } from '../../core/invariant.ts'
import { Operation, type Where } from '../../core/operation.ts'
import { mistake } from '../../core/running.ts'
import { Address, type Value } from '../../core/value.ts'
import {
  type Count,
  countWith,
  type IcetProcess,
  type Statement,
  type StatementKind,
  type StatementOf,
} from '../../program/icet.ts'
import { evaluate, type Meaning, type TermScope } from './evaluate.ts'

/** What all processes of a run know. */
export interface Surroundings {
  readonly sizes: { readonly [parameter: string]: number }
  /** Members of a set, in order. */
  readonly members: (set: string) => readonly Address<never>[]
  readonly meaning: Meaning | undefined
}

/** Performs the statements of a process as the process with that address; gives its variables at the end. */
export function* performed(
  process: IcetProcess,
  self: Address<never>,
  surroundings: Surroundings,
): Generator<Operation, Value, unknown> {
  const store = new Map<string, Value>()
  yield* new Interpreter(process.name, { ...surroundings, self, store }).block(process.body)
  return Object.fromEntries(store)
}

export function sizeOf(count: Count, sizes: { readonly [parameter: string]: number }): number {
  return countWith(count, (name) => sizes[name] ?? 0)
}

/** How a block ended: at its end, or by a statement that leaves it. */
type Exit = 'done' | 'break' | 'continue' | 'end'
type Steps = Generator<Operation, Exit, unknown>

/** Rounds of a `while` without an operation in between; local loops count with small numbers, if at all. */
const idleLimit = 10_000

class Interpreter {
  readonly #name: string
  readonly #scope: TermScope & Surroundings
  /** Rounds since the last operation. */
  #idle = 0

  constructor(name: string, scope: TermScope & Surroundings) {
    this.#name = name
    this.#scope = scope
  }

  *block(statements: readonly Statement[]): Steps {
    for (const statement of statements) {
      const exit = yield* this.#statement(statement)
      if (exit !== 'done') return exit
    }
    return 'done'
  }

  *#statement(statement: Statement): Steps {
    const { store, members } = this.#scope
    switch (statement.kind) {
      case 'assign':
        store.set(statement.variable, evaluate(statement.value, this.#scope))
        return 'done'
      case 'if':
        return yield* this.block(evaluate(statement.condition, this.#scope) ? statement.then : statement.otherwise)
      case 'each':
        return yield* this.#over(members(statement.set), statement.variable, statement.body)
      case 'repeat':
        return yield* this.#over(
          numbersBelow(sizeOf(statement.count, this.#scope.sizes)),
          statement.index,
          statement.body,
        )
      case 'while':
        return yield* this.#forEver(statement.body)
      case 'break':
      case 'continue':
      case 'end':
        return statement.kind
      default:
        return yield* this.#operation(statement)
    }
  }

  *#over(items: readonly Value[], variable: string | undefined, body: readonly Statement[]): Steps {
    for (const item of items) {
      if (variable !== undefined) this.#scope.store.set(variable, item)
      const exit = yield* this.block(body)
      if (exit !== 'done') return exit
    }
    return 'done'
  }

  *#forEver(body: readonly Statement[]): Steps {
    for (;;) {
      if (++this.#idle > idleLimit) this.#refuseIdling()
      const exit = yield* this.block(body)
      if (exit === 'break') return 'done'
      if (exit === 'end') return exit
    }
  }

  #refuseIdling(): never {
    const hint = 'every round of a loop must send, receive or choose, or the loop must end'
    return mistake({ code: 'E202', message: `process "${this.#name}" loops without performing an operation`, hint })
  }

  *#operation(statement: StatementOf<'send' | 'receive' | 'choose' | 'pick' | 'assume' | 'assert' | 'fail'>): Steps {
    // Assumptions and assertions that hold are no operations: nobody sees them.
    if (communicates(statement.kind)) this.#idle = 0
    switch (statement.kind) {
      case 'send':
        yield* this.#send(statement)
        return 'done'
      case 'receive':
        this.#set(statement.variable, yield* this.#receive(statement))
        return 'done'
      case 'choose':
        this.#set(statement.variable, yield* this.#choose(statement.options.map((each) => evaluate(each, this.#scope))))
        return 'done'
      case 'pick':
        this.#set(statement.variable, yield* this.#choose(this.#scope.members(statement.set)))
        return 'done'
      case 'assume':
        if (!evaluate(statement.condition, this.#scope)) yield* operation('assume', { payload: false })
        return 'done'
      case 'assert':
        if (!evaluate(statement.condition, this.#scope)) yield* operation('assert', { target: statement.message })
        return 'done'
      case 'fail':
        yield* operation('assert', { target: statement.message })
        return 'done'
      default:
        return unreachable(statement, 'statement')
    }
  }

  #set(variable: string | undefined, value: unknown): void {
    if (variable !== undefined) this.#scope.store.set(variable, value as Value)
  }

  #send({ to, message }: StatementOf<'send'>): Operation {
    const target = evaluate(to, this.#scope)
    if (!(target instanceof Address)) throw new TypeError(`send() needs the address of a process and got ${target}`)
    return operation('send', { target, payload: evaluate(message, this.#scope) })
  }

  #receive({ kinds, from }: StatementOf<'receive'>): Operation {
    const sender = from === undefined ? undefined : evaluate(from, this.#scope)
    if (from !== undefined && !(sender instanceof Address))
      throw new TypeError(`receive() needs the address of a process as "from" and got ${sender}`)
    return operation('receive', { where: filter(kinds), detail: sender as Address<never> | undefined })
  }

  /** As users' `choose`: of no options at all it is a mistake, which the term must not get to. */
  #choose(options: readonly Value[]): Operation {
    if (options.length === 0) throw new RangeError('choose() needs at least one option')
    return operation('choose', { payload: options })
  }
}

function communicates(kind: StatementKind): boolean {
  return kind === 'send' || kind === 'receive' || kind === 'choose' || kind === 'pick'
}

/** Which messages a receive of these kinds takes. */
function filter(kinds: readonly string[] | undefined): Where {
  if (kinds === undefined || kinds.length === 1) return kinds?.[0]
  const waitsFor = `a message of kind ${kinds.map((kind) => `"${kind}"`).join(' or ')}`
  return { waitsFor, takes: (message) => kinds.some((kind) => isOfKind(message, kind)) }
}

interface Asked {
  readonly target?: unknown
  readonly payload?: unknown
  readonly where?: Where
  readonly detail?: Address<never> | undefined
}

function operation(kind: Operation['kind'], { target, payload, where, detail }: Asked): Operation {
  return new Operation(kind, target, payload, where, detail)
}

function numbersBelow(size: number): readonly number[] {
  return Array.from({ length: size }, (_, at) => at)
}
