/** One source file as the rules see it: what it imports, how long its functions are, which globals it touches. */
import { parseSync } from 'oxc-parser'

export interface SourceModule {
  /** Relative to `src/`, with forward slashes. */
  readonly path: string
  readonly lines: number
  readonly imports: readonly ModuleImport[]
  readonly functions: readonly FunctionExtent[]
  /** `name`, `object.member` and `new Date()`, wherever they are read; a local variable of that name counts as well. */
  readonly globals: readonly Located[]
  readonly hasDefaultExport: boolean
  /** `export * from`: the names it adds are nowhere written down. */
  readonly hasStarExport: boolean
  /** Nothing but re-exports, and at least one. */
  readonly isBarrel: boolean
}

export interface ModuleImport {
  readonly specifier: string
  /** Erased by the compiler, so it cannot take part in a cycle of evaluation. */
  readonly isTypeOnly: boolean
  readonly line: number
}

export interface FunctionExtent {
  readonly name: string
  readonly line: number
  readonly lines: number
  /** Without `this`. */
  readonly parameters: number
}

export interface Located {
  readonly name: string
  readonly line: number
}

/** The shape all nodes of the syntax tree share; the rules look at a few kinds of node, and at those by hand. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export function parseModule(path: string, text: string): SourceModule {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const lineAt = lineFinder(text)
  const statements = program.body as unknown as readonly Node[]
  const nodes: Place[] = []
  for (const statement of statements) addDescendants(statement, undefined, nodes)
  const reExports = statements.filter((node) => isExport(node) && node.source != null)
  return {
    path,
    lines: text.replace(/\n$/, '').split('\n').length,
    imports: nodes.flatMap(({ node }) => importsOf(node, lineAt)),
    functions: nodes.filter(({ node }) => isFunction(node)).map((place) => extentOf(place, lineAt)),
    globals: nodes.flatMap((place) => globalsOf(place, lineAt)),
    hasDefaultExport: statements.some(exportsDefault),
    hasStarExport: statements.some((node) => node.type === 'ExportAllDeclaration'),
    isBarrel: statements.every(isForwarding) && (reExports.length > 0 || statements.some(isLocalExportList)),
  }
}

interface Place {
  readonly node: Node
  readonly parent: Place | undefined
}

/** Parents before their children, in the order of the text. */
function addDescendants(node: Node, parent: Place | undefined, found: Place[]): void {
  const place = { node, parent }
  found.push(place)
  for (const part of Object.values(node)) {
    for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) addDescendants(child, place, found)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)]
  return (offset) => {
    let [line, after] = [0, starts.length]
    while (after - line > 1) {
      const middle = (line + after) >> 1
      if ((starts[middle] as number) <= offset) line = middle
      else after = middle
    }
    return line + 1
  }
}

function isExport(node: Node): boolean {
  return node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration'
}

function isLocalExportList(node: Node): boolean {
  return node.type === 'ExportNamedDeclaration' && node.declaration == null
}

function isForwarding(node: Node): boolean {
  return node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration' || isLocalExportList(node)
}

function exportsDefault(node: Node): boolean {
  if (node.type === 'ExportDefaultDeclaration') return true
  if (node.type !== 'ExportNamedDeclaration') return false
  return (node.specifiers as readonly Node[]).some((specifier) => nameOf(specifier.exported) === 'default')
}

function importsOf(node: Node, lineAt: (offset: number) => number): readonly ModuleImport[] {
  const source = node.source
  if (!isNode(source) || typeof source.value !== 'string') return []
  // `import { type A } from` is not type-only: the compiler keeps the empty import, and the module is evaluated.
  const isTypeOnly =
    node.type === 'TSImportType' || node.importKind === 'type' || (isExport(node) && node.exportKind === 'type')
  return [{ specifier: source.value, isTypeOnly, line: lineAt(node.start) }]
}

function isFunction(node: Node): boolean {
  const kinds = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
  return kinds.includes(node.type) && isNode(node.body)
}

function extentOf(place: Place, lineAt: (offset: number) => number): FunctionExtent {
  const line = lineAt(place.node.start)
  const parameters = (place.node.params as readonly Node[]).filter((one) => nameOf(one) !== 'this').length
  return { name: functionName(place), line, lines: lineAt(place.node.end - 1) - line + 1, parameters }
}

/** Its own name, else that of the variable, method or property it is the value of, else the enclosing function's. */
function functionName({ node, parent }: Place): string {
  const own = nameOf(node.id)
  if (own !== undefined) return own
  const given = parent && (nameOf(parent.node.key) ?? nameOf(parent.node.id))
  if (given !== undefined && parent?.node.body !== node) return given
  return parent === undefined ? 'anonymous' : functionName(parent)
}

function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (typeof node.name === 'string') return node.type === 'PrivateIdentifier' ? `#${node.name}` : node.name
  return typeof node.value === 'string' ? node.value : undefined
}

function globalsOf({ node, parent }: Place, lineAt: (offset: number) => number): readonly Located[] {
  const line = lineAt(node.start)
  if (node.type === 'MemberExpression' && node.computed !== true) {
    const object = nameOf(node.object)
    return object === undefined ? [] : [{ name: `${object}.${nameOf(node.property)}`, line }]
  }
  if (node.type === 'NewExpression' && (node.arguments as readonly unknown[]).length === 0) {
    return [{ name: `new ${nameOf(node.callee)}()`, line }]
  }
  if (node.type !== 'Identifier' || (parent !== undefined && isJustAName(node, parent.node))) return []
  return [{ name: node.name as string, line }]
}

/** `x.console`, `{ console: … }`, `console(): void` in an interface: the word, not the global. */
function isJustAName(node: Node, parent: Node): boolean {
  if (parent.computed === true) return false
  return parent.property === node || (parent.key === node && parent.shorthand !== true)
}
