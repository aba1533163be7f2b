/** What can only be told of a whole term: loops that send for ever, addresses without an origin, unused parameters. */
import type { Diagnostic } from '../../../core/diagnostic.ts'
import {
  type Count,
  type Expression,
  expressionsOf,
  type Icet,
  type IcetProcess,
  partsOf,
  type Statement,
  statementsOf,
} from '../../../program/icet.ts'
import { unknownAddress } from './operations.ts'

export function problemsOf(icet: Icet): readonly Diagnostic[] {
  return [
    ...icet.processes.flatMap((process) => [...unboundedSends(process), ...untraceableAddresses(process)]),
    ...unusedParameters(icet),
  ]
}

function unboundedSends({ body }: IcetProcess): readonly Diagnostic[] {
  return [...statementsOf(body)].flatMap((statement) => {
    if (statement.kind !== 'while') return []
    const kinds = new Set([...statementsOf(statement.body)].map(({ kind }) => kind))
    if (!kinds.has('send') || kinds.has('receive')) return []
    return [
      {
        code: 'E414' as const,
        message: 'a loop without a fixed number of rounds sends messages and never receives one',
        hint: 'count the rounds with repeat(k, …) or for (let i = 0; i < k; i++), or wait for an answer in every round',
        place: statement.place,
      },
    ]
  })
}

function unusedParameters({ parameters, processes }: Icet): readonly Diagnostic[] {
  const used = new Set<string>()
  const count = (one: Count | undefined) => (one?.kind === 'parameter' ? used.add(one.name) : undefined)
  for (const process of processes) {
    count(process.count)
    for (const statement of statementsOf(process.body)) {
      if (statement.kind === 'repeat') count(statement.count)
      for (const expression of expressionsOf(statement)) {
        for (const part of partsOf(expression)) if (part.kind === 'parameter') used.add(part.name)
      }
    }
  }
  return parameters
    .filter(({ name }) => !used.has(name))
    .map(({ name, place }) => ({
      code: 'E407' as const,
      message: `parameter "${name}" is declared with every(…) and has no influence on the program`,
      hint: `use it: spawnAll(${name}, …), repeat(${name}, …); or leave it out`,
      place,
    }))
}

function untraceableAddresses({ body }: IcetProcess): readonly Diagnostic[] {
  const tracer = new AddressTracer(body)
  return [...statementsOf(body)].flatMap((statement): Diagnostic[] => {
    const address = statement.kind === 'send' ? statement.to : statement.kind === 'receive' ? statement.from : undefined
    if (address === undefined || tracer.isAddress(address)) return []
    const operation = statement.kind === 'send' ? 'send' : 'receive from'
    return [{ ...unknownAddress(operation, pathText(address)), place: statement.place }]
  })
}

function pathText(expression: Expression): string {
  if (expression.kind === 'field') return `${pathText(expression.of)}.${expression.name}`
  return expression.kind === 'variable' ? expression.name : '…'
}

/** Whether a value may be the address of a process, by all that the variables in it are ever given. */
class AddressTracer {
  /** By variable: everything it is ever given, wherever that stands. Order does not matter: one address is enough. */
  readonly #given = new Map<string, (Statement | Expression)[]>()

  constructor(body: readonly Statement[]) {
    for (const statement of statementsOf(body)) {
      if (statement.kind === 'assign') this.#note(statement.variable, statement.value)
      else if (statement.kind === 'choose') for (const one of statement.options) this.#note(statement.variable, one)
      else if (statement.kind === 'repeat' && statement.index !== undefined) this.#note(statement.index, statement)
      else if ('variable' in statement && statement.variable !== undefined) this.#note(statement.variable, statement)
    }
  }

  isAddress(expression: Expression, path: readonly string[] = [], seen: ReadonlySet<string> = new Set()): boolean {
    switch (expression.kind) {
      case 'self':
      case 'process':
        return path.length === 0
      case 'field':
        return this.isAddress(expression.of, [expression.name, ...path], seen)
      case 'either':
        return this.isAddress(expression.then, path, seen) && this.isAddress(expression.otherwise, path, seen)
      case 'record': {
        const [name, ...rest] = path
        const field = expression.fields.find((one) => one.name === name)
        return field !== undefined && this.isAddress(field.value, rest, seen)
      }
      case 'variable':
        return this.#isGivenAddresses(expression.name, path, seen)
      case 'literal':
        // A variable that is not yet set; sending then fails under check.
        return expression.value === undefined || expression.value === null
      default:
        return false
    }
  }

  #note(variable: string, value: Statement | Expression): void {
    const known = this.#given.get(variable)
    if (known === undefined) this.#given.set(variable, [value])
    else known.push(value)
  }

  #isGivenAddresses(variable: string, path: readonly string[], seen: ReadonlySet<string>): boolean {
    const key = [variable, ...path].join('.')
    if (seen.has(key)) return true
    const inner = new Set([...seen, key])
    const given = this.#given.get(variable) ?? []
    return (
      given.length > 0 &&
      given.every((value) => ('id' in value ? givesAddress(value, path) : this.isAddress(value, path, inner)))
    )
  }
}

/** A message may hold addresses anywhere; members of sets are addresses themselves. */
function givesAddress({ kind }: Statement, path: readonly string[]): boolean {
  return kind === 'receive' || ((kind === 'each' || kind === 'pick') && path.length === 0)
}
