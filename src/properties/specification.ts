/** `specification`: what an object does when its operations are called one after another, for linearizability and for refinement. */
import { checkNoMore, shown } from '../core/option-shape.ts'
import {
  type SomeSpecification,
  type Specification,
  specification as sequential,
} from './linearizability/specification.ts'
import {
  type AbstractOperation,
  type AbstractParts,
  type AnnouncedObject,
  abstractSpecification,
} from './refinement/specification.ts'

/** An abstract object: what the steps of a protocol mean is announced as calls of it, and `refines` says that it allows them. */
export function specification<State, Operations extends { readonly [name: string]: AbstractOperation<State> }>(
  name: string,
  parts: AbstractParts<State, Operations>,
): AnnouncedObject<Operations>
/** A sequential object, which histories of calls are compared with. */
export function specification<State>(definition: SomeSpecification<State>): Specification<State>
export function specification(first: unknown, parts?: unknown, ...extra: readonly unknown[]): unknown {
  if (typeof first === 'string') checkNoMore(extra, `specification(${shown(first)}, { state, operations })`)
  else checkNoMore([parts, ...extra], 'specification({ name, initial, operations, apply })')
  return typeof first === 'string'
    ? abstractSpecification(first, parts as never)
    : sequential(first as SomeSpecification<unknown>)
}
