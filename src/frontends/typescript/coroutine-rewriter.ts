/**
 * Async functions as coroutines. Creating a generator closure costs V8 some 2,000 ns, calling an existing one 78 ns; so a
 * declared function becomes a stub beside one hoisted generator, and methods become generator methods that are wrapped once
 * per class. Only function expressions and arrows make a generator where they made a function before.
 *
 *   async function f(a) {…}   function f($0) { return $allways.call($allways_f, this, arguments) } function* $allways_f(a) {…}
 *   async m(a) {…}            *m(a) {…}  and  static { $allways.methods(this.prototype, ["m"]) }
 *   async #m(a) {…}           #m($0) { return $allways.call(this.#$allways_m, this, arguments) } *#$allways_m(a) {…}
 *   { async m(a) {…} }        { m: $allways.wrapped(function* (a) {…}, "m") }
 *   async (a) => this.b(a)    $allways.arrow(function* (a) { return (this.b(a)) }, () => this)
 *   await e                   (yield* $allways.awaited(e))
 */
import type {
  ArrowFunctionExpression,
  AwaitExpression,
  Class,
  Function as FunctionNode,
  MethodDefinition,
  Node,
} from 'oxc-parser'
import type { AsyncFacts, Refusal } from './async-functions.ts'
import type { Edits } from './edits.ts'
import { inferredName, keyCode, keyName, mentions, stubParameters } from './function-names.ts'
import { type FunctionLike, isClass, isFunction } from './syntax.ts'

export class CoroutineRewriter {
  readonly #edits: Edits
  readonly #facts: ReadonlyMap<FunctionLike, AsyncFacts>
  /** Whether each function around the node becomes a coroutine; innermost last. */
  readonly #rewrites: boolean[] = []
  /** Where expression statements begin: there a parenthesis could continue the line before. */
  readonly #statementStarts = new Set<number>()

  constructor(edits: Edits, facts: ReadonlyMap<FunctionLike, AsyncFacts>) {
    this.#edits = edits
    this.#facts = facts
  }

  enter(node: Node, _parent: Node | undefined): void {
    if (isFunction(node)) this.#rewrites.push(this.#becomesCoroutine(node))
    if (node.type === 'ExpressionStatement') this.#statementStarts.add(node.start)
  }

  leave(node: Node, parent: Node | undefined): void {
    if (node.type === 'AwaitExpression' && this.#rewrites.at(-1) === true) this.#rewriteAwait(node, parent)
    if (isClass(node)) this.#wrapMethods(node)
    if (!isFunction(node)) return
    this.#rewrites.pop()
    const facts = this.#facts.get(node)
    if (facts?.refusal !== undefined) this.#guard(node, facts.refusal)
    else if (facts !== undefined) this.#rewriteFunction(node, parent, facts)
  }

  #becomesCoroutine(node: FunctionLike): boolean {
    const facts = this.#facts.get(node)
    return facts !== undefined && facts.refusal === undefined
  }

