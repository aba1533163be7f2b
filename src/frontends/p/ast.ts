/**
 * What the parser of P makes of a file: the grammar of P 3, with nothing resolved. Every node knows where it stands, and a part that could not
 * be read is left out, so that a tree with errors has the same shape as one without.
 */

/** A piece of one of the sources of a project: offsets in characters, the end excluded. */
export interface Span {
  /** Which source, by its position in the list of sources. */
  readonly source: number
  readonly start: number
  readonly end: number
}

export interface Node {
  readonly at: Span
}

export interface Name extends Node {
  readonly text: string
}

export interface SourceText {
  /** As users see it. */
  readonly file: string
  readonly text: string
}

// Types

export const primitiveTypes = ['bool', 'int', 'float', 'string', 'event', 'machine', 'any', 'data'] as const
export type PrimitiveType = (typeof primitiveTypes)[number]

export type TypeNode = Node &
  (
    | { readonly kind: 'primitive'; readonly name: PrimitiveType }
    | { readonly kind: 'seq' | 'set'; readonly of: TypeNode }
    | { readonly kind: 'map'; readonly key: TypeNode; readonly value: TypeNode }
    | { readonly kind: 'tuple'; readonly items: readonly TypeNode[] }
    | { readonly kind: 'record'; readonly fields: readonly TypedName[] }
    | { readonly kind: 'named'; readonly name: Name }
  )

export interface TypedName extends Node {
  readonly name: Name
  readonly type: TypeNode
}

// Expressions

export const binaryOperators = [
  '*',
  '/',
  '%',
  '+',
  '-',
  '<',
  '>',
  '<=',
  '>=',
  'in',
  '==',
  '!=',
  '&&',
  '||',
  '==>',
  '<==>',
] as const
export type BinaryOperator = (typeof binaryOperators)[number]

export type Expression = Node &
  (
    | { readonly kind: 'int'; readonly digits: string }
    | { readonly kind: 'float'; readonly digits: string }
    | { readonly kind: 'bool'; readonly value: boolean }
    /** Escapes are already resolved; without arguments it is a plain string, whatever braces it has. */
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'format'; readonly template: Name; readonly args: readonly Expression[] }
    | { readonly kind: 'null' | 'halt' | 'this' }
    /** `$` and `choose()`; `$$` is fair. */
    | { readonly kind: 'nondet'; readonly isFair: boolean }
    | { readonly kind: 'choose'; readonly from: Expression }
    /** A variable, an event or an element of an enum. */
    | { readonly kind: 'name'; readonly name: Name }
    | { readonly kind: 'default'; readonly type: TypeNode }
    | { readonly kind: 'sizeof' | 'keys' | 'values'; readonly of: Expression }
    | { readonly kind: 'new'; readonly creates: Name; readonly args: readonly Expression[] }
    | { readonly kind: 'call'; readonly callee: Name; readonly args: readonly Expression[] }
    | { readonly kind: 'item'; readonly of: Expression; readonly index: number }
    | { readonly kind: 'field'; readonly of: Expression; readonly name: Name }
    | { readonly kind: 'element'; readonly of: Expression; readonly index: Expression }
    | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly of: Expression }
    | {
        readonly kind: 'binary'
        readonly operator: BinaryOperator
        readonly left: Expression
        readonly right: Expression
      }
    | { readonly kind: 'as' | 'to'; readonly of: Expression; readonly type: TypeNode }
    | { readonly kind: 'tuple'; readonly items: readonly Expression[] }
    | { readonly kind: 'record'; readonly fields: readonly { readonly name: Name; readonly value: Expression }[] }
  )

export type ExpressionOf<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>

/** What can stand on the left of an assignment: a name, and parts of it. The checker refuses all else. */
export type Target = Expression

// Statements

export type Statement = Node &
  (
    | { readonly kind: 'block'; readonly body: readonly Statement[] }
    | { readonly kind: 'assign'; readonly target: Target; readonly value: Expression }
    /** `s += (i, x)` of a list, `m += (k, v)` of a map. */
    | { readonly kind: 'insert'; readonly target: Target; readonly key: Expression; readonly value: Expression }
    /** `s += (x)` of a set. */
    | { readonly kind: 'add'; readonly target: Target; readonly value: Expression }
    | { readonly kind: 'remove'; readonly target: Target; readonly key: Expression }
    | { readonly kind: 'assert'; readonly condition: Expression; readonly message: Expression | undefined }
    | { readonly kind: 'assume'; readonly condition: Expression; readonly message: Expression | undefined }
    | { readonly kind: 'print'; readonly message: Expression }
    | { readonly kind: 'while'; readonly condition: Expression; readonly body: Statement }
    | { readonly kind: 'foreach'; readonly variable: Name; readonly over: Expression; readonly body: Statement }
    | {
        readonly kind: 'if'
        readonly condition: Expression
        readonly then: Statement
        readonly otherwise: Statement | undefined
      }
    | { readonly kind: 'break' | 'continue' | 'empty' }
    | { readonly kind: 'return'; readonly value: Expression | undefined }
    | { readonly kind: 'new'; readonly creates: Name; readonly args: readonly Expression[] }
    | { readonly kind: 'call'; readonly callee: Name; readonly args: readonly Expression[] }
    | {
        readonly kind: 'send'
        readonly to: Expression
        readonly event: Expression
        readonly args: readonly Expression[]
      }
    | { readonly kind: 'raise' | 'announce'; readonly event: Expression; readonly args: readonly Expression[] }
    | { readonly kind: 'goto'; readonly state: Name; readonly args: readonly Expression[] }
    | { readonly kind: 'receive'; readonly cases: readonly ReceiveCase[] }
  )

