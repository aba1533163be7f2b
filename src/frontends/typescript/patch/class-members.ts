/** The members of a class that a patch may change: functions with a body, which fields they touch, and whom they call. */
import type { Class, FunctionBody, MethodDefinition, Node, PropertyDefinition } from 'oxc-parser'
import type { AtomicSection } from '../../../core/code.ts'
import { keyName } from '../function-names.ts'
import { type ParsedSource, placeAt } from '../parse.ts'
import { type FunctionLike, isClass, isFunction, walk } from '../syntax.ts'

/** A method, or a field that holds a function. */
export interface Callable {
  readonly owner: Class
  readonly member: MethodDefinition | PropertyDefinition
  readonly name: string
  readonly code: FunctionLike
  readonly body: FunctionBody
  /** For other classes as well. */
  readonly isPublic: boolean
}

/** Those of instances that can take a lock; not constructors, getters and generators. */
export function callablesOf(owner: Class): readonly Callable[] {
  return owner.body.body.flatMap((member): readonly Callable[] => {
    if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') return []
    if (member.static || (member.type === 'MethodDefinition' && member.kind !== 'method')) return []
    const { value: code } = member
    const name = member.computed ? undefined : keyName(member.key)
    if (name === undefined || code === null || !isFunction(code) || code.generator) return []
    const { body } = code
    if (body?.type !== 'BlockStatement') return []
    const isPublic = member.key.type !== 'PrivateIdentifier' && (member.accessibility ?? 'public') === 'public'
    return [{ owner, member, name, code, body, isPublic }]
  })
}

/** The member that the lines of a section stand in. */
export function callableAt(source: ParsedSource, { function: within, lines }: AtomicSection): Callable | undefined {
  const [outermost = ''] = within.split(' > ')
  const dot = outermost.lastIndexOf('.')
  const [className, name] = [outermost.slice(0, Math.max(dot, 0)), outermost.slice(dot + 1)]
  let found: Callable | undefined
  walk(source.program, {
    enter: (node) => {
      if (!isClass(node) || (node.id !== null && node.id.name !== className)) return
      found ??= callablesOf(node).find(
        ({ name: each, member }) =>
          each === name && lineOf(source, member.start) <= lines.first && lines.last <= lineOf(source, member.end),
      )
    },
  })
  return found
}

export function lineOf({ text, file }: ParsedSource, offset: number): number {
  return placeAt(text, file, offset).line
}

/** Properties of `this` that are named inside, be it to call them. */
export function ownNames(node: Node): ReadonlySet<string> {
  const names = new Set<string>()
  walk(node, {
    enter: (inner) => {
      const name = ownProperty(inner)
      if (name !== undefined) names.add(name)
    },
  })
  return names
}

/** The name in `this.name`, `this.#name` and `super.name`. */
function ownProperty(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed) return undefined
  const isOwn = node.object.type === 'ThisExpression' || node.object.type === 'Super'
  return isOwn ? keyName(node.property) : undefined
}

/** Names of the nodes, and of all members that they lead to. */
export function reachedNames(nodes: readonly Node[], callables: readonly Callable[]): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const name of ownNames(node)) {
      if (reached.has(name)) continue
      reached.add(name)
      open.push(...callables.filter((one) => one.name === name).map(({ body }) => body))
    }
  }
  return reached
}

/** Public members that touch a field which one of the given ones touches as well: what a lock of these has to exclude. */
export function conflicting(callables: readonly Callable[], given: readonly Callable[]): readonly Callable[] {
  const names = new Set(callables.map(({ name }) => name))
  const fieldsOf = (of: readonly Callable[]): readonly string[] =>
    [
      ...reachedNames(
        of.map(({ body }) => body),
        callables,
      ),
    ].filter((name) => !names.has(name))
  const touched = new Set(fieldsOf(given))
  return callables.filter((one) => one.isPublic && !given.includes(one) && fieldsOf([one]).some((f) => touched.has(f)))
}
