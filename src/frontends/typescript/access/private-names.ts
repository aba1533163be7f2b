/**
 * Private members become ordinary properties, which the runtime can read like any other. Their new names are unique per
 * class of a file and carry a digest of the file's name, so that a class and its parent from elsewhere do not clash.
 */
import type { Class, Node, Program } from 'oxc-parser'
import { childrenOf, isClass } from '../syntax.ts'

export interface PrivateNames {
  /** By private identifier. */
  readonly renamed: ReadonlyMap<Node, string>
  /** What to show for the new names. */
  readonly shown: ReadonlyMap<string, string>
}

export function privateNamesOf(program: Program, file: string): PrivateNames {
  const renamed = new Map<Node, string>()
  const shown = new Map<string, string>()
  const digest = digestOf(file.slice(file.lastIndexOf('/') + 1))
  const visit = (node: Node, names: ReadonlyMap<string, string>): void => {
    if (node.type === 'PrivateIdentifier') {
      const name = names.get(node.name)
      if (name !== undefined) renamed.set(node, name)
    }
    const inner = isClass(node) ? new Map([...names, ...declared(node, shown, digest)]) : names
    for (const child of childrenOf(node)) visit(child, inner)
  }
  visit(program, new Map())
  return { renamed, shown }
}

function declared(node: Class, shown: Map<string, string>, digest: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const member of node.body.body) {
    if (!('key' in member) || member.key.type !== 'PrivateIdentifier' || names.has(member.key.name)) continue
    const stem = `$$${node.id?.name ?? 'class'}_${member.key.name}_${digest}`
    let name = stem
    for (let number = 2; shown.has(name); number++) name = `${stem}${number}`
    names.set(member.key.name, name)
    shown.set(name, `#${member.key.name}`)
  }
  return names
}

/** FNV-1a. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
