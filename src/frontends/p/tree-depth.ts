/** How deep a tree is, found without recursion. */
import type { Node } from './ast.ts'

/** A node that stands more than so many nodes below the root; undefined if none does. */
export function deepestNode(root: Node, deepest: number): Node | undefined {
  const open: { readonly value: unknown; readonly depth: number; readonly nearest: Node }[] = []
  open.push({ value: root, depth: 0, nearest: root })
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth, nearest } = next
    if (typeof value !== 'object' || value === null) continue
    const node = isNode(value) ? value : nearest
    const below = isNode(value) ? depth + 1 : depth
    if (below > deepest) return node
    for (const [key, part] of Object.entries(value)) {
      if (key !== 'at') open.push({ value: part, depth: below, nearest: node })
    }
  }
  return undefined
}

function isNode(value: object): value is Node {
  return 'at' in value
}
