/** Whether a patch changed what it was to change and nothing else, as the parser reads it. */
import type { Class, Node, Program } from 'oxc-parser'
import { keyName } from '../function-names.ts'
import { isClass } from '../syntax.ts'

interface Allowed {
  /** Members whose body may differ, of whichever class. */
  readonly members: ReadonlySet<string>
  /** Members that may be there or not. */
  readonly added: ReadonlySet<string>
}

export function isOtherwiseUnchanged(before: Program, after: Program, allowed: Allowed): boolean {
  return JSON.stringify(shapeOf(before, allowed)) === JSON.stringify(shapeOf(after, allowed))
}

/** Where things stand, and what is only how they are written. */
const ignored: ReadonlySet<string> = new Set(['start', 'end', 'range', 'loc', 'raw', 'comments', 'hashbang'])

function shapeOf(node: unknown, allowed: Allowed): unknown {
  if (Array.isArray(node)) return node.filter((one) => !isOurImport(one)).map((one) => shapeOf(one, allowed))
  if (typeof node === 'bigint') return String(node)
  if (typeof node !== 'object' || node === null) return node
  if (node instanceof RegExp) return String(node)
  const known = Object.entries(node).filter(([key]) => !ignored.has(key))
  const shape = Object.fromEntries(known.map(([key, value]) => [key, shapeOf(value, allowed)]))
  return isClass(node as Node) ? { ...shape, body: membersOf(node as Class, allowed) } : shape
}

function membersOf({ body }: Class, allowed: Allowed): readonly unknown[] {
  return body.body.flatMap((member): readonly unknown[] => {
    const name = 'key' in member && member.key !== null ? keyName(member.key) : undefined
    if (name === undefined) return [shapeOf(member, allowed)]
    if (allowed.added.has(name)) return []
    if (!allowed.members.has(name) || !('value' in member) || member.value === null) return [shapeOf(member, allowed)]
    return [shapeOf({ ...member, value: { ...member.value, body: null } }, allowed)]
  })
}

function isOurImport(node: unknown): boolean {
  const { type, source } = Object(node) as { readonly type?: unknown; readonly source?: { readonly value?: unknown } }
  return type === 'ImportDeclaration' && source?.value === 'allways/sync'
}
