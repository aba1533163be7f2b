/** Values to call a method with, made up from the types of its parameters. */
import type { Expression, ParamPattern, TSType, TSTypeParameterDeclaration } from 'oxc-parser'
import type { Value } from '../../core/value.ts'

export interface ParameterValues {
  readonly name: string
  /** Whether the call may end before it. */
  readonly isOptional: boolean
  /** Nothing if its type does not tell. */
  readonly values: readonly Value[] | undefined
  readonly start: number
  readonly end: number
}

/** What a name of a type stands for. */
export type TypeNames = ReadonlyMap<string, NamedType>

type NamedType =
  | { readonly kind: 'alias'; readonly type: TSType }
  /** A type parameter: the class treats all values alike, or those of the constraint. */
  | { readonly kind: 'parameter'; readonly constraint: TSType | null }

export function parameterValues(pattern: ParamPattern, names: TypeNames): ParameterValues {
  if (pattern.type === 'TSParameterProperty') return parameterValues(pattern.parameter, names)
  const { start, end } = pattern
  if (pattern.type === 'RestElement') return { name: '…', isOptional: false, values: undefined, start, end }
  if (pattern.type === 'AssignmentPattern') {
    const { left, right } = pattern
    const declared = annotated(left, names)
    const values = declared ?? literalValues(right)
    return { name: nameOf(left), isOptional: true, values, start, end }
  }
  const isOptional = (pattern as { readonly optional?: boolean }).optional === true
  return { name: nameOf(pattern), isOptional, values: annotated(pattern, names), start, end }
}

export function typeParameters(declaration: TSTypeParameterDeclaration | null | undefined): TypeNames {
  const parameters = declaration?.params ?? []
  return new Map(parameters.map(({ name, constraint }) => [name.name, { kind: 'parameter', constraint }]))
}

interface Annotated {
  readonly typeAnnotation?: { readonly typeAnnotation: TSType } | null
}

function nameOf(pattern: object): string {
  const { name } = pattern as { readonly name?: unknown }
  return typeof name === 'string' ? name : '{ … }'
}

function annotated(pattern: object, names: TypeNames): readonly Value[] | undefined {
  const { typeAnnotation } = pattern as Annotated
  return typeAnnotation === null || typeAnnotation === undefined
    ? undefined
    : valuesOf(typeAnnotation.typeAnnotation, names, 0)
}

/** Aliases may be recursive; one that needs more steps than this is. */
const deepest = 20

/** Two of each kind: enough to tell one from another. */
const numbers: readonly Value[] = [0, 1]

function valuesOf(type: TSType, names: TypeNames, depth: number): readonly Value[] | undefined {
  if (depth > deepest) return undefined
  switch (type.type) {
    case 'TSNumberKeyword':
    case 'TSUnknownKeyword':
    case 'TSAnyKeyword':
      return numbers
    case 'TSStringKeyword':
      return ['a', 'b']
    case 'TSBooleanKeyword':
      return [true, false]
    case 'TSBigIntKeyword':
      return [0n, 1n]
    case 'TSNullKeyword':
      return [null]
    case 'TSUndefinedKeyword':
      return [undefined]
    case 'TSLiteralType':
      return literalValue(type.literal as Expression)
    case 'TSParenthesizedType':
      return valuesOf(type.typeAnnotation, names, depth + 1)
    case 'TSUnionType': {
      const parts = type.types.map((part) => valuesOf(part, names, depth + 1))
      return parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined
    }
    case 'TSTypeReference':
      return type.typeName.type === 'Identifier' ? valuesOfName(type.typeName.name, names, depth) : undefined
    default:
      return undefined
  }
}

function valuesOfName(name: string, names: TypeNames, depth: number): readonly Value[] | undefined {
  const named = names.get(name)
  if (named === undefined) return undefined
  if (named.kind === 'alias') return valuesOf(named.type, names, depth + 1)
  return named.constraint === null ? numbers : valuesOf(named.constraint, names, depth + 1)
}

/** The default value says the type: `limit = 1` takes numbers. */
function literalValues(expression: Expression): readonly Value[] | undefined {
  const [value] = literalValue(expression) ?? []
  switch (typeof value) {
    case 'number':
      return numbers
    case 'string':
      return ['a', 'b']
    case 'boolean':
      return [true, false]
    case 'bigint':
      return [0n, 1n]
    default:
      return undefined
  }
}

function literalValue(expression: Expression): readonly Value[] | undefined {
  if (expression.type === 'UnaryExpression' && expression.operator === '-') {
    const [value] = literalValue(expression.argument) ?? []
    return typeof value === 'number' || typeof value === 'bigint' ? [-value] : undefined
  }
  if (expression.type !== 'Literal') return undefined
  const { value } = expression
  return value instanceof RegExp ? undefined : [value]
}
