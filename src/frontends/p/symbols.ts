/** What names of a P program mean, and what the checker hands to those that come after it. */
import type {
  Expression,
  FunctionBody,
  MachineDeclaration,
  Name,
  ReceiveCase,
  SourceText,
  Span,
  StateDeclaration,
  Statement,
} from './ast.ts'
import type { Type } from './type.ts'

export interface EventSymbol {
  readonly kind: 'event'
  readonly name: string
  /** Void: it carries nothing. */
  readonly payload: Type
  readonly at: Span | undefined
}

/** Events that need no declaration. `null` stands for nothing to receive in `on null`. */
export const haltEvent: EventSymbol = { kind: 'event', name: 'halt', payload: { kind: 'void' }, at: undefined }
export const nullEvent: EventSymbol = { kind: 'event', name: 'null', payload: { kind: 'void' }, at: undefined }

export interface EnumSymbol {
  readonly kind: 'enum'
  readonly name: string
  /** As they were declared. */
  readonly elements: readonly { readonly name: string; readonly value: number }[]
  readonly at: Span
}

export interface VariableSymbol {
  /** `parameter`: of a test, read only. Arguments of functions are locals. */
  readonly kind: 'local' | 'field' | 'parameter'
  readonly name: string
  readonly type: Type
  readonly at: Span
}

export interface FunctionSymbol {
  readonly kind: 'function'
  /** `Machine.f` of a machine's own; made up for functions without a name: `Machine.State.entry`, `Machine.State.on ePing`. */
  readonly name: string
  /** Undefined: global. */
  readonly machine: MachineSymbol | undefined
  readonly params: readonly VariableSymbol[]
  /** Declared in the body, those of `receive` cases not included: a case is a function of its own that sees these. */
  readonly locals: readonly VariableSymbol[]
  readonly returns: Type
  /** Undefined: foreign. */
  readonly body: readonly Statement[] | undefined
  readonly at: Span
}

export interface StateSymbol {
  readonly kind: 'state'
  readonly name: string
  readonly isStart: boolean
  readonly temperature: 'hot' | 'cold' | 'warm'
  readonly entry: FunctionSymbol | undefined
  readonly exit: FunctionSymbol | undefined
  /** By the event's name; `null` and `halt` as well. */
  readonly handlers: ReadonlyMap<string, HandlerSymbol>
  readonly declaration: StateDeclaration
}

export type HandlerSymbol = { readonly at: Span } & (
  | { readonly kind: 'do'; readonly function: FunctionSymbol }
  | { readonly kind: 'goto'; readonly state: string; readonly with: FunctionSymbol | undefined }
  | { readonly kind: 'defer' | 'ignore' }
)

export interface MachineSymbol {
  readonly kind: 'machine' | 'spec' | 'scenario'
  readonly name: string
  /** What its start state's entry takes; void: nothing. */
  readonly payload: Type
  readonly fields: readonly VariableSymbol[]
  /** Those with a name. Functions of handlers are found at the states. */
  readonly functions: readonly FunctionSymbol[]
  readonly states: readonly StateSymbol[]
  readonly start: StateSymbol
  /** Names of events, sorted; undefined: all. */
  readonly receives: readonly string[] | undefined
  readonly sends: readonly string[] | undefined
  readonly observes: readonly string[]
  readonly declaration: MachineDeclaration
}

/** What a name in an expression stands for. */
export type Meaning =
  | VariableSymbol
  | EventSymbol
  | { readonly kind: 'element'; readonly enum: EnumSymbol; readonly value: number }

/** A test with its parameters chosen and its module taken apart: what is explored. */
export interface TestCase {
  /** `tcSafety`, or `tcSafety___n_3__fair_true` of a test with parameters. */
  readonly name: string
  readonly at: Span | undefined
  readonly params: ReadonlyMap<string, number | boolean>
  readonly main: MachineSymbol
  /** Machines that can exist; monitors are not among them. */
  readonly machines: readonly MachineSymbol[]
  /** By the machine that creates, by the name that it creates: which machine that is. */
  readonly creates: ReadonlyMap<MachineSymbol, ReadonlyMap<string, MachineSymbol>>
  readonly monitors: readonly { readonly monitor: MachineSymbol; readonly over: ReadonlySet<MachineSymbol> }[]
}

/** A project without mistakes. Nodes are the keys: the tree itself stays as it was read. */
export interface Checked {
  readonly sources: readonly SourceText[]
  readonly events: readonly EventSymbol[]
  readonly machines: readonly MachineSymbol[]
  /** Global ones. */
  readonly functions: readonly FunctionSymbol[]
  readonly parameters: readonly VariableSymbol[]
  readonly tests: readonly TestCase[]
  /** Of every expression. */
  readonly types: ReadonlyMap<Expression, Type>
  /** Of every expression of the kind `name`, of names that are assigned to, and of the variables of `foreach`. */
  readonly meanings: ReadonlyMap<Name, Meaning>
  /** Of type nodes in `default(…)`, `as` and `to`, by the expression. */
  readonly written: ReadonlyMap<Expression, Type>
  /** Of calls, as expressions or statements, by the name that is called. */
  readonly callees: ReadonlyMap<Name, FunctionSymbol>
  /** Of handlers that are written where they are used, of entry, exit and of cases. */
  readonly bodies: ReadonlyMap<FunctionBody, FunctionSymbol>
  /** Events of a case; `halt` and `null` included. */
  readonly caseEvents: ReadonlyMap<ReceiveCase, readonly EventSymbol[]>
}
