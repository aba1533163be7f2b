/**
 * Packages that classes under check import: their sources are transformed as the user's own are, so that what they keep is seen and
 * undone. An ES module is taken file by file; a CommonJS package is bundled into one module first, and its exports get names by
 * loading it once.
 */
import { createRequire } from 'node:module'
import { dirname, extname } from 'node:path'
import { versions } from 'node:process'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { packageSource } from '../frontends/typescript/access/package-source.ts'
import { transformObjects } from '../frontends/typescript/access/transform-objects.ts'
import { parse } from '../frontends/typescript/parse.ts'
import { displayPath, registerSource } from './source-places.ts'

const scripts: readonly string[] = ['.js', '.mjs', '.cjs']

/** A file of a package, transformed; nothing if it cannot be, and stays outside of the check. */
export async function loadPackage(path: string, read: () => Buffer): Promise<string | undefined> {
  if (!scripts.includes(extname(path))) return undefined
  const source = read().toString('utf8')
  const parsed = parse(source, displayPath(path))
  if (!parsed.ok) return undefined
  const isCommonJs = extname(path) === '.cjs' || parsed.value.isCommonJs
  const text = isCommonJs ? await asModule(path) : source
  if (text === undefined) return undefined
  const prepared = packageSource(text, displayPath(path))
  const transformed = transformObjects(prepared, displayPath(path))
  if (!transformed.ok) return undefined
  registerSource(path, prepared)
  return transformed.value.code
}

/** A CommonJS file with all that it requires, as one ES module with named exports. */
export async function asModule(path: string): Promise<string | undefined> {
  try {
    const names = namesOf(createRequire(path)(path))
    const from = JSON.stringify(pathToFileURL(path).href)
    const contents = [
      // An import would give what `__esModule` says, which may be nothing.
      `const whole = require(${JSON.stringify(path)})`,
      'export default whole !== null && whole.__esModule && whole.default !== undefined ? whole.default : whole',
      ...names.map((name) => `const $${name} = whole.${name}; export { $${name} as ${name} }`),
    ].join('\n')
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: dirname(path), loader: 'js' },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: `node${versions.node}`,
      mainFields: ['main'],
      logLevel: 'silent',
      banner: {
        js: `import { createRequire as $fromPackage } from 'node:module'; const require = $fromPackage(${from});`,
      },
    })
    return outputFiles[0]?.text
  } catch {
    return undefined
  }
}

const reserved = new Set([
  'default',
  'delete',
  'new',
  'class',
  'function',
  'import',
  'export',
  'in',
  'var',
  'let',
  'const',
])

function namesOf(exported: unknown): readonly string[] {
  if ((typeof exported !== 'object' && typeof exported !== 'function') || exported === null) return []
  return Object.keys(exported).filter((name) => /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name))
}
