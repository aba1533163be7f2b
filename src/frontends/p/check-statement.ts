/** Statements: each in its place, with values that fit. */
import type { Expression, Span, Statement, StatementOf, Target } from './ast.ts'
import { elementOf, fieldOf, itemOf } from './check-expression.ts'
import { checkCall, checkCreation, checkEvent } from './check-payload.ts'
import { checkReceive } from './check-receive.ts'
import { refuseUnknownState } from './check-state.ts'
import {
  act,
  checkStatements,
  expectType,
  type FunctionContext,
  machineOf,
  refuseType,
  refuseUnknownVariable,
  typeOf,
  variableNamed,
} from './function-context.ts'
import { refuse, stateOf } from './project.ts'
import type { VariableSymbol } from './symbols.ts'
import type { Type } from './type.ts'
import {
  boolType,
  intType,
  isAssignable,
  isSame,
  machineType,
  stringType,
  typeText,
  unknownType,
} from './type-relations.ts'

export function checkStatement(context: FunctionContext, statement: Statement): void {
  switch (statement.kind) {
    case 'block':
      return checkStatements(context, statement.body)
    case 'assign':
    case 'insert':
    case 'add':
    case 'remove':
      return checkChange(context, statement)
    case 'assert':
    case 'assume':
      return checkClaim(context, statement)
    case 'print':
      return expectExactly(context, stringType, statement.message)
    case 'if':
    case 'while':
    case 'foreach':
    case 'break':
    case 'continue':
    case 'empty':
      return checkBranch(context, statement)
    case 'return':
      return checkReturn(context, statement)
    case 'new':
      checkCreation(context, statement)
      return
    case 'call':
      checkCall(context, statement)
      return
    case 'send':
      checkAddressee(context, statement.to)
      return checkEvent(context, statement)
    case 'raise':
      checkLeaving(context, statement)
      return checkEvent(context, statement)
    case 'announce':
      return checkEvent(context, statement)
    case 'goto':
      checkLeaving(context, statement)
      return checkGoto(context, statement)
    case 'receive':
      return checkReceive(context, statement)
  }
}

function checkClaim(context: FunctionContext, statement: StatementOf<'assert' | 'assume'>): void {
  expectExactly(context, boolType, statement.condition)
  if (statement.message !== undefined) expectExactly(context, stringType, statement.message)
  if (statement.kind === 'assert') return
  // To leave it out would show executions that it rules out.
  refuse(context.project, {
    code: 'E706',
    message: '"assume" in a function is for P\'s verifier, which is not supported',
    hint: 'choose among the values that are meant, or leave the function with return; parameters of tests may have an "assume"',
    at: statement.at,
  })
}

function expectExactly(context: FunctionContext, expected: Type, value: Expression): void {
  const found = typeOf(context, value)
  if (!isSame(expected, found)) refuseType(context, value.at, expected, found)
}

function checkChange(context: FunctionContext, statement: StatementOf<'assign' | 'insert' | 'add' | 'remove'>): void {
  const target = typeOfTarget(context, statement.target)
  switch (statement.kind) {
    case 'assign':
      expectType(context, target, typeOf(context, statement.value), statement.value)
      return
    case 'add': {
      const value = typeOf(context, statement.value)
      if (target.kind === 'set') expectType(context, target.of, value, statement.value)
      else if (target.kind !== 'unknown') {
        refuseType(
          context,
          statement.target.at,
          'a set (a seq takes "+= (index, value)", a map "+= (key, value)")',
          target,
        )
      }
      return
    }
    case 'insert': {
      const key = typeOf(context, statement.key)
      const value = typeOf(context, statement.value)
      if (target.kind === 'seq' || target.kind === 'map') {
        expectType(context, target.kind === 'map' ? target.key : intType, key, statement.key)
        expectType(context, target.kind === 'map' ? target.value : target.of, value, statement.value)
      } else if (target.kind !== 'unknown') {
        refuseType(context, statement.target.at, 'a seq or a map (a set takes "+= (value)")', target)
      }
      return
    }
    case 'remove': {
      const key = typeOf(context, statement.key)
      if (target.kind === 'seq') expectType(context, intType, key, statement.key)
      else if (target.kind === 'map') expectType(context, target.key, key, statement.key)
      else if (target.kind === 'set') expectType(context, target.of, key, statement.key)
      else if (target.kind !== 'unknown') refuseType(context, statement.target.at, 'a seq, a set or a map', target)
    }
  }
}

/** A variable, or a part of one that can be replaced. */
function typeOfTarget(context: FunctionContext, target: Target): Type {
  const type = typeOfTargetKind(context, target)
  context.project.types.set(target, type)
  return type
}

function typeOfTargetKind(context: FunctionContext, target: Target): Type {
  switch (target.kind) {
    case 'name': {
      const variable = variableNamed(context, target.name.text)
      if (variable === undefined) {
        refuseUnknownVariable(context, target.name)
        return unknownType
      }
      refuseParameter(context, variable, target.at)
      context.project.meanings.set(target.name, variable)
      return variable.type
    }
    case 'field':
      return fieldOf(context, target, typeOfTarget(context, target.of))
    case 'item':
      return itemOf(context, target, typeOfTarget(context, target.of))
    case 'element': {
      const of = typeOfTarget(context, target.of)
      if (of.kind === 'set') {
        refuse(context.project, {
          code: 'E716',
          message: 'an element of a set cannot be replaced',
          hint: 'remove it and add the other: "s -= (x); s += (y);"',
          at: target.at,
        })
      }
      return elementOf(context, target, of)
    }
    default:
      refuse(context.project, {
        code: 'E716',
        message: 'this cannot be changed',
        hint: 'variables can, and their parts: "x", "x.field", "x.0", "x[i]"',
        at: target.at,
      })
      return unknownType
  }
}

