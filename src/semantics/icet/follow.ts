/** A process of a term taken along what the program did: every statement must be what happened, or be possible without being seen. */
import type { Place } from '../../core/diagnostic.ts'
import { isOfKind } from '../../core/filter.ts'
import { unreachable } from '../../core/invariant.ts'
import { Address, type Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import type { Expression, IcetProcess, Statement, StatementOf } from '../../program/icet.ts'
import type { Asked, Did, Followed, Message, TermExecution } from './execution.ts'
import { Contradiction, type Interpretation } from './interpretation.ts'
import { sizeOf } from './process-body.ts'
import { Fields, knownOf, type Symbolic } from './unknown.ts'

/** Where a process of the term and the program part. */
export class Parted extends Error {
  /** How many operations of the program were followed. */
  readonly steps: number
  readonly did: string
  readonly would: string
  readonly place: Place
  /** Which event of the process it is, if the program did something. */
  readonly event: number | undefined
  /** Whether the program might have been followed further with more patience. */
  readonly isOpen: boolean

  constructor(at: Pick<Parted, 'steps' | 'did' | 'would' | 'place' | 'event'> & { readonly isOpen?: boolean }) {
    super()
    this.steps = at.steps
    this.did = at.did
    this.would = at.would
    this.place = at.place
    this.event = at.event
    this.isOpen = at.isOpen ?? false
  }
}

/** How a block ended; `over`: the process does nothing more in this execution. */
type Exit = 'done' | 'break' | 'continue' | 'end' | 'over'

/** Statements without an operation in between; local loops are short, if there are any. */
const idleLimit = 3_000

export function follow(
  followed: Followed,
  process: IcetProcess,
  execution: TermExecution,
  guess: Interpretation,
): void {
  new Follower(followed, execution, guess).run(process)
}

class Follower {
  readonly #followed: Followed
  readonly #execution: TermExecution
  readonly #guess: Interpretation
  readonly #store = new Map<string, Symbolic>()
  #steps = 0
  #idle = 0

  constructor(followed: Followed, execution: TermExecution, guess: Interpretation) {
    this.#followed = followed
    this.#execution = execution
    this.#guess = guess
  }

  run({ body, place }: IcetProcess): void {
    if (this.#block(body) === 'over') return
    if (this.#next !== undefined || this.#followed.ended !== 'returned') this.#part(place, 'end')
  }

  get #next(): Did | undefined {
    return this.#followed.did[this.#steps]
  }

  #part(place: Place, would: string, isOpen = false): never {
    const { did, ended } = this.#followed
    const next = this.#next
    const words = next === undefined ? endings[ended] : didWords(next, this.#steps, did.length)
    throw new Parted({ steps: this.#steps, did: words, would, place, event: next?.event, isOpen })
  }

  #block(statements: readonly Statement[]): Exit {
    for (const statement of statements) {
      if (++this.#idle > idleLimit) this.#part(statement.place, 'go on without an operation', true)
      const exit = this.#statement(statement)
      if (exit !== 'done') return exit
    }
    return 'done'
  }

  #statement(statement: Statement): Exit {
    switch (statement.kind) {
      case 'assign':
        this.#set(statement.variable, this.#value(statement.value, statement))
        return 'done'
      case 'if':
        return this.#block(this.#holds(statement.condition, statement) ? statement.then : statement.otherwise)
      case 'each':
        return this.#over(this.#members(statement.set), statement.variable, statement.body)
      case 'repeat': {
        const length = sizeOf(statement.count, this.#execution.sizes)
        return this.#over(
          Array.from({ length }, (_, at) => at),
          statement.index,
          statement.body,
        )
      }
      case 'while':
        for (;;) {
          const exit = this.#block(statement.body)
          if (exit === 'break') return 'done'
          if (exit === 'end' || exit === 'over') return exit
          if (++this.#idle > idleLimit) this.#part(statement.place, 'go on without an operation', true)
        }
      case 'break':
      case 'continue':
      case 'end':
        return statement.kind
      default:
        return this.#operation(statement)
    }
  }

  #over(items: readonly Value[], variable: string | undefined, body: readonly Statement[]): Exit {
    for (const item of items) {
      this.#set(variable, item)
      const exit = this.#block(body)
      if (exit !== 'done') return exit
    }
    return 'done'
  }

  #operation(statement: StatementOf<'send' | 'receive' | 'choose' | 'pick' | 'assume' | 'assert' | 'fail'>): Exit {
    switch (statement.kind) {
      case 'send':
        return this.#send(statement)
      case 'receive':
        return this.#receive(statement)
      case 'choose':
        return this.#choose(
          statement,
          statement.options.map((option) => this.#value(option, statement)),
        )
      case 'pick':
        return this.#choose(statement, this.#members(statement.set))
      case 'assume':
        if (this.#holds(statement.condition, statement)) return 'done'
        if (this.#next !== undefined || this.#followed.ended !== 'stopped')
          this.#part(statement.place, 'assume what is not so')
        return 'over'
      case 'assert':
        return this.#holds(statement.condition, statement) ? 'done' : this.#fails(statement)
      case 'fail':
        return this.#fails(statement)
      default:
        return unreachable(statement, 'statement')
    }
  }

  #fails({ place }: Placed): Exit {
    return this.#next === undefined && this.#followed.ended === 'failed' ? 'over' : this.#part(place, 'fail')
  }

  #send({ to, message, place }: StatementOf<'send'>): Exit {
    const target = this.#value(to, { place })
    const value = this.#value(message, { place })
    const would = () => `send ${symbolicText(value)} to ${symbolicText(target)}`
    const next = this.#next
    if (next?.kind !== 'send') return this.#part(place, would())
    this.#is(target, next.to, { place }, would)
    this.#is(value, next.value, { place }, would)
    return this.#taken()
  }

  #receive({ kinds, from, variable, place }: StatementOf<'receive'>): Exit {
    const sender = from === undefined ? undefined : { is: this.#value(from, { place }) }
    const takes = (message: Message): boolean => {
      if (kinds?.some((kind) => isOfKind(message.value, kind)) === false) return false
      return sender === undefined || this.#guess.binary('===', sender.is, message.from) === true
    }
    const would = `receive ${kinds === undefined ? 'any message' : kinds.map((kind) => `"${kind}"`).join(' or ')}${sender === undefined ? '' : ` from ${symbolicText(sender.is)}`}`
    const next = this.#next
    const asked = next?.kind === 'receive' ? next.asked : next === undefined ? this.#followed.awaits : undefined
    if (asked === undefined || !this.#isAsked(asked, kinds, sender)) return this.#part(place, would)
    if (next?.kind !== 'receive') {
      const unread = this.#followed.unread.find(takes)
      return unread === undefined ? 'over' : this.#part(place, `receive ${showValue(unread.value, 60)}`)
    }
    if (!takes(next)) return this.#part(place, would)
    const passed = next.passed.find(takes)
    if (passed !== undefined) this.#part(place, `receive ${showValue(passed.value, 60)} first`)
    this.#set(variable, next.value)
    return this.#taken()
  }

  /** Filters that are not spelled out are compared by what they take. */
  #isAsked({ where, from }: Asked, kinds: Kinds, sender: { readonly is: Symbolic } | undefined): boolean {
    if ((from === undefined) !== (sender === undefined)) return false
    if (sender !== undefined && this.#guess.binary('===', sender.is, from) !== true) return false
    if (where === undefined) return kinds === undefined
    return typeof where !== 'string' || (kinds?.length === 1 && kinds[0] === where)
  }

  #choose({ variable, place }: StatementOf<'choose' | 'pick'>, options: readonly Symbolic[]): Exit {
    const would = () => `choose one of ${options.map(symbolicText).join(', ')}`
    const next = this.#next
    if (next?.kind !== 'choose' || next.options.length !== options.length) return this.#part(place, would())
    this.#is(options[next.option], next.options[next.option], { place }, would)
    this.#set(variable, options[next.option])
    return this.#taken()
  }

  #taken(): 'done' {
    this.#steps++
    this.#idle = 0
    return 'done'
  }

  #members(set: string): readonly Address<never>[] {
    return this.#execution.members.get(set) ?? []
  }

  #set(variable: string | undefined, value: Symbolic): void {
    if (variable !== undefined) this.#store.set(variable, value)
  }

  #is(symbolic: Symbolic, value: Value, { place }: Placed, would: () => string): void {
    try {
      this.#guess.is(symbolic, value)
    } catch (error) {
      if (error instanceof Contradiction) this.#part(place, would())
      throw error
    }
  }

  #holds(condition: Expression, at: Placed): boolean {
    return this.#guess.holds(this.#value(condition, at))
  }

  #value(expression: Expression, { place }: Placed): Symbolic {
    try {
      return this.#evaluated(expression)
    } catch (error) {
      if (error instanceof Contradiction) this.#part(place, `fail: ${error.message}`)
      throw error
    }
  }

  #evaluated(expression: Expression): Symbolic {
    const inner = (part: Expression): Symbolic => this.#evaluated(part)
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'variable':
        return this.#store.get(expression.name)
      case 'self':
        return Address.of(this.#followed.id)
      case 'process':
        return this.#members(expression.name)[0]
      case 'parameter':
        return this.#execution.sizes[expression.name]
      case 'record':
        return new Fields(new Map(expression.fields.map(({ name, value }) => [name, inner(value)])))
      case 'field':
        return this.#guess.field(inner(expression.of), expression.name)
      case 'not':
        return !this.#guess.holds(inner(expression.of))
      case 'either':
        return inner(this.#guess.holds(inner(expression.condition)) ? expression.then : expression.otherwise)
      case 'binary': {
        const { operator, left, right } = expression
        const first = inner(left)
        if (operator === '&&') return this.#guess.holds(first) ? inner(right) : first
        if (operator === '||') return this.#guess.holds(first) ? first : inner(right)
        return this.#guess.binary(operator, first, inner(right))
      }
      case 'opaque':
        return this.#guess.applied(expression.text, expression.inputs.map(inner))
      default:
        return unreachable(expression, 'expression')
    }
  }
}

type Kinds = readonly string[] | undefined

interface Placed {
  readonly place: Place
}

const endings: { readonly [status in Followed['ended']]: string } = {
  returned: 'ends',
  waiting: 'waits',
  stopped: 'is stopped by an assumption',
  failed: 'fails',
  crashed: 'crashes',
}

function didWords(did: Did, at: number, of: number): string {
  const nth = `as operation ${at + 1} of ${of}`
  switch (did.kind) {
    case 'send':
      return `sends ${showValue(did.value, 60)} to ${did.to.id} ${nth}`
    case 'receive':
      return `receives ${showValue(did.value, 60)} from ${did.from.id} ${nth}`
    case 'choose':
      return `chooses ${showValue(did.options[did.option], 60)} ${nth}`
    case 'other':
      return `performs ${did.what} ${nth}`
  }
}

function symbolicText(symbolic: Symbolic): string {
  const known = knownOf(symbolic)
  if (known !== undefined) return showValue(known.value, 60)
  if (!(symbolic instanceof Fields)) return '…'
  return `{ ${[...symbolic.parts].map(([name, part]) => `${name}: ${symbolicText(part)}`).join(', ')} }`
}
