/**
 * Getters and setters. The language calls accessors without being able to suspend them, so the body becomes a generator
 * beside the accessor, under a symbol that the runtime looks up when it performs the read or write itself.
 */
import type { Function as FunctionNode, Node } from 'oxc-parser'
import type { Frame } from './frame.ts'
import { generatorCode } from './functions.ts'
import { type Code, slice } from './output.ts'
import type { Rewriter } from './rewriter.ts'

export interface Accessor {
  readonly kind: string
  readonly key: Node
  readonly computed: boolean
  readonly value: Node
  readonly static?: boolean
}

/** The class of an accessor. */
export interface Owner {
  readonly name: string
  /** What the class is called in its members, if it has a name. */
  readonly code: string | undefined
}

/** Two members, separated by a comma in an object literal. */
export function accessorCode(rewriter: Rewriter, frame: Frame, accessor: Accessor, owner?: Owner): Code {
  const { key, computed } = accessor
  const value = accessor.value as FunctionNode
  const kind = accessor.kind === 'set' ? 'set' : 'get'
  const name = computed ? rewriter.text(key) : rewriter.propertyName(key)
  const shown = key.type === 'PrivateIdentifier' ? `#${key.name}` : name
  const keyCode = computed ? name : JSON.stringify(name)
  const symbol = `[${rewriter.runtime(`${kind}ter`)}(${keyCode})]`
  const modifier = accessor.static === true ? 'static ' : ''
  const [parameter, argument] = kind === 'set' ? ['value', '[value]'] : ['', '[]']
  const member = computed ? ['[', slice(key.start, key.end), ']'] : memberName(rewriter, key)
  // By way of the class, as a class that extends it may have an accessor of the same name, which calls this one.
  const holder = owner?.code === undefined ? 'this' : `${owner.code}${accessor.static === true ? '' : '.prototype'}`
  const run = `return ${rewriter.runtime('runAccessor')}(this, ${holder}${symbol}, ${argument})`
  const separator = owner === undefined ? ', ' : ' '
  const shownName = owner === undefined ? `${kind} ${shown}` : `${owner.name}.${kind} ${shown}`
  return [
    `${modifier}${kind} `,
    member,
    `(${parameter}) { ${run} }${separator}${modifier}*${symbol}`,
    generatorCode(rewriter, frame, value, shownName),
  ]
}

/** A key that is not computed, as it stands in a class or literal. */
export function memberName(rewriter: Rewriter, key: Node): Code {
  return key.type === 'PrivateIdentifier' ? rewriter.propertyName(key) : slice(key.start, key.end)
}
