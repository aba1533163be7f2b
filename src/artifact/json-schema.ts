/**
 * Documents by their JSON Schemas, the same that are published: what is not as it should be is told with its path. Read are the words of
 * draft 7 that our schemas use; a schema with another one is a defect of ours, because what nobody reads is not checked.
 */
import { invariant } from '../core/invariant.ts'

type Fields = { readonly [name: string]: unknown }
type Check = (found: unknown, at: Place, problems: string[]) => void

/** Where something stands; texts are put together only for what is wrong. */
interface Place {
  readonly within: Place | undefined
  readonly key: string | number
}

/** Finds a schema by the name that others know it by: `urn:allways:schema:trace:2`. */
export type SchemaFinder = (id: string) => unknown

/** What is wrong with a document, in sentences. */
export class JsonSchema {
  readonly #find: SchemaFinder
  readonly #root: Fields
  /** By reference; made before it is filled, for schemas that hold themselves. */
  readonly #made = new Map<string, { check: Check }>()
  readonly #check: Check

  constructor(root: unknown, find: SchemaFinder) {
    this.#root = root as Fields
    this.#find = find
    this.#check = this.#of(root, this.#root)
  }

  problems(document: unknown): readonly string[] {
    const problems: string[] = []
    this.#check(document, { within: undefined, key: '' }, problems)
    return problems
  }

  #of(schema: unknown, root: Fields): Check {
    const words = schema as Fields
    const checks = Object.keys(words).flatMap((word) => {
      invariant(Object.hasOwn(readers, word), `schemas use words that are read, and not "${word}"`)
      const made = readers[word]?.(words, { of: (one) => this.#of(one, root), named: (one) => this.#named(one, root) })
      return made === undefined ? [] : [made]
    })
    if (typeof words.$ref === 'string') checks.push(this.#referred(words.$ref, root))
    const [only, ...others] = checks
    if (only === undefined) return () => {}
    if (others.length === 0) return only
    return (found, at, problems) => {
      const before = problems.length
      // What is of another type is not asked for its parts.
      for (const check of checks) if (problems.length === before) check(found, at, problems)
    }
  }

  #referred(reference: string, root: Fields): Check {
    const { schema, home } = this.#found(reference, root)
    const name = `${home.$id}#${reference.split('#')[1]}`
    const known = this.#made.get(name)
    if (known !== undefined) return (...args) => known.check(...args)
    const made: { check: Check } = { check: () => {} }
    this.#made.set(name, made)
    made.check = this.#of(schema, home)
    return (...args) => made.check(...args)
  }

  #found(reference: string, root: Fields): { readonly schema: Fields; readonly home: Fields } {
    const [id = '', path = ''] = reference.split('#')
    const home = id === '' ? root : (this.#find(id) as Fields)
    const steps = path.split('/').slice(1)
    return { schema: steps.reduce((part, step) => part[step] as Fields, home), home }
  }

  #named(schema: unknown, root: Fields): Fields {
    const { $ref } = schema as Fields
    return typeof $ref === 'string' ? this.#found($ref, root).schema : (schema as Fields)
  }
}

interface Reading {
  of(schema: unknown): Check
  /** The schema itself, where there is only its name. */
  named(schema: unknown): Fields
}

type Reader = (schema: Fields, reading: Reading) => Check | undefined

/** What says nothing about documents, or is read beside another word. */
const none: Reader = () => undefined

