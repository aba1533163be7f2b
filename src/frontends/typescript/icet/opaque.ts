/**
 * Local computation that decides nothing: a function, named by its text, of the variables it reads. What it changes in place is
 * assigned afterwards, so that no later expression is taken for equal to an earlier one.
 */
import type { Node } from 'oxc-parser'
import type { Expression } from '../../../program/icet.ts'
import type { Meaning } from './meaning.ts'
import { asValue } from './names.ts'
import { survey } from './survey.ts'
import type { Target, Translator } from './translator.ts'

/** The value of an expression about which nothing is known. */
export function opaque(translator: Translator, node: Node, target?: Target): Meaning {
  const { inputs, changed, text } = survey(translator, node)
  const expression: Expression = { kind: 'opaque', text, inputs }
  if (changed.size === 0) return asValue(translator, expression)
  // What it changes may be the variable that the whole is assigned to.
  const result = target?.variable === undefined ? translator.variableFor(target, 'result') : translator.fresh('result')
  translator.assign(node, result, expression)
  assignChanged(translator, node, { text, inputs, changed: [...changed] })
  return asValue(translator, { kind: 'variable', name: result })
}

/** A statement without operations, whose variables afterwards are all that matters. */
export function opaqueStatement(translator: Translator, node: Node): void {
  const { inputs, changed, text } = survey(translator, node)
  assignChanged(translator, node, { text, inputs, changed: [...changed] })
}

interface Changes {
  readonly text: string
  readonly inputs: readonly Expression[]
  readonly changed: readonly (readonly [string, string])[]
}

function assignChanged(translator: Translator, node: Node, { text, inputs, changed }: Changes): void {
  const [only, ...more] = changed
  if (only === undefined) return
  if (more.length === 0) {
    translator.assign(node, only[0], { kind: 'opaque', text: `${only[1]} after ${text}`, inputs })
    return
  }
  // All at once: each new value is a function of the old ones.
  const after = translator.fresh('after')
  translator.assign(node, after, { kind: 'opaque', text: `after ${text}`, inputs })
  for (const [variable, name] of changed) {
    translator.assign(node, variable, { kind: 'field', of: { kind: 'variable', name: after }, name })
  }
}
