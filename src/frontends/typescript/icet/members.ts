/** Members of a set by their index: `workers[i]` where `i` goes through all of them. */
import type { Node } from 'oxc-parser'
import type { Count, Expression } from '../../../program/icet.ts'
import { evaluatedWith, unwrapped } from '../access/tree.ts'
import type { Counting, ForLoop } from './counting.ts'
import type { Meaning, MeaningOf } from './meaning.ts'
import { methodName } from './ownership.ts'
import type { Translator } from './translator.ts'

/** The index of a member: a function of the member of which nothing is known, but that it is one and how large it can be. */
export function indexOf(set: string, member: Expression): Expression {
  return { kind: 'opaque', text: `index in ${set}`, inputs: [member], indexIn: set }
}

/** The set that the loop takes a member of by its index in every round, if it has as many members as the loop has rounds. */
export function indexedSet(
  translator: Translator,
  { body }: ForLoop,
  { identifier, start, step, count }: Counting,
): MeaningOf<'set'> | undefined {
  if (start.kind !== 'literal' || start.value !== 0 || step !== 1) return undefined
  const { module } = translator.frame
  const index = module.bindingOf(identifier)
  for (const inner of evaluatedWith(body)) {
    const access = accessOf(inner)
    if (access === undefined || module.bindingOf(unwrapped(access.key)) !== index) continue
    const object = unwrapped(access.object)
    if (object.type !== 'Identifier' && object.type !== 'MemberExpression') continue
    const set = meaningIn(translator, object)
    if (set?.kind === 'set' && isSame(set.count, count)) return set
  }
  return undefined
}

/** Asking leaves no trace. */
function meaningIn(translator: Translator, node: Node): Meaning | undefined {
  let meaning: Meaning | undefined
  translator.writes(() => {
    meaning = translator.value(node)
  })
  return meaning
}

function isSame(left: Count, right: Count): boolean {
  if (left.kind === 'number') return right.kind === 'number' && left.value === right.value
  return right.kind === 'parameter' && left.name === right.name && (left.plus ?? 0) === (right.plus ?? 0)
}

interface Access {
  readonly object: Node
  readonly key: Node
}

/** `all[i]` and `all.at(i)`. */
function accessOf(node: Node): Access | undefined {
  if (node.type === 'MemberExpression') return node.computed ? { object: node.object, key: node.property } : undefined
  const callee = node.type === 'CallExpression' ? unwrapped(node.callee) : undefined
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || methodName(callee) !== 'at')
    return undefined
  const [key, ...more] = node.arguments
  return key === undefined || more.length > 0 ? undefined : { object: callee.object, key }
}

/** The member of the round, if the expression takes that. */
export function memberTaken({ frame, indexed }: Translator, node: Node, set: string): Meaning | undefined {
  const access = accessOf(node)
  const index = access === undefined ? undefined : frame.module.bindingOf(unwrapped(access.key))
  const known = index === undefined ? undefined : indexed.get(index)
  return known?.set === set ? known.member : undefined
}
