/** Parameters of a function that is put in where it is called: what their names mean inside. */
import type { Node } from 'oxc-parser'
import type { Expression } from '../../../program/icet.ts'
import { hasOperation } from './conditions.ts'
import { type Meaning, undefinedValue } from './meaning.ts'
import { asValue, expressionOf } from './names.ts'
import { bindName, bindPattern, isStable } from './patterns.ts'
import { outside } from './refusal.ts'
import { either } from './terms.ts'
import type { Calling, Translator } from './translator.ts'

export function bindParameters(
  translator: Translator,
  { callee, node, args }: Calling,
  bind: (translator: Translator, parameter: Node, meaning: Meaning) => void,
): void {
  for (const [index, parameter] of callee.node.params.entries()) {
    const given = args[index]
    if (parameter.type !== 'AssignmentPattern') {
      if (parameter.type === 'RestElement') {
        translator.refuse(parameter, outside('a rest parameter', 'name the parameters one by one'))
      }
      bind(translator, parameter, given ?? undefinedValue)
    } else if (given === undefined) bind(translator, parameter.left, translator.value(parameter.right))
    else bind(translator, parameter.left, withDefault(translator, node, parameter.right, given))
  }
}

function withDefault(translator: Translator, node: Node, otherwise: Node, given: Meaning): Meaning {
  if (given.kind !== 'value' && given.kind !== 'foreign') return given
  const expression = expressionOf(translator, node, given)
  if (expression.kind === 'literal') return expression.value === undefined ? translator.value(otherwise) : given
  if (isDefined(expression)) return given
  const right = { kind: 'literal', value: undefined } as const
  const isMissing = { kind: 'binary', operator: '===', left: expression, right } as const
  if (!hasOperation(translator, otherwise)) {
    const then = expressionOf(translator, node, translator.value(otherwise))
    return asValue(translator, either(isMissing, then, expression))
  }
  const variable = translator.fresh('given')
  translator.process.mutable.add(variable)
  translator.assign(node, variable, expression)
  const evaluate = () =>
    translator.assign(otherwise, variable, expressionOf(translator, otherwise, translator.value(otherwise)))
  translator.branch(otherwise, { ...isMissing, left: { kind: 'variable', name: variable } }, evaluate, () => undefined)
  return asValue(translator, { kind: 'variable', name: variable })
}

/** By its form alone. */
function isDefined(expression: Expression): boolean {
  if (expression.kind === 'binary') return expression.operator !== '&&' && expression.operator !== '||'
  return ['self', 'process', 'parameter', 'not'].includes(expression.kind)
}

export function bindParameter(translator: Translator, parameter: Node, meaning: Meaning): void {
  if (parameter.type !== 'Identifier') {
    bindPattern(translator, parameter, meaning)
    return
  }
  const { module } = translator.frame
  const binding = module.bindingOf(parameter)
  // An object that is changed in place, by the function or while it runs, is the object of its caller.
  const isChanged = binding !== undefined && (module.mutated.has(binding) || isChangedIn(translator, meaning))
  const isAlias = isChanged && isVariable(meaning)
  const isFixed = binding !== undefined && !module.mutated.has(binding) && isStable(translator, meaning)
  if (binding?.assigned === false && (isAlias || isFixed)) translator.frame.set(binding, meaning)
  else bindName(translator, parameter, meaning)
}

function isChangedIn({ process }: Translator, meaning: Meaning): boolean {
  const expression = meaning.kind === 'value' ? meaning.expression : undefined
  return expression?.kind === 'variable' && process.changed.has(expression.name)
}

function isVariable(meaning: Meaning): boolean {
  return meaning.kind === 'value' && meaning.expression.kind === 'variable'
}

/** In a single expression nothing changes between the evaluation of an argument and its use. */
export function substitute(translator: Translator, parameter: Node, meaning: Meaning): void {
  const binding = parameter.type === 'Identifier' ? translator.frame.module.bindingOf(parameter) : undefined
  if (binding === undefined || binding.assigned) bindPattern(translator, parameter, meaning)
  else translator.frame.set(binding, meaning)
}
