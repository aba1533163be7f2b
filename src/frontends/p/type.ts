/** Types of P as the checker knows them: aliases are gone, names are what they stand for. */
import type { EnumSymbol } from './symbols.ts'

export type Type =
  | { readonly kind: 'bool' | 'int' | 'float' | 'string' | 'event' | 'any' | 'data' }
  /** Of the literal `null`: a machine, an event or anything that may be one. */
  | { readonly kind: 'null' }
  /** Of what returns nothing. */
  | { readonly kind: 'void' }
  /** Of what was refused: agrees with everything, so that one mistake is told once. */
  | { readonly kind: 'unknown' }
  /**
   * A reference to a machine. `receives` are the events it may be sent, by name and sorted; undefined: all, as of `machine` and of machines
   * that say nothing. `name` is what the type was called in the source: a machine or an interface; undefined for `machine`.
   */
  | { readonly kind: 'machine'; readonly name: string | undefined; readonly receives: readonly string[] | undefined }
  | { readonly kind: 'enum'; readonly symbol: EnumSymbol }
  | { readonly kind: 'foreign'; readonly name: string }
  | { readonly kind: 'seq' | 'set'; readonly of: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'tuple'; readonly items: readonly Type[] }
  | { readonly kind: 'record'; readonly fields: readonly { readonly name: string; readonly type: Type }[] }
