/** How code reaches private members: the box of a field, the function of a method, the two methods that an accessor became. */
import type { Node, PrivateIdentifier } from 'oxc-parser'
import { invariant } from '../../../core/invariant.ts'
import type { Frame } from './frame.ts'
import { flagsOf } from './function-flags.ts'
import { consume, held } from './operands.ts'
import { type Code, joined } from './output.ts'
import type { PrivateMember } from './private-names.ts'
import type { Rewriter } from './rewriter.ts'
import { named, transient, type Value } from './value.ts'

export function privateMember(rewriter: Rewriter, node: Node): PrivateMember {
  const member = rewriter.privates.members.get(node)
  invariant(member !== undefined, 'the parser knows every private name')
  return member
}

/** The name by which to ask whether an object has the member. */
export function brandOf(rewriter: Rewriter, property: PrivateIdentifier): string {
  const { kind, hasGetter } = privateMember(rewriter, property)
  return kind === 'accessor' ? accessorMethod(rewriter, hasGetter ? 'get' : 'set', property) : `#${property.name}`
}

/** What a getter or setter is called as a method. */
export function accessorMethod({ names }: Rewriter, kind: string, { name }: PrivateIdentifier): string {
  return `#${names.runtime}${kind}_${name}`
}

/**
 * The object that stands for the member where it is read or written: under its key is what the member holds or computes. A write looks
 * for the box when the value has been computed, as the language does; without one, the runtime says so.
 */
export function privatePlace(
  rewriter: Rewriter,
  frame: Frame,
  property: PrivateIdentifier,
  { value, writes }: { readonly value: Value; readonly writes: boolean },
): Value {
  const member = privateMember(rewriter, property)
  const name = `#${property.name}`
  if (member.kind === 'field' && !writes) {
    consume(frame, [value])
    return transient([operandCode(value), `.${name}`])
  }
  const { first, again } = twice(frame, value)
  const has = [`(${brandOf(rewriter, property)} in Object(`, first, ') && ']
  if (member.kind === 'field') return transient([has, again, `.${name})`])
  const get = member.kind === 'method' ? '' : member.hasGetter ? accessorMethod(rewriter, 'get', property) : ''
  const set = member.hasSetter ? accessorMethod(rewriter, 'set', property) : ''
  const parts = [get, set].map((part): Code => (part === '' ? 'undefined' : [again, `.${part}`]))
  const head = writes ? [has, rewriter.runtime('computed')] : rewriter.runtime('computed')
  const owner = writes ? again : first
  const code = [head, `(${JSON.stringify(member.key)}, `, owner, ', ', joined(parts), ')']
  return transient(writes ? [code, ')'] : code)
}

/** The function of a private method, as a value. */
export function privateMethod(rewriter: Rewriter, property: PrivateIdentifier, object: Code): Code {
  const { body } = privateMember(rewriter, property)
  invariant(body !== undefined, 'a private method has a body')
  return [rewriter.runtime('method'), '(', object, `.#${property.name}, ${flagsOf(rewriter, body)})`]
}

/** A value that is named twice in code that nothing interrupts: the first time it is evaluated. */
export function twice(frame: Frame, value: Value): { readonly first: Code; readonly again: Code } {
  if (value.isName) {
    consume(frame, [value])
    return { first: value.code, again: value.code }
  }
  const { code, variable } = held(frame, value)
  frame.flow.use(variable)
  return { first: code, again: named(variable).code }
}

function operandCode({ isName, code }: Value): Code {
  return isName ? code : ['(', code, ')']
}