export type StatementOf<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>

export interface ReceiveCase extends Node {
  readonly events: readonly EventName[]
  readonly handler: FunctionBody
}

/** The name of an event, or `null` or `halt`, which are keywords. */
export type EventName = Name

// Functions

/** A function without a name: of a handler, of entry and exit, of a case. */
export interface FunctionBody extends Node {
  /** At most one for handlers, which the checker makes sure of. */
  readonly params: readonly TypedName[]
  /** Declared at the head of the body. */
  readonly locals: readonly TypedName[]
  readonly body: readonly Statement[]
}

export interface FunctionDeclaration extends Node {
  readonly kind: 'function'
  readonly name: Name
  readonly params: readonly TypedName[]
  readonly returns: TypeNode | undefined
  /** Undefined: foreign, written elsewhere. */
  readonly body: FunctionBody | undefined
  /** Of a foreign function: interfaces it may create. */
  readonly creates: readonly Name[]
}

/** Either named or written where it is used. */
export type HandlerFunction =
  | { readonly kind: 'named'; readonly name: Name }
  | { readonly kind: 'written'; readonly body: FunctionBody }

// States and machines

export interface StateDeclaration extends Node {
  readonly kind: 'state'
  readonly name: Name
  readonly isStart: boolean
  readonly temperature: 'hot' | 'cold' | undefined
  readonly items: readonly StateItem[]
}

export type StateItem = Node &
  (
    | { readonly kind: 'entry' | 'exit'; readonly function: HandlerFunction }
    | { readonly kind: 'defer' | 'ignore'; readonly events: readonly EventName[] }
    | { readonly kind: 'do'; readonly events: readonly EventName[]; readonly function: HandlerFunction }
    | {
        readonly kind: 'goto'
        readonly events: readonly EventName[]
        readonly state: Name
        readonly with: HandlerFunction | undefined
      }
  )

export type MachineItem =
  | (Node & { readonly kind: 'variables'; readonly names: readonly Name[]; readonly type: TypeNode })
  | FunctionDeclaration
  | StateDeclaration

// Declarations

export type Declaration =
  | (Node & { readonly kind: 'type'; readonly name: Name; readonly type: TypeNode | undefined })
  | (Node & {
      readonly kind: 'enum'
      readonly name: Name
      readonly elements: readonly (Node & { readonly name: Name; readonly value: string | undefined })[]
    })
  | (Node & { readonly kind: 'event'; readonly name: Name; readonly payload: TypeNode | undefined })
  | (Node & { readonly kind: 'eventset'; readonly name: Name; readonly events: readonly EventName[] })
  | (Node & {
      readonly kind: 'interface'
      readonly name: Name
      readonly payload: TypeNode | undefined
      readonly receives: readonly EventName[] | undefined
    })
  | MachineDeclaration
  | FunctionDeclaration
  | (Node & { readonly kind: 'param'; readonly names: readonly Name[]; readonly type: TypeNode })
  | (Node & { readonly kind: 'module'; readonly name: Name; readonly module: ModuleExpression })
  | TestDeclaration

export type DeclarationOf<K extends Declaration['kind']> = Extract<Declaration, { readonly kind: K }>

export interface MachineDeclaration extends Node {
  readonly kind: 'machine' | 'spec' | 'scenario'
  readonly name: Name
  /** Of a machine; undefined: all events. */
  readonly receives: readonly EventName[] | undefined
  readonly sends: readonly EventName[] | undefined
  /** Of a spec or a scenario. */
  readonly observes: readonly EventName[]
  readonly items: readonly MachineItem[]
}

export interface TestDeclaration extends Node {
  readonly kind: 'test' | 'implementation'
  readonly name: Name
  readonly main: Name | undefined
  readonly module: ModuleExpression
  /** `test T: m1 refines m2`: parsed, and refused by the checker. */
  readonly refines: ModuleExpression | undefined
  readonly params: readonly TestParameter[]
  readonly assume: Expression | undefined
  /** Values of so many parameters are combined in all ways; undefined: of all of them. */
  readonly wise: number | undefined
}

export interface TestParameter extends Node {
  readonly name: Name
  /** Literals, with a minus in front of numbers where there is one. */
  readonly values: readonly Expression[]
}

export type ModuleExpression = Node &
  (
    | { readonly kind: 'name'; readonly name: Name }
    /** `{ M, M2 -> I }`: each machine under its own name or as an interface. */
    | { readonly kind: 'bind'; readonly bindings: readonly (Node & { readonly machine: Name; readonly as: Name })[] }
    | { readonly kind: 'union' | 'compose'; readonly modules: readonly ModuleExpression[] }
    | { readonly kind: 'assert'; readonly monitors: readonly Name[]; readonly in: ModuleExpression }
    | { readonly kind: 'hideEvents' | 'hideInterfaces'; readonly names: readonly Name[]; readonly in: ModuleExpression }
    | { readonly kind: 'rename'; readonly from: Name; readonly to: Name; readonly in: ModuleExpression }
    | { readonly kind: 'main'; readonly machine: Name; readonly in: ModuleExpression }
  )
