/** Mistakes in calls: option names misspelt, values of other kinds, arguments left out, added and exchanged. */
import type { Random } from '../../src/core/random.ts'
import type { Argument, ValidCall } from './calls.ts'

export interface MutatedCall {
  /** Anywhere in the call. */
  readonly kind: 'name' | 'names' | 'value' | 'missing' | 'extra' | 'order'
  readonly text: string
  /** What was done, for people. */
  readonly words: string
  /** Each of them is to be told. */
  readonly unknown?: readonly string[] | undefined
  readonly called: string
  /** How many arguments there are now. */
  readonly count: number
  /** The value that was exchanged or added. */
  readonly changed?: ChangedValue | undefined
}

interface ChangedValue {
  readonly path: string
  readonly old: string
  readonly value: string
}

/** Whatever a caller without types may pass. */
const values = [
  'undefined',
  'null',
  'NaN',
  '-1',
  '1.5',
  '0',
  "''",
  "'x'",
  'true',
  '[]',
  '{}',
  '() => 1',
  'function* () {}',
  'async () => 1',
  "Symbol('s')",
  '10n',
  'new Proxy({}, {})',
  "'x'.repeat(100000)",
  'Infinity',
  'new Date(0)',
  'new Map()',
  'class {}',
  'Object.create(null)',
  '[undefined]',
  "'__proto__'",
  '{ get x() { throw new Error("read") } }',
  'Promise.resolve(1)',
  '-0',
  '1e400',
  '2 ** 53',
  '10n ** 400n',
  "'é\\u0000😀'",
  "'\\ud800'",
  "'a/b#c'",
  'Object.freeze({})',
  'Object.freeze([])',
  'new Proxy(function () {}, {})',
  'new Proxy({}, { get() { throw new Error("read") }, ownKeys() { throw new Error("read") } })',
  'Object.defineProperty({}, "x", { enumerable: true, get() { throw new Error("read") } })',
  'async function* () {}',
  'function () {}.bind(null)',
  '() => { throw new TypeError("thrown") }',
  '() => { throw undefined }',
  '() => { throw Object.create(null) }',
  'Object.create({ x: 1 })',
  'new (class Own { x = 1 })()',
  '{ [Symbol("s")]: 1 }',
  '{ then() {} }',
  'globalThis',
  '(() => { const a = {}; a.a = a; return a })()',
  '(() => { let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a })()',
  '/x/',
  'new Error("e")',
  'new Array(3)',
  'new Uint8Array(2)',
  'new WeakMap()',
]

export function mutated({ called, args }: ValidCall, random: Random): MutatedCall {
  const kinds = [
    'name',
    'name',
    'name',
    'names',
    'value',
    'value',
    'value',
    'value',
    'missing',
    'extra',
    'order',
  ] as const
  const kind = random.pick(kinds)
  const changed = changes[kind](args, random)
  if (changed === undefined) return mutated({ called, args, around: '' }, random)
  const { args: now, words, unknown, value } = changed
  return { kind, text: callText(called, now), words, unknown, called, count: now.length, changed: value }
}

export function callText(called: string, args: readonly Argument[]): string {
  return `${called}(${args.map(argumentText).join(', ')})`
}

function argumentText(argument: Argument): string {
  if (typeof argument === 'string') return argument
  if (isList(argument)) return `[${argument.map(argumentText).join(', ')}]`
  return `{ ${Object.entries(argument)
    .map(([name, value]) => `${name}: ${argumentText(value)}`)
    .join(', ')} }`
}

function isList(argument: Argument): argument is readonly Argument[] {
  return Array.isArray(argument)
}

interface Changed {
  readonly args: readonly Argument[]
  readonly words: string
  readonly unknown?: readonly string[]
  readonly value?: ChangedValue
}

type Change = (args: readonly Argument[], random: Random) => Changed | undefined

