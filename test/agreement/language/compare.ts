/**
 * The same snippets in plain Node, in an async process, and in a class, of any order of promises and of JavaScript's own. Under control they
 * are told what Node logged, and the names of those that log something else, with that, are what is asserted or returned.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkResult } from '../../../src/check/check.ts'
import type { Snippet } from './snippet.ts'

export const forms = ['process', 'class', 'jobs'] as const
export type Form = (typeof forms)[number]

/** By the names of snippets, what they logged and what they log in Node; or the code of the diagnostic that refuses one. */
export type Differences = Readonly<Record<string, string>> | string

export class Comparison {
  readonly #folder = mkdtempSync(join(tmpdir(), 'allways-language-'))

  constructor() {
    this.#write('show.mjs', show)
    this.#write('native.mjs', native)
  }

  end(): void {
    rmSync(this.#folder, { recursive: true })
  }

  async differences(form: Form, snippets: readonly Snippet[]): Promise<Differences> {
    this.#write('snippets.mjs', moduleOf(snippets))
    const script = join(this.#folder, 'native.mjs')
    const logged = execFileSync(process.execPath, ['--no-warnings', script], { encoding: 'utf8' })
    this.#write('expected.mjs', `export default ${logged}`)
    this.#write('language.check.ts', checks[form])
    const options = form === 'process' ? {} : { causes: false }
    const ran = await checkResult(join(this.#folder, 'language.check.ts'), options)
    return ran.ok ? toldBy(JSON.stringify(ran.value)) : ran.diagnostics.map(({ code }) => code).join()
  }

  #write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text)
  }
}

/** What is told between two marks, wherever that stands in a verdict. */
function toldBy(verdict: string): Differences {
  const told = /<<<(.*?)>>>/.exec(verdict)?.[1]
  return told === undefined ? verdict : (JSON.parse(decodeURIComponent(told)) as Record<string, string>)
}

function moduleOf(picked: readonly Snippet[]): string {
  const bodies = picked.map(({ body }) => `async (log) => { ${body}\n}`)
  const names = JSON.stringify(picked.map(({ name }) => name))
  return `import { types } from 'node:util'\nexport const names = ${names}\nexport const snippets = [\n${bodies.join(',\n')}\n]\n`
}

/** Written in plain JavaScript: it runs under control as well. */
const show = `
export function show(value, depth = 3) {
  if (typeof value === 'function') return 'function ' + value.name
  if (typeof value === 'symbol') return value.toString()
  if (typeof value === 'bigint') return value + 'n'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value)
  if (value instanceof Error) return value.name + '(' + value.message.replace(/^.* (is not (?:iterable|a function|a constructor)).*$/, '$1') + ')' + (value.errors === undefined ? '' : show(value.errors, depth))
  const tag = Object.prototype.toString.call(value)
  if (tag === '[object Promise]') return 'a promise'
  if (depth === 0) return tag
  if (Array.isArray(value)) return '[' + Array.from(value, (one) => show(one, depth - 1)).join(', ') + ']'
  if (value instanceof Map || value instanceof Set) return tag + show([...value], depth - 1)
  if (value instanceof Date) return 'Date ' + Number(value)
  if (value instanceof RegExp) return String(value)
  const parts = Object.keys(value).map((key) => key + ': ' + show(value[key], depth - 1))
  return (tag === '[object Object]' ? '' : tag) + '{' + parts.join(', ') + '}'
}
export async function linesOf(snippet) {
  const lines = []
  // From a job on, where a module begins in Node and a process under control.
  await null
  const log = (...values) => { if (lines.length < 200) lines.push(values.map((one) => show(one)).join(' ')) }
  try { await snippet(log) } catch (e) { log('threw', e) }
  return lines
}
export async function differences(names, snippets, expected) {
  const found = {}
  for (let i = 0; i < snippets.length; i++) {
    const lines = await linesOf(snippets[i])
    if (JSON.stringify(lines) !== JSON.stringify(expected[i])) found[names[i]] = lines.join(' | ') + ' instead of ' + expected[i].join(' | ')
  }
  return '<<<' + encodeURIComponent(JSON.stringify(found)) + '>>>'
}
`

const native = `
import { linesOf } from './show.mjs'
import { snippets } from './snippets.mjs'
const all = []
for (const snippet of snippets) all.push(await linesOf(snippet))
process.stdout.write(JSON.stringify(all))
`

const imports = `
import expected from './expected.mjs'
import { differences } from './show.mjs'
import { names, snippets } from './snippets.mjs'
`

const inClass = (order: string): string => `${imports}
import { linearizable } from 'allways'
class Language { async run() { return await differences(names, snippets, expected) } }
const specification = { initial: 0, apply: (state: number) => ({ state, returns: '' }) }
export default linearizable(Language, { operations: { run: [] }, clients: ['{ run() }'], order: '${order}', specification })
`

const checks: Readonly<Record<Form, string>> = {
  process: `${imports}
import { assert, program } from 'allways'
export default program('language', async () => { await assert(false, await differences(names, snippets, expected)) })
`,
  class: inClass('any'),
  jobs: inClass('jobs'),
}
