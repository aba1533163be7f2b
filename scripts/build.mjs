/**
 * Bundles `src/` into `dist/`. Run directly it always builds; `ensureBuilt` builds only when the sources have changed
 * since the last build, which is what the launcher in `bin/` and the test runner call.
 *
 *   node scripts/build.mjs              JavaScript and source maps
 *   node scripts/build.mjs --types      and declaration files, and the licences of what was bundled
 *   node scripts/build.mjs --prepare    the same, and node_modules/.bin/allways, so that `npx allways` finds this clone
 *                                       offline; type errors are shown but leave the clone usable
 *
 * Several processes may build at once. Shared chunks carry their content hash in their name and are written before the
 * entry files that import them; every file appears by a rename. So whoever reads an entry file, old or new, finds a
 * complete set of files behind it.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { argv, execPath, exit, pid } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = join(root, 'src')
const output = join(root, 'dist')
const stamp = join(output, '.build.json')

/** Files with stable names in `dist/`; those that do not exist in `src/` are left out. */
const entries = [
  'index.ts',
  'cli/main.ts',
  'model/coroutine.ts',
  'model/services/services.ts',
  'model/sync/sync.ts',
  'semantics/job-order/runtime.ts',
  'semantics/memory/access.ts',
  'engines/engine.ts',
  'check/worker.ts',
  'runners/vite.ts',
  'runners/vitest.ts',
]

/** The same with all that they import in one file, `*.alone.js`: sources that are transformed, and run anew for every execution. */
const alone = ['model/sync/sync.ts']

/** Files outside `src/` that the result depends on. */
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs']

/** Files of earlier builds stay this long: a process that started from them may still load one lazily. */
const keepMilliseconds = 60 * 60 * 1000

/** Builds unless `dist/` was built from exactly the present sources; says whether it had to. */
export async function ensureBuilt() {
  if (readStamp()?.fingerprint === fingerprint()) return false
  await build()
  return true
}

/** Called by the test runner once before all tests, so that tests of the command line see the present sources. */
export async function setup() {
  await ensureBuilt()
}

export async function build() {
  // Taken before the sources are read: an edit during the build makes the result stale, never wrongly fresh.
  const builtFrom = fingerprint()
  const before = readStamp()?.files ?? []
  const { outputFiles, metafile } = await bundle()
  const isEntry = (path) => entries.includes(relative(output, path).split(sep).join('/').replace(/\.js$/, '.ts'))
  const rank = (path) => (path.endsWith('.map') ? 0 : isEntry(path) ? 2 : 1)
  const ordered = [...outputFiles].sort((a, b) => rank(a.path) - rank(b.path))
  const shims = new Set(outputFiles.filter((file) => needsRequire(file)).map((file) => file.path))
  for (const file of ordered) writeAtomically(file.path, withRequire(file, shims))
  const files = ordered.map((file) => relative(output, file.path))
  removeOutdated(new Set([...files, ...before]))
  writeAtomically(stamp, `${JSON.stringify({ fingerprint: builtFrom, files })}\n`)
  return metafile
}

async function bundle() {
  const entryPoints = entries.map((entry) => join(sources, entry)).filter((path) => existsSync(path))
  if (entryPoints.length === 0) return { outputFiles: [], metafile: { inputs: {} } }
  const { build: esbuild } = await import('esbuild')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const options = {
    absWorkingDir: root,
    outbase: sources,
    outdir: output,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    legalComments: 'none',
    external: Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    }).flatMap((name) => [name, `${name}/*`]),
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
    write: false,
  }
  const both = [
    await esbuild({ ...options, entryPoints, splitting: true }),
    await esbuild({
      ...options,
      entryPoints: alone.map((entry) => join(sources, entry)).filter((path) => existsSync(path)),
      outExtension: { '.js': '.alone.js' },
    }),
  ]
  const inputs = Object.assign({}, ...both.map(({ metafile }) => metafile.inputs))
  return { outputFiles: both.flatMap(({ outputFiles }) => outputFiles), metafile: { inputs } }
}

/** CommonJS packages inside an ES module call `require` for Node's own modules; esbuild leaves a stub that throws. */
function needsRequire(file) {
  return file.path.endsWith('.js') && file.text.includes('Dynamic require of "')
}

function withRequire(file, shims) {
  if (shims.has(file.path)) {
    return `import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);\n${file.text}`
  }
  if (!shims.has(file.path.replace(/\.map$/, ''))) return file.contents
  const map = JSON.parse(file.text)
  // One line was added on top, and a semicolon stands for a line in a source map.
  return JSON.stringify({ ...map, mappings: `;${map.mappings}` })
}

function writeAtomically(path, contents) {
  const temporary = `${path}.${pid}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(temporary, contents)
  renameSync(temporary, path)
}

function removeOutdated(current) {
  const oldest = Date.now() - keepMilliseconds
  for (const path of filesBelow(output)) {
    const isOurs = /\.(js|js\.map|tmp)$/.test(path)
    if (!isOurs || current.has(relative(output, path))) continue
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < oldest) rmSync(path, { force: true })
  }
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'))
  } catch {
    return undefined
  }
}

/** Changes whenever a file is edited, added, renamed or removed; reads no contents, so it takes a few milliseconds. */
function fingerprint() {
  const hash = createHash('sha1')
  for (const path of [...settings.map((name) => join(root, name)), ...filesBelow(sources)]) {
    const stat = statSync(path, { throwIfNoEntry: false })
    hash.update(`${path.slice(root.length)}\0${stat?.mtimeMs}\0${stat?.size}\n`)
  }
  return hash.digest('hex')
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      // Joined by hand: each start of the command in a clone comes by here for every source.
      const path = folder + sep + entry.name
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
}

async function emitTypes() {
  if (filesBelow(sources).length === 0) return 0
  const { spawnSync } = await import('node:child_process')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
  for (const path of filesBelow(output).filter((name) => name.endsWith('.d.ts'))) {
    const source = join(sources, relative(output, path).replace(/\.d\.ts$/, '.ts'))
    if (!existsSync(source)) rmSync(path, { force: true })
  }
  return status ?? 1
}

/** The licences of the packages whose code is inside our files ask to be kept with it. */
function writeLicences(metafile) {
  const packages = new Set(
    Object.keys(metafile.inputs)
      .map((path) => /^(?:.*\/)?(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
      .filter((path) => path !== undefined),
  )
  const notices = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, folder)).find((candidate) => /^licen[cs]e/i.test(candidate))
    const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim()
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  writeAtomically(join(output, 'THIRD-PARTY-LICENSES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`))
}

/** npm links the commands of dependencies, not those of the package itself. */
function linkCommand() {
  const folder = join(root, 'node_modules', '.bin')
  const link = join(folder, 'allways')
  const target = join(root, 'bin', 'allways.mjs')
  if (!existsSync(join(root, 'node_modules')) || !existsSync(target)) return
  chmodSync(target, 0o755)
  mkdirSync(folder, { recursive: true })
  rmSync(link, { force: true })
  try {
    symlinkSync(relative(folder, target), link)
  } catch (error) {
    // Windows allows symbolic links to administrators only; `node bin/allways.mjs` works without one.
    if (error.code !== 'EPERM' && error.code !== 'EEXIST') throw error
  }
}

if (argv[1] !== undefined && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const preparing = argv.includes('--prepare')
  const metafile = await build()
  if (preparing) linkCommand()
  if (preparing || argv.includes('--types')) {
    writeLicences(metafile)
    const status = await emitTypes()
    exit(preparing ? 0 : status)
  }
}
