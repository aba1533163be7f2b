/** Functions as generators, and the closures that hold them. */
import type { BlockStatement } from 'oxc-parser'
import { type Binding, capturedBy } from './bindings.ts'
import { Frame } from './frame.ts'
import { type AnyFunction, flagsOf, takesSteps } from './function-flags.ts'
import { consume } from './operands.ts'
import { operation, siteCode } from './operations.ts'
import type { Code } from './output.ts'
import { parameterList } from './parameters.ts'
import type { Rewriter } from './rewriter.ts'
import { transient, type Value } from './value.ts'

/** A function expression. */
export function functionValue(rewriter: Rewriter, frame: Frame, node: AnyFunction, name: string | undefined): Value {
  const known = node.id?.name ?? name
  const shown = known ?? (node.type === 'ArrowFunctionExpression' ? '(arrow)' : '(function)')
  const generator: Code = ['function* ', generatorCode(rewriter, frame, node, shown)]
  return closureOf(rewriter, frame, { node, generator, name: known })
}

/** Parameters and body of the generator that a function becomes. */
export function generatorCode(rewriter: Rewriter, outer: Frame, node: AnyFunction, name: string): Code {
  const { bindings, names } = rewriter
  const region = rewriter.regionOf(node)
  const index = rewriter.table.function(rewriter.qualified(outer, name), node)
  const refusal = rewriter.refusals.functions.get(node)
  if (refusal !== undefined) return ['()', rewriter.refusingBody(region, index, { node, refusal })]
  const frame = new Frame({ kind: 'generator', region, index, isAsync: node.async, isGenerator: node.generator, names })
  const self = region.lendsThis && region.kind !== 'arrow' ? ` const ${names.self} = this;` : ''
  const given = argumentsCode(rewriter, frame, bindings.scopes.get(node)?.bindings.get('arguments'))
  const { list, prologue } = parameterList(rewriter, frame, node)
  const { body } = node
  const boxes = [rewriter.scopeHead(frame, bindings.scopes.get(node)), begun(rewriter, frame, node)]
  const content =
    body?.type === 'BlockStatement' ? blockContent(rewriter, frame, body) : expressionBody(rewriter, frame, body)
  frame.finish()
  return [list, ' {', frame.declarations, self, given, prologue, boxes, content]
}

/** Calling a generator function gives its parameters their values, and runs nothing of its body. */
function begun(rewriter: Rewriter, frame: Frame, node: AnyFunction): Code {
  if (!node.generator || !takesSteps(rewriter, node)) return ''
  const request = { name: 'begun', offset: node.start, operands: { setup: [], values: [] } }
  return [' ', operation(rewriter, frame, request).code, ';']
}

/** The function object: made once per evaluation, with the values it captures. */
export function closureOf(
  rewriter: Rewriter,
  frame: Frame,
  {
    node,
    generator,
    name,
  }: { readonly node: AnyFunction; readonly generator: Code; readonly name: string | undefined },
): Value {
  const region = rewriter.regionOf(node)
  const captured = capturedBy(region)
  const flags = flagsOf(rewriter, node)
  const shown = name === undefined ? '' : `, ${JSON.stringify(name)}`
  if (frame.region.kind === 'module' && captured.length === 0 && !region.usesThis) {
    return transient(recursive(rewriter, node, [rewriter.runtime('fn'), '(', generator, `, ${flags}${shown})`]))
  }
  consumeCaptured(frame, captured, region.usesThis)
  const borrows = region.usesThis && frame.kind === 'plain'
  const self = region.usesThis ? [borrows ? rewriter.names.self : frame.self.code] : []
  const values = [...self, ...captured.map((binding) => frame.codeOf(binding))].join(', ')
  const site = siteCode(rewriter, frame, node.start)
  const code = [rewriter.runtime('closure'), '(', site, ', ', generator, `, [${values}], ${flags}${shown})`]
  const named = recursive(rewriter, node, code)
  return transient(borrows ? [`((${rewriter.names.self}) => `, named, ')(this)'] : named)
}

/** The values that a function or class expression uses are needed where it is evaluated. */
export function consumeCaptured(frame: Frame, captured: readonly Binding[], usesThis: boolean): void {
  frame.flow.use(...captured.map((binding) => frame.variable(binding)))
  if (usesThis) frame.flow.use(frame.self)
}

/** A function expression that calls itself by its own name must mean the closure, not its generator. */
function recursive(rewriter: Rewriter, node: AnyFunction, code: Code): Code {
  if (node.type !== 'FunctionExpression' || node.id === null) return code
  const own = rewriter.bindings.resolved.get(node.id)
  if (own === undefined || own.users.size === 0) return code
  return [`(() => { const ${node.id.name} = `, code, `; return ${node.id.name} })()`]
}

function argumentsCode(rewriter: Rewriter, frame: Frame, binding: Binding | undefined): Code {
  if (binding?.kind !== 'arguments') return ''
  const { names } = rewriter
  frame.flow.define(frame.variable(binding))
  const site = siteCode(rewriter, frame, binding.offset)
  return ` const ${names.arguments} = ${rewriter.runtime('made')}(${site}, [...arguments]);`
}

function blockContent(rewriter: Rewriter, frame: Frame, body: BlockStatement): Code {
  return [
    rewriter.scopeHead(frame, rewriter.bindings.scopes.get(body)),
    rewriter.statements(frame, body.body, { start: body.start + 1, end: body.end }),
  ]
}

function expressionBody(rewriter: Rewriter, frame: Frame, body: AnyFunction['body']): Code {
  if (body === null) return '}'
  const value = rewriter.returned(frame, body)
  consume(frame, [value])
  frame.flow.end()
  return [' return (', value.code, ') }']
}