const changes: { readonly [kind in MutatedCall['kind']]: Change } = {
  name: (args, random) => {
    const places = paths(args).filter((path) => isOptions(at(args, path)))
    if (places.length === 0) return undefined
    const path = random.pick(places)
    const options = at(args, path) as { readonly [name: string]: Argument }
    const names = Object.keys(options)
    const old = names.length === 0 ? '' : random.pick(names)
    const added = old === '' || random.below(4) === 0 ? 'unknownOption' : misspelt(old, random)
    const kept = Object.entries(options).filter(([name]) => added === 'unknownOption' || name !== old)
    const replaced = Object.fromEntries([...kept, [added, old === '' ? '1' : (options[old] as Argument)]])
    return { args: replacedAt(args, path, replaced) as readonly Argument[], words: `${old} → ${added}` }
  },
  names: (args, random) => {
    const path = random.pick(paths(args))
    const options = at(args, path)
    if (!isOptions(options) || Object.keys(options).some((name) => own.test(name))) return undefined
    const unknown = ['unknownOption', 'anotherOption']
    const added = { ...(options as object), unknownOption: '1', anotherOption: 'true' }
    return { args: replacedAt(args, path, added) as readonly Argument[], words: 'two unknown options', unknown }
  },
  value: (args, random) => {
    const path = random.pick(paths(args))
    if (path.length === 0) return undefined
    const value = random.pick(values)
    const replaced = replacedAt(args, path, value) as readonly Argument[]
    const changed = { path: path.join('.'), old: argumentText(at(args, path)), value }
    return { args: replaced, words: `${changed.path} = ${value}`, value: changed }
  },
  missing: (args, random) => {
    if (args.length === 0) return undefined
    const gone = random.below(args.length)
    return { args: args.filter((_, index) => index !== gone), words: `argument ${gone + 1} is missing` }
  },
  extra: (args, random) => {
    const value = random.pick(values)
    const before = random.below(args.length + 1)
    return {
      args: [...args.slice(0, before), value, ...args.slice(before)],
      words: `${value} before argument ${before + 1}`,
      value: { path: String(before), old: '', value },
    }
  },
  order: (args, random) => {
    const other = random.shuffle(args)
    return args.length < 2 ? undefined : { args: other, words: 'arguments exchanged' }
  },
}

/** Names that are the caller's to give: of parameters, machines, handlers, timers and requests. */
export const own = /^(?:n|a|add|go|again|kind|count|x|)$/

/** Of everything inside of the arguments, and of the arguments themselves. */
function paths(argument: Argument, before: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof argument === 'string') return [before]
  return [before, ...Object.entries(argument).flatMap(([name, inner]) => paths(inner, [...before, name]))]
}

function at(argument: Argument, path: readonly string[]): Argument {
  return path.reduce((inner, name) => (inner as { readonly [name: string]: Argument })[name] as Argument, argument)
}

function replacedAt(argument: Argument, [name, ...rest]: readonly string[], value: Argument): Argument {
  if (name === undefined) return value
  const inner = replacedAt((argument as { readonly [name: string]: Argument })[name] as Argument, rest, value)
  if (isList(argument)) return argument.map((one, index) => (String(index) === name ? inner : one))
  return { ...(argument as { readonly [name: string]: Argument }), [name]: inner }
}

function isOptions(argument: Argument): boolean {
  return typeof argument !== 'string' && !isList(argument)
}

function misspelt(name: string, random: Random): string {
  const position = random.below(name.length - 1)
  const [left, right] = [name[position] ?? '', name[position + 1] ?? '']
  const ways = [
    `${name.slice(0, position)}${right}${left}${name.slice(position + 2)}`,
    `${name.slice(0, position)}${name.slice(position + 1)}`,
    `${name}s`,
    `${name[0]?.toUpperCase()}${name.slice(1)}`,
  ].filter((way) => way !== name && way !== '')
  return random.pick(ways)
}
