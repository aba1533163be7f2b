/**
 * A program on its way to other machines: the bundle that was loaded, and nothing of the machine it was loaded on. What it would find there
 * and not elsewhere, such as packages, files and variables of the environment, is refused before anything is sent.
 */
import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { type Bundle, bundle } from '../load-bundle.ts'
import { withOwnKey, withTravellingKey } from '../load-modules.ts'
import type { NamedProgram } from '../load-named.ts'
import { loadBundle } from '../load-typescript.ts'

/** Modules of Node that say the same on every machine. */
const sameEverywhere: ReadonlySet<string> = new Set(
  [
    'assert',
    'assert/strict',
    'buffer',
    'crypto',
    'events',
    'path/posix',
    'querystring',
    'string_decoder',
    'url',
    'util',
  ].map((name) => `node:${name}`),
)

export interface TravellingBundle {
  readonly bytes: Buffer
  readonly digest: string
}

/** `digest` is that of the sources which were loaded here. */
export async function travelling(path: string, shown: string, digest: string): Promise<Result<TravellingBundle>> {
  const bundled = await bundle(path)
  if (!bundled.ok) return bundled
  if (bundled.value.digest !== digest)
    return failure(
      cannotTravel(shown, 'it, or a file it imports, has changed since it was loaded', 'start the search again'),
    )
  const why = whatIsLeftBehind(bundled.value.code)
  if (why !== undefined) return failure(cannotTravel(shown, why, elsewhere))
  const bytes = serialize({ ...bundled.value, code: withTravellingKey(bundled.value.code) })
  return success({ bytes, digest: digestOf(bytes) })
}

export const elsewhere = 'use threads of this machine, --workers auto, or shards, --shard 1/8'

export function cannotTravel(shown: string, why: string, hint: string): Diagnostic {
  return { code: 'E802', message: `${shown} cannot be sent to other machines: ${why}`, hint }
}

export function digestOf(bytes: Buffer): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`
}

/** The bundle as esbuild writes it: one form of quotes. */
function whatIsLeftBehind(code: string): string | undefined {
  const outside = [...code.matchAll(/\b(?:from|import|import\()\s*"((?:node|file|data|https?):[^"]+)"/g)].map(
    ([, name = '']) => name,
  )
  const file = outside.find((name) => name.startsWith('file:'))
  if (file !== undefined) return `it imports the package ${packageIn(file)}, which would have to be installed there`
  const own = outside.find((name) => !name.startsWith('file:') && !sameEverywhere.has(name))
  if (own?.startsWith('node:') === true) return `it imports ${own}, which is about the machine it runs on`
  if (own !== undefined) return `it imports ${own.slice(0, 60)}`
  if (/\bcreateRequire\b/.test(code)) return 'it, or a file it imports, is CommonJS, and is found by its path'
  const named = /\bprocess\s*(?:\?\.|\.)\s*(env|argv|cwd|execPath|pid|title|platform)\b/.exec(code)?.[1]
  return named === undefined ? undefined : `it reads process.${named}, which is another one there`
}

function packageIn(url: string): string {
  const [, name = url] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return name
}

/** What a bundle exports under a name, on another machine than it was made on. */
export async function loadCarried(
  carried: Bundle,
  path: string,
  shown: string,
  exportName: string,
): Promise<Result<NamedProgram>> {
  const own = { ...carried, code: await withOwnKey(carried.code) }
  const loaded = await loadBundle(own, path, shown, {})
  if (!loaded.ok) return loaded
  const found = loaded.value.programs.find((one) => one.exportName === exportName)
  if (found === undefined)
    return failure({ code: 'E404', message: `${shown} exports no check "${exportName}"`, hint: 'look at its exports' })
  return success({ ...found, path, loaded: loaded.value })
}
