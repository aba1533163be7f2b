/** Whether what `check()` was given as options are options at all: JavaScript passes anything, and nothing of it may be ignored. */
import type { Diagnostic } from '../core/diagnostic.ts'
import { suggestion } from './did-you-mean.ts'
import type { CheckOptions } from './request.ts'

type Shape = 'text' | 'texts' | 'object' | 'flag' | 'count' | 'looked at elsewhere'

/** Everything that `CheckOptions` may hold. */
const shapes: { readonly [name in keyof Required<CheckOptions> | 'allowIncomplete' | 'testName']: Shape } = {
  engine: 'text',
  network: 'text',
  params: 'object',
  faults: 'looked at elsewhere',
  time: 'looked at elsewhere',
  maxExecutions: 'looked at elsewhere',
  memory: 'looked at elsewhere',
  seed: 'looked at elsewhere',
  samples: 'looked at elsewhere',
  depth: 'looked at elsewhere',
  keepGoing: 'flag',
  deadlock: 'text',
  maxSteps: 'looked at elsewhere',
  processes: 'count',
  calls: 'count',
  clients: 'texts',
  criterion: 'text',
  granularity: 'text',
  specification: 'text',
  causes: 'flag',
  schedule: 'text',
  options: 'object',
  start: 'looked at elsewhere',
  signal: 'looked at elsewhere',
  allowIncomplete: 'flag',
  testName: 'text',
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
  texts: 'a list of texts',
  object: 'an object',
  flag: 'true or false',
  count: 'a whole number from 1',
  'looked at elsewhere': 'something else',
}

function fits(shape: Shape, value: unknown): boolean {
  switch (shape) {
    case 'texts':
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
    case 'object':
      return isObject(value)
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 1
    case 'looked at elsewhere':
      return true
    default:
      return typeof value === (shape === 'text' ? 'string' : 'boolean')
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
