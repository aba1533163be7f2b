/**
 * Async functions and async generators as generators. A declared function becomes a stub beside one hoisted generator, and methods become
 * generator methods that are wrapped once per class: creating a generator closure costs V8 some 2,000 ns, calling an existing one 78 ns.
 *
 *   async function f(a) {…}    function f($0) { return $allways.call($allways_f, this, arguments) } function* $allways_f(a) {…}
 *                              and at the head of its scope  f = $allways.declared(f, $allways_f, "f");
 *   async function* g(a) {…}   function g($0) { return $allways.generate($allways_g, g, this, arguments) } function* $allways_g(a) {…}
 *   async m(a) {…}             *m(a) {…}  and  static { $allways.methods(this.prototype, ["m"]) }
 *   async #m(a) {…}            #m($0) { return $allways.call(this.#$allways_m, this, arguments) } *#$allways_m(a) {…}
 *   { async m(a) {…} }         { m: $allways.wrapped(function* (a) {…}, "m") }
 *   async (a) => this.b(a)     $allways.arrow(function* (a) { return (this.b(a)) }, () => this)
 *   await e                    (yield (e))
 *   yield e                    (yield $allways.yielded(yield (e)))
 *   yield* e                   (yield* $allways.delegate((e)))
 *   return e                   return (yield (e))       in async generators, where a `try` around it sees e rejected
 *
 * What is written for `yield (e)` is the business of a `Suspension`.
 */
import type {
  ArrowFunctionExpression,
  AwaitExpression,
  Function as FunctionNode,
  Node,
  YieldExpression,
} from 'oxc-parser'
import type { Edits } from '../edits.ts'
import { inferredName, keyName, mentions, stubParameters } from '../function-names.ts'
import { type FunctionLike, isClass, isFunction, type Visitor } from '../syntax.ts'
import type { Facts, FunctionFacts, Given } from './async-facts.ts'
import { rewriteAwaitLoop } from './await-loops.ts'
import { rewriteMember, wrapMethods } from './class-methods.ts'
import { holdsResources, rewriteDisposals } from './disposals.ts'
import { HoistedFunctions } from './hoisted-functions.ts'
import type { Suspension } from './suspension.ts'

export class FunctionRewriter implements Visitor {
  readonly #edits: Edits
  readonly #facts: Facts
  readonly #suspension: Suspension
  /** Functions around the node, with what becomes of them; innermost last. */
  readonly #functions: { readonly node: FunctionLike; readonly isLowered: boolean }[] = []
  readonly #parents: Node[] = []
  readonly #hoisted: HoistedFunctions
  /** Where expression statements begin: there a parenthesis could continue the line before. */
  readonly #statementStarts = new Set<number>()

  constructor(edits: Edits, facts: Facts, suspension: Suspension) {
    this.#edits = edits
    this.#facts = facts
    this.#suspension = suspension
    this.#hoisted = new HoistedFunctions(edits)
  }

  enter(node: Node): void {
    if (isFunction(node)) this.#functions.push({ node, isLowered: this.#isLowered(node) })
    if (node.type === 'ExpressionStatement') this.#statementStarts.add(node.start)
    this.#parents.push(node)
  }

  leave(node: Node, parent: Node | undefined): void {
    this.#parents.pop()
    const around = this.#functions.at(-1)
    if (around?.isLowered === true) this.#rewriteInside(node, parent, around.node.generator)
    const given = this.#facts.givenNodes.get(node)
    if (given !== undefined) this.#rewriteGiven(node, given, parent)
    if (isClass(node)) wrapMethods(this.#edits, node, (member) => this.#isLowered(member.value))
    this.#hoisted.leave(node)
    if (!isFunction(node)) return
    this.#functions.pop()
    const facts = this.#facts.functions.get(node)
    if (facts?.refusal !== undefined) this.#guard(node, facts)
    else if (facts !== undefined) this.#rewriteFunction(node, parent, facts)
  }

  #isLowered(node: FunctionLike): boolean {
    const facts = this.#facts.functions.get(node)
    return facts !== undefined && facts.refusal === undefined
  }

  /** What suspends the function around it. */
  #rewriteInside(node: Node, parent: Node | undefined, isGenerator: boolean): void {
    const awaited = (): string => this.#suspension.awaited(this.#edits, isGenerator, node)
    if (node.type === 'AwaitExpression') this.#rewriteAwait(node, parent, awaited())
    else if (node.type === 'YieldExpression') this.#rewriteYield(node, parent, awaited)
    else if (node.type === 'ReturnStatement' && isGenerator && node.argument !== null) {
      this.#edits.before(node.argument.start, `(${awaited()}`)
      this.#edits.after(node.argument.end, '))')
    } else if (node.type === 'ForOfStatement' && node.await) {
      rewriteAwaitLoop(this.#edits, node, { labels: this.#labels(), awaited: awaited() })
    } else if (holdsResources(node))
      rewriteDisposals(this.#edits, node, this.#suspension.each(this.#edits, isGenerator))
    else if (node.type === 'LabeledStatement' && this.#labelsAwaitLoop(node.body)) {
      this.#edits.replace(node.start, node.body.start, '')
    }
  }

  #rewriteAwait(node: AwaitExpression, parent: Node | undefined, awaited: string): void {
    const [open, close] = this.#enclosed(node, parent)
    this.#edits.replace(node.start, node.argument.start, `${open}${awaited}`)
    this.#edits.after(node.end, `)${close}`)
  }

