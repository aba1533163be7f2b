/** The rules of the tree, as a pure function from files to violations, so that they can be tried on planted ones. */
import { dirname, join } from 'node:path/posix'
import {
  emptyNames,
  guardedWays,
  hostGlobals,
  importTable,
  limits,
  longOnPurpose,
  manyOnPurpose,
  packageTable,
  portableFolders,
  publicModules,
} from './import-table.ts'
import { type ModuleImport, parseModule, type SourceModule } from './source-module.ts'

/** All violations in a tree given as path (relative to `src/`) → text, each as one readable line. */
export function violations(files: ReadonlyMap<string, string>): readonly string[] {
  const modules = [...files].map(([path, text]) => parseModule(path, text))
  const paths = new Set(files.keys())
  return [
    ...modules.flatMap((module) => [
      ...module.imports.flatMap((imported) => importViolations(module, imported, paths)),
      ...portabilityViolations(module),
      ...sizeViolations(module),
      ...shapeViolations(module),
    ]),
    ...[...files].flatMap(([path, text]) => wayViolations(path, text)),
    ...cycles(modules).map((cycle) => `value-import cycle: ${cycle.join(' → ')}`),
  ]
}

/** Comments may name what code may not do. */
function wayViolations(path: string, text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, at) =>
      guardedWays
        .filter(({ does, files }) => !/^\s*(?:\/\/|\/?\*)/.test(line) && does.test(line) && !files.includes(path))
        .map(({ instead }) => `${path}:${at + 1} ${instead}`),
    )
}

/** The part of the tree a file belongs to: its own key in the table, one engine, one front end, or its folder. */
export function partOf(path: string): string {
  if (Object.hasOwn(importTable, path)) return path
  const [folder = '', name = ''] = path.split('/')
  return Object.hasOwn(importTable, `${folder}/*`) ? `${folder}/${name}` : folder
}

function allowedImports(part: string): readonly string[] | undefined {
  return importTable[part] ?? importTable[`${part.split('/')[0]}/*`]
}

function importViolations(module: SourceModule, imported: ModuleImport, paths: ReadonlySet<string>): readonly string[] {
  const { specifier, line } = imported
  const place = `${module.path}:${line}`
  if (!specifier.startsWith('.')) return packageViolations(module, specifier, place)
  const target = join(dirname(module.path), specifier)
  if (target.startsWith('..')) return [`${place} imports ${specifier}, which is outside src`]
  if (!paths.has(target)) return [`${place} imports ${specifier}, which is not a file (extensions are written out)`]
  const from = partOf(module.path)
  const to = partOf(target)
  const allowed = allowedImports(from)
  if (allowed === undefined) return [`${place}: ${from} has no row in the import table`]
  const folder = to.split('/')[0] ?? to
  if (from === to || allowed.includes(to) || allowed.includes(folder)) return []
  return [`${place} imports ${target}: ${from} may import ${allowed.join(', ') || 'nothing'}`]
}

function packageViolations(module: SourceModule, specifier: string, place: string): readonly string[] {
  const part = partOf(module.path)
  if (specifier.startsWith('node:')) {
    return isPortable(module.path) ? [`${place} imports ${specifier}, but ${part} is portable`] : []
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  return packageTable[part]?.includes(name) ? [] : [`${place} imports the package ${name}, not allowed in ${part}`]
}

function isPortable(path: string): boolean {
  return portableFolders.includes(path.split('/')[0] ?? path)
}

function portabilityViolations(module: SourceModule): readonly string[] {
  if (!isPortable(module.path)) return []
  return module.globals
    .filter(({ name }) => hostGlobals.includes(name))
    .map(({ name, line }) => `${module.path}:${line} uses ${name}, but portable code may not`)
}

function sizeViolations(module: SourceModule): readonly string[] {
  const { path, lines, functions } = module
  const mayHaveMany = (name: string): boolean =>
    manyOnPurpose.some((one) => one === `${path}#${name}` || path.startsWith(`${one}/`))
  const tooLong = lines > limits.fileLines && !longOnPurpose.includes(path)
  return [
    ...(tooLong ? [`${path} has ${lines} lines, at most ${limits.fileLines} are allowed`] : []),
    ...functions
      .filter((one) => one.lines > limits.functionLines && !longOnPurpose.includes(`${path}#${one.name}`))
      .map(
        (one) => `${path}:${one.line} ${one.name} has ${one.lines} lines, at most ${limits.functionLines} are allowed`,
      ),
    ...functions
      .filter((one) => one.parameters > limits.parameters && !mayHaveMany(one.name))
      .map(
        (one) =>
          `${path}:${one.line} ${one.name} has ${one.parameters} parameters; from the fifth on they are an options object`,
      ),
  ]
}

function shapeViolations(module: SourceModule): readonly string[] {
  const { path } = module
  const words = path.replace(/\.ts$/, '').split('/')
  const isIndex = path === 'index.ts'
  return [
    ...words.filter((word) => emptyNames.includes(word)).map((word) => `${path}: "${word}" names nothing`),
    ...(allowedImports(partOf(path)) === undefined ? [`${path}: ${partOf(path)} has no row in the import table`] : []),
    ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(words.at(-1) ?? '') ? [] : [`${path}: file names are kebab-case`]),
    ...(module.hasDefaultExport ? [`${path} has a default export`] : []),
    ...(module.hasStarExport ? [`${path} exports names it does not write down`] : []),
    ...(module.isBarrel && !isIndex && !publicModules.includes(path)
      ? [`${path} is a barrel; import from the file that defines the name`]
      : []),
    ...(isIndex && !module.isBarrel ? [`${path} has logic; it may only name the public API`] : []),
  ]
}

/** Cycles of imports that are evaluated, one per strongly connected group, found by depth-first search. */
function cycles(modules: readonly SourceModule[]): readonly (readonly string[])[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const finished = new Set<string>()
  const found: string[][] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path])
    if (start >= 0 || finished.has(path)) return
    for (const { specifier, isTypeOnly } of byPath.get(path)?.imports ?? []) {
      if (!isTypeOnly && specifier.startsWith('.')) visit(join(dirname(path), specifier), [...trail, path])
    }
    finished.add(path)
  }
  for (const module of modules) visit(module.path, [])
  return found
}