function refuseParameter(context: FunctionContext, variable: VariableSymbol, at: Span): void {
  if (variable.kind !== 'parameter') return
  refuse(context.project, {
    code: 'E716',
    message: `"${variable.name}" is a parameter of tests, which cannot be changed`,
    hint: 'copy it to a variable',
    at,
    second: { at: variable.at, label: 'the parameter' },
  })
}

type Branch =
  | StatementOf<'if'>
  | StatementOf<'while'>
  | StatementOf<'foreach'>
  | StatementOf<'break' | 'continue' | 'empty'>

function checkBranch(context: FunctionContext, statement: Branch): void {
  switch (statement.kind) {
    case 'if':
      expectExactly(context, boolType, statement.condition)
      checkStatement(context, statement.then)
      if (statement.otherwise !== undefined) checkStatement(context, statement.otherwise)
      return
    case 'while':
      expectExactly(context, boolType, statement.condition)
      return checkLoop(context, statement.body)
    case 'foreach':
      checkIteration(context, statement)
      return checkLoop(context, statement.body)
    default:
      if (statement.kind === 'empty' || context.loops > 0) return
      refuse(context.project, {
        code: 'E716',
        message: `"${statement.kind}" stands in no loop`,
        hint: 'loops outside of a case of "receive" go on when the case ends; "return" there leaves the function around it',
        at: statement.at,
      })
  }
}

function checkLoop(context: FunctionContext, body: Statement): void {
  context.loops++
  checkStatement(context, body)
  context.loops--
}

function checkIteration(context: FunctionContext, statement: StatementOf<'foreach'>): void {
  const over = typeOf(context, statement.over)
  const variable = variableNamed(context, statement.variable.text)
  if (variable === undefined) {
    refuseUnknownVariable(context, statement.variable)
  } else {
    refuseParameter(context, variable, statement.variable.at)
    context.project.meanings.set(statement.variable, variable)
  }
  if (over.kind === 'unknown') return
  if (over.kind !== 'seq' && over.kind !== 'set') {
    refuseType(context, statement.over.at, 'a seq or a set (of a map: "keys(m)" or "values(m)")', over)
  } else if (variable !== undefined && !isSame(over.of, variable.type)) {
    refuseType(context, statement.variable.at, `a variable of exactly the type "${typeText(over.of)}"`, variable.type)
  }
}

function checkReturn(context: FunctionContext, statement: StatementOf<'return'>): void {
  const returns = context.symbol?.returns ?? unknownType
  const found = statement.value === undefined ? undefined : typeOf(context, statement.value)
  if (found === undefined) {
    if (returns.kind === 'void' || returns.kind === 'unknown') return
    refuse(context.project, {
      code: 'E712',
      message: `"return" without a value, in a function that returns "${typeText(returns)}"`,
      hint: 'return a value of that type',
      at: statement.at,
    })
  } else if (!isAssignable(returns, found)) {
    if (returns.kind !== 'void') return refuseType(context, statement.value?.at ?? statement.at, returns, found)
    refuse(context.project, {
      code: 'E712',
      message: '"return" with a value, in a function that returns nothing',
      hint: 'declare what it returns, as in "fun f(): int"; handlers and cases of "receive" return nothing',
      at: statement.at,
    })
  }
}

function checkAddressee(context: FunctionContext, to: Expression): void {
  const type = typeOf(context, to)
  if (!isAssignable(machineType, type)) refuseType(context, to.at, machineType, type)
}

/** What ends the whole handler cannot stand where a value is promised to the caller. */
function checkLeaving(
  context: FunctionContext,
  statement: StatementOf<'raise' | 'announce'> | StatementOf<'goto'>,
): void {
  for (let around: FunctionContext | undefined = context; around !== undefined; around = around.outer) {
    const returns = around.symbol?.returns
    if (around.symbol === undefined || returns === undefined || returns.kind === 'void') continue
    refuse(context.project, {
      code: 'E716',
      message: `"${statement.kind}" in a function that returns "${typeText(returns)}"`,
      hint: `"${statement.kind}" ends the handler and all functions it called: do it in one that returns nothing`,
      at: statement.at,
      second: { at: around.symbol.at, label: 'the function' },
    })
  }
}

function checkGoto(context: FunctionContext, statement: StatementOf<'goto'>): void {
  act(context, 'goto', statement.at)
  const types = statement.args.map((arg) => typeOf(context, arg))
  const machine = machineOf(context)
  if (machine === undefined) {
    refuse(context.project, {
      code: 'E716',
      message: '"goto" stands in no machine',
      hint: 'a global function knows no states: move it into the machine',
      at: statement.at,
    })
    return
  }
  const state = stateOf(machine, statement.state.text)
  if (state === undefined) return refuseUnknownState(context.project, machine, statement.state)
  const param = state.entry?.params[0]
  const [found] = types
  if (
    types.length === (param === undefined ? 0 : 1) &&
    (param === undefined || isAssignable(param.type, found ?? unknownType))
  ) {
    return
  }
  const given = types.length === 0 ? 'nothing' : types.map((type) => `"${typeText(type)}"`).join(', ')
  refuse(context.project, {
    code: 'E713',
    message: `the entry of "${state.name}" takes ${param === undefined ? 'nothing' : `"${typeText(param.type)}"`}, found ${given}`,
    hint:
      param === undefined
        ? 'leave the payload out, or give the entry a parameter'
        : 'one value of that type goes with "goto"',
    at: statement.args[0]?.at ?? statement.at,
    second: { at: param?.at ?? state.declaration.name.at, label: param === undefined ? 'the state' : 'the parameter' },
  })
}
