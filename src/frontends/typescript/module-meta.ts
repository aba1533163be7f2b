/** `import.meta.url` and its like, answered for the file itself: in a bundle they would name the bundle. */
import type { Node } from 'oxc-parser'
import type { Edits } from './edits.ts'

/** Properties of `import.meta` with the values to put in their place. */
export type ModuleMeta = { readonly [property: string]: string }

export function replaceModuleMeta(edits: Edits, node: Node, meta: ModuleMeta): void {
  if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'MetaProperty') return
  if (node.object.meta.name !== 'import' || node.property.type !== 'Identifier') return
  const value = Object.hasOwn(meta, node.property.name) ? meta[node.property.name] : undefined
  if (value !== undefined) edits.replace(node.start, node.end, JSON.stringify(value))
}
