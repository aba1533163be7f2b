/**
 * Getters and setters. The language calls accessors without being able to suspend them, so the body becomes a generator
 * beside the accessor, under a symbol that the runtime looks up when it performs the read or write itself. A private accessor
 * becomes a method, which `private-members.ts` reaches.
 */
import type { Function as FunctionNode, Node } from 'oxc-parser'
import type { Frame } from './frame.ts'
import { generatorCode } from './functions.ts'
import { type Code, slice } from './output.ts'
import { accessorMethod } from './private-members.ts'
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
  const modifier = accessor.static === true ? 'static ' : ''
  if (key.type === 'PrivateIdentifier') {
    const shown = `${owner?.name ?? ''}.${kind} #${key.name}`
    const method = accessorMethod(rewriter, kind, key)
    return [`${modifier === '' ? ';' : modifier}*${method}`, generatorCode(rewriter, frame, value, shown)]
  }
  const name = computed ? rewriter.text(key) : rewriter.propertyName(key)
  const keyCode = computed ? name : JSON.stringify(name)
  const symbol = `[${rewriter.runtime(`${kind}ter`)}(${keyCode})]`
  const [parameter, argument] = kind === 'set' ? ['value', '[value]'] : ['', '[]']
  const member = computed ? ['[', slice(key.start, key.end), ']'] : slice(key.start, key.end)
  // By way of the class, as a class that extends it may have an accessor of the same name, which calls this one.
  const holder = owner?.code === undefined ? 'this' : `${owner.code}${accessor.static === true ? '' : '.prototype'}`
  const run = `return ${rewriter.runtime('runAccessor')}(this, ${holder}${symbol}, ${argument})`
  const separator = owner === undefined ? ', ' : ' '
  const shownName = owner === undefined ? `${kind} ${name}` : `${owner.name}.${kind} ${name}`
  return [
    `${modifier}${kind} `,
    member,
    `(${parameter}) { ${run} }${separator}${modifier}*${symbol}`,
    generatorCode(rewriter, frame, value, shownName),
  ]
}
