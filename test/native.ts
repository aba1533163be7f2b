/**
 * Gives tests the sources as modules that Node itself loads. Inside the runner, every use of an import is a call of a getter,
 * which no compiler takes out of a loop: engines take twice as long there, and every test file evaluates all sources anew.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pid } from 'node:process'
import { fileURLToPath } from 'node:url'
import { build, version } from 'esbuild'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A package of its own, in which the sources find their version and each other as they would in a build. */
const output = join(root, '.native')
/** The sources, and of the tests what computes for long: oracles, generators and what they explore with. */
const compiled = [
  'src/',
  'test/agreement/',
  'test/hostile/',
  'test/judged-class.ts',
  'test/stateful-setting.ts',
  'corpus/histories/',
]

/** Resolves what was compiled, by path or by the name in `names`, to what Node loads. */
export function nativeSources(names: { readonly [name: string]: string }): Plugin {
  let isWatching = false
  return {
    name: 'native-sources',
    enforce: 'pre',
    // Who watches wants to be told what a change of a source concerns, and only the runner knows what it has loaded.
    configResolved: (config) => {
      isWatching = config.test?.watch === true
    },
    resolveId: (id, importer) => {
      const path = names[id] ?? (id.startsWith('.') && importer !== undefined ? resolve(dirname(importer), id) : id)
      const file = isWatching ? undefined : compiledFile(path)
      return file === undefined ? undefined : { id: file, external: true }
    },
  }
}

/** Called by the test runner once before all tests. What was compiled from the sources as they are is not compiled again. */
export async function setup(): Promise<void> {
  const sources = ['src', 'test', 'corpus'].flatMap((folder) => filesBelow(join(root, folder)))
  const compiler = `${editionOf(fileURLToPath(import.meta.url))} ${editionOf(join(root, 'tsconfig.json'))} ${version}`
  // Taken before sources are read: an edit in between makes what is written stale, never wrongly fresh.
  const signed = new Map<string, string>()
  for (const path of sources)
    if (compiledFile(path) !== undefined) signed.set(path, `\n//! ${compiler} ${editionOf(path)}\n`)
  const isStale = ([path, signature]: readonly [string, string]): boolean =>
    contents(compiledFile(path) as string)?.endsWith(signature) !== true
  await compile(new Map([...signed].filter(isStale)))
  const beside = ['package.json', ...readdirSync(join(root, 'schema')).map((name) => join('schema', name))]
  for (const name of beside) replace(join(output, name), readFileSync(join(root, name), 'utf8'))
  const wanted = new Set([...signed.keys()].map(compiledFile))
  for (const path of filesBelow(output)) if (!wanted.has(path) && path.endsWith('.js')) rmSync(path, { force: true })
}

/** Each with the signature that it ends with. */
async function compile(signed: ReadonlyMap<string, string>): Promise<void> {
  if (signed.size === 0) return
  const { outputFiles } = await build({
    entryPoints: [...signed.keys()],
    outbase: root,
    outdir: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
  })
  for (const { path, text } of outputFiles) {
    const source = path.replace(/\.js$/, '.ts')
    replace(compiledFile(source) as string, `${withCompiledImports(source, text)}${signed.get(source)}`)
  }
}

/** Changes whenever the file is edited. */
function editionOf(path: string): string {
  const { mtimeMs, size } = statSync(path)
  return `${mtimeMs} ${size}`
}

/** Where a source lies for Node, if it is one of those that are compiled; tests themselves stay with the runner. */
function compiledFile(source: string): string | undefined {
  const path = relative(root, source).split(sep).join('/')
  if (!/(?<!\.test)\.ts$/.test(path) || !compiled.some((each) => path.startsWith(each))) return undefined
  return join(output, path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js'))
}

/** The path of an import ends a line in what esbuild writes. */
function withCompiledImports(source: string, text: string): string {
  const folder = dirname(compiledFile(source) as string)
  const moved = (before: string, path: string, after: string): string => {
    const file = compiledFile(resolve(dirname(source), path))
    if (file === undefined) throw new Error(`${source} imports ${path}, which Node cannot load`)
    const found = relative(folder, file).split(sep).join('/')
    return `${before}${found.startsWith('.') ? found : `./${found}`}${after}`
  }
  return text
    .replace(/^((?:import |export |\} from )(?:.* from )?")(\.[^"]*)(";)$/gm, (_, ...parts) =>
      moved(parts[0], parts[1], parts[2]),
    )
    .replace(/(\bimport\(")(\.[^"]*)("\))/g, (_, ...parts) => moved(parts[0], parts[1], parts[2]))
}

/** Other runs may read the file at this moment; most often it is there already. */
function replace(path: string, text: string): void {
  if (contents(path) === text) return
  const temporary = `${path}.${pid}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(temporary, text)
  renameSync(temporary, path)
}

function contents(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
