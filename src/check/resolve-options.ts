/** Options of the engine and of the program, from what users gave: one that neither has is refused, never ignored. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import { type Shapes, shape, shapeProblems, shapes, shown } from '../core/option-shape.ts'
import { type OptionDeclaration, type Options, type OptionValue, optionProblem, optionsFrom } from '../core/options.ts'
import type { Shard } from '../core/shard.ts'
import type { Engine } from '../engines/engine.ts'
import { engines } from '../engines/registry.ts'
import type { Program } from '../program/program.ts'
import { servedBy } from './catalogue.ts'
import type { CheckOptions } from './request.ts'

/** Options that the program declares, with what was given of them. */
export function programOptions(
  { name, options: declared, stack }: Program,
  engine: Engine,
  asked: CheckOptions,
): Result<Options> {
  const { deadlock, criterion, granularity, order, specification } = asked
  const named = Object.entries(asked.options ?? {}).filter(([one]) => Object.hasOwn(declared, one) && !has(engine, one))
  const given = {
    ...defined(Object.fromEntries(named)),
    ...defined({ deadlock, criterion, granularity, order, specification }),
  }
  const problems = Object.entries(given).flatMap(([one, value]): readonly Diagnostic[] => {
    const declaration = declared[one]
    if (declaration === undefined) {
      const hint = suggestion(one, Object.keys(declared), 'options of the program')
      return [{ code: 'E107', message: `"${name}" has no option "${one}"`, hint, stack }]
    }
    return valueProblems(one, declaration, value)
  })
  return problems.length > 0 ? failure(...problems) : success(optionsFrom(declared, given))
}

function valueProblems(name: string, declaration: OptionDeclaration, value: OptionValue): readonly Diagnostic[] {
  const expected = optionProblem(declaration, value)
  if (expected === undefined) return []
  return declaration.form === 'choice'
    ? oneOf(name, String(value), declaration.values)
    : [wrongValue(name, value, expected)]
}

function has(engine: Engine, option: string): boolean {
  return Object.hasOwn(engine.options, option)
}

function defined(given: { readonly [name: string]: OptionValue | undefined }): {
  readonly [name: string]: OptionValue
} {
  const known = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return Object.fromEntries(known)
}

/** An option that the engine does not have is refused, never ignored; the seed alone means the same everywhere. */
export function engineOptions(
  engine: Engine,
  asked: CheckOptions,
  { program, eager }: { readonly program: Program; readonly eager: boolean },
): Result<Options> {
  const { seed, samples, depth, schedule } = asked
  const isOther = (name: string): boolean => Object.hasOwn(program.options, name) && !has(engine, name)
  const named = Object.fromEntries(Object.entries(asked.options ?? {}).filter(([name]) => !isOther(name)))
  const plain = { seed, samples, depth, schedule, ...(eager ? { eager } : {}) }
  const twice = Object.entries(defined(plain)).filter(([name, value]) => (named[name] ?? value) !== value)
  if (twice.length > 0) return failure(...twice.map(([name, value]) => givenTwice(name, [value, named[name]])))
  return optionsGiven(engine, { ...plain, ...named })
}

function givenTwice(name: string, values: readonly unknown[]): Diagnostic {
  return {
    code: 'E107',
    message: `"${name}" is given twice: ${values.map((value) => JSON.stringify(value)).join(', and in options ')}`,
    hint: 'leave one of them out',
  }
}

/** Complete options of an engine, with what was given of them. */
function optionsGiven(engine: Engine, all: { readonly [name: string]: OptionValue | undefined }): Result<Options> {
  const given = Object.entries(defined(all))
  const problems = given.flatMap(([name, value]): readonly Diagnostic[] => {
    const declaration = engine.options[name]
    if (declaration === undefined) return name === 'seed' ? [] : [unknownOption(engine, name)]
    return valueProblems(name, declaration, value)
  })
  return problems.length > 0 ? failure(...problems) : success(optionsFrom(engine.options, Object.fromEntries(given)))
}

function unknownOption(engine: Engine, name: string): Diagnostic {
  const having = engines.filter(({ options }) => Object.hasOwn(options, name))
  // An engine that explores several views may have the option for another one.
  const own = having.find((other) => other.name === engine.name)
  const others = [...new Set(having.map((other) => other.name))]
  if (own !== undefined) {
    const message = `engine "${engine.name}" has no option "${name}" for this kind of program`
    return { code: 'E107', message, hint: `leave it out: it is for ${servedBy(own.needs)}` }
  }
  return {
    code: 'E107',
    message: `engine "${engine.name}" has no option "${name}"`,
    hint:
      others.length === 0
        ? suggestion(name, Object.keys(engine.options), 'options')
        : `it is an option of ${others.join(', ')}: choose one with --engine, or leave the option out`,
  }
}

/** More threads than any machine has are a slip. */
export const mostWorkers = 512

function isWorkers(value: unknown): boolean {
  return value === 'auto' || (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= mostWorkers)
}

/** Beyond it cutting takes longer than most searches. */
export const mostShards = 1_000

export function isShard(value: unknown): value is Shard {
  if (typeof value !== 'object' || value === null) return false
  const { number, of } = value as Partial<Shard>
  const isWhole = Number.isInteger(number) && Number.isInteger(of)
  return isWhole && (number as number) >= 1 && (number as number) <= (of as number) && (of as number) <= mostShards
}

/** What checks that are called from code have beside. */
interface CodeOptions {
  readonly allowIncomplete: boolean
  readonly testName: string
  readonly legacy: boolean
  readonly traceDir: string | false
}

/** Everything that options of a check may hold. */
const optionShapes: Shapes<CheckOptions & CodeOptions> = {
  engine: shapes.text,
  network: shapes.text,
  params: shapes.record,
  faults: shapes.anything,
  time: shapes.anything,
  maxExecutions: shapes.count,
  memory: shapes.anything,
  workers: shape(`a whole number from 1 to ${mostWorkers}, or "auto"`, isWorkers),
  shard: shape(`{ number, of }, with whole numbers from 1 to ${mostShards}, the first not above the second`, isShard),
  seed: shapes.integer,
  samples: shapes.anything,
  depth: shapes.anything,
  keepGoing: shapes.flag,
  deadlock: shapes.text,
  maxSteps: shapes.count,
  processes: shapes.count,
  calls: shapes.count,
  clients: shapes.texts,
  criterion: shapes.text,
  granularity: shapes.text,
  order: shapes.text,
  specification: shapes.text,
  causes: shapes.flag,
  schedule: shapes.text,
  options: shapes.record,
  strict: shapes.flag,
  start: shapes.anything,
  signal: shape('an AbortSignal', (value) => typeof value === 'object' && value !== null && 'aborted' in value),
  allowIncomplete: shapes.flag,
  testName: shapes.text,
  legacy: shapes.flag,
  traceDir: shape(
    'a folder, or false',
    (value) => value === false || (typeof value === 'string' && value !== '' && !value.includes('\0')),
  ),
}

export function optionProblems(options: unknown): readonly Diagnostic[] {
  return shapeProblems(options, optionShapes).map((problem) => ({ code: 'E107', ...problem }))
}

function oneOf(name: string, value: string | undefined, allowed: readonly string[]): readonly Diagnostic[] {
  if (value === undefined || allowed.includes(value)) return []
  return [{ code: 'E107', message: `there is no ${name} "${value}"`, hint: suggestion(value, allowed, name) }]
}

function wrongValue(name: string, value: unknown, expected: string): Diagnostic {
  return { code: 'E107', message: `${name} is ${shown(value)}, but it must be ${expected}`, hint: `write ${expected}` }
}
