/** Types that a check file abstracts, found in the P program: its declarations as they are read then, and the classes of each type. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import type { Declaration, DeclarationOf, FunctionDeclaration, MachineDeclaration } from '../frontends/p/ast.ts'
import type { Problem } from '../frontends/p/problem.ts'
import type { AbstractClass, Abstraction } from '../ir/abstraction/abstraction.ts'
import type { AbstractionOptions } from '../program/p-model.ts'

export type Abstractions = { readonly [type: string]: AbstractionOptions }

/** What is wrong with what the check file says; it has no place in the P program. */
type Mistake = Pick<Diagnostic, 'message' | 'hint'>

export interface FoundAbstractions {
  readonly abstractions: readonly Abstraction[]
  readonly mistakes: readonly Mistake[]
}

/** Types are without definitions and functions without bodies where an abstraction says what is known of them. */
export function withoutDefinitions(
  declarations: readonly Declaration[],
  abstract: Abstractions,
): readonly Declaration[] {
  const functions = new Set(Object.values(abstract).flatMap((one) => Object.keys(one.functions ?? {})))
  const bodiless = (declared: FunctionDeclaration, name: string): FunctionDeclaration =>
    functions.has(name) ? { ...declared, body: undefined } : declared
  return declarations.map((declaration): Declaration => {
    if (declaration.kind === 'type' && Object.hasOwn(abstract, declaration.name.text))
      return { ...declaration, type: undefined }
    if (declaration.kind === 'function') return bodiless(declaration, declaration.name.text)
    if (!isMachine(declaration)) return declaration
    const items = declaration.items.map((item) =>
      item.kind === 'function' ? bodiless(item, `${declaration.name.text}.${item.name.text}`) : item,
    )
    return { ...declaration, items }
  })
}

function isMachine(declaration: Declaration): declaration is MachineDeclaration {
  return declaration.kind === 'machine' || declaration.kind === 'spec' || declaration.kind === 'scenario'
}

export function abstractionsIn(declarations: readonly Declaration[], abstract: Abstractions): FoundAbstractions {
  const mistakes: Mistake[] = []
  const abstractions = Object.entries(abstract).flatMap(([type, options]): readonly Abstraction[] => {
    const before = mistakes.length
    const classes = classesOf(type, options, { declarations, mistakes })
    // Of a type that there is not, nothing that is said of it can be right.
    if (classes === undefined) return []
    const places = new Map(classes.map(({ name }, at) => [name, at]))
    const functions = Object.entries(options.functions ?? {}).map(([name, chosen]) => {
      mistakes.push(...functionMistakes(name, type, declarations))
      for (const one of chosen) if (!places.has(one)) mistakes.push(noClass(one, type, options))
      return [name, [...new Set(chosen)].map((one) => places.get(one) ?? 0)] as const
    })
    return mistakes.length > before ? [] : [{ type, classes, functions: new Map(functions) }]
  })
  return { abstractions, mistakes }
}

interface Looking {
  readonly declarations: readonly Declaration[]
  readonly mistakes: Mistake[]
}

/** The one of the value that variables begin with comes first; undefined: there is no such type. */
function classesOf(
  type: string,
  options: AbstractionOptions,
  { declarations, mistakes }: Looking,
): readonly AbstractClass[] | undefined {
  const types = declarations.filter((one) => one.kind === 'type' || one.kind === 'enum')
  const declared = types.find(({ name }) => name.text === type)
  if (declared === undefined) {
    const names = types.map(({ name }) => name.text)
    mistakes.push({ message: `the program declares no type "${type}"`, hint: suggestion(type, names, 'types') })
    return undefined
  }
  if (declared.kind === 'enum') return classesOfEnum(declared, options, mistakes)
  const given = Object.entries(options.classes)
  const listed = given.find(([, one]) => typeof one === 'object')
  if (listed !== undefined) {
    const message = `class "${listed[0]}" of "${type}" is a list of elements, and "${type}" is not an enum`
    mistakes.push({ message, hint: `write ${listed[0]}: 'one' or ${listed[0]}: 'many'` })
  }
  const first = options.default ?? given.find(([, one]) => one === 'many')?.[0]
  if (first === undefined) {
    const message = `the classes of "${type}" do not cover it: each of them is one value, and "${type}" has others`
    mistakes.push({ message, hint: "add a class that stands for all others: other: 'many'" })
  } else if (!Object.hasOwn(options.classes, first)) mistakes.push(noClass(first, type, options))
  const classes = given.map(([name, one]): AbstractClass => ({ name, isOne: one === 'one' }))
  return beginningWith(classes, ({ name }) => name === first)
}

