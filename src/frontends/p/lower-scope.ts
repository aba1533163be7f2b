/** What the lowering of one function knows: the program around it, its variables, and where its loops go on. */
import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { FunctionBuilder } from '../../ir/build.ts'
import type { IrConstant, IrEnd, IrExpression, IrType } from '../../ir/ir.ts'
import type { Expression, Node, Span } from './ast.ts'
import type { Checked, FunctionSymbol, MachineSymbol, VariableSymbol } from './symbols.ts'
import type { Type } from './type.ts'

/** The same for all functions of a test. */
export interface ProgramScope {
  readonly checked: Checked
  readonly params: ReadonlyMap<string, number | boolean>
  place(span: Span): Place
  type(type: Type): IrType
  /** The place of an event that is declared, or of `halt`. */
  event(name: string): number
  /** The place of a function, which is lowered because somebody asked. */
  function(symbol: FunctionSymbol): number
  /** Whether evaluation calls, chooses, creates, or needs instructions for another reason. */
  hasEffect(expression: Expression): boolean
}

export interface FunctionScope {
  readonly program: ProgramScope
  readonly builder: FunctionBuilder
  /** Undefined in global functions. */
  readonly machine: MachineSymbol | undefined
  /** Parameters and locals, those of `receive` cases included, by their places. */
  readonly variables: Map<VariableSymbol, number>
  readonly returns: IrType | undefined
  /** For messages. */
  readonly name: string
  readonly loop: Loop | undefined
}

/** Blocks that `continue` and `break` go to. */
interface Loop {
  readonly again: number
  readonly after: number
}

export function nodePlace(node: Node, scope: FunctionScope): Place {
  return scope.program.place(node.at)
}

export function typeOf(expression: Expression, scope: FunctionScope): IrType {
  return scope.program.type(pTypeOf(expression, scope))
}

function pTypeOf(expression: Expression, scope: FunctionScope): Type {
  const type = scope.program.checked.types.get(expression)
  invariant(type !== undefined, 'every expression of a checked program has a type')
  return type
}

export function constant(value: IrConstant, type: IrType, place: Place): IrExpression {
  return { kind: 'constant', value, type, place }
}

/** Where a variable lives. */
export function readVariable(symbol: VariableSymbol, place: Place, scope: FunctionScope): IrExpression {
  const { program, machine, variables } = scope
  const type = program.type(symbol.type)
  const local = variables.get(symbol)
  if (local !== undefined) return { kind: 'local', local, type, place }
  if (symbol.kind === 'field') {
    const field = machine?.fields.indexOf(symbol) ?? -1
    invariant(field >= 0, `the field ${symbol.name} belongs to the machine whose function reads it`)
    return { kind: 'field', field, type, place }
  }
  invariant(symbol.kind === 'parameter', `the local ${symbol.name} belongs to the function that reads it`)
  return parameterValue(symbol, place, program)
}

/** A test that says nothing of a parameter leaves it at its default. */
function parameterValue(symbol: VariableSymbol, place: Place, program: ProgramScope): IrExpression {
  const type = program.type(symbol.type)
  const value = program.params.get(symbol.name)
  if (value === undefined) return { kind: 'default', type, place }
  return constant(typeof value === 'boolean' ? { kind: 'bool', value } : { kind: 'int', value }, type, place)
}

/** The expression in a temporary, so that nothing that comes later changes it or happens before it. */
export function saved(expression: IrExpression, scope: FunctionScope): IrExpression {
  const { type, place } = expression
  const local = scope.builder.temporary(type)
  scope.builder.emit({ kind: 'setLocal', local, value: expression, place })
  return { kind: 'local', local, type, place }
}

/** `null` has no type of its own: it gets the one that is asked for, in tuples too. */
export function adapted(expression: IrExpression, type: IrType | undefined): IrExpression {
  if (type === undefined || type.kind === 'any') return expression
  if (expression.kind === 'constant' && expression.value.kind === 'null') return { ...expression, type }
  if (expression.kind !== 'tuple') return expression
  const { items } = expression
  if (type.kind === 'tuple' && type.items.length === items.length) {
    const parts = items.map((item, index) => adapted(item, type.items[index]))
    return { ...expression, items: parts, type: { kind: 'tuple', items: parts.map((part) => part.type) } }
  }
  if (type.kind === 'record' && type.fields.length === items.length) {
    const parts = items.map((item, index) => adapted(item, type.fields[index]?.type))
    const fields = type.fields.map((field, index) => ({ name: field.name, type: parts[index]?.type ?? field.type }))
    return { ...expression, items: parts, type: { kind: 'record', fields } }
  }
  return expression
}

/** A function that has a value to return ends without one. */
export function missingValue(place: Place, { name }: FunctionScope): IrEnd {
  const value = `${name} ended without a value`
  return { kind: 'fail', message: constant({ kind: 'string', value }, { kind: 'string' }, place), place }
}