const readers: { readonly [word: string]: Reader } = {
  $schema: none,
  $id: none,
  $ref: none,
  title: none,
  description: none,
  definitions: none,
  type: ({ type, minimum }) => {
    const types = (Array.isArray(type) ? type : [type]) as readonly string[]
    const expected = types.map((one) => typeWords(one, minimum)).join(' or ')
    return expecting(expected, (found) => types.some((one) => isOfType(found, one)))
  },
  const: ({ const: only }) => expecting(JSON.stringify(only), (found) => found === only),
  enum: ({ enum: values }) => {
    const all = values as readonly unknown[]
    return expecting(`one of ${all.map((one) => JSON.stringify(one)).join(', ')}`, (found) => all.includes(found))
  },
  minimum: ({ type, minimum }) =>
    expecting(typeWords(String(type), minimum), (found) => typeof found !== 'number' || found >= Number(minimum)),
  maximum: ({ maximum }) =>
    expecting(`at most ${maximum}`, (found) => typeof found !== 'number' || found <= Number(maximum)),
  minLength: ({ minLength }) =>
    expecting('a text that is not empty', (found) => typeof found !== 'string' || found.length >= Number(minLength)),
  minItems: ({ minItems }) =>
    expecting(`a list of ${minItems} or more`, (found) => !Array.isArray(found) || found.length >= Number(minItems)),
  pattern: ({ pattern }) => {
    const form = new RegExp(String(pattern), 'su')
    return expecting(`a text like /${pattern}/`, (found) => typeof found !== 'string' || form.test(found))
  },
  required: ({ required }) => {
    const names = required as readonly string[]
    return (found, at, problems) => {
      if (!isRecord(found)) return
      for (const name of names)
        if (!Object.hasOwn(found, name)) problems.push(problem({ within: at, key: name }, 'there', undefined))
    }
  },
  properties: ({ properties }, { of }) => {
    const checks = Object.entries(properties as Fields).map(([name, one]) => [name, of(one)] as const)
    return (found, at, problems) => {
      if (!isRecord(found)) return
      for (const [name, check] of checks)
        if (Object.hasOwn(found, name)) check(found[name], { within: at, key: name }, problems)
    }
  },
  additionalProperties: ({ additionalProperties, properties = {} }, { of }) => {
    const named = new Set(Object.keys(properties as Fields))
    const check = typeof additionalProperties === 'boolean' ? undefined : of(additionalProperties)
    if (additionalProperties === true) return undefined
    return (found, at, problems) => {
      if (!isRecord(found)) return
      for (const [name, one] of Object.entries(found)) {
        if (named.has(name)) continue
        if (check !== undefined) check(one, { within: at, key: name }, problems)
        else problems.push(`${pathOf({ within: at, key: name })} is nothing that is known here`)
      }
    }
  },
  items: ({ items }, { of }) => {
    const check = of(items)
    return (found, at, problems) => {
      if (!Array.isArray(found)) return
      for (let index = 0; index < found.length; index++) check(found[index], { within: at, key: index }, problems)
    }
  },
  allOf: ({ allOf }, { of }) => {
    const checks = (allOf as readonly unknown[]).map(of)
    return (found, at, problems) => {
      for (const check of checks) check(found, at, problems)
    }
  },
  anyOf: ({ anyOf }, reading) => fitting(anyOf as readonly unknown[], Number.POSITIVE_INFINITY, reading),
  oneOf: ({ oneOf }, reading) => fitting(oneOf as readonly unknown[], 1, reading),
  not: ({ not }, { of }) => {
    const check = of(not)
    return expecting('something else', (found) => !fits(check, found))
  },
  if: (schema, { of }) => {
    const [condition, met, unmet] = [of(schema.if), of(schema.then ?? {}), of(schema.else ?? {})]
    return (found, at, problems) => (fits(condition, found) ? met : unmet)(found, at, problems)
  },
  // biome-ignore lint/suspicious/noThenProperty: a word of schemas
  then: none,
  else: none,
}

function expecting(expected: string, isFine: (found: unknown) => boolean): Check {
  return (found, at, problems) => {
    if (!isFine(found)) problems.push(problem(at, expected, found))
  }
}

/** One of several forms. What fits none is held to be of the one that it says it is, or else comes nearest to. */
function fitting(schemas: readonly unknown[], most: number, { of, named }: Reading): Check {
  const forms = schemas.map((schema) => ({ check: of(schema), means: meaning(named(schema)) }))
  return (found, at, problems) => {
    const told = forms.map(({ check, means }) => {
      const own: string[] = []
      check(found, at, own)
      return { own, distance: (means(found) ? 0 : 1000) + own.length }
    })
    const count = told.filter(({ own }) => own.length === 0).length
    if (count > most) problems.push(problem(at, 'of one form', found))
    if (count > 0) return
    const nearest = told.reduce((best, one) => (one.distance < best.distance ? one : best))
    problems.push(...nearest.own)
  }
}

/** Whether something says by its fields that it is of a form: those that have few values, such as "kind". */
function meaning({ properties = {}, type }: Fields): (found: unknown) => boolean {
  const marks = Object.entries(properties as { readonly [name: string]: Fields }).flatMap(([name, schema]) => {
    const values = schema.enum ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined)
    return values === undefined ? [] : [{ name, values: values as readonly unknown[] }]
  })
  return (found) => {
    if (!isRecord(found)) return type !== 'object'
    return marks.every(({ name, values }) => !Object.hasOwn(found, name) || values.includes(found[name]))
  }
}

function fits(check: Check, found: unknown): boolean {
  const own: string[] = []
  check(found, { within: undefined, key: '' }, own)
  return own.length === 0
}

function isOfType(found: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return found === null
    case 'array':
      return Array.isArray(found)
    case 'object':
      return isRecord(found)
    case 'integer':
      return Number.isSafeInteger(found)
    default:
      return typeof found === type
  }
}

function isRecord(found: unknown): found is Fields {
  return typeof found === 'object' && found !== null && !Array.isArray(found)
}

const words: { readonly [type: string]: string } = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function typeWords(type: string, minimum: unknown): string {
  return minimum === undefined ? (words[type] ?? type) : `${words[type]} from ${minimum}`
}

function problem(at: Place, expected: string, found: unknown): string {
  const but = found === undefined ? 'is missing' : `is ${described(found)}`
  return `${pathOf(at)} must be ${expected}, but ${but}`
}

const longestPath = 200

function pathOf(at: Place): string {
  if (at.within === undefined) return 'the file'
  const parts: string[] = []
  for (let one = at; one.within !== undefined; one = one.within)
    parts.unshift(typeof one.key === 'number' ? `[${one.key}]` : `.${one.key}`)
  return parts.join('').replace(/^\./, '').slice(0, longestPath)
}

/** What stands where something else should, in words. */
export function described(found: unknown): string {
  if (found === undefined) return 'missing'
  if (found === null) return 'null'
  if (Array.isArray(found)) return 'a list'
  if (typeof found === 'object') return 'an object'
  const text = JSON.stringify(found)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