  #rewriteYield(node: YieldExpression, parent: Node | undefined, awaited: () => string): void {
    const [open, close] = this.#enclosed(node, parent)
    const { argument } = node
    const yielded = (): string => `${open}yield ${this.#edits.helper('yielded')}(${awaited()}`
    if (argument === null) this.#edits.replace(node.start, node.end, `${yielded()}void 0))${close}`)
    else if (node.delegate) {
      this.#edits.replace(node.start, argument.start, `${open}yield* ${this.#edits.helper('delegate')}((`)
      this.#edits.after(node.end, `))${close}`)
    } else {
      this.#edits.replace(node.start, argument.start, yielded())
      this.#edits.after(node.end, `))${close}`)
    }
  }

  /** A parenthesis at the head of a line would call what the line before ends with, if that has no semicolon. */
  #enclosed(node: Node, parent: Node | undefined): readonly [string, string] {
    if (parent?.type === 'ExpressionStatement') return ['', '']
    return this.#statementStarts.has(node.start) ? [`${this.#edits.helper('value')}(`, ')'] : ['(', ')']
  }

  /** Labels directly in front of the loop that is being left, outermost first. */
  #labels(): readonly string[] {
    const labels: string[] = []
    for (let at = this.#parents.length - 1; at >= 0; at--) {
      const around = this.#parents[at]
      if (around?.type !== 'LabeledStatement') break
      labels.unshift(around.label.name)
    }
    return labels
  }

  #labelsAwaitLoop(body: Node): boolean {
    if (body.type === 'LabeledStatement') return this.#labelsAwaitLoop(body.body)
    return body.type === 'ForOfStatement' && body.await
  }

  #rewriteGiven(node: Node, given: Given, parent: Node | undefined): void {
    const name = this.#givenName(given)
    if (given !== 'super') return this.#edits.replace(node.start, node.end, givenUse(node, parent, name))
    if (node.type !== 'MemberExpression') return
    const { text } = this.#edits.source
    const isCalled = parent?.type === 'CallExpression' && parent.callee === node
    if (node.computed) this.#edits.replace(node.start, node.property.start, `${name}(`)
    else this.#edits.replace(node.start, node.property.end, `${name}(${JSON.stringify(keyName(node.property))}`)
    if (node.computed) this.#edits.replace(node.property.end, node.end, ')')
    else this.#edits.after(node.end, ')')
    if (!isCalled || parent?.type !== 'CallExpression') return
    const [first] = parent.arguments
    this.#edits.after(node.end, '.call')
    const openParenthesis = text.indexOf('(', parent.typeArguments?.end ?? node.end)
    this.#edits.after(openParenthesis + 1, first === undefined ? 'this' : 'this, ')
  }

  #givenName(given: Given): string {
    return `${this.#edits.prefix}_${given.replace('.', '_')}`
  }

  #rewriteFunction(node: FunctionLike, parent: Node | undefined, facts: FunctionFacts): void {
    if (node.type === 'ArrowFunctionExpression') this.#rewriteArrow(node, facts)
    else if (parent?.type === 'MethodDefinition') rewriteMember(this.#edits, parent, this.#parents.findLast(isClass))
    else if (parent?.type === 'Property' && parent.method) this.#rewriteLiteralMethod(node, parent)
    else if (node.type === 'FunctionDeclaration') this.#rewriteDeclaration(node)
    else this.#rewriteExpression(node)
  }

  #rewriteLiteralMethod(node: FunctionNode, property: Node & { readonly type: 'Property' }): void {
    const edits = this.#edits
    const keyword = edits.find('async', property.start, property.key.start)
    // With the star of a generator, and the bracket of a computed name left where it is.
    const keyStart = property.computed ? edits.find('[', keyword, property.key.start) : property.key.start
    edits.replace(keyword, keyStart, '')
    if (property.computed) {
      edits.before(property.key.start, `${edits.helper('keep')}((`)
      edits.after(property.key.end, '))')
    }
    edits.before(node.start, `: ${edits.helper(node.generator ? 'wrappedGenerator' : 'wrapped')}(function* `)
    const name = property.computed ? `${edits.helper('kept')}(1)[0]` : JSON.stringify(keyName(property.key))
    edits.after(node.end, `, ${name})`)
  }

  #rewriteDeclaration(node: FunctionNode): void {
    const edits = this.#edits
    const name = node.id?.name ?? `${edits.prefix}_stub`
    const generator = `${edits.prefix}_${node.id?.name ?? 'default'}`
    const owner = node.generator ? `${name}, ` : ''
    const call = `${edits.helper(node.generator ? 'generate' : 'call')}(${generator}, ${owner}this, arguments)`
    const stub = `function ${name}(${stubParameters(node)}) { return ${call} }`
    edits.replace(node.start, this.#headEnd(node), `${stub} function* ${generator}`)
    const declared = edits.helper(node.generator ? 'declaredGenerator' : 'declared')
    const shown = JSON.stringify(node.id?.name ?? 'default')
    this.#hoisted.note(this.#parents, `${name} = ${declared}(${name}, ${generator}, ${shown});`)
  }

  #rewriteExpression(node: FunctionNode): void {
    const name = node.id?.name
    const suffix = node.generator ? 'Generator' : ''
    if (name !== undefined && mentions(node, name)) {
      const open = `${this.#edits.helper(`recursive${suffix}`)}((${name}) => function* `
      this.#edits.replace(node.start, this.#headEnd(node), open)
      this.#edits.after(node.end, `, ${JSON.stringify(name)})`)
      return
    }
    const open = `${this.#edits.helper(`wrapped${suffix}`)}(function* ${name ?? ''}`
    this.#edits.replace(node.start, this.#headEnd(node), open)
    this.#edits.after(node.end, `${argument(name ?? this.#inferredName(node))})`)
  }

  /** Behind `async function* name`. */
  #headEnd(node: FunctionNode): number {
    if (node.id !== null) return node.id.end
    const keyword = this.#edits.find('function', node.start, node.end) + 'function'.length
    return node.generator ? this.#edits.find('*', keyword, node.end) + 1 : keyword
  }

  #rewriteArrow(node: ArrowFunctionExpression, facts: FunctionFacts): void {
    const edits = this.#edits
    const [first] = node.params
    const openParenthesis = edits.find('(', node.start, first?.start ?? node.body.start)
    const given = [...facts.given]
    const names = given.map((one) => this.#givenName(one)).join(', ')
    const wrapper = given.length === 0 ? '' : `((${names}) => `
    edits.replace(node.start, node.start + 'async'.length, `${wrapper}${edits.helper('arrow')}(function*`)
    if (openParenthesis < 0 && first !== undefined) {
      edits.before(first.start, '(')
      edits.after(first.end, ')')
    }
    const isBlock = node.body.type === 'BlockStatement'
    const behind = node.returnType ?? node.params.at(-1) ?? node.typeParameters
    const sign = edits.find('=>', behind?.end ?? node.start, node.body.start)
    edits.replace(sign, sign + '=>'.length, isBlock ? '' : '{ return (')
    const name = this.#inferredName(node)
    const self = facts.usesThis ? ', () => this' : name === undefined ? '' : ', undefined'
    const values = given.map((one) => (one === 'super' ? `($key) => super[$key]` : one)).join(', ')
    edits.after(node.end, `${isBlock ? '' : ') }'}${self}${argument(name)})${wrapper === '' ? '' : `)(${values})`}`)
  }

  #inferredName(node: FunctionLike): string | undefined {
    // Parentheses around a function leave it its name.
    const outer = this.#parents.findLastIndex((around) => around.type !== 'ParenthesizedExpression')
    const inner = this.#parents[outer + 1] ?? node
    return inferredName(inner as FunctionLike, this.#parents[outer])
  }

  /** Stays native, and says so if it is called under control. */
  #guard(node: FunctionLike, { refusal }: FunctionFacts): void {
    if (node.body === null || refusal === undefined) return
    const { file, line, column } = this.#edits.placeOf(refusal.offset)
    const written = [refusal.construct, file, line, column].map((part) => JSON.stringify(part)).join(', ')
    const refuse = `${this.#edits.helper('refuse')}(${written})`
    if (node.body.type === 'BlockStatement') {
      this.#edits.after(node.body.start + 1, ` if (${refuse}) return;`)
      return
    }
    this.#edits.before(node.body.start, `${refuse} ? undefined : (`)
    this.#edits.after(node.body.end, ')')
  }
}

/** In `{ arguments }` the name is also the key. */
function givenUse(node: Node, parent: Node | undefined, name: string): string {
  const isShorthand = parent?.type === 'Property' && parent.shorthand && node.type === 'Identifier'
  return isShorthand ? `${node.name}: ${name}` : name
}

/** A further argument, if there is one. */
function argument(name: string | undefined): string {
  return name === undefined ? '' : `, ${JSON.stringify(name)}`
}
