/**
 * The extractor from its sources, with one of its files changed: only that file is compiled anew, and all are evaluated
 * anew.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { runInThisContext } from 'node:vm'
import { transformSync } from 'esbuild'
import * as oxc from 'oxc-parser'
import * as diagnostic from '../../src/core/diagnostic.ts'
import * as diagnosticCodes from '../../src/core/diagnostic-codes.ts'
import * as invariant from '../../src/core/invariant.ts'
import * as bindings from '../../src/frontends/typescript/access/bindings.ts'
import * as scopeBuilder from '../../src/frontends/typescript/access/scope-builder.ts'
import * as tree from '../../src/frontends/typescript/access/tree.ts'
import type { extractIcet } from '../../src/frontends/typescript/icet/extract.ts'
import * as parse from '../../src/frontends/typescript/parse.ts'
import * as syntax from '../../src/frontends/typescript/syntax.ts'
import * as icet from '../../src/program/icet.ts'

export type Extract = typeof extractIcet

export interface Extractor {
  readonly extract: Extract
  /** What the guide is told of it (`test/docs/forms.test.ts`). */
  readonly guide: string
}

/** Programs are parsed once for all mutants; nothing changes what comes out. */
const parsed = new Map<string, ReturnType<typeof parse.parse>>()
const bound = new WeakMap<object, ReturnType<typeof scopeBuilder.bindingsOf>>()

function parseOnce(text: string, file: string): ReturnType<typeof parse.parse> {
  const key = `${file}\n${text}`
  const known = parsed.get(key) ?? parse.parse(text, file)
  parsed.set(key, known)
  return known
}

function bindingsOnce(program: oxc.Program): ReturnType<typeof scopeBuilder.bindingsOf> {
  const known = bound.get(program) ?? scopeBuilder.bindingsOf(program)
  bound.set(program, known)
  return known
}

/** What the extractor imports from elsewhere, which stays as it is. */
const elsewhere: { readonly [path: string]: unknown } = {
  'oxc-parser': oxc,
  'core/diagnostic.ts': diagnostic,
  'core/diagnostic-codes.ts': diagnosticCodes,
  'core/invariant.ts': invariant,
  'frontends/typescript/access/bindings.ts': bindings,
  'frontends/typescript/access/scope-builder.ts': { ...scopeBuilder, bindingsOf: bindingsOnce },
  'frontends/typescript/access/tree.ts': tree,
  'frontends/typescript/parse.ts': { ...parse, parse: parseOnce },
  'frontends/typescript/syntax.ts': syntax,
  'program/icet.ts': icet,
}

const folder = 'frontends/typescript/icet'

type Evaluate = (exports: object, require: (path: string) => unknown, reached: (block: number) => void) => void

export class ExtractorSources {
  /** By file name. */
  readonly texts: ReadonlyMap<string, string>
  readonly #compiled = new Map<string, Evaluate>()

  /** The folder of all sources. */
  constructor(src: string) {
    const files = readdirSync(join(src, folder)).sort()
    this.texts = new Map(files.map((file) => [file, readFileSync(join(src, folder, file), 'utf8')]))
  }

  /** With these texts instead of the files' own. */
  extractor(changed: ReadonlyMap<string, string> = new Map(), reached: (block: number) => void = () => {}): Extractor {
    const evaluated = new Map<string, object>()
    const load = (file: string): object => {
      const known = evaluated.get(file)
      if (known !== undefined) return known
      const exports = {}
      evaluated.set(file, exports)
      const text = changed.get(file)
      const run = text === undefined ? this.#own(file) : compiled(file, text)
      run(exports, (path) => (path.startsWith('./') ? load(path.slice(2)) : imported(path)), reached)
      return exports
    }
    const { extractIcet: extract } = load('extract.ts') as { readonly extractIcet: Extract }
    return { extract, guide: JSON.stringify([load('forms.ts'), load('pure-methods.ts')]) }
  }

  #own(file: string): Evaluate {
    const known = this.#compiled.get(file)
    if (known !== undefined) return known
    const run = compiled(file, this.texts.get(file) ?? '')
    this.#compiled.set(file, run)
    return run
  }
}

function imported(specifier: string): unknown {
  const path = specifier.startsWith('.') ? posix.join(folder, specifier) : specifier
  if (!Object.hasOwn(elsewhere, path)) throw new Error(`${path} is not in the list of what the extractor imports`)
  return elsewhere[path]
}

function compiled(file: string, text: string): Evaluate {
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs', target: 'node20' })
  return runInThisContext(
    `(function (exports, require, $reached) { const module = { exports }; ${code}
;Object.defineProperties(exports, Object.getOwnPropertyDescriptors(module.exports)) })`,
    { filename: `mutant:${file}` },
  ) as Evaluate
}
