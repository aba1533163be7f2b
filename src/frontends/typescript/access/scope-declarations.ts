/** Declares names in scopes, before anything in them is read: what is declared can be used above its line. */
import type { Node, VariableDeclaration } from 'oxc-parser'
import { isClass, isFunction } from '../syntax.ts'
import { Binding, type BindingKind, type LexicalScope } from './bindings.ts'
import { declaredNames, evaluatedWith, isTypeOnly, nameEnd, unwrapped, valueChildren } from './tree.ts'

/** Variables, functions, classes and imports of a list of statements. */
export function declareLexical(scope: LexicalScope, statements: Iterable<Node>): void {
  for (const statement of statements) {
    const node = exportedDeclaration(statement)
    if (isTypeOnly(node) && node.type !== 'TSImportEqualsDeclaration') continue
    switch (node.type) {
      case 'VariableDeclaration':
        if (node.kind !== 'var') declareVariables(scope, node)
        break
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        if (node.id !== null) {
          const binding = add(scope, node.type === 'FunctionDeclaration' ? 'function' : 'class', node.id)
          binding.own = node
          binding.readyAt = node.end
          binding.declaredUntil = node.end
        }
        break
      case 'TSEnumDeclaration':
        add(scope, 'enum', node.id)
        break
      case 'ImportDeclaration':
        for (const specifier of node.specifiers) {
          add(scope, specifier.type === 'ImportNamespaceSpecifier' ? 'namespace' : 'import', specifier.local)
        }
        break
      case 'TSImportEqualsDeclaration':
        add(scope, 'import', node.id)
        break
    }
  }
}

function declareVariables(scope: LexicalScope, node: VariableDeclaration): void {
  for (const { id, init, end } of node.declarations) {
    for (const identifier of declaredNames(id)) {
      const binding = add(scope, node.kind === 'let' ? 'let' : 'const', identifier)
      // The rest of a pattern may suspend when its first names have values already.
      binding.readyAt = id.type === 'Identifier' ? end : nameEnd(identifier)
      binding.declaredUntil = end
      const value = init === null ? undefined : unwrapped(init)
      if (id.type === 'Identifier' && value !== undefined && (isFunction(value) || isClass(value))) binding.own = value
    }
  }
}

/** What `var` declares anywhere in a function. */
export function declareVars(scope: LexicalScope, nodes: Iterable<Node>): void {
  for (const node of nodes) {
    if (isFunction(node) || isClass(node) || isTypeOnly(node)) continue
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      for (const { id } of node.declarations) declareNames(scope, 'var', id)
    }
    declareVars(scope, valueChildren(node))
  }
}

/** The names of a pattern, except those that exist. */
export function declareNames(scope: LexicalScope, kind: BindingKind, pattern: Node): void {
  for (const identifier of declaredNames(pattern)) {
    if (identifier.name !== 'this' && !scope.bindings.has(identifier.name)) add(scope, kind, identifier)
  }
}

export function add(
  scope: LexicalScope,
  kind: BindingKind,
  identifier: { readonly name: string; readonly start: number },
): Binding {
  const binding = new Binding(kind, identifier, scope)
  scope.bindings.set(identifier.name, binding)
  return binding
}

export function namesIn(nodes: readonly Node[]): ReadonlySet<string> {
  const names = nodes.flatMap((node) =>
    [...evaluatedWith(node)].flatMap((inner) => ('name' in inner ? [inner.name] : [])),
  )
  return new Set(names.filter((name) => typeof name === 'string'))
}

function exportedDeclaration(statement: Node): Node {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration !== null) return statement.declaration
  return statement.type === 'ExportDefaultDeclaration' ? statement.declaration : statement
}
