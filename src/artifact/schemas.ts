/** The schemas of our formats, from the files that are published with us: one for each kind of file that is read. */
import { readFileSync } from 'node:fs'
import { JsonSchema } from './json-schema.ts'

export type SchemaName =
  | 'checkpoint-3'
  | 'history-1'
  | 'log-1'
  | 'proof-2'
  | 'report-1'
  | 'snapshot-1'
  | 'state-1'
  | 'trace-2'

const texts = new Map<string, unknown>()
const schemas = new Map<string, JsonSchema>()

/** What is not as the format says, in sentences. */
export function schemaProblems(name: SchemaName, document: unknown): readonly string[] {
  const known = schemas.get(name) ?? new JsonSchema(textOf(name), byId)
  schemas.set(name, known)
  return known.problems(document)
}

/** `urn:allways:schema:trace:2` is in `allways-trace-2.json`. */
function byId(id: string): unknown {
  const [kind, version] = id.split(':').slice(-2)
  return textOf(`${kind}-${version}`)
}

/** The folder is two up from this file, from `dist/cli/main.js`, and from every chunk in `dist/chunks`. */
function textOf(name: string): unknown {
  const known = texts.get(name)
  if (known !== undefined) return known
  const url = new URL(`../../schema/allways-${name}.json`, import.meta.url)
  const json = JSON.parse(readFileSync(url, 'utf8')) as unknown
  texts.set(name, json)
  return json
}
