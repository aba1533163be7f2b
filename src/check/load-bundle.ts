/** The user's file and what it imports from their own files, transformed and bundled in memory; of packages, what has to be. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { cwd, versions } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import {
  type BuildFailure,
  type BuildOptions,
  build,
  type Loader,
  type Message,
  type OnLoadResult,
  type OnResolveArgs,
  type PluginBuild,
  type SameShape,
  stop,
} from 'esbuild'
import { withFile } from '../artifact/named-file.ts'
import { type Diagnostic, failure, type Place, type Result, success } from '../core/diagnostic.ts'
import { nearestName } from '../core/did-you-mean.ts'
import { transformObjects } from '../frontends/typescript/access/transform-objects.ts'
import { type Declared, declaredIn, withDeadZones } from '../frontends/typescript/dead-zones.ts'
import { transformJobOrder } from '../frontends/typescript/jobs/job-order.ts'
import type { ModuleMeta } from '../frontends/typescript/module-meta.ts'
import { transform } from '../frontends/typescript/transform.ts'
import { isAsyncPackage, loadAsyncPackage } from './load-async-packages.ts'
import { circleInFunctions } from './load-circles.ts'
import {
  exportsOf,
  jobOrderRuntime,
  publicModuleNames,
  servicesText,
  standInFor,
  standInsText,
  syncSource,
} from './load-modules.ts'
import { loadPackage } from './load-packages.ts'
import { packageNamed, packageText, StandInScan, type StoodIn, standInsName } from './load-stand-ins.ts'
import { sourceExtensions } from './source-extensions.ts'
import { codeFrame, displayPath, ownFolder, registerSource } from './source-places.ts'

export interface Bundle {
  readonly code: string
  /** Source map as JSON, with sources relative to `folder`. */
  readonly map: string
  readonly folder: string
  /** Digest of every user file, by the path users see. */
  readonly sources: { readonly [file: string]: string }
  /** Digest of them all, the same in every working directory. */
  readonly digest: string
}

/** How sources are transformed: for programs of processes, so that every access of a class can be seen, or for the jobs of a class. */
export type BundleForm = 'processes' | 'objects' | 'jobs'

const transforms = {
  processes: transform,
  objects: transformObjects,
  jobs: (text: string, file: string, meta: ModuleMeta) => transformJobOrder(text, file, { meta }),
}

/** Texts that stand in for files, by their paths. */
export type Overlay = ReadonlyMap<string, string>

export async function bundle(
  path: string,
  form: BundleForm = 'processes',
  overlay: Overlay = new Map(),
): Promise<Result<Bundle>> {
  const scan = new StandInScan()
  const first = await bundledWith(path, { form, overlay, scan, stoodIn: new Map() })
  if (!scan.hasCalls) return first
  // Which packages are stood in for is known only when all sources are.
  const problems = scan.problems()
  if (problems.length > 0) return failure(...(problems as [Diagnostic]))
  return await bundledWith(path, { form, overlay, scan: new StandInScan(), stoodIn: scan.stoodIn() })
}

async function bundledWith(path: string, asked: Asked): Promise<Result<Bundle>> {
  const folder = dirname(path)
  const digests = new Map<string, string>()
  const loading: Loading = { ...asked, digests, maps: new Map(), declared: new Map(), imported: new Set() }
  try {
    const { outputFiles, metafile } = await built({
      metafile: true,
      absWorkingDir: cwd(),
      entryPoints: [path],
      // Named although nothing is written: the paths in the source map are relative to it.
      outfile: join(folder, 'allways-bundle.js'),
      write: false,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: `node${versions.node}`,
      // Packages are imported by Node, so they must be found as Node finds them: without bundlers' conditions and fields.
      conditions: [],
      mainFields: ['main'],
      // What Node would run runs, whether something depends on it or a manifest says that nothing does.
      treeShaking: false,
      ignoreAnnotations: true,
      sourcemap: 'external',
      charset: 'utf8',
      logLevel: 'silent',
      plugins: [{ name: 'allways', setup: (host) => setUp(host, loading) }],
    })
    const text = (extension: string) => outputFiles.find((file) => file.path.endsWith(extension))?.text ?? ''
    const circle = circleInFunctions(text('.js'), metafile)
    if (circle !== undefined) return failure(circle)
    const sources = Object.fromEntries([...digests].map(([file, digest]) => [displayPath(file), digest]).sort())
    return success({
      code: withRequire(
        withDeadZones(text('.js'), (name) => loading.declared.get(name)),
        path,
      ),
      map: text('.map'),
      folder,
      sources,
      digest: digestOfAll(digests, folder),
    })
  } catch (error) {
    const errors = (error as Partial<BuildFailure>).errors
    if (errors === undefined) throw error
    // It is for Node to say whether it can load them.
    const isOfPackage = errors.some(({ location }) => location !== null && isInPackage(location.file))
    if (isOfPackage && asked.form === 'processes' && asked.packagesOutside !== true)
      return await bundledWith(path, { ...asked, packagesOutside: true })
    return failure(...errors.map((one) => diagnosticOf(one, loading)))
  }
}