  #rewriteAwait(node: AwaitExpression, parent: Node | undefined): void {
    const awaited = `yield* ${this.#edits.helper('awaited')}(`
    const [open, close] =
      parent?.type === 'ExpressionStatement'
        ? [awaited, ')']
        : this.#statementStarts.has(node.start)
          ? // A parenthesis at the head of a line would call what the line before ends with, if that has no semicolon.
            [`${this.#edits.helper('value')}(${awaited}`, '))']
          : [`(${awaited}`, '))']
    this.#edits.replace(node.start, node.start + 'await'.length, open)
    this.#edits.after(node.end, close)
  }

  #rewriteFunction(node: FunctionLike, parent: Node | undefined, facts: AsyncFacts): void {
    if (node.type === 'ArrowFunctionExpression') this.#rewriteArrow(node, parent, facts)
    else if (parent?.type === 'MethodDefinition') this.#rewriteMethod(node, parent)
    else if (parent?.type === 'Property' && parent.method) {
      const keyword = this.#edits.find('async', parent.start, parent.key.start)
      this.#edits.replace(keyword, keyword + 'async'.length, '')
      this.#edits.before(node.start, `: ${this.#edits.helper('wrapped')}(function* `)
      this.#edits.after(node.end, `${argument(parent.computed ? undefined : keyName(parent.key))})`)
    } else if (node.type === 'FunctionDeclaration') this.#rewriteDeclaration(node)
    else this.#rewriteExpression(node, parent)
  }

  #rewriteDeclaration(node: FunctionNode): void {
    const generator = `${this.#edits.prefix}_${node.id?.name ?? 'default'}`
    const call = `return ${this.#edits.helper('call')}(${generator}, this, arguments)`
    const stub = `function ${node.id?.name ?? ''}(${stubParameters(node)}) { ${call} }`
    this.#edits.replace(node.start, this.#headEnd(node), `${stub} function* ${generator}`)
  }

  #rewriteExpression(node: FunctionNode, parent: Node | undefined): void {
    const name = node.id?.name
    if (name !== undefined && mentions(node, name)) {
      const open = `${this.#edits.helper('recursive')}((${name}) => function* `
      this.#edits.replace(node.start, this.#headEnd(node), open)
      this.#edits.after(node.end, `${argument(name)})`)
      return
    }
    const open = `${this.#edits.helper('wrapped')}(function* ${name ?? ''}`
    this.#edits.replace(node.start, this.#headEnd(node), open)
    this.#edits.after(node.end, `${argument(name === undefined ? inferredName(node, parent) : undefined)})`)
  }

  /** Behind `async function name`. */
  #headEnd(node: FunctionNode): number {
    if (node.id !== null) return node.id.end
    return this.#edits.find('function', node.start, node.end) + 'function'.length
  }

  #rewriteArrow(node: ArrowFunctionExpression, parent: Node | undefined, facts: AsyncFacts): void {
    const edits = this.#edits
    const [first] = node.params
    const openParenthesis = edits.find('(', node.start, first?.start ?? node.body.start)
    edits.replace(node.start, node.start + 'async'.length, `${edits.helper('arrow')}(function*`)
    if (openParenthesis < 0 && first !== undefined) {
      edits.before(first.start, '(')
      edits.after(first.end, ')')
    }
    const isBlock = node.body.type === 'BlockStatement'
    const behind = node.returnType ?? node.params.at(-1) ?? node.typeParameters
    const sign = edits.find('=>', behind?.end ?? node.start, node.body.start)
    edits.replace(sign, sign + '=>'.length, isBlock ? '' : '{ return (')
    const name = inferredName(node, parent)
    const self = facts.usesThis ? ', () => this' : name === undefined ? '' : ', undefined'
    edits.after(node.end, `${isBlock ? '' : ') }'}${self}${argument(name)})`)
  }

  #rewriteMethod(node: FunctionNode, method: MethodDefinition): void {
    const keyword = this.#edits.find('async', method.start, method.key.start)
    // A field above without a semicolon would be multiplied by what begins with a star.
    const separator = keyword === method.start ? ';' : ''
    if (method.key.type !== 'PrivateIdentifier') {
      this.#edits.replace(keyword, keyword + 'async'.length, `${separator}*`)
      return
    }
    const name = method.key.name
    const generator = `#${this.#edits.prefix}_${name}`
    const call = `return ${this.#edits.helper('call')}(this.${generator}, this, arguments)`
    const stub = `#${name}(${stubParameters(node)}) { ${call} }`
    this.#edits.replace(keyword, keyword + 'async'.length, separator)
    this.#edits.replace(method.key.start, method.key.end, `${stub} ${method.static ? 'static ' : ''}*${generator}`)
  }

  /** Static blocks run when all methods exist, in order with static fields: the first one comes before any use. */
  #wrapMethods(node: Class): void {
    const rewritten = node.body.body
      .filter((member): member is MethodDefinition => member.type === 'MethodDefinition')
      .filter((member) => member.key.type !== 'PrivateIdentifier' && this.#becomesCoroutine(member.value))
    const calls = [false, true].flatMap((isStatic) => {
      const keys = rewritten.filter((member) => member.static === isStatic)
      if (keys.length === 0) return []
      const owner = isStatic ? 'this' : 'this.prototype'
      const list = keys.map((member) => keyCode(member, this.#edits.source.text)).join(', ')
      return [`${this.#edits.helper('methods')}(${owner}, [${list}]);`]
    })
    if (calls.length > 0) this.#edits.after(node.body.start + 1, ` static { ${calls.join(' ')} }`)
  }

  /** Stays native, and says so if a process calls it. */
  #guard(node: FunctionLike, { construct, offset }: Refusal): void {
    if (node.body === null) return
    const { file, line, column } = this.#edits.placeOf(offset)
    const refuse = `${this.#edits.helper('refuse')}(${JSON.stringify(construct)}, ${JSON.stringify(file)}, ${line}, ${column})`
    if (node.body.type === 'BlockStatement') {
      this.#edits.after(node.body.start + 1, ` if (${refuse}) return;`)
      return
    }
    this.#edits.before(node.body.start, `${refuse} ? undefined : (`)
    this.#edits.after(node.body.end, ')')
  }
}

/** A further argument, if there is one. */
function argument(name: string | undefined): string {
  return name === undefined ? '' : `, ${JSON.stringify(name)}`
}
