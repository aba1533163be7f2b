/** The `program(name, options, main)` call: its name, its parameters and its main process. */
import type { Node } from 'oxc-parser'
import { type Diagnostic, failure, type Result, success } from '../../../core/diagnostic.ts'
import type { IcetParameter } from '../../../program/icet.ts'
import { unwrapped } from '../access/tree.ts'
import type { Meaning, MeaningOf } from './meaning.ts'
import type { Module, Modules } from './modules.ts'
import { constant, keyName } from './names.ts'
import { isFifo } from './operations.ts'
import { type Complaint, outside, undecided } from './refusal.ts'

type Call = Extract<Node, { type: 'CallExpression' }>

export interface ProgramDeclaration {
  readonly name: string
  readonly parameters: readonly IcetParameter[]
  readonly main: MeaningOf<'function'>
  /** What the main process gets. */
  readonly params: Meaning
  readonly call: Call
}

export function declarationOf(modules: Modules, module: Module, call: Call): Result<ProgramDeclaration> {
  const reader = new DeclarationReader(modules, module)
  const declaration = reader.read(call)
  if (declaration !== undefined && reader.diagnostics.length === 0) return success(declaration)
  return failure(...reader.diagnostics)
}

class DeclarationReader {
  readonly diagnostics: Diagnostic[] = []
  readonly #modules: Modules
  readonly #module: Module

  constructor(modules: Modules, module: Module) {
    this.#modules = modules
    this.#module = module
  }

  read(call: Call): ProgramDeclaration | undefined {
    const callee = this.#constant(call.callee)
    if (callee?.kind !== 'operation' || callee.name !== 'program') {
      return this.#complain(call, {
        code: 'E417',
        message: 'this call does not declare a program of allways',
        hint: unreadable,
      })
    }
    const [first, ...rest] = call.arguments
    const name = first === undefined ? undefined : this.#literal(first)
    const [options, body] = rest.length > 1 ? rest : [undefined, rest[0]]
    const main = body === undefined ? undefined : this.#constant(body)
    if (typeof name !== 'string' || main?.kind !== 'function') {
      return this.#complain(call, { code: 'E417', message: 'this call of program(…) cannot be read', hint: unreadable })
    }
    const fields = this.#options(options)
    if (fields === undefined) return undefined
    const { parameters, params } = this.#params(fields.get('params'))
    this.#checkOptions(fields)
    return { name, parameters, main, params, call }
  }

  #options(written: Node | undefined): ReadonlyMap<string, Node> | undefined {
    const fields = written === undefined ? new Map<string, Node>() : this.#fields(written)
    if (fields !== undefined || written === undefined) return fields
    return this.#complain(written, {
      code: 'E417',
      message: 'the options of this program(…) cannot be read',
      hint: unreadable,
    })
  }

  #fields(written: Node): ReadonlyMap<string, Node> | undefined {
    const node = this.#initial(written)
    if (node.type !== 'ObjectExpression') return undefined
    const fields = new Map<string, Node>()
    for (const property of node.properties) {
      const name = property.type === 'Property' ? keyName(property) : undefined
      if (property.type !== 'Property' || name === undefined) return undefined
      fields.set(name, property.value)
    }
    return fields
  }

  /** Behind a `const` of the module. */
  #initial(written: Node): Node {
    const node = unwrapped(written)
    const binding = node.type === 'Identifier' ? this.#module.bindingOf(node) : undefined
    const declarator = binding?.isTopLevel === true ? this.#module.declarators.get(binding) : undefined
    if (binding === undefined || binding.assigned || !declarator?.init) return node
    return declarator.id.type === 'Identifier' ? this.#initial(declarator.init) : node
  }

  #params(written: Node | undefined): { readonly parameters: readonly IcetParameter[]; readonly params: Meaning } {
    const parameters: IcetParameter[] = []
    const values = new Map<string, Meaning>()
    const fields = written === undefined ? new Map<string, Node>() : this.#fields(written)
    if (fields === undefined && written !== undefined) {
      this.#complain(written, {
        code: 'E417',
        message: 'the parameters of this program cannot be read',
        hint: unreadable,
      })
    }
    for (const [name, node] of fields ?? []) {
      const every = this.#everyCall(node)
      const plain = this.#constant(node)
      if (every !== undefined) {
        parameters.push(...this.#every(name, node, every))
        values.set(name, { kind: 'value', expression: { kind: 'parameter', name } })
      } else if (plain?.kind === 'value') values.set(name, plain)
      else this.#complain(node, outside(`parameter "${name}", which is computed,`, 'write its value down'))
    }
    return { parameters, params: { kind: 'object', fields: values } }
  }

  #everyCall(written: Node): Call | undefined {
    const node = this.#initial(written)
    const callee = node.type === 'CallExpression' ? this.#constant(node.callee) : undefined
    return node.type === 'CallExpression' && callee?.kind === 'operation' && callee.name === 'every' ? node : undefined
  }

  #every(name: string, written: Node, call: Call): readonly IcetParameter[] {
    const [first, options] = call.arguments
    const size = first === undefined ? undefined : this.#literal(first)
    const from = options === undefined ? undefined : this.#fields(options)?.get('from')
    const least = from === undefined ? 0 : this.#literal(from)
    if (typeof size === 'number' && typeof least === 'number') {
      return [{ name, least, size, place: this.#module.place(written) }]
    }
    this.#complain(call, outside('a size that is computed', 'write a number: every(3)'))
    return []
  }

  #checkOptions(fields: ReadonlyMap<string, Node>): void {
    const network = fields.get('network')
    const meaning = network === undefined ? undefined : this.#constant(network)
    if (network !== undefined && (meaning === undefined || !isFifo(meaning))) {
      const hint = "prove works with network: 'fifo', which is also what you get when you leave it out"
      this.#complain(network, undecided('networks other than fifo', hint))
    }
    const properties = fields.get('properties')
    if (properties === undefined) return
    const list = this.#initial(properties)
    const elements = list.type === 'ArrayExpression' ? list.elements : [list]
    for (const element of elements) {
      if (element === null) continue
      const call = this.#initial(element)
      const callee = call.type === 'CallExpression' ? this.#constant(call.callee) : undefined
      const what = callee?.kind === 'operation' && callee.name === 'final' ? 'final conditions' : 'monitors'
      const hint = 'use assert(…) in a process, or check, which decides them for the sizes you name'
      this.#complain(element, undecided(what, hint))
    }
  }

  #constant(node: Node): Meaning | undefined {
    return constant(this.#modules, this.#module, node)
  }

  #literal(node: Node): unknown {
    const meaning = this.#constant(node)
    return meaning?.kind === 'value' && meaning.expression.kind === 'literal' ? meaning.expression.value : undefined
  }

  #complain(node: Node, { code, message, hint }: Complaint): undefined {
    this.diagnostics.push({ code, message, hint, place: this.#module.place(node) })
    return undefined
  }
}

const unreadable =
  "write program('name', { params: { clients: every(3) } }, function* ({ clients }) { … }) with literals"
