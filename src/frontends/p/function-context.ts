/** Where an expression or a statement stands: in which function, and what can be seen from there. */
import type { Expression, Name, Span, Statement } from './ast.ts'
import { type Act, type Deeds, type Project, refuse, refuseUnknown } from './project.ts'
import type { FunctionSymbol, MachineSymbol, VariableSymbol } from './symbols.ts'
import type { Type } from './type.ts'
import { hintFor } from './type-hints.ts'
import { isAssignable, typeText } from './type-relations.ts'

/** How parts of a function are checked. Expressions and statements contain each other, and their checkers meet here. */
export interface Rules {
  readonly typeOf: (context: FunctionContext, expression: Expression) => Type
  readonly check: (context: FunctionContext, statement: Statement) => void
}

export interface FunctionContext {
  readonly project: Project
  readonly rules: Rules
  /** Undefined: outside of functions, in the assumption of a test. */
  readonly symbol: FunctionSymbol | undefined
  /** Of a case of `receive`: the function that waits, whose variables it sees. */
  readonly outer: FunctionContext | undefined
  readonly deeds: Deeds
  /** How many loops are around. */
  loops: number
  /** How many cases were named so far. */
  cases: number
}

/** Of a function, or of no function: there only parameters of tests are seen. */
export function contextOf(project: Project, rules: Rules, symbol: FunctionSymbol | undefined): FunctionContext {
  const deeds = (symbol && project.deeds.get(symbol)) ?? { acts: [], calls: [] }
  return { project, rules, symbol, outer: undefined, deeds, loops: 0, cases: 0 }
}

/** Of a case of `receive`. */
export function contextInside(outer: FunctionContext, symbol: FunctionSymbol): FunctionContext {
  return { ...contextOf(outer.project, outer.rules, symbol), outer }
}

/** The type of an expression, which is remembered. */
export function typeOf(context: FunctionContext, expression: Expression): Type {
  const type = context.rules.typeOf(context, expression)
  context.project.types.set(expression, type)
  return type
}

export function checkStatements(context: FunctionContext, statements: readonly Statement[]): void {
  for (const statement of statements) context.rules.check(context, statement)
}

export function machineOf(context: FunctionContext): MachineSymbol | undefined {
  return context.symbol?.machine
}

export function act(context: FunctionContext, what: Act['what'], at: Span): void {
  context.deeds.acts.push({ what, at })
}

/** The nearest variable of that name: of the function, of those around it, of the machine, or a parameter of tests. */
export function variableNamed(context: FunctionContext, name: string): VariableSymbol | undefined {
  return seenVariables(context).find((variable) => variable.name === name)
}

function seenVariables(context: FunctionContext): readonly VariableSymbol[] {
  const own = context.symbol === undefined ? [] : [...context.symbol.params, ...context.symbol.locals]
  if (context.outer !== undefined) return [...own, ...seenVariables(context.outer)]
  return [...own, ...(machineOf(context)?.fields ?? []), ...context.project.globals.parameters.values()]
}

/** Whether it is the first time that the name is missing in the function. */
function isNews(context: FunctionContext, name: Name): boolean {
  const key = `${context.symbol?.name}: ${name.text}`
  const isNew = !context.project.missing.has(key)
  context.project.missing.add(key)
  return isNew
}

export function refuseUnknownVariable(context: FunctionContext, name: Name): void {
  if (!isNews(context, name)) return
  const { globals } = context.project
  const isConstant = globals.events.has(name.text) || globals.elements.has(name.text)
  refuseUnknown(context.project, name, {
    what: 'variable',
    names: isConstant ? [] : seenVariables(context).map((variable) => variable.name),
    otherwise: isConstant
      ? `"${name.text}" is a constant: it cannot be changed`
      : `declare it at the head of the function or in the machine: "var ${name.text}: …;"`,
  })
}

/** In an expression a name is a variable, an element of an enum or an event. */
export function refuseUnknownName(context: FunctionContext, name: Name): void {
  if (!isNews(context, name)) return
  const { globals } = context.project
  const variables = seenVariables(context).map((variable) => variable.name)
  refuseUnknown(context.project, name, {
    what: 'variable, event or element of an enum',
    names: globals.machines.has(name.text) ? [] : [...variables, ...globals.elements.keys(), ...globals.events.keys()],
    otherwise: globals.machines.has(name.text)
      ? `"${name.text}" is a machine, not a value: "new ${name.text}(…)" makes one`
      : 'declare it, or take one that is declared',
  })
}

/** Whether the value fits; if it does not, that is told at the value. */
export function expectType(context: FunctionContext, expected: Type, found: Type, value: Expression): boolean {
  if (isAssignable(expected, found)) return true
  refuseType(context, value.at, expected, found)
  return false
}

/** Something else was expected than what is there: a type, or one of several, in words. */
export function refuseType(context: FunctionContext, at: Span, expected: Type | string, found: Type): void {
  const wanted = typeof expected === 'string' ? expected : `"${typeText(expected)}"`
  refuse(context.project, {
    code: 'E712',
    message: `expected ${wanted}, found "${typeText(found)}"`,
    hint: hintFor(typeof expected === 'string' ? undefined : expected, found),
    at,
  })
}
