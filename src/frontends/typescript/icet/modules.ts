/** The check file and the files it imports: what their names are bound to, looked up when first needed. */
import type { Node, VariableDeclarator } from 'oxc-parser'
import { failure, type Place, type Result, success } from '../../../core/diagnostic.ts'
import type { Binding, Bindings } from '../access/bindings.ts'
import { bindingsOf } from '../access/scope-builder.ts'
import { assignedTargets, declaredNames, evaluatedWith, unwrapped, valueChildren } from '../access/tree.ts'
import { type ParsedSource, parse, placeAt } from '../parse.ts'
import { type FunctionLike, isFunction } from '../syntax.ts'
import { NameFrame } from './meaning.ts'
import { Ownership } from './ownership.ts'
import { isPureFunction, isPureMethod } from './pure-methods.ts'
import { Refusal } from './refusal.ts'

export type ReadModule = (
  specifier: string,
  from: string,
) => { readonly source: string; readonly file: string } | undefined

export interface ImportedName {
  readonly specifier: string
  /** Undefined: the whole module, as in `import * as name`. */
  readonly name: string | undefined
}

export class Module {
  readonly source: ParsedSource
  readonly bindings: Bindings
  readonly frame: NameFrame
  /** By variable: what declares it. A binding is in one of the three maps at most. */
  readonly declarators = new Map<Binding, VariableDeclarator>()
  readonly enums = new Map<Binding, Node & { readonly type: 'TSEnumDeclaration' }>()
  readonly imports = new Map<Binding, ImportedName>()
  /** By exported name: what it is here, or where it comes from. */
  readonly exports = new Map<string, Node | ImportedName>()
  /** Variables whose objects are changed in place. */
  readonly mutated = new Set<Binding>()
  /** Calls of methods that may change their object. */
  readonly #methodCalls: (readonly [Binding, string])[] = []
  readonly #calls: Extract<Node, { type: 'CallExpression' }>[] = []
  #ownership: Ownership | undefined
  #runsCode: boolean | undefined

  constructor(source: ParsedSource) {
    this.source = source
    this.bindings = bindingsOf(source.program)
    this.frame = new NameFrame(this, undefined)
    this.#note(source.program)
    for (const [binding, method] of this.#methodCalls) {
      if (!this.#isOwnFunction(binding, method)) this.mutated.add(binding)
    }
    while (this.#calls.some((call) => this.#passesOn(call)));
  }

  /** Loading the file does more than declare: calls of other things than `allways` and pure functions, and changes of objects. */
  get runsCode(): boolean {
    this.#runsCode ??= [...evaluatedWith(this.source.program)].some((node) => this.#acts(node))
    return this.#runsCode
  }

  #acts(node: Node): boolean {
    if (node.type === 'TaggedTemplateExpression' || node.type === 'NewExpression') {
      return node.type !== 'NewExpression' || node.arguments.length > 0
    }
    if (node.type !== 'CallExpression') return !changedIn(node).next().done
    const root = rootOf(node.callee)
    const binding = this.bindingOf(root)
    if (binding !== undefined && this.imports.get(binding)?.specifier === 'allways') return false
    const isGlobal = binding === undefined && root.type === 'Identifier' && isPureFunction(this.text(node.callee))
    return !isGlobal || node.arguments.some(isFunction)
  }

  /** An object that a function changes through its parameter is an object that its caller changes. True if that was not known. */
  #passesOn(call: Extract<Node, { type: 'CallExpression' }>): boolean {
    const parameters = this.functionNamed(unwrapped(call.callee))?.params ?? []
    return parameters.some((parameter, index) => {
      const own = this.bindingOf(parameter)
      const argument = call.arguments[index]
      const given = argument === undefined ? undefined : this.bindingOf(rootOf(argument))
      if (own === undefined || given === undefined || !this.mutated.has(own) || this.mutated.has(given)) return false
      this.mutated.add(given)
      return true
    })
  }

  /** The function that a name stands for, wherever it is called. */
  functionNamed(name: Node): FunctionLike | undefined {
    const binding = this.bindingOf(name)
    if (binding === undefined || binding.assigned) return undefined
    if (binding.own !== undefined && isFunction(binding.own)) return binding.own
    const init = this.declarators.get(binding)?.init
    const written = init === null || init === undefined ? undefined : unwrapped(init)
    return written !== undefined && isFunction(written) ? written : undefined
  }

  get ownership(): Ownership {
    this.#ownership ??= new Ownership(this)
    return this.#ownership
  }

  bindingOf(node: Node): Binding | undefined {
    return this.bindings.resolved.get(node)
  }

  place(node: { readonly start: number }): Place {
    return placeAt(this.source.text, this.source.file, node.start)
  }

  text(node: Node): string {
    return this.source.text.slice(node.start, node.end)
  }

  /** On one line. */
  line(node: Node): string {
    return this.text(node).replace(/\s+/g, ' ')
  }

