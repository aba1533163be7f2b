/** `refines`: every step that is announced is one that an abstract object allows. */
import { checkNoMore, shown } from '../core/option-shape.ts'
import { mistake } from '../core/running.ts'
import { type AbstractObject, abstractObjectOf, type Refined } from '../program/refinement.ts'
import type { MadeSpecification } from '../program/specification.ts'

export interface RefinementDeclaration {
  readonly kind: 'refinement'
  readonly object: AbstractObject
}

/** The program refines the object: no call that its processes or machines announce is refused, in any order they can be made in. */
export function refines(object: Refined, ...extra: readonly unknown[]): RefinementDeclaration {
  checkNoMore(extra, 'refines(specification)')
  const found = abstractObjectOf(object)
  if (found !== undefined) return { kind: 'refinement', object: found }
  if ((object as Partial<MadeSpecification> | undefined)?.kind === 'specification')
    return mistake({
      code: 'E107',
      message: 'refines(…) is given a specification with { initial, apply }, for histories and classes',
      hint: "refines(…) needs one of calls that are announced: specification('lease', { state, operations })",
    })
  const hint = "refines(specification('lease', { state, operations })), or refines(qtree('paxos'))"
  return mistake({ code: 'E107', message: `refines(…) is given ${shown(object)}, and not a specification`, hint })
}

/** Objects are told by their names. */
export function refinedObjects(
  declared: readonly { readonly kind: string }[],
  wrong: (message: string, hint: string) => never,
): readonly AbstractObject[] {
  const objects = declared.flatMap((one) => (one.kind === 'refinement' ? [(one as RefinementDeclaration).object] : []))
  const names = objects.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  const { size } = new Set(objects.filter(({ name }) => name === twice))
  if (twice !== undefined && size === 1)
    wrong(`the specification "${twice}" is named twice`, `write refines(…) once for "${twice}"`)
  if (twice !== undefined)
    wrong(`two specifications are named "${twice}"`, 'give each a name of its own: calls are told by it')
  return objects
}
