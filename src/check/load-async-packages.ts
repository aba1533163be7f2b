/**
 * Packages that programs of processes import. Promises, timers and jobs of all code are those of the process that runs it, but `async` is
 * syntax: files of packages that have it are transformed as the user's own are. All others stay outside of the bundle.
 */
import { dirname, extname } from 'node:path'
import { versions } from 'node:process'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { parse } from '../frontends/typescript/parse.ts'
import { transform } from '../frontends/typescript/transform.ts'
import { asModule } from './load-packages.ts'
import { displayPath } from './source-places.ts'

/** By the path of what is imported: what becomes of packages does not change while a command runs. */
const known = new Map<string, Promise<boolean>>()

/** Whether a package that is imported by this file has async functions, itself or in what it imports. */
export function isAsyncPackage(path: string): Promise<boolean> {
  const found = known.get(path) ?? hasAsync(path)
  known.set(path, found)
  return found
}

async function hasAsync(path: string): Promise<boolean> {
  if (!/\.[cm]?js$/.test(path) || isTool(path)) return false
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: `node${versions.node}`,
      conditions: [],
      mainFields: ['main'],
      logLevel: 'silent',
    })
    return mayBeAsync(outputFiles[0]?.text ?? '')
  } catch {
    // It needs something that is not there, or that no bundle can have.
    return false
  }
}

/** What runs tests and builds is there once, and is no part of a program. */
export function isTool(path: string): boolean {
  const [, name = ''] = path.split(/[\\/]node_modules[\\/]/).slice(-2)
  return /^(?:@vitest|@jest|@babel|@swc|vitest|jest|vite|mocha|chai|ava|esbuild|rollup|typescript|tsx)\b/.test(name)
}

export function mayBeAsync(text: string): boolean {
  return /\basync\b/.test(text)
}

/**
 * A file of such a package; nothing if it is to be as it is. CommonJS becomes a module where it is imported, with all that it requires:
 * what requires a part of it would get a module in its place.
 */
export async function loadAsyncPackage(path: string, text: string, isImported: boolean): Promise<string | undefined> {
  if (!/^\.[cm]?js$/.test(extname(path))) return undefined
  const parsed = parse(text, displayPath(path))
  if (!parsed.ok) return undefined
  const isCommonJs = extname(path) === '.cjs' || parsed.value.isCommonJs
  if (isCommonJs ? !isImported : !mayBeAsync(text)) return undefined
  // A module has no folder of its own.
  if (isCommonJs && /\b__(?:dirname|filename)\b/.test(text)) return undefined
  const source = isCommonJs ? await asModule(path) : text
  if (source === undefined) return undefined
  const meta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) }
  const transformed = transform(source, displayPath(path), meta)
  return transformed.ok ? transformed.value.code : undefined
}
