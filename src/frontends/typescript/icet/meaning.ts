/** What names stand for while a program is read: values of the term, or things that are known before it runs. */
import type { Count, Expression } from '../../../program/icet.ts'
import type { Binding } from '../access/bindings.ts'
import type { FunctionLike } from '../syntax.ts'
import type { Module } from './modules.ts'

export type Meaning =
  /** Of the process that owns the variables and the address that it mentions, if it does. */
  | {
      readonly kind: 'value'
      readonly expression: Expression
      readonly owner?: string | undefined
      /** An equal expression without variables. */
      readonly closed?: Expression | undefined
    }
  /** All processes of a `spawnAll`. */
  | { readonly kind: 'set'; readonly name: string; readonly count: Count }
  | { readonly kind: 'function'; readonly node: FunctionLike; readonly frame: NameFrame }
  /** A name that `allways` exports. */
  | { readonly kind: 'operation'; readonly name: string }
  | { readonly kind: 'namespace'; readonly member: (name: string) => Meaning | undefined }
  | { readonly kind: 'list'; readonly elements: readonly Meaning[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Meaning> }
  /** Something pure about which nothing is known: a global, a constant, a function of a package. */
  | { readonly kind: 'foreign'; readonly text: string; readonly isGlobal?: boolean | undefined }
  | { readonly kind: 'shared'; readonly what: string }
  /** Its declaration has been refused. */
  | { readonly kind: 'broken' }

export type MeaningOf<K extends Meaning['kind']> = Extract<Meaning, { readonly kind: K }>

/** Names of one activation of a function, or of a module. Every declaration has a binding of its own, so blocks need no frame. */
export class NameFrame {
  readonly module: Module
  readonly parent: NameFrame | undefined
  /** Of the names declared here; those of functions around it are asked of `parent`. */
  readonly #meanings = new Map<Binding, Meaning>()

  constructor(module: Module, parent: NameFrame | undefined) {
    this.module = module
    this.parent = parent
  }

  set(binding: Binding, meaning: Meaning): void {
    this.#meanings.set(binding, meaning)
  }

  get(binding: Binding): Meaning | undefined {
    return this.#meanings.get(binding) ?? this.parent?.get(binding)
  }
}

export const undefinedValue: MeaningOf<'value'> = { kind: 'value', expression: { kind: 'literal', value: undefined } }

/** Of a count that is never cut off at nothing, as those of sets are. */
export function countExpression(count: Count): Expression {
  if (count.kind === 'number') return { kind: 'literal', value: count.value }
  const { name, plus = 0 } = count
  const left: Expression = { kind: 'parameter', name }
  if (plus === 0) return left
  return { kind: 'binary', operator: plus < 0 ? '-' : '+', left, right: { kind: 'literal', value: Math.abs(plus) } }
}

/** The meaning with other values in it, however deep they are. */
export function mapValues(meaning: Meaning, change: (value: MeaningOf<'value'>) => MeaningOf<'value'>): Meaning {
  switch (meaning.kind) {
    case 'value':
      return change(meaning)
    case 'list':
      return { kind: 'list', elements: meaning.elements.map((element) => mapValues(element, change)) }
    case 'object': {
      const fields = [...meaning.fields].map(([name, field]) => [name, mapValues(field, change)] as const)
      return { kind: 'object', fields: new Map(fields) }
    }
    default:
      return meaning
  }
}
