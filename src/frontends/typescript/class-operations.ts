/** The operations of a class as its source declares them: public methods, with values for their parameters. */
import type { Class, ClassElement, Function as FunctionNode, Node, ParamPattern, Program } from 'oxc-parser'
import type { Place } from '../../core/diagnostic.ts'
import { type ParameterValues, parameterValues, type TypeNames, typeParameters } from './parameter-values.ts'
import { parse, placeAt } from './parse.ts'

export interface ClassOperation {
  readonly name: string
  readonly parameters: readonly (ParameterValues & { readonly text: string; readonly place: Place })[]
}

export interface ClassShape {
  readonly place: Place
  /** Parameters of the constructor that have to be given. */
  readonly needed: readonly string[]
  readonly operations: readonly ClassOperation[]
  /** Public methods whose names are computed, so that nobody knows them before they run. */
  readonly unnamed: readonly UnnamedMethod[]
}

interface UnnamedMethod {
  /** As in `[Symbol.iterator]`. */
  readonly text: string
  readonly place: Place
}

export interface ClassModule {
  readonly file: string
  readonly text: string
}

/** The module that an import names, if it is one of the user's own. */
export type ReadModule = (specifier: string, from: string) => ClassModule | undefined

/** Nothing if the source does not show the class: made by a function, or imported from a package. */
export function classOperations(name: string, module: ClassModule, read: ReadModule): ClassShape | undefined {
  const found = findClass(name, module, { read, depth: 0 })
  return found === undefined ? undefined : shapeOf(found, { read, depth: 0 })
}

interface Lookup {
  readonly read: ReadModule
  /** Modules that export what they import, and base classes, on the way so far. */
  readonly depth: number
}

interface FoundClass {
  readonly node: Class
  readonly module: ClassModule
  readonly program: Program
}

const deepest = 20

function findClass(name: string, module: ClassModule, lookup: Lookup): FoundClass | undefined {
  const parsed = parse(module.text, module.file)
  if (!parsed.ok || lookup.depth > deepest) return undefined
  const { program } = parsed.value
  const node = declaredClass(program, name)
  if (node !== undefined) return { node, module, program }
  const below = { ...lookup, depth: lookup.depth + 1 }
  for (const [local, source] of elsewhere(program, name)) {
    const other = source === undefined ? module : lookup.read(source, module.file)
    const found = other === undefined ? undefined : findClass(local, other, below)
    if (found !== undefined) return found
  }
  return undefined
}

function declaredClass(program: Program, name: string): Class | undefined {
  for (const statement of program.body) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement
    if (declaration?.type === 'ClassDeclaration') {
      const isDefault = statement.type === 'ExportDefaultDeclaration' && name === 'default'
      if (declaration.id?.name === name || isDefault) return declaration
    }
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && id.name === name && init?.type === 'ClassExpression') return init
    }
  }
  return undefined
}

/** Other names, possibly in other modules, that the name may stand for. */
function* elsewhere(program: Program, name: string): Generator<readonly [string, string | undefined], void> {
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers ?? []) {
        if (specifier.local.name !== name) continue
        if (specifier.type === 'ImportDefaultSpecifier') yield ['default', statement.source.value]
        if (specifier.type === 'ImportSpecifier') yield [moduleName(specifier.imported), statement.source.value]
      }
    }
    if (statement.type === 'ExportNamedDeclaration') {
      for (const { exported, local } of statement.specifiers) {
        const isOther = statement.source !== null || moduleName(local) !== name
        if (moduleName(exported) === name && isOther) yield [moduleName(local), statement.source?.value]
      }
    }
    if (statement.type === 'ExportAllDeclaration' && statement.exported === null) yield [name, statement.source.value]
    if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
      const { declaration } = statement
      if (declaration.type === 'Identifier') yield [declaration.name, undefined]
    }
  }
}

function moduleName(node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return node.type === 'Literal' ? String(node.value) : (node.name ?? '')
}

function shapeOf(found: FoundClass, lookup: Lookup): ClassShape {
  const { node, module, program } = found
  const names: TypeNames = new Map([...aliases(program), ...typeParameters(node.typeParameters)])
  const base = baseOf(found, lookup)
  const operations = new Map(base?.operations.map((operation) => [operation.name, operation]))
  const unnamed = [...(base?.unnamed ?? [])]
  let needed = base?.needed ?? []
  for (const member of node.body.body) {
    const method = functionOf(member)
    if (method === undefined) continue
    if (method.name === undefined) {
      const { start, end } = method.key
      const place = placeAt(module.text, module.file, start)
      if (!method.isHidden) unnamed.push({ text: `[${module.text.slice(start, end)}]`, place })
      continue
    }
    const { name, fn, isHidden } = method
    const inside: TypeNames = new Map([...names, ...typeParameters(fn.typeParameters)])
    const parameters = fn.params.map((pattern) => parameterOf(pattern, inside, module))
    if (name === 'constructor') needed = parameters.filter((one) => !one.isOptional).map(({ text }) => text)
    else if (isHidden) operations.delete(name)
    else operations.set(name, { name, parameters })
  }
  const place = placeAt(module.text, module.file, node.start)
  return { place, needed, operations: [...operations.values()], unnamed }
}

function baseOf({ node, module }: FoundClass, lookup: Lookup): ClassShape | undefined {
  if (node.superClass?.type !== 'Identifier' || lookup.depth > deepest) return undefined
  const below = { ...lookup, depth: lookup.depth + 1 }
  const base = findClass(node.superClass.name, module, below)
  return base === undefined ? undefined : shapeOf(base, below)
}

interface Method {
  /** Nothing if it is computed. */
  readonly name: string | undefined
  readonly key: Node
  readonly fn: Pick<FunctionNode, 'params' | 'typeParameters'>
  readonly isHidden: boolean
}

/** Methods, and fields that hold functions; signatures without a body are those of overloads, whose implementation follows. */
function functionOf(member: ClassElement): Method | undefined {
  if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') return undefined
  if (member.static || member.value === null) return undefined
  if (member.type === 'MethodDefinition' && (member.kind === 'get' || member.kind === 'set')) return undefined
  const { value, key } = member
  const name = nameOf(member)
  const isFunction = value.type === 'FunctionExpression' || value.type === 'ArrowFunctionExpression'
  if (!isFunction || key.type === 'PrivateIdentifier') return undefined
  const isInternal = member.accessibility === 'private' || member.accessibility === 'protected'
  return { name, key, fn: value, isHidden: isInternal || name?.startsWith('_') === true }
}

/** Also of `['inc']`, which is computed from nothing. */
function nameOf({ key, computed }: { readonly key: Node; readonly computed: boolean }): string | undefined {
  if (key.type === 'Identifier') return computed ? undefined : key.name
  if (key.type === 'Literal') return typeof key.value === 'string' ? key.value : undefined
  return key.type === 'TemplateLiteral' && key.expressions.length === 0
    ? (key.quasis[0]?.value.cooked ?? undefined)
    : undefined
}

function parameterOf(pattern: ParamPattern, names: TypeNames, { text, file }: ClassModule) {
  const values = parameterValues(pattern, names)
  return { ...values, text: text.slice(values.start, values.end), place: placeAt(text, file, values.start) }
}

function aliases(program: Program): TypeNames {
  return new Map(
    program.body.flatMap((statement) => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declaration?.type !== 'TSTypeAliasDeclaration' || declaration.typeParameters) return []
      return [[declaration.id.name, { kind: 'alias', type: declaration.typeAnnotation }] as const]
    }),
  )
}
