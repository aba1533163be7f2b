/**
 * Bundlers join modules to one, in which `const`, `let` and `class` of a module become `var`: what is read before its line has run would be
 * `undefined`, where Node throws. Here they are made `let` again, so that a module that is read too early, be it by a function of its own
 * or by a module that imports it in a circle, fails as it does in production. `var` and `let` are equally long: nothing moves.
 */
import type { BindingPattern, Statement } from 'oxc-parser'
import { parse } from './parse.ts'

/** What a module declares at its top level, by what reading it too early comes to. */
export interface Declared {
  /** An error. */
  readonly lexical: ReadonlySet<string>
  /** `undefined`, or what the language merges with what is there. */
  readonly hoisted: ReadonlySet<string>
  /** Whether it exports something that has no name of its own. */
  readonly hasDefault: boolean
}

export function declaredIn(source: string, file: string): Declared | undefined {
  const parsed = parse(source, file)
  if (!parsed.ok || parsed.value.isCommonJs) return undefined
  const [lexical, hoisted] = [new Set<string>(), new Set<string>()]
  let hasDefault = false
  for (const statement of parsed.value.program.body) {
    const declaration = 'declaration' in statement && statement.declaration !== null ? statement.declaration : statement
    hasDefault ||= statement.type === 'ExportDefaultDeclaration'
    switch (declaration.type) {
      case 'VariableDeclaration': {
        const names = declaration.kind === 'var' ? hoisted : lexical
        for (const { id } of declaration.declarations) for (const name of namesIn(id)) names.add(name)
        break
      }
      case 'ClassDeclaration':
        if (declaration.id !== null) lexical.add(declaration.id.name)
        break
      case 'TSEnumDeclaration':
        hoisted.add(declaration.id.name)
        break
      case 'TSModuleDeclaration':
        if (declaration.id.type === 'Identifier') hoisted.add(declaration.id.name)
        break
      default:
    }
  }
  return { lexical, hoisted, hasDefault }
}

/** `declared` knows the modules by what the bundle calls them, in a comment before their code. */
export function withDeadZones(bundle: string, declared: (module: string) => Declared | undefined): string {
  const parsed = parse(bundle, 'bundle.mjs')
  // Whoever evaluates it says what is wrong with it.
  if (!parsed.ok) return bundle
  const { program, comments } = parsed.value
  const pieces: string[] = []
  let [end, next, before] = [0, 0, 0]
  let module: Declared | undefined
  for (const statement of program.body) {
    for (
      let comment = comments[next];
      comment !== undefined && comment.start < statement.start;
      comment = comments[++next]
    )
      if (comment.start >= before) module = declared(comment.value.trim())
    before = statement.end
    if (module === undefined || !isDead(statement, module)) continue
    pieces.push(bundle.slice(end, statement.start), 'let')
    end = statement.start + 'let'.length
  }
  return pieces.join('') + bundle.slice(end)
}

function isDead(statement: Statement, { lexical, hoisted, hasDefault }: Declared): boolean {
  if (statement.type !== 'VariableDeclaration' || statement.kind !== 'var') return false
  const names = statement.declarations.flatMap(({ id }) => namesIn(id))
  return names.every((name) => {
    const own = ownName(name, (one) => lexical.has(one) || hoisted.has(one))
    return own === undefined ? hasDefault && /_default\d*$/.test(name) : lexical.has(own)
  })
}

/** Names that several modules have get a number in all but one of them. */
function ownName(name: string, isKnown: (name: string) => boolean): string | undefined {
  for (let one = name; ; one = one.slice(0, -1)) {
    if (isKnown(one)) return one
    if (!/\d$/.test(one)) return undefined
  }
}

function namesIn(pattern: BindingPattern): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) =>
        one === null ? [] : namesIn(one.type === 'RestElement' ? one.argument : one),
      )
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => namesIn(one.type === 'RestElement' ? one.argument : one.value))
  }
}
