/** A function of P as a control-flow graph. */
import { invariant } from '../../core/invariant.ts'
import { FunctionBuilder } from '../../ir/build.ts'
import type { IrEnd, IrFunction } from '../../ir/ir.ts'
import { type FunctionScope, missingValue, type ProgramScope } from './lower-scope.ts'
import { lowerStatements } from './lower-statement.ts'
import type { FunctionSymbol } from './symbols.ts'

export function lowerFunction(symbol: FunctionSymbol, program: ProgramScope): IrFunction {
  const builder = new FunctionBuilder()
  const returns = symbol.returns.kind === 'void' ? undefined : program.type(symbol.returns)
  const variables = new Map(
    [...symbol.params, ...symbol.locals].map((variable) => [
      variable,
      builder.local(variable.name, program.type(variable.type)),
    ]),
  )
  const { name, machine } = symbol
  const scope: FunctionScope = { program, builder, machine, variables, returns, name, loop: undefined }
  invariant(symbol.body !== undefined, 'foreign functions are called and not lowered')
  lowerStatements(symbol.body, scope)
  builder.end(lastEnd(symbol, scope))
  return { name, params: symbol.params.length, returns, ...builder.finish(), place: program.place(symbol.at) }
}

/** That a value is returned on all ways was checked, so nobody comes here where one is asked for. */
function lastEnd({ at }: FunctionSymbol, scope: FunctionScope): IrEnd {
  const place = scope.program.place(at)
  return scope.returns === undefined ? { kind: 'return', value: undefined, place } : missingValue(place, scope)
}
