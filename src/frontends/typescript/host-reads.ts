/**
 * What the code of a whole program reads of the machine it runs on: on another one it is another program. Refused is whatever is not known
 * to be the same everywhere: free names, what is asked of `process` and of the global object, and what is imported.
 */
import type { ImportDeclaration, Node, Program } from 'oxc-parser'
import { bindingsOf } from './access/scope-builder.ts'
import { globals, modules, partlyGlobal } from './host-names.ts'
import { parse, placeAt } from './parse.ts'
import { isReference, walk } from './syntax.ts'

export interface HostRead {
  /** As in "it reads process.env". */
  readonly what: string
  /** In the code, from 1. */
  readonly line: number
  readonly column: number
}

/** The first of them; nothing if the program is the same everywhere. */
export function firstHostRead(code: string): HostRead | undefined {
  const parsed = parse(code, 'bundle.mjs')
  if (!parsed.ok) return { what: 'it cannot be read', line: 1, column: 1 }
  const first = new HostReads().firstIn(parsed.value.program)
  return first === undefined ? undefined : { what: first.what, ...placeAt(code, '', first.offset) }
}

/**
 * Whether it may depend on the time zone or the language, as whatever knows dates or the order of letters does. By these names alone:
 * other values have no such members, whatever they are called by.
 */
export function readsLocale(code: string): boolean {
  return /\b(?:Date|Intl|toLocale\w*|localeCompare)\b/.test(code)
}

const commonJs = 'it, or a file it imports, is CommonJS, and is found by its path'

class HostReads {
  #first: { readonly what: string; readonly offset: number } | undefined
  /** Variables that stand for modules of Node. */
  readonly #modules = new Map<object, string>()
  readonly #parents = new Map<Node, Node>()

