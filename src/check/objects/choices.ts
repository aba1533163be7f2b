/** Values of options that are none of those there are. TypeScript refuses them; files that are not compiled do not. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import { nearestName } from '../did-you-mean.ts'
import { declaredAt } from './declared-at.ts'
import type { ObjectCheckOptions } from './options.ts'

const choices = {
  granularity: ['access', 'await'],
  criterion: ['linearizable', 'outcomes'],
  deadlock: ['error', 'allow'],
  reduction: ['none', 'safe', 'eager', 'lazy'],
  order: ['sequential', 'random'],
} as const

export function unknownChoices(check: ObjectCheck, options: ObjectCheckOptions): readonly Diagnostic[] {
  const { granularity, criterion, deadlock, specification } = check
  const found = [...unknownIn({ granularity, criterion, deadlock }), ...unknownIn(options)]
  const wrong = specificationProblem(specification)
  return [...found, ...(wrong === undefined ? [] : [wrong])].map((one) => declaredAt(one, check))
}

function unknownIn(given: { readonly [name in keyof typeof choices]?: unknown }): readonly Diagnostic[] {
  return Object.entries(choices).flatMap(([name, known]): readonly Diagnostic[] => {
    const value = given[name as keyof typeof choices]
    if (value === undefined || (known as readonly unknown[]).includes(value)) return []
    const shown = typeof value === 'string' ? `"${value}"` : String(value)
    const nearest = nearestName(String(value), known)
    const hint = nearest === undefined ? `write one of ${known.join(', ')}` : `did you mean "${nearest}"?`
    return [{ code: 'E308', message: `${name} is ${shown}`, hint }]
  })
}

function specificationProblem(given: unknown): Diagnostic | undefined {
  if (given === undefined || typeof given === 'string') return undefined
  const { apply } = Object(given) as { readonly apply?: unknown }
  if (typeof apply === 'function') return undefined
  return {
    code: 'E308',
    message: 'the specification has no function "apply", which says what an operation does',
    hint: "the name of a built-in one, as in specification: 'queue', or { initial: 0, apply: (state, operation, args) => ({ state, returns: state }) }",
  }
}