/** Ctrl-C in a terminal also ends the process that bundles, while this one may have something to load still: it is started anew. */
async function built<Options extends BuildOptions>(options: SameShape<BuildOptions, Options>) {
  try {
    return await build(options)
  } catch (error) {
    if ((error as Partial<BuildFailure>).errors !== undefined) throw error
    await stop()
    return await build(options)
  }
}

interface Asked {
  readonly form: BundleForm
  readonly overlay: Overlay
  readonly scan: StandInScan
  readonly stoodIn: StoodIn
  /** Whether no package becomes a part of the bundle. */
  readonly packagesOutside?: boolean
}

interface Loading extends Asked {
  /** By the path of a user's file. */
  readonly digests: Map<string, string>
  /** From transformed sources, which is what the bundler complains about, to the user's. */
  readonly maps: Map<string, string>
  /** By the names that modules have in the bundle. */
  readonly declared: Map<string, Declared>
  /** Files of packages that are imported by name. */
  readonly imported: Set<string>
}

function setUp(host: PluginBuild, loading: Loading): void {
  host.onResolve({ filter: /^allways(?:\/|$)/ }, ({ path }) =>
    loading.form === 'jobs' && path === 'allways/sync'
      ? { path: syncSource() }
      : publicModuleNames.includes(path) || path === jobOrderRuntime
        ? { path, namespace: 'allways' }
        : {
            errors: [
              { text: `there is no module "${path}"`, notes: [{ text: `there are ${publicModuleNames.join(', ')}` }] },
            ],
          },
  )
  host.onLoad({ filter: /.*/, namespace: 'allways' }, async ({ path }) => {
    if (path === 'allways/services' && loading.stoodIn.size > 0) return { contents: await servicesText() }
    const isControlled = loading.form === 'objects' && path === 'allways/sync'
    return { contents: await standInFor(path, isControlled ? 'allways/access' : path) }
  })
  host.onResolve({ filter: new RegExp(`^${standInsName}$`) }, ({ path }) => ({ path, namespace: 'stand-ins' }))
  host.onLoad({ filter: /.*/, namespace: 'stand-ins' }, () => ({ contents: standInsText() }))
  host.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({
    contents: packageText(path, loading.stoodIn.get(path) ?? []),
  }))
  host.onResolve({ filter: /^[^./]/ }, (request) => resolvePackage(host, request, loading))
  host.onLoad({ filter: /.*/, namespace: 'file' }, ({ path }) => loadSource(path, loading))
}

const asStatement = 'write an import at the top of the file'

/** Marks our own question to esbuild, which would come back to us. */
const alreadyAsked = { alreadyAsked: true }

async function resolvePackage(
  host: PluginBuild,
  request: OnResolveArgs,
  { form, stoodIn, packagesOutside, imported }: Loading,
) {
  const { path, kind, importer, namespace, resolveDir } = request
  if (request.pluginData === alreadyAsked || kind === 'entry-point') return undefined
  if (stoodIn.has(packageNamed(path)) && !isInPackage(importer)) {
    if (kind === 'import-statement') return { path: packageNamed(path), namespace: 'stand-in' }
    return {
      errors: [
        { text: `"${path}" has a stand-in, and is not imported by a statement`, notes: [{ text: asStatement }] },
      ],
    }
  }
  if (isBuiltin(path)) return { path: path.startsWith('node:') ? path : `node:${path}`, external: true }
  if (/^(?:file|data|https?):/.test(path)) return { path, external: true }
  const found = await host.resolve(path, { kind, importer, namespace, resolveDir, pluginData: alreadyAsked })
  const isPackage = found.errors.length === 0 && isInPackage(found.path) && extname(found.path) !== '.json'
  if (!isPackage || form === 'jobs') return { ...found, pluginData: undefined }
  if (form === 'objects' && (await loadPackage(found.path, () => textOf(found.path))) !== undefined)
    return { ...found, pluginData: undefined }
  const mayBeIn = form === 'processes' && packagesOutside !== true && !kind.startsWith('require')
  if (mayBeIn && (await isAsyncPackage(found.path))) {
    imported.add(found.path)
    return { ...found, pluginData: undefined }
  }
  // A bundle in memory has no folder to resolve names from.
  return { path: kind.startsWith('require') ? found.path : pathToFileURL(found.path).href, external: true }
}

