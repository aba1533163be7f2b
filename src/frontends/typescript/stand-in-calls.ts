/** Which packages a file stands in for, by `standIn('pg', …)`, and what it imports from packages: known before any of it runs. */
import type { ImportDeclarationSpecifier, Program, Statement } from 'oxc-parser'
import type { Place } from '../../core/diagnostic.ts'
import { parse, placeAt } from './parse.ts'
import { walk } from './syntax.ts'

interface StandInCall {
  /** Nothing if it is not written as a text. */
  readonly name: string | undefined
  readonly place: Place
}

interface PackageImport {
  readonly from: string
  /** Nothing if all that there is is imported. */
  readonly names: readonly string[] | undefined
  readonly place: Place
}

export interface StandInUses {
  readonly calls: readonly StandInCall[]
  readonly imports: readonly PackageImport[]
}

export function standInUses(text: string, file: string): StandInUses {
  const parsed = parse(text, file)
  if (!parsed.ok || parsed.value.isCommonJs) return { calls: [], imports: [] }
  const { program } = parsed.value
  const placeOf = (offset: number): Place => placeAt(text, file, offset)
  const imports = program.body.flatMap((statement) => importIn(statement, placeOf))
  return { calls: callsIn(program, placeOf), imports: imports.filter(({ from }) => /^[^./]/.test(from)) }
}

function importIn(statement: Statement, placeOf: (offset: number) => Place): readonly PackageImport[] {
  const place = placeOf(statement.start)
  switch (statement.type) {
    case 'ImportDeclaration': {
      if (statement.importKind === 'type') return []
      const names = statement.specifiers.map(importedName)
      const isWhole = statement.specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')
      return [{ from: statement.source.value, names: isWhole ? undefined : names.flatMap((name) => name ?? []), place }]
    }
    case 'ExportNamedDeclaration': {
      if (statement.source === null || statement.exportKind === 'type') return []
      const names = statement.specifiers.map(({ local }) => ('name' in local ? local.name : local.value))
      return [{ from: statement.source.value, names, place }]
    }
    case 'ExportAllDeclaration':
      return statement.exportKind === 'type' ? [] : [{ from: statement.source.value, names: undefined, place }]
    default:
      return []
  }
}

/** Nothing for types. */
function importedName(specifier: ImportDeclarationSpecifier): string | undefined {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  if (specifier.type !== 'ImportSpecifier' || specifier.importKind === 'type') return undefined
  return 'name' in specifier.imported ? specifier.imported.name : specifier.imported.value
}

function callsIn(program: Program, placeOf: (offset: number) => Place): readonly StandInCall[] {
  const called = program.body.flatMap((statement) =>
    statement.type === 'ImportDeclaration' && statement.source.value === 'allways/services'
      ? statement.specifiers.filter((one) => importedName(one) === 'standIn').map(({ local }) => local.name)
      : [],
  )
  const calls: StandInCall[] = []
  if (called.length === 0) return calls
  walk(program, {
    enter: (node) => {
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return
      if (!called.includes(node.callee.name)) return
      const [first] = node.arguments
      const name = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined
      calls.push({ name, place: placeOf(node.start) })
    },
  })
  return calls
}
