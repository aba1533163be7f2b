/**
 * A bundled module as the body of a function: what it imports is read from `$imports`, by name, and its exports are what it returns. So
 * it can be run again and again, each time as Node runs a module that nobody has loaded. Every line stays where it was.
 */
import MagicString from 'magic-string'
import type { ImportDeclaration, ModuleExportName, Node } from 'oxc-parser'
import { type Diagnostic, failure, type Result, success } from '../../../core/diagnostic.ts'
import { parse } from '../parse.ts'
import { childrenOf, isFunction } from '../syntax.ts'

interface ModuleFunction {
  /** Of a function of `$imports`. */
  readonly body: string
  readonly imports: readonly string[]
}

export function moduleFunction(code: string): Result<ModuleFunction> {
  const parsed = parse(code, 'bundle.mjs')
  if (!parsed.ok) return parsed
  const text = new MagicString(code)
  const imports = new Set<string>()
  for (const node of parsed.value.program.body) {
    if (awaits(node)) return failure(refused('a module awaits something at its top level'))
    if (node.type === 'ImportDeclaration') {
      imports.add(node.source.value)
      put(text, node, importing(node))
    } else if (node.type === 'ExportNamedDeclaration' && node.source === null && node.declaration === null) {
      const fields = node.specifiers.map(
        ({ local, exported }) => `${JSON.stringify(nameOf(exported))}: ${nameOf(local)}`,
      )
      put(text, node, `return { ${fields.join(', ')} };`)
    } else if (node.type.startsWith('Export')) return failure(refused('a module hands on what a package exports'))
  }
  // The first line of a script for a shell is none of a function.
  const [hashbang = ''] = /^#!.*/.exec(code) ?? []
  if (hashbang !== '') text.remove(0, hashbang.length)
  text.prepend('"use strict"; ')
  return success({ body: text.toString(), imports: [...imports] })
}

function put(text: MagicString, { start, end }: Node, code: string): void {
  text.update(start, end, code + text.original.slice(start, end).replaceAll(/[^\n]/g, ''))
}

function importing({ source, specifiers }: ImportDeclaration): string {
  const from = `$imports[${JSON.stringify(source.value)}]`
  return specifiers
    .map((one) => {
      if (one.type === 'ImportNamespaceSpecifier') return `const ${one.local.name} = ${from};`
      const name = one.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(one.imported)
      return `const ${one.local.name} = ${from}[${JSON.stringify(name)}];`
    })
    .join(' ')
}

function nameOf(name: ModuleExportName): string {
  return name.type === 'Literal' ? String(name.value) : name.name
}

function awaits(node: Node): boolean {
  if (isFunction(node)) return false
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) return true
  return [...childrenOf(node)].some(awaits)
}

function refused(what: string): Diagnostic {
  return {
    code: 'E307',
    message: `${what}, which cannot be run anew for every execution in JavaScript's own job order`,
    hint: 'make what is awaited in the class, or leave out --order jobs',
  }
}