  #note(node: Node): void {
    switch (node.type) {
      case 'VariableDeclarator':
        for (const identifier of declaredNames(node.id)) {
          const binding = this.bindingOf(identifier)
          if (binding !== undefined) this.declarators.set(binding, node)
        }
        break
      case 'TSEnumDeclaration': {
        const binding = this.bindings.moduleScope.bindings.get(node.id.name)
        if (binding !== undefined) this.enums.set(binding, node)
        break
      }
      case 'ImportDeclaration':
        this.#noteImport(node)
        break
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        this.#noteExport(node)
        break
      default:
        this.#noteMutation(node)
    }
    for (const child of valueChildren(node)) this.#note(child)
  }

  #noteImport(node: Extract<Node, { type: 'ImportDeclaration' }>): void {
    for (const specifier of node.specifiers) {
      const binding = this.bindings.moduleScope.bindings.get(specifier.local.name)
      if (binding === undefined) continue
      const name =
        specifier.type === 'ImportSpecifier'
          ? exportName(specifier.imported)
          : specifier.type === 'ImportDefaultSpecifier'
            ? 'default'
            : undefined
      this.imports.set(binding, { specifier: node.source.value, name })
    }
  }

  #noteExport(node: Extract<Node, { type: 'ExportNamedDeclaration' | 'ExportDefaultDeclaration' }>): void {
    if (node.type === 'ExportDefaultDeclaration') {
      this.exports.set('default', node.declaration)
      return
    }
    for (const { local, exported } of node.specifiers) {
      const target = node.source === null ? local : { specifier: node.source.value, name: exportName(local) }
      this.exports.set(exportName(exported), target)
    }
    const { declaration } = node
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) {
        for (const identifier of declaredNames(id)) this.exports.set(identifier.name, identifier)
      }
    } else if (declaration !== null && 'id' in declaration && declaration.id?.type === 'Identifier') {
      this.exports.set(declaration.id.name, declaration.id)
    }
  }

  #noteMutation(node: Node): void {
    if (node.type === 'CallExpression') this.#calls.push(node)
    for (const target of changedIn(node)) {
      if (target.type === 'Identifier') continue
      const binding = this.bindingOf(rootOf(target))
      if (binding === undefined) continue
      const isCall = node.type === 'CallExpression' && target === unwrapped(node.callee)
      const method = isCall && target.type === 'MemberExpression' ? exportName(target.property) : ''
      if (method === '') this.mutated.add(binding)
      else this.#methodCalls.push([binding, method])
    }
  }

  /** A function that stands in the object literal itself, as in `const messages = { lock: (from) => … }`. */
  #isOwnFunction(binding: Binding, method: string): boolean {
    const init = this.declarators.get(binding)?.init
    const literal = init === null || init === undefined ? undefined : unwrapped(init)
    if (literal?.type !== 'ObjectExpression') return false
    return literal.properties.some(
      (property) => property.type === 'Property' && exportName(property.key) === method && isFunction(property.value),
    )
  }
}

/** The variables that a node itself assigns, and the objects that it changes in place; not what its parts do. */
export function* changedIn(node: Node): Generator<Node> {
  switch (node.type) {
    case 'AssignmentExpression':
      yield* assignedTargets(node.left)
      return
    case 'UpdateExpression':
      yield* assignedTargets(node.argument)
      return
    case 'ForInStatement':
    case 'ForOfStatement':
      if (node.left.type !== 'VariableDeclaration') yield* assignedTargets(node.left)
      return
    case 'UnaryExpression':
      if (node.operator === 'delete') yield unwrapped(node.argument)
      return
    case 'CallExpression': {
      const callee = unwrapped(node.callee)
      if (callee.type !== 'MemberExpression') return
      const method = callee.computed ? undefined : callee.property.type === 'Identifier' ? callee.property.name : ''
      const [first] = node.arguments
      if (method === 'assign' && first !== undefined) yield { ...callee, object: first } as Node
      else if (method === undefined || !isPureMethod(method)) yield callee
      return
    }
    default:
      return
  }
}

/** The variable at the beginning of a chain of members and calls. */
export function rootOf(node: Node): Node {
  const inner = unwrapped(node)
  switch (inner.type) {
    case 'MemberExpression':
      return rootOf(inner.object)
    case 'CallExpression':
      return rootOf(inner.callee)
    case 'ChainExpression':
      return rootOf(inner.expression)
    default:
      return inner
  }
}

/** Reads every file once. */
export class Modules {
  readonly #readModule: ReadModule | undefined
  /** In the order they were opened; the first is the check file (`isMain`). Failures are kept as well. */
  readonly #byFile = new Map<string, Result<Module>>()

  constructor(readModule: ReadModule | undefined) {
    this.#readModule = readModule
  }

  open(source: string, file: string): Result<Module> {
    const known = this.#byFile.get(file)
    if (known !== undefined) return known
    const parsed = parse(source, file)
    const module = parsed.ok ? success(new Module(parsed.value)) : failure(...parsed.diagnostics)
    this.#byFile.set(file, module)
    return module
  }

  isMain(module: Module): boolean {
    const [first] = this.#byFile.values()
    return first?.ok === true && first.value === module
  }

  /** Undefined for packages, and without a function to read files. */
  imported(specifier: string, from: Module): Module | undefined {
    const found = this.#readModule?.(specifier, from.source.file)
    if (found === undefined) return undefined
    const opened = this.open(found.source, found.file)
    if (!opened.ok) throw new Refusal(opened.diagnostics[0])
    return opened.value
  }
}

function exportName(name: Node): string {
  if (name.type === 'Identifier') return name.name
  return name.type === 'Literal' ? String(name.value) : ''
}
