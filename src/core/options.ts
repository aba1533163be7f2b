/** Options as data: engines declare them in a table, and flags, validation, help and lists are made from it. */
import { grouped } from './grouped.ts'

export type OptionValue = string | number | boolean

/** By name; complete when it was resolved against declarations. */
export type Options = { readonly [name: string]: OptionValue }

export type OptionDeclaration = { readonly help: string } & (
  | { readonly form: 'choice'; readonly values: readonly string[]; readonly default: string }
  /** A whole number above 0, and at most so much. */
  | { readonly form: 'count'; readonly default: number; readonly most?: number }
  | { readonly form: 'integer'; readonly default: number }
  | { readonly form: 'switch'; readonly default: boolean }
)

export type OptionDeclarations = { readonly [name: string]: OptionDeclaration }

/** The values that options of these declarations have. */
export type Chosen<D extends OptionDeclarations> = {
  readonly [N in keyof D]: D[N] extends { readonly form: 'choice'; readonly values: readonly (infer V)[] }
    ? V
    : D[N] extends { readonly form: 'switch' }
      ? boolean
      : number
}

/** The seed of everything random: each engine that draws declares it, and all of them mean the same. */
export const seedOption: OptionDeclaration & { readonly form: 'integer' } = {
  form: 'integer',
  default: 0,
  help: 'seed of everything random',
}

export function defaultsOf<D extends OptionDeclarations>(declarations: D): Chosen<D> {
  const values = Object.entries(declarations).map(([name, declaration]) => [name, declaration.default])
  return Object.fromEntries(values) as Chosen<D>
}

/** Defaults, and what is given of those declared; values are taken to be checked. */
export function optionsFrom<D extends OptionDeclarations>(
  declarations: D,
  given: { readonly [name: string]: OptionValue | undefined },
): Chosen<D> {
  const known = Object.entries(given).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(declarations, name),
  )
  return { ...defaultsOf(declarations), ...Object.fromEntries(known) } as Chosen<D>
}

/** What a value must be, in the reader's words, if it is not that. */
export function optionProblem(declaration: OptionDeclaration, value: unknown): string | undefined {
  switch (declaration.form) {
    case 'choice':
      return declaration.values.some((known) => known === value) ? undefined : `one of ${declaration.values.join(', ')}`
    case 'count':
      return isCountUpTo(declaration.most ?? Number.MAX_SAFE_INTEGER, value) ? undefined : countWords(declaration)
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : 'a whole number'
    case 'switch':
      return typeof value === 'boolean' ? undefined : 'true or false'
  }
}

function isCountUpTo(most: number, value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= most
}

function countWords({ most }: { readonly most?: number }): string {
  return most === undefined ? 'a whole number above 0' : `a whole number from 1 to ${grouped(most)}`
}
