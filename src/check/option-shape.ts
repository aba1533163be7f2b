/** Whether what `check()` was given as options are options at all: JavaScript passes anything, and nothing of it may be ignored. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { suggestion } from './did-you-mean.ts'
import type { CheckOptions } from './request.ts'

type Shape = 'text' | 'object' | 'flag' | 'any'

/** Everything that `CheckOptions` may hold; what is `any` here is looked at where it is used. */
const shapes: { readonly [name in keyof Required<CheckOptions> | 'allowIncomplete']: Shape } = {
  engine: 'text',
  network: 'text',
  params: 'object',
  faults: 'any',
  time: 'any',
  maxExecutions: 'any',
  memory: 'any',
  seed: 'any',
  samples: 'any',
  depth: 'any',
  keepGoing: 'flag',
  deadlock: 'text',
  maxSteps: 'any',
  schedule: 'text',
  options: 'object',
  start: 'any',
  signal: 'any',
  allowIncomplete: 'flag',
}

export function shapeProblems(options: unknown): readonly Diagnostic[] {
  if (!isObject(options))
    return [{ code: 'E107', message: `options are ${shown(options)}, and not an object`, hint: "{ engine: 'dpor' }" }]
  return Object.entries(options).flatMap(([name, value]): readonly Diagnostic[] => {
    const shape = Object.hasOwn(shapes, name) ? shapes[name as keyof typeof shapes] : undefined
    if (shape === undefined) {
      const hint = suggestion(name, Object.keys(shapes), 'options')
      return [{ code: 'E107', message: `there is no option "${name}"`, hint }]
    }
    if (value === undefined || fits(shape, value)) return []
    return [{ code: 'E107', message: `${name} is ${shown(value)}, but it must be ${words[shape]}` }]
  })
}

const words: { readonly [shape in Shape]: string } = {
  text: 'a text',
  object: 'an object',
  flag: 'true or false',
  any: 'anything',
}

function fits(shape: Shape, value: unknown): boolean {
  if (shape === 'any') return true
  if (shape === 'object') return isObject(value)
  return typeof value === (shape === 'text' ? 'string' : 'boolean')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