function classesOfEnum(
  { name, elements }: DeclarationOf<'enum'>,
  options: AbstractionOptions,
  mistakes: Mistake[],
): readonly AbstractClass[] {
  const type = name.text
  const numbers = new Map(elements.map((one, at) => [one.name.text, Number(one.value ?? at)]))
  const taken = new Map<string, string>()
  const classes = Object.entries(options.classes).map(([of, listed]): AbstractClass => {
    const names = typeof listed === 'string' ? [] : listed
    if (typeof listed === 'string')
      mistakes.push({
        message: `class "${of}" of "${type}" is '${listed}', and "${type}" is an enum`,
        hint: `write a list of its elements: ${of}: ['${elements[0]?.name.text}', … ]`,
      })
    for (const one of names) {
      const other = taken.get(one)
      const hint = 'each element is in one class'
      if (!numbers.has(one))
        mistakes.push({
          message: `"${type}" has no element "${one}"`,
          hint: suggestion(one, [...numbers.keys()], 'elements'),
        })
      else if (other !== undefined)
        mistakes.push({ message: `"${one}" is in the classes "${other}" and "${of}" of "${type}"`, hint })
      taken.set(one, of)
    }
    return { name: of, isOne: names.length === 1, elements: names.map((one) => numbers.get(one) ?? 0) }
  })
  const open = [...numbers.keys()].filter((one) => !taken.has(one))
  if (open.length > 0 && mistakes.length === 0)
    mistakes.push({
      message: `the classes of "${type}" do not cover it: ${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} in none`,
      hint: 'each element is in one class',
    })
  if (options.default !== undefined)
    mistakes.push({
      message: `"default" is said of "${type}", which is an enum`,
      hint: 'leave it out: variables begin with the element that has the least number',
    })
  const least = Math.min(...numbers.values())
  return beginningWith(classes, (one) => one.elements?.includes(least) === true)
}

function beginningWith(
  classes: readonly AbstractClass[],
  isFirst: (one: AbstractClass) => boolean,
): readonly AbstractClass[] {
  return [...classes.filter(isFirst), ...classes.filter((one) => !isFirst(one))]
}

function noClass(name: string, type: string, { classes }: AbstractionOptions): Mistake {
  return { message: `"${type}" has no class "${name}"`, hint: suggestion(name, Object.keys(classes), 'classes') }
}

function functionMistakes(name: string, type: string, declarations: readonly Declaration[]): readonly Mistake[] {
  const known = new Map(
    declarations.flatMap((one): readonly (readonly [string, FunctionDeclaration])[] => {
      if (one.kind === 'function') return [[one.name.text, one]]
      if (!isMachine(one)) return []
      return one.items.flatMap((item) =>
        item.kind === 'function' ? [[`${one.name.text}.${item.name.text}`, item] as const] : [],
      )
    }),
  )
  const found = known.get(name)
  if (found === undefined)
    return [
      { message: `the program has no function "${name}"`, hint: suggestion(name, [...known.keys()], 'functions') },
    ]
  const { returns } = found
  if (returns?.kind === 'named' && returns.name.text === type) return []
  const message = `"${name}" does not return a value of the type "${type}"`
  return [{ message, hint: `declare it as "fun ${found.name.text}( … ): ${type}"` }]
}

/** What the checker refuses is possible without the abstraction, and the reader is told so. */
export function inWordsOfClasses(problem: Problem, abstract: Abstractions): Problem {
  const type = Object.keys(abstract).find((one) => new RegExp(`\\b${one}\\b`).test(problem.message))
  if (type === undefined) return problem
  const hint = `"${type}" is abstracted: its values can be compared by == and !=, kept, sent and used as keys, and nothing else`
  return { ...problem, hint }
}
