/** Whether a file that was taken for what it says is one: by its published schema, as another reader of schemas reads it, and by kinds. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Exchanged } from './damage.ts'
import type { Genuine } from './genuine.ts'
import type { Input } from './input.ts'
import type { Json } from './values.ts'

/** This file lies deeper than the bundle that a soak makes of it. */
const folder = ['../../schema/', '../../../schema/']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path)) as string

let known: ReadonlyMap<string, ValidateFunction> | undefined

/** By format. */
function validators(): ReadonlyMap<string, ValidateFunction> {
  if (known !== undefined) return known
  const ajv = new Ajv({ strict: false })
  const schemas = readdirSync(folder).map((name) => JSON.parse(readFileSync(folder + name, 'utf8')) as { $id: string })
  for (const schema of schemas) ajv.addSchema(schema)
  known = new Map(schemas.map(({ $id }) => [$id.split(':').at(-2) as string, ajv.getSchema($id) as ValidateFunction]))
  return known
}

/** What replay does not read, it derives anew. */
const replayed = ['format', 'program', 'setting', 'decisions', 'repeatsFrom', 'foundBy']

/** Why the file should have been refused, which it was not. */
export function unfitAccepted({ genuine, text, argv, exchanged }: Input): string | undefined {
  const validate = validators().get(genuine.format)
  if (text === undefined || validate === undefined || isStartedAfresh(genuine)) return undefined
  const isReplayed = argv[0] === 'replay'
  for (const document of documentsIn(genuine, text.replace(/^\ufeff/, ''))) {
    const entries = Object.entries(Object(document) as object)
    const read = isReplayed ? Object.fromEntries(entries.filter(([name]) => replayed.includes(name))) : document
    if (!validate(read)) return `it takes what its schema refuses: ${JSON.stringify(validate.errors?.slice(0, 2))}`
  }
  if (exchanged === undefined || (isReplayed && !replayed.includes(String(exchanged.path[0])))) return undefined
  return otherKind(exchanged)
}

/** Who runs a machine over a state that is not there begins afresh. */
function isStartedAfresh({ format }: Genuine): boolean {
  return format === 'lock' || format === 'key'
}

function documentsIn({ format }: Genuine, text: string): readonly unknown[] {
  if (format === 'log' || format === 'history')
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown)
  const json = JSON.parse(text) as unknown
  return format === 'state' ? [JSON.parse((json as { readonly content: string }).content)] : [json]
}

/** Where any value may stand, or what nobody but its engine reads. */
const holders = new Set(['value', 'args', 'params', 'data', 'call', 'argument', 'initial', 'key', 'instead', 'options'])

/** A text is no number, and a list no object, wherever one of them was written. */
function otherKind({ path, from, by }: Exchanged): string | undefined {
  const isHeld = path.some(
    (key, at) => holders.has(String(key)) || (key === 'message' && (at < path.length - 1 || isObject(from))),
  )
  if (isHeld || path.includes('state') || kindOf(from) === kindOf(by)) return undefined
  if (from === null || by === null) return undefined
  return `it takes ${kindOf(by)} for ${kindOf(from)} at ${path.join('.')}`
}

function isObject(json: Json): boolean {
  return typeof json === 'object' && json !== null
}

function kindOf(json: Json): string {
  return Array.isArray(json) ? 'a list' : typeof json
}
