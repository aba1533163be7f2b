/**
 * Parameters of generators. `yield` may not stand in them, so defaults with operations and patterns move into the body,
 * where they are evaluated in the same order, before anything else.
 */
import type { Node, ParamPattern } from 'oxc-parser'
import type { Frame } from './frame.ts'
import type { AnyFunction } from './function-flags.ts'
import { isPlainName, mustMove } from './moved-parameters.ts'
import { siteCode } from './operations.ts'
import { type Code, joined, slice } from './output.ts'
import { bindPattern, declarators, declareName, type Item } from './patterns.ts'
import type { Rewriter } from './rewriter.ts'
import { named, transient, type Value } from './value.ts'

export interface Parameters {
  /** In parentheses. */
  readonly list: Code
  readonly prologue: Code
}

export function parameterList(rewriter: Rewriter, frame: Frame, node: AnyFunction): Parameters {
  const firstMoved = node.params.findIndex((parameter) => mustMove(rewriter, parameter))
  const list: Code[] = []
  // The list of a rest parameter must be known to the runtime before anything suspends.
  const atOnce: (() => readonly Item[])[] = []
  const inOrder: (() => readonly Item[])[] = []
  node.params.forEach((parameter, index) => {
    const isRest = parameter.type === 'RestElement'
    if (firstMoved < 0 || index < firstMoved || isPlainName(parameter)) {
      list.push(slice(parameter.start, parameter.end))
      ;(isRest ? atOnce : inOrder).push(() => adopted(rewriter, frame, parameter))
      return
    }
    const given = frame.parameter(rewriter.names.kept('p', index))
    list.push(headOf(parameter, given.code))
    if (isRest) atOnce.push(() => [{ code: [given.code, ' = ', madeCode(rewriter, frame, parameter, given.code)] }])
    inOrder.push(() => moved(rewriter, frame, parameter, named(given)))
  })
  const items = [...atOnce, ...inOrder].flatMap((bind) => bind())
  const prologue = items.length === 0 ? '' : [' var ', declarators(frame, items), ';']
  return { list: ['(', joined(list), ')'], prologue }
}

/** A parameter whose name the language binds: only a box or a list is made from it. */
function adopted(rewriter: Rewriter, frame: Frame, parameter: ParamPattern): readonly Item[] {
  const target = parameter.type === 'AssignmentPattern' ? parameter.left : parameter
  const isRest = parameter.type === 'RestElement'
  const identifier: Node = isRest ? parameter.argument : target
  if (identifier.type !== 'Identifier') return []
  const binding = rewriter.bindings.resolved.get(identifier)
  if (binding === undefined || !(binding.isBoxed || isRest)) return []
  // Until then the plain value is what the frame needs.
  const given = binding.isBoxed ? frame.parameter(binding.name) : frame.variable(binding)
  frame.flow.use(given)
  const code = isRest ? madeCode(rewriter, frame, parameter, binding.name) : binding.name
  return [declareName(rewriter, frame, identifier, transient(code))]
}

function madeCode(rewriter: Rewriter, frame: Frame, { start }: ParamPattern, name: string): Code {
  return [rewriter.runtime('made'), '(', siteCode(rewriter, frame, start), `, ${name})`]
}

function moved(rewriter: Rewriter, frame: Frame, parameter: ParamPattern, value: Value): readonly Item[] {
  if (parameter.type === 'TSParameterProperty') return []
  if (parameter.type !== 'RestElement')
    return bindPattern(rewriter, frame, { target: parameter, value, declares: true })
  return bindPattern(rewriter, frame, { target: parameter.argument, value, declares: true })
}

/** An optional parameter stays one, for the function's `length`. */
function headOf(parameter: ParamPattern, name: string): Code {
  if (parameter.type === 'RestElement') return `...${name}`
  return parameter.type === 'AssignmentPattern' ? `${name} = undefined` : name
}