async function loadSource(path: string, loading: Loading): Promise<OnLoadResult | undefined> {
  if (loading.form === 'jobs' && (isInPackage(path) || isOwn(path))) return loadStranger(path)
  if (isInPackage(path)) {
    const contents =
      loading.form === 'objects'
        ? await loadPackage(path, () => textOf(path))
        : await loadAsyncPackage(path, textOf(path).toString('utf8'), loading.imported.has(path))
    if (contents === undefined) return undefined
    noteDeclared(path, contents, loading)
    return { contents, loader: 'js', resolveDir: dirname(path) }
  }
  const { form, overlay, digests, maps } = loading
  const instead = overlay.get(path)
  const source = instead === undefined ? textOf(path) : Buffer.from(instead)
  digests.set(path, `sha256-${createHash('sha256').update(source).digest('hex')}`)
  const extension = extname(path)
  if (!sourceExtensions.includes(extension)) return undefined
  const text = source.toString('utf8').replace(/^\uFEFF/, '')
  // Reports go on showing the file itself.
  if (instead === undefined) registerSource(path, text)
  loading.scan.note(text, displayPath(path))
  const meta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) }
  const transformed = transforms[form](text, displayPath(path), meta)
  if (!transformed.ok) return { errors: transformed.diagnostics.map((detail) => ({ text: detail.message, detail })) }
  maps.set(path, transformed.value.map)
  noteDeclared(path, transformed.value.code, loading)
  const map = { ...(JSON.parse(transformed.value.map) as object), sources: [encodeURIComponent(basename(path))] }
  const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
  return { contents: `${transformed.value.code}\n${comment}`, loader: loaderOf(extension), resolveDir: dirname(path) }
}

function noteDeclared(path: string, code: string, { declared }: Loading): void {
  const found = declaredIn(code, path)
  if (found !== undefined) declared.set(relative(cwd(), path).split(sep).join('/'), found)
}

/** A file that is none of the user's, in the order of its jobs: places in it are told to nobody. CommonJS is what it is. */
function loadStranger(path: string): OnLoadResult | undefined {
  const extension = extname(path)
  if (!sourceExtensions.includes(extension)) return undefined
  const transformed = transformJobOrder(textOf(path).toString('utf8'), path, { isStranger: true })
  return transformed.ok
    ? { contents: transformed.value.code, loader: loaderOf(extension), resolveDir: dirname(path) }
    : undefined
}

function isOwn(path: string): boolean {
  return path.startsWith(ownFolder() + sep)
}

function textOf(path: string): Buffer {
  return withFile(path, (file) => readFileSync(file))
}

function loaderOf(extension: string): Loader {
  return extension.replace(/^\.m?/, '') as Loader
}

function isInPackage(path: string): boolean {
  return path.split(sep).includes('node_modules')
}

/** Relative to the check file, so that the digest is the same wherever the command runs. */
function digestOfAll(digests: ReadonlyMap<string, string>, folder: string): string {
  const lines = [...digests].map(([path, digest]) => `${relative(folder, path).split(sep).join('/')}\0${digest}\n`)
  return `sha256-${createHash('sha256').update(lines.sort().join('')).digest('hex')}`
}

/** CommonJS files among the user's own call `require`, which ES modules do not have. On the first line: nothing moves. */
function withRequire(code: string, path: string): string {
  if (!code.includes('Dynamic require of "')) return code
  const from = JSON.stringify(pathToFileURL(path).href)
  return `import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(${from}); ${code}`
}

function diagnosticOf(message: Message, loading: Loading): Diagnostic {
  const own = message.detail as Diagnostic | undefined
  const diagnostic = own?.code === undefined ? { code: 'E102' as const, ...explained(message) } : own
  const place = own?.place ?? placeOfMessage(message, loading)
  return { ...diagnostic, place, frame: place === undefined ? undefined : codeFrame(place) }
}

function placeOfMessage({ location }: Message, { maps }: Loading): Place | undefined {
  if (location === null || location.namespace === 'allways') return undefined
  // esbuild counts bytes of UTF-8, people count characters.
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString('utf8')
  const file = location.file.startsWith('file:') ? fileURLToPath(location.file) : location.file
  const { line } = location
  const map = maps.get(resolve(file))
  const original =
    map === undefined ? undefined : originalPositionFor(new TraceMap(map), { line, column: before.length })
  if (original === undefined || original.source === null) return { file, line, column: before.length + 1 }
  return { file, line: original.line, column: original.column + 1 }
}

/** `send` misspelt is the commonest compile error of a check file, and esbuild does not know our names. */
function explained(message: Message): { readonly message: string; readonly hint: string } {
  const missing = /^No matching export in "allways:(.+)" for import "(.+)"$/.exec(message.text)
  const notes = message.notes.map((note) => note.text).filter((text) => text !== '')
  if (missing === null)
    return {
      message: message.text,
      hint: notes.length === 0 ? 'repair the line: it cannot be compiled' : notes.join('; '),
    }
  const [, from = '', name = ''] = missing
  const nearest = nearestName(name, exportsOf(from))
  return {
    message: `"${name}" is not exported by ${from}`,
    hint: nearest === undefined ? `it exports ${exportsOf(from).join(', ')}` : `did you mean "${nearest}"?`,
  }
}
