/**
 * Programs of communicating state machines as a small language with values: what `check` explores of P. Names are resolved, types are known,
 * evaluation order is fixed: an expression has no effect but that it may fail, and what calls, chooses, creates or sends is an instruction.
 * Functions are control-flow graphs, so a continuation is plain data: a function, a block, an instruction and the values of its locals.
 */
import type { Place } from '../core/diagnostic.ts'

/** One test of a program: who exists at the beginning, and who can be created. */
export interface Ir {
  readonly name: string
  readonly events: readonly IrEvent[]
  /** Machines and monitors: places in this list name them. */
  readonly machines: readonly IrMachine[]
  readonly functions: readonly IrFunction[]
  /** Created before anything else, without a payload. */
  readonly main: number
  readonly monitors: readonly IrMonitor[]
  /** What functions that are written elsewhere do, by their names; without one, a call of it is refused. */
  readonly foreign?: ForeignFunctions | undefined
}

/** Of the same arguments it returns the same value, whenever it is called; both are values as TypeScript has them. */
export type ForeignFunctions = { readonly [name: string]: (...args: never[]) => unknown }

export interface IrEvent {
  readonly name: string
  /** Undefined: it carries nothing. */
  readonly payload: IrType | undefined
}

/** Places of events that every program has. */
export const haltEvent = 0

export interface IrMonitor {
  readonly machine: number
  /** Machines whose sends and announcements it is told. */
  readonly over: readonly number[]
}

export interface IrMachine {
  readonly name: string
  /** `scenario`: a monitor that says what was covered, and asks for nothing. */
  readonly kind: 'machine' | 'monitor' | 'scenario'
  readonly fields: readonly IrVariable[]
  readonly states: readonly IrState[]
  readonly start: number
  /** Events it may send, by their places; undefined: all. */
  readonly sends: readonly number[] | undefined
  /** Events that may be sent to it. */
  readonly receives: readonly number[] | undefined
  /** Of a monitor. */
  readonly observes: readonly number[]
  /** What `new` creates, by the name that the source has. */
  readonly creates: { readonly [name: string]: number }
  readonly place: Place
}

export interface IrVariable {
  readonly name: string
  readonly type: IrType
}

export interface IrState {
  readonly name: string
  readonly temperature: 'hot' | 'cold' | 'warm'
  /** Functions, by their places. */
  readonly entry: number | undefined
  readonly exit: number | undefined
  /** By the place of the event. */
  readonly handlers: ReadonlyMap<number, IrHandler>
  /** What happens when nothing can be received. */
  readonly onNull: IrHandler | undefined
  readonly place: Place
}

export type IrHandler =
  | { readonly kind: 'do'; readonly function: number }
  | { readonly kind: 'goto'; readonly state: number; readonly with: number | undefined }
  | { readonly kind: 'defer' | 'ignore' }

export interface IrFunction {
  /** For people: `Client.Waiting.on eResponse`. */
  readonly name: string
  /** Parameters first; the others begin with their defaults. */
  readonly locals: readonly IrVariable[]
  readonly params: number
  readonly returns: IrType | undefined
  /** The first one is where it begins. */
  readonly blocks: readonly IrBlock[]
  readonly place: Place
}

export interface IrBlock {
  readonly instructions: readonly IrInstruction[]
  readonly end: IrEnd
  /** Where a loop begins again: paths meet here, and executions may go round for ever. */
  readonly isLoop: boolean
}

interface Placed {
  readonly place: Place
}

export type IrInstruction = Placed &
  (
    | { readonly kind: 'setLocal'; readonly local: number; readonly value: IrExpression }
    | { readonly kind: 'setField'; readonly field: number; readonly value: IrExpression }
    /** `boolean`: both; `below`: whole numbers from 0 on; `element`: of a list or a set, keys of a map. */
    | {
        readonly kind: 'choose'
        readonly among: 'boolean' | 'below' | 'element'
        readonly from: IrExpression | undefined
        /** Whether executions without end take both options again and again, if they choose here again and again; of booleans alone. */
        readonly isFair: boolean
        readonly into: number
      }
    | {
        readonly kind: 'new'
        readonly creates: string
        readonly payload: IrExpression | undefined
        readonly into: number | undefined
      }
    | {
        readonly kind: 'send'
        readonly to: IrExpression
        readonly event: IrExpression
        readonly payload: IrExpression | undefined
      }
    | { readonly kind: 'announce'; readonly event: IrExpression; readonly payload: IrExpression | undefined }
    | {
        readonly kind: 'call'
        readonly function: number
        readonly args: readonly IrExpression[]
        readonly into: number | undefined
      }
    /** A function that is written elsewhere: one of `Ir.foreign`, if it can be called at all. */
    | {
        readonly kind: 'foreign'
        readonly name: string
        readonly args: readonly IrExpression[]
        readonly returns: IrType | undefined
        readonly into: number | undefined
      }
    | { readonly kind: 'print'; readonly message: IrExpression }
  )

