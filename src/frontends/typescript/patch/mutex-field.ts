/** The lock that a patch needs: a field of the class, one of ours if there is one, and the import of its class. */
import type MagicString from 'magic-string'
import type { Class, ImportDeclaration, PropertyDefinition } from 'oxc-parser'
import { keyName } from '../function-names.ts'
import type { ParsedSource } from '../parse.ts'
import { walk } from '../syntax.ts'
import { indentAt, unitOf } from './layout.ts'

export interface MutexField {
  /** `#mutex`, or `mutex` if subclasses take it as well. */
  readonly name: string
  readonly isThere: boolean
}

/** The lock of an earlier patch rather than one more, if all who need it can see it. */
export function mutexField(source: ParsedSource, owner: Class, isPrivate: boolean): MutexField {
  const mark = isPrivate ? '#' : ''
  const mutex = importedMutex(source)
  const known = owner.body.body.find(
    (member): member is PropertyDefinition =>
      member.type === 'PropertyDefinition' &&
      !member.static &&
      member.value?.type === 'NewExpression' &&
      member.value.callee.type === 'Identifier' &&
      member.value.callee.name === mutex?.name &&
      member.value.arguments.length === 0 &&
      /^#?mutex\d*$/.test(keyName(member.key) ?? '') &&
      (!isPrivate || member.key.type === 'PrivateIdentifier'),
  )
  if (known !== undefined) return { name: keyName(known.key) ?? '', isThere: true }
  let name = `${mark}mutex`
  for (let number = 2; source.text.includes(name); number++) name = `${mark}mutex${number}`
  return { name, isThere: false }
}

/** Before all others, which may use it when they are made. */
export function addField(source: ParsedSource, text: MagicString, owner: Class, { name }: MutexField): void {
  const open = owner.body.start + 1
  const [first] = owner.body.body
  const end = first?.start ?? owner.body.end - 1
  const isOnLine = first !== undefined && source.text.slice(open, end).includes('\n')
  const indent = isOnLine
    ? indentAt(source.text, first.start)
    : indentAt(source.text, owner.start) + unitOf(source.text)
  const modifiers = isTyped(source) ? (name.startsWith('#') ? 'readonly ' : 'protected readonly ') : ''
  const field = `${modifiers}${name} = new ${addImport(source, text)}()`
  // What begins like this would go on with the line before.
  const isContinued = /^(?:[[(*`@+\-/]|in\b|instanceof\b)/.test(source.text.slice(end))
  const usesSemicolons = owner.body.body.some(
    (member) => member.type === 'PropertyDefinition' && source.text.charAt(member.end - 1) === ';',
  )
  const ended = `\n${indent}${field}${isContinued || usesSemicolons ? ';' : ''}`
  if (isOnLine) text.appendLeft(open, ended)
  else text.update(open, Math.max(end, open + 1), `${ended}\n${indent}${source.text.slice(open, end).trimStart()}`)
}

function isTyped({ file }: ParsedSource): boolean {
  return /\.[cm]?tsx?$/.test(file)
}

/** The name by which the class is known. */
function addImport(source: ParsedSource, text: MagicString): string {
  const known = importedMutex(source)
  if (known !== undefined) return known.name
  const name = isTaken(source, 'Mutex') ? 'AllwaysMutex' : 'Mutex'
  const specifier = name === 'Mutex' ? name : `Mutex as ${name}`
  const imports = importsIn(source)
  const [first] = imports.flatMap(({ specifiers, ...one }) =>
    isOurs(one) ? specifiers.filter(({ type }) => type === 'ImportSpecifier') : [],
  )
  if (first !== undefined) text.appendLeft(first.start, `${specifier}, `)
  else text.appendLeft(importPlace(source, imports), `import { ${specifier} } from 'allways/sync'\n`)
  return name
}

function importedMutex(source: ParsedSource): { readonly name: string } | undefined {
  for (const { specifiers, ...one } of importsIn(source)) {
    if (!isOurs(one)) continue
    for (const specifier of specifiers) {
      if (specifier.type !== 'ImportSpecifier' || specifier.importKind === 'type') continue
      if (specifier.imported.type === 'Identifier' && specifier.imported.name === 'Mutex') return specifier.local
    }
  }
  return undefined
}

function isOurs({ source, importKind }: Pick<ImportDeclaration, 'source' | 'importKind'>): boolean {
  return source.value === 'allways/sync' && importKind !== 'type'
}

function importsIn({ program }: ParsedSource): readonly ImportDeclaration[] {
  return program.body.filter((one): one is ImportDeclaration => one.type === 'ImportDeclaration')
}

/** In front of other imports; else at the top, behind what must come first. */
function importPlace({ program, text }: ParsedSource, [first]: readonly ImportDeclaration[]): number {
  if (first !== undefined) return first.start
  const directive = program.body.findLast((one) => 'directive' in one && typeof one.directive === 'string')
  const above = directive ?? program.hashbang
  if (above === undefined || above === null) return 0
  const end = text.indexOf('\n', above.end)
  return end < 0 ? text.length : end + 1
}

function isTaken({ program }: ParsedSource, name: string): boolean {
  let found = false
  walk(program, { enter: (node) => (found ||= node.type === 'Identifier' && node.name === name) })
  return found
}
