/** What a loop that spawns looks like, and a list that it fills, before they are translated. */
import type { Node } from 'oxc-parser'
import type { Binding } from '../access/bindings.ts'
import { unwrapped } from '../access/tree.ts'
import { walk } from '../syntax.ts'
import type { ForLoop } from './counting.ts'
import { changedIn, type Module, rootOf } from './modules.ts'
import { methodName } from './ownership.ts'

type Call = Extract<Node, { type: 'CallExpression' }>

/** A list that is empty until one loop has filled it with the processes it spawns. */
export function isSpawnList(module: Module, list: Binding): boolean {
  let filling = 0
  let changes = 0
  walk(module.source.program, {
    enter: (node) => {
      if (node.type === 'ForStatement' && spawnIn(module, node)?.list === list) filling++
      for (const target of changedIn(node)) if (module.bindingOf(rootOf(target)) === list) changes++
    },
  })
  return filling === 1 && changes === 1
}

interface Spawned {
  readonly call: Call
  readonly list: Binding | undefined
}

/** Of a loop that does nothing but spawn. */
export function spawnIn(module: Module, { body }: ForLoop): Spawned | undefined {
  const [first, second, ...more] = body.type === 'BlockStatement' ? body.body : [body]
  if (first === undefined || more.length > 0) return undefined
  if (first.type === 'ExpressionStatement' && second === undefined) {
    const added = addedTo(module, first.expression)
    const call = spawnCall(module, added?.value ?? first.expression)
    return call === undefined ? undefined : { call, list: added?.list }
  }
  // const one = yield* spawn(…); list.push(one)
  const [declarator, ...others] = first.type === 'VariableDeclaration' ? first.declarations : []
  const added = second?.type === 'ExpressionStatement' ? addedTo(module, second.expression) : undefined
  if (declarator === undefined || others.length > 0 || !declarator.init || added === undefined) return undefined
  const isIt = module.bindingOf(declarator.id) === module.bindingOf(unwrapped(added.value))
  const call = spawnCall(module, declarator.init)
  return call === undefined || declarator.id.type !== 'Identifier' || !isIt ? undefined : { call, list: added.list }
}

/** `list.push(value)` */
function addedTo(module: Module, written: Node): { readonly list: Binding; readonly value: Node } | undefined {
  const node = unwrapped(written)
  const callee = node.type === 'CallExpression' ? unwrapped(node.callee) : undefined
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || methodName(callee) !== 'push')
    return undefined
  const list = module.bindingOf(unwrapped(callee.object))
  const [value, ...more] = node.arguments
  if (list === undefined || value === undefined || more.length > 0 || value.type === 'SpreadElement') return undefined
  return { list, value }
}

/** `yield* spawn(…)` and `await spawn(…)`. */
function spawnCall(module: Module, written: Node): Call | undefined {
  const node = unwrapped(written)
  const isPerformed = node.type === 'AwaitExpression' || (node.type === 'YieldExpression' && node.delegate)
  const call = isPerformed && node.argument !== null ? unwrapped(node.argument) : undefined
  if (call?.type !== 'CallExpression') return undefined
  const binding = module.bindingOf(unwrapped(call.callee))
  const imported = binding === undefined ? undefined : module.imports.get(binding)
  return imported?.specifier === 'allways' && imported.name === 'spawn' ? call : undefined
}