export type IrEnd = Placed &
  (
    | { readonly kind: 'jump'; readonly to: number }
    | { readonly kind: 'branch'; readonly condition: IrExpression; readonly then: number; readonly otherwise: number }
    | { readonly kind: 'return'; readonly value: IrExpression | undefined }
    /** These two end the whole handler, callers included. */
    | { readonly kind: 'raise'; readonly event: IrExpression; readonly payload: IrExpression | undefined }
    | { readonly kind: 'goto'; readonly state: number; readonly payload: IrExpression | undefined }
    | { readonly kind: 'receive'; readonly cases: readonly IrCase[] }
    | { readonly kind: 'fail'; readonly message: IrExpression }
  )

export interface IrCase {
  readonly events: readonly number[]
  /** The local that the payload goes to. */
  readonly into: number | undefined
  readonly to: number
}

/** Ways to go wrong that an expression or an instruction has by itself. */
export const irFailures = [
  'assertion',
  'unhandled event',
  'null target',
  'null event',
  'send not permitted',
  'index out of range',
  'missing key',
  'duplicate key',
  'null element',
  'bad cast',
  'empty choice',
  'too many choices',
  'division by zero',
  'integer overflow',
  'value too large',
  'endless handler',
  'foreign function',
] as const
export type IrFailure = (typeof irFailures)[number]

export type IrType =
  | { readonly kind: 'bool' | 'int' | 'float' | 'string' | 'event' | 'any' }
  /** `receives`: events, by their places; undefined: all. */
  | { readonly kind: 'machine'; readonly receives: readonly number[] | undefined }
  /** A whole number at run time. */
  | { readonly kind: 'enum'; readonly name: string; readonly elements: readonly IrElement[] }
  | { readonly kind: 'foreign'; readonly name: string }
  | { readonly kind: 'seq' | 'set'; readonly of: IrType }
  | { readonly kind: 'map'; readonly key: IrType; readonly value: IrType }
  | { readonly kind: 'tuple'; readonly items: readonly IrType[] }
  /** A tuple whose items have names. */
  | { readonly kind: 'record'; readonly fields: readonly IrVariable[] }

interface IrElement {
  readonly name: string
  readonly value: number
}

export type IrBinaryOperator =
  /** Of whole numbers; what leaves the range of exact numbers fails. */
  | 'add'
  | 'subtract'
  | 'multiply'
  /** Toward zero. */
  | 'divide'
  | 'remainder'
  | 'addFloat'
  | 'subtractFloat'
  | 'multiplyFloat'
  | 'divideFloat'
  | 'remainderFloat'
  | 'concat'
  /** Of numbers and of strings. */
  | 'less'
  | 'lessOrEqual'
  | 'equal'
  /** An element of a set or a list, a key of a map. */
  | 'in'
  /** The right side is evaluated if it matters. */
  | 'and'
  | 'or'

export type IrUnaryOperator =
  | 'not'
  | 'negate'
  | 'negateFloat'
  | 'size'
  | 'keys'
  | 'values'
  /** A list of what `foreach` goes over: the elements of a list or a set, the keys of a map. */
  | 'elements'

export type IrConstant =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int' | 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'event'; readonly event: number }
  | { readonly kind: 'null' }

export type IrExpression = {
  readonly type: IrType
  readonly place: Place
} & (
  | { readonly kind: 'constant'; readonly value: IrConstant }
  | { readonly kind: 'local'; readonly local: number }
  | { readonly kind: 'field'; readonly field: number }
  | { readonly kind: 'this' }
  | { readonly kind: 'default' }
  /** A tuple or a record. */
  | { readonly kind: 'tuple'; readonly items: readonly IrExpression[] }
  | { readonly kind: 'item'; readonly of: IrExpression; readonly index: number }
  | { readonly kind: 'withItem'; readonly of: IrExpression; readonly index: number; readonly value: IrExpression }
  /** At an index of a list or a set, or under a key of a map. */
  | { readonly kind: 'element'; readonly of: IrExpression; readonly key: IrExpression }
  /** A list with another element at an index that it has, or a map with this one under a key. */
  | {
      readonly kind: 'withElement'
      readonly of: IrExpression
      readonly key: IrExpression
      readonly value: IrExpression
    }
  /** A list with one more element, or a map with a key that it does not have. */
  | { readonly kind: 'inserted'; readonly of: IrExpression; readonly key: IrExpression; readonly value: IrExpression }
  /** A set. */
  | { readonly kind: 'added'; readonly of: IrExpression; readonly value: IrExpression }
  /** A list without what is at an index that it has, a map or a set without what it may not have. */
  | { readonly kind: 'removed'; readonly of: IrExpression; readonly key: IrExpression }
  | { readonly kind: 'unary'; readonly operator: IrUnaryOperator; readonly of: IrExpression }
  | {
      readonly kind: 'binary'
      readonly operator: IrBinaryOperator
      readonly left: IrExpression
      readonly right: IrExpression
    }
  /** `as`: fails unless the value is of this type. */
  | { readonly kind: 'cast'; readonly of: IrExpression }
  /** `to`: a whole number from a float or an enum, a float from a whole number, a machine with other permissions. */
  | { readonly kind: 'convert'; readonly of: IrExpression }
  /** Texts between them are one more than the arguments. */
  | { readonly kind: 'format'; readonly texts: readonly string[]; readonly args: readonly IrExpression[] }
)
