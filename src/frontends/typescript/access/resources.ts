/**
 * `using` and `await using`, written out before a file is read (Explicit Resource Management, DisposeResources), so that what disposes of a resource is
 * called step by step like all that users write:
 *
 *   { using x = e; body }
 *
 *   { const $held = []; let $failed = false, $error; try { const x = e; (note what disposes of it in $held;) body }
 *     catch ($caught) { $failed = true; $error = $caught } finally { (call what was noted, the last one first;) if ($failed) throw $error } }
 *
 * Declarations that stand in no block of a function are left as they are, to be refused.
 */
import type { Node, VariableDeclaration } from 'oxc-parser'
import type { ParsedSource } from '../parse.ts'
import { isFunction, walk } from '../syntax.ts'
import { type Edit, EditedText } from './edited-text.ts'
import { namesFor } from './names.ts'

type Block = Node & { readonly type: 'BlockStatement' }

/** Nothing if there is nothing to write out. */
export function resourcesWrittenOut({ text, program }: ParsedSource): EditedText | undefined {
  if (!/\busing\b/.test(text)) return undefined
  const edits: Edit[] = []
  const code = new DisposalCode(namesFor(program).runtime)
  let functions = 0
  walk(program, {
    enter(node) {
      if (isFunction(node)) functions++
      if (functions > 0 && node.type === 'BlockStatement') edits.push(...editsOf(node, text, code))
    },
    leave(node) {
      if (isFunction(node)) functions--
    },
  })
  return edits.length === 0 ? undefined : new EditedText(text, edits)
}

function* editsOf(block: Block, text: string, code: DisposalCode): Generator<Edit> {
  const declarations = (block.body as readonly Node[]).filter(declaresResources)
  if (declarations.length === 0) return
  const directives = block.body.filter(
    (node) => node.type === 'ExpressionStatement' && typeof node.directive === 'string',
  )
  const first = directives.at(-1)?.end ?? block.start + 1
  yield { at: first, removed: 0, inserted: code.before() }
  for (const node of declarations) {
    const isAwaited = node.kind === 'await using'
    let at = node.start
    for (const [index, { id, end }] of node.declarations.entries()) {
      const { start } = node.declarations[index] as Node
      const breaks = text.slice(at, start).replaceAll(/[^\n]/g, '')
      yield { at, removed: start - at, inserted: `${index === 0 ? '' : '; '}const ${breaks}` }
      const name = id.type === 'Identifier' ? id.name : ''
      yield { at: end, removed: 0, inserted: `; ${code.note(name, isAwaited)}` }
      at = end
    }
  }
  const isAwaited = declarations.some(({ kind }) => kind === 'await using')
  yield { at: block.end - 1, removed: 0, inserted: code.after(isAwaited) }
}

function declaresResources(node: Node): node is VariableDeclaration {
  return node.type === 'VariableDeclaration' && (node.kind === 'using' || node.kind === 'await using')
}

/** How a method is called: at once, waited for, or at once in a promise that is waited for. */
const [atOnce, waitedFor, inPromise] = [0, 1, 2]

class DisposalCode {
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  before(): string {
    return ` const ${this.#of('held')} = []; let ${this.#of('failed')} = false, ${this.#of('error')}; try {`
  }

  /** What disposes of the value of a variable; of nothing nothing does, which is waited for all the same. */
  note(name: string, isAwaited: boolean): string {
    const isNothing = `${name} === null || ${name} === undefined`
    const held = this.#of('held')
    const sync = this.#noted(name, 'dispose', isAwaited ? 'asyncDispose' : 'dispose', isAwaited ? inPromise : atOnce)
    if (!isAwaited) return `if (!(${isNothing})) { ${sync} }`
    const has = `${name}[Symbol.asyncDispose] !== undefined && ${name}[Symbol.asyncDispose] !== null`
    const own = this.#noted(name, 'asyncDispose', 'asyncDispose', waitedFor)
    return `if (${isNothing}) ${held}.push([${name}, undefined, ${waitedFor}]); else if (${has}) { ${own} } else { ${sync} }`
  }

  #noted(name: string, symbol: string, wanted: string, how: number): string {
    const method = this.#of('method')
    const refused = `throw new TypeError('Symbol(Symbol.${wanted}) is not a function')`
    return `const ${method} = ${name}[Symbol.${symbol}]; if (typeof ${method} !== 'function') ${refused}; ${this.#of('held')}.push([${name}, ${method}, ${how}])`
  }

  after(isAwaited: boolean): string {
    const [failed, error, caught] = ['failed', 'error', 'caught'].map((name) => this.#of(name))
    const dispose = isAwaited ? this.#disposeAwaited() : this.#dispose()
    return `} catch (${caught}) { ${failed} = true; ${error} = ${caught} } finally { ${dispose} if (${failed}) throw ${error} } `
  }

  #dispose(): string {
    const [held, value, method] = ['held', 'value', 'method'].map((name) => this.#of(name))
    return `while (${held}.length > 0) { const [${value}, ${method}] = ${held}.pop(); try { ${method}.call(${value}) } ${this.#failing()} }`
  }

  #disposeAwaited(): string {
    const names = ['held', 'value', 'method', 'how', 'needs', 'has'].map((name) => this.#of(name))
    const [held, value, method, how, needs, has] = names
    const call = `${method}.call(${value})`
    const promised = `${has} = true; if (${how} === ${waitedFor}) await ${call}; else await (async () => { ${call} })()`
    return [
      `let ${needs} = false, ${has} = false;`,
      `while (${held}.length > 0) { const [${value}, ${method}, ${how}] = ${held}.pop();`,
      `if (${how} === ${atOnce} && ${needs} && !${has}) { await undefined; ${needs} = false }`,
      `if (${method} === undefined) { ${needs} = true; continue }`,
      `try { if (${how} === ${atOnce}) ${call}; else { ${promised} } } ${this.#failing()} }`,
      `if (${needs} && !${has}) await undefined;`,
    ].join(' ')
  }

  /** An error while another one was on its way. A Node that has no such error gets one as compilers make it. */
  #failing(): string {
    const [failed, error, caught] = ['failed', 'error', 'caught'].map((name) => this.#of(name))
    const text = `'An error was suppressed during disposal'`
    const native = `new SuppressedError(${caught}, ${error}, ${text})`
    const made = `Object.assign(new Error(${text}), { name: 'SuppressedError', error: ${caught}, suppressed: ${error} })`
    const suppressed = `(typeof SuppressedError === 'function' ? ${native} : ${made})`
    return `catch (${caught}) { ${error} = ${failed} ? ${suppressed} : ${caught}; ${failed} = true }`
  }

  #of(name: string): string {
    return `${this.#prefix}${name}`
  }
}