  firstIn(program: Program) {
    const { resolved, moduleScope } = bindingsOf(program)
    walk(program, {
      enter: (node, parent) => {
        if (parent !== undefined) this.#parents.set(node, parent)
        if (node.type === 'ImportDeclaration') this.#import(node, (name) => moduleScope.bindings.get(name))
        else if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration') {
          if (node.source !== null) this.#module(node, node.source.value)
        } else if (node.type === 'ImportExpression') this.#importLater(node)
        else if (node.type === 'MetaProperty' && node.meta.name === 'import') this.#note(node, 'it reads import.meta')
      },
    })
    // Imports may stand below what uses them.
    walk(program, {
      enter: (node, parent) => {
        if (node.type !== 'Identifier' || !isReference(node, parent) || isNoVariable(parent)) return
        const binding = resolved.get(node)
        if (binding === undefined) this.#free(node, node.name)
        else this.#ofModule(node, this.#modules.get(binding))
      },
    })
    return this.#first
  }

  #note({ start }: Node, what: string): void {
    if (this.#first === undefined || start < this.#first.offset) this.#first = { what, offset: start }
  }

  #import(node: ImportDeclaration, variable: (name: string) => object | undefined): void {
    const from = node.source.value
    if (node.specifiers.some(({ local }) => local.name === '$createRequire')) return this.#note(node, commonJs)
    this.#module(node, from)
    for (const specifier of node.specifiers) {
      const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
      const binding = variable(specifier.local.name)
      if (name === 'default' && binding !== undefined) this.#modules.set(binding, from)
      else if (modules.get(from)?.has(name) === true) this.#note(specifier, readsOf(from, name))
    }
  }

  #importLater(node: Extract<Node, { type: 'ImportExpression' }>): void {
    const from = textOf(node.source)
    if (from === undefined) return this.#note(node, 'it imports what it says only while it runs')
    this.#module(node, from)
    if ((modules.get(from)?.size ?? 0) > 0) this.#note(node, `it imports ${from} while it runs`)
  }

  #module(node: Node, from: string): void {
    if (from.startsWith('file:'))
      this.#note(node, `it imports the package ${packageIn(from)}, which would have to be installed there`)
    else if (!from.startsWith('node:')) this.#note(node, `it imports ${from.slice(0, 60)}`)
    else if (!modules.has(from)) this.#note(node, `it imports ${from}, which is about the machine it runs on`)
  }

  #ofModule(node: Node, from: string | undefined): void {
    const differs = from === undefined ? undefined : modules.get(from)
    if (from === undefined || differs === undefined || differs.size === 0) return
    const asked = this.#askedOf(node)
    if (asked?.name === undefined || asked.name === 'default') this.#note(node, whole(from))
    else if (differs.has(asked.name)) this.#note(node, readsOf(from, asked.name))
  }

  /** `node` stands for the global variable of that name. */
  #free(node: Node, name: string): void {
    const parent = this.#parentOf(node)
    // Which globals there are follows from the version of Node.
    if (parent?.type === 'UnaryExpression' && parent.operator === 'typeof') return
    const members = partlyGlobal.get(name)
    if (name === 'globalThis' || name === 'global') this.#ofGlobal(node, name)
    else if (members !== undefined) {
      if (parent?.type === 'BinaryExpression') return
      const asked = this.#askedOf(node)
      if (asked?.name === undefined) this.#note(node, whole(name))
      else if (!members.has(asked.name)) this.#note(node, readsOf(name, asked.name))
    } else if (name === 'require' || name === 'module' || name === 'exports') this.#note(node, commonJs)
    else if (!globals.has(name)) this.#note(node, `it reads ${name}, which may be another one there`)
  }

  #ofGlobal(node: Node, name: string): void {
    const asked = this.#askedOf(node)
    if (asked === undefined) this.#note(node, whole(name))
    else if (asked.name !== undefined) this.#free(asked.node, asked.name)
  }

  /**
   * The member that is read at once. It has no name if it is a symbol that all share: no machine puts anything there, and what stands for
   * `allways` in a bundle is found so.
   */
  #askedOf(node: Node): { readonly node: Node; readonly name: string | undefined } | undefined {
    const parent = this.#parentOf(node)
    if (parent?.type !== 'MemberExpression' || bare(parent.object) !== node) return undefined
    const { property, computed } = parent
    if (!computed) return property.type === 'Identifier' ? { node: parent, name: property.name } : undefined
    const name = textOf(property)
    return name !== undefined || isSharedSymbol(property) ? { node: parent, name } : undefined
  }

  #parentOf(node: Node): Node | undefined {
    const parent = this.#parents.get(node)
    return parent !== undefined && isWrapper(parent) ? this.#parentOf(parent) : parent
  }
}

function readsOf(owner: string, member: string): string {
  return `it reads ${owner.startsWith('node:') ? `${member} of ${owner}` : `${owner}.${member}`}, which is another one there`
}

function whole(owner: string): string {
  return `it uses ${owner} as a whole, and not all that this holds is the same there`
}

function isWrapper(node: Node): node is Extract<Node, { type: 'ParenthesizedExpression' | 'ChainExpression' }> {
  return node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression'
}

function bare(node: Node): Node {
  return isWrapper(node) ? bare(node.expression) : node
}

/** What a literal says. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  return node.type === 'TemplateLiteral' && node.quasis.length === 1
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined
}

/** `Symbol.for('…')`. */
function isSharedSymbol(node: Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false
  const { object, property } = node.callee
  return object.type === 'Identifier' && object.name === 'Symbol' && 'name' in property && property.name === 'for'
}

function nameOf(name: Extract<Node, { type: 'Identifier' | 'Literal' }>): string {
  return name.type === 'Identifier' ? name.name : String(name.value)
}

/** Names in such nodes are no variables that are read. */
function isNoVariable(parent: Node | undefined): boolean {
  return parent !== undefined && noVariables.has(parent.type)
}

const noVariables: ReadonlySet<string> = new Set([
  ...['ImportSpecifier', 'ImportDefaultSpecifier', 'ImportNamespaceSpecifier', 'ImportAttribute'],
  ...['ExportSpecifier', 'ExportAllDeclaration', 'MetaProperty'],
  ...['LabeledStatement', 'BreakStatement', 'ContinueStatement'],
])

function packageIn(url: string): string {
  const [, name = url] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return name
}
