/** Names of what the rewriting adds; none of them occurs in the source, because all begin with a prefix that none there has. */
import type { Program } from 'oxc-parser'
import { walk } from '../syntax.ts'

export interface Names {
  /** The namespace of the runtime. */
  readonly runtime: string
  /** The number of the module's first site. */
  readonly base: string
  readonly self: string
  readonly arguments: string
  temporary(number: number): string
  /** Lives longer than a statement. */
  kept(purpose: string, number: number): string
  box(name: string): string
  /** Instead of a name that hides another one. */
  renamed(name: string, number: number): string
  generator(name: string): string
}

const named = new Set(['Identifier', 'JSXIdentifier', 'PrivateIdentifier'])

export function namesFor(program: Program): Names {
  const used = new Set<string>()
  walk(program, {
    enter(node) {
      if (named.has(node.type) && 'name' in node && String(node.name).startsWith('$')) used.add(String(node.name))
    },
  })
  let prefix = '$'
  while ([...used].some((name) => name.startsWith(prefix))) prefix += '$'
  return {
    runtime: prefix,
    base: `${prefix}b`,
    self: `${prefix}this`,
    arguments: `${prefix}arguments`,
    temporary: (number) => `${prefix}${number}`,
    kept: (purpose, number) => `${prefix}${purpose}${number}`,
    box: (name) => `${prefix}_${name}`,
    renamed: (name, number) => `${prefix}r${number}_${name}`,
    generator: (name) => `${prefix}g_${name}`,
  }
}
