/** Async methods of classes: generator methods that a static block wraps before anything can call them. */
import type { Class, Function as FunctionNode, MethodDefinition, Node } from 'oxc-parser'
import type { Edits } from '../edits.ts'
import { stubParameters } from '../function-names.ts'
import { walk } from '../syntax.ts'

/** The head of a method, whose body is rewritten as every other. */
export function rewriteMember(edits: Edits, method: MethodDefinition, owner: Node | undefined): void {
  const { key, value: node } = method
  const keyword = edits.find('async', method.start, key.start)
  const bracket = method.computed ? edits.find('[', keyword, key.start) : key.start
  // A field above without a semicolon would be multiplied by what begins with a star.
  const separator = keyword === method.start ? ';' : ''
  if (key.type !== 'PrivateIdentifier') {
    edits.replace(keyword, bracket, `${separator}*`)
    return
  }
  const name = key.name
  const generator = `#${edits.prefix}_${name}`
  const stub =
    owner !== undefined && isRead(owner, name)
      ? `get #${name}() { return ${edits.helper(node.generator ? 'readGenerator' : 'read')}(this.${generator}, "#${name}") }`
      : `#${name}(${stubParameters(node)}) { return ${calling(edits, node, generator)} }`
  edits.replace(keyword, key.start, separator)
  edits.replace(key.start, key.end, `${stub} ${method.static ? 'static ' : ''}*${generator}`)
}

function calling(edits: Edits, node: FunctionNode, generator: string): string {
  const owner = node.generator ? '{}, ' : ''
  return `${edits.helper(node.generator ? 'generate' : 'call')}(this.${generator}, ${owner}this, arguments)`
}

/** Whether more is done with a private method than to call it: then what it is can be seen. */
function isRead(owner: Node, name: string): boolean {
  let found = false
  walk(owner, {
    enter: (node, parent) => {
      if (node.type !== 'MemberExpression' || node.property.type !== 'PrivateIdentifier') return
      if (node.property.name !== name) return
      found ||= parent?.type !== 'CallExpression' || parent.callee !== node
    },
  })
  return found
}

/**
 * Static blocks run when all methods exist, in order with static fields: the first one comes before any use. Names that are computed are
 * kept when they are computed.
 */
export function wrapMethods(edits: Edits, node: Class, isLowered: (member: MethodDefinition) => boolean): void {
  const members = node.body.body.filter((member): member is MethodDefinition => member.type === 'MethodDefinition')
  const lowered = members.filter((member) => member.key.type !== 'PrivateIdentifier' && isLowered(member))
  if (lowered.length === 0) return
  const computed = lowered.filter((member) => member.computed)
  for (const { key } of computed) {
    edits.before(key.start, `${edits.helper('keep')}((`)
    edits.after(key.end, '))')
  }
  const names = `${edits.prefix}_keys`
  const wraps = [false, true].flatMap((isStatic) =>
    [false, true].flatMap((isGenerator) => {
      const keys = lowered
        .filter((member) => member.static === isStatic && member.value.generator === isGenerator)
        .filter((member) => member.computed || lastOfItsName(members, member))
        .map((member) =>
          member.computed ? `${names}[${computed.indexOf(member)}]` : JSON.stringify(nameOf(member.key)),
        )
      if (keys.length === 0) return []
      const owner = isStatic ? 'this' : 'this.prototype'
      return [`${edits.helper(isGenerator ? 'generatorMethods' : 'methods')}(${owner}, [${keys.join(', ')}]);`]
    }),
  )
  const kept = computed.length === 0 ? '' : `const ${names} = ${edits.helper('kept')}(${computed.length}); `
  edits.after(node.body.start + 1, ` static { ${kept}${wraps.join(' ')} }`)
}

/** Of several with one name the last one is the method. */
function lastOfItsName(members: readonly MethodDefinition[], member: MethodDefinition): boolean {
  const same = members.filter(
    (other) => !other.computed && other.static === member.static && nameOf(other.key) === nameOf(member.key),
  )
  return same.at(-1) === member
}

function nameOf(key: Node): string | undefined {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined
}
