/** Where a summary is of a type, its parts included: `isOfType` of the reference semantics for all executions at once. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { IrType } from '../../ir/ir.ts'
import type { Code } from '../../semantics/ir/code.ts'
import { opaqueNames } from '../../semantics/ir/opaque.ts'
import { isOfType } from '../../semantics/ir/typed-value.ts'
import type { Lifting } from './summaries/lifting.ts'
import { alternativesOf, tagOf } from './summaries/merge.ts'
import { nowhere, type Part, type Summary } from './summaries/summary.ts'

interface Casting {
  readonly lifting: Lifting
  readonly code: Code
}

export function castable(casting: Casting, summary: Summary, type: IrType): Diagram {
  const { lifting } = casting
  const { diagrams } = lifting
  if (type.kind === 'any') return diagrams.always
  if (summary.kind !== 'union') return castablePart(casting, summary, type)
  let found = diagrams.never
  for (const [shape, part] of alternativesOf(lifting, summary)) {
    const here = diagrams.guardOf(tagOf(lifting, summary), shape)
    found = diagrams.or(found, diagrams.and(here, castablePart(casting, part, type)))
  }
  return found
}

function castablePart(casting: Casting, part: Part, type: IrType): Diagram {
  const { lifting, code } = casting
  const { diagrams } = lifting
  const every = (guards: readonly Diagram[]): Diagram =>
    guards.reduce<Diagram>((all, one) => diagrams.and(all, one), diagrams.always)
  const where = (isAsked: Diagram, of: Summary, asked: IrType): Diagram =>
    diagrams.or(diagrams.not(isAsked), castable(casting, of, asked))
  switch (part.kind) {
    case 'scalar': {
      const fits = lifting.function(
        `of type ${JSON.stringify(type)}`,
        () => (value) =>
          value === nowhere || isFailure(lifting, value) || !isOfType(lifting.packed.unpacked(value), type, code.ir)
            ? 0
            : 1,
      )
      return diagrams.map(fits, part.of)
    }
    case 'tuple': {
      if (type.kind === 'foreign')
        return lifting.packed.namesNumber(opaqueNames(type.name)) === part.names ? diagrams.always : diagrams.never
      const asked = itemTypes(type)
      if (asked === undefined || lifting.packed.namesNumber(asked.names) !== part.names) return diagrams.never
      if (asked.items.length !== part.items.length) return diagrams.never
      return every(part.items.map((item, at) => castable(casting, item, asked.items[at] as IrType)))
    }
    case 'seq':
      if (type.kind !== 'seq') return diagrams.never
      return every(part.items.map((item, at) => where(lifting.beyond(part.size, at), item, type.of)))
    case 'set':
      if (type.kind !== 'set') return diagrams.never
      return every(
        part.elements.map((element, at) =>
          isOfType(lifting.packed.unpacked(element), type.of, code.ir)
            ? diagrams.always
            : diagrams.not(part.present[at] as Diagram),
        ),
      )
    case 'map':
      if (type.kind !== 'map') return diagrams.never
      return every(
        part.keys.map((key, at) => {
          const present = part.present[at] as Diagram
          if (!isOfType(lifting.packed.unpacked(key), type.key, code.ir)) return diagrams.not(present)
          return where(present, part.values[at] as Summary, type.value)
        }),
      )
  }
}

/** Leaves that are no values of the program have nodes of a kind that no value has. */
function isFailure({ packed }: Lifting, value: number): boolean {
  return (value & 1) === 0 && !packed.isValue(value)
}

interface ItemTypes {
  readonly names: readonly string[] | undefined
  readonly items: readonly IrType[]
}

function itemTypes(type: IrType): ItemTypes | undefined {
  if (type.kind === 'tuple') return { names: undefined, items: type.items }
  if (type.kind !== 'record') return undefined
  return { names: type.fields.map(({ name }) => name), items: type.fields.map((field) => field.type) }
}
