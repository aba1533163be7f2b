/**
 * Private members stay private, so that the language itself says who has them. A field holds a box of the runtime, which has the value
 * under a name that is unique per class of a file; a getter or setter becomes a method.
 */
import type { Class, Function as FunctionNode, MethodDefinition, Node, Program, PropertyDefinition } from 'oxc-parser'
import { childrenOf, isClass } from '../syntax.ts'

export interface PrivateMember {
  /** In its box, and of an accessor for the runtime. It carries a digest of the file's name: a class and its parent do not clash. */
  readonly key: string
  readonly kind: 'field' | 'method' | 'accessor'
  readonly hasGetter: boolean
  readonly hasSetter: boolean
  /** Of a method. */
  readonly body: FunctionNode | undefined
}

export interface PrivateNames {
  /** By private identifier. */
  readonly members: ReadonlyMap<Node, PrivateMember>
  /** What to show for the keys. */
  readonly shown: ReadonlyMap<string, string>
}

export function privateNamesOf(program: Program, file: string): PrivateNames {
  const members = new Map<Node, PrivateMember>()
  const shown = new Map<string, string>()
  const digest = digestOf(file.slice(file.lastIndexOf('/') + 1))
  const visit = (node: Node, names: ReadonlyMap<string, PrivateMember>): void => {
    if (node.type === 'PrivateIdentifier') {
      const member = names.get(node.name)
      if (member !== undefined) members.set(node, member)
    }
    const inner = isClass(node) ? new Map([...names, ...declared(node, shown, digest)]) : names
    for (const child of childrenOf(node)) visit(child, inner)
  }
  visit(program, new Map())
  return { members, shown }
}

type Declaration = MethodDefinition | PropertyDefinition

function declared(node: Class, shown: Map<string, string>, digest: string): ReadonlyMap<string, PrivateMember> {
  const declarations = new Map<string, Declaration[]>()
  for (const member of node.body.body) {
    if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') continue
    if (member.key.type !== 'PrivateIdentifier') continue
    declarations.set(member.key.name, [...(declarations.get(member.key.name) ?? []), member])
  }
  const names = new Map<string, PrivateMember>()
  for (const [name, those] of declarations) {
    const stem = `$$${node.id?.name ?? 'class'}_${name}_${digest}`
    let key = stem
    for (let number = 2; shown.has(key); number++) key = `${stem}${number}`
    names.set(name, memberOf(key, those))
    shown.set(key, `#${name}`)
  }
  return names
}

function memberOf(key: string, declarations: readonly Declaration[]): PrivateMember {
  const has = (kind: string) => declarations.some((one) => one.type === 'MethodDefinition' && one.kind === kind)
  const method = declarations.find((one) => one.type === 'MethodDefinition' && one.kind === 'method')
  const [hasGetter, hasSetter] = [has('get'), has('set')]
  const body = method?.type === 'MethodDefinition' ? method.value : undefined
  const kind = hasGetter || hasSetter ? 'accessor' : body === undefined ? 'field' : 'method'
  return { key, kind, hasGetter, hasSetter, body }
}

/** FNV-1a. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
