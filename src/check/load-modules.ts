/**
 * The modules that a check file imports by the name of the package. They must be the very ones of the running allways, or
 * its programs, addresses and operations would be strangers; so the bundle takes them from a table in memory.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StandIns, standInsName } from './load-stand-ins.ts'
import { ownFolder } from './source-places.ts'

/** Name in an import → file, without its extension, below `src` or `dist`. */
const publicModules: { readonly [name: string]: string } = {
  allways: 'index',
  'allways/access': 'semantics/memory/access',
  'allways/coroutine': 'model/coroutine',
  'allways/engine': 'engines/engine',
  'allways/services': 'model/services/services',
  'allways/sync': 'model/sync/sync',
}

export const publicModuleNames: readonly string[] = Object.keys(publicModules)

/** What the code of a class calls in job order. Nobody else imports it. */
export const jobOrderRuntime = 'allways/job-order'

const files: { readonly [name: string]: string | undefined } = {
  ...publicModules,
  [jobOrderRuntime]: 'semantics/job-order/runtime',
}

/** The source of `allways/sync`, whose async methods are run as those of the user's are. */
export function syncSource(): string {
  const file = fileOf('allways/sync')
  // Where this package is bundled, files share what they import with others.
  const alone = file.replace(/\.js$/, '.alone.js')
  return existsSync(alone) ? alone : file
}

/** The text of a module that hands on what the running module of that name exports, or what its twin has for it. */
export async function standInFor(name: string, twin = name): Promise<string> {
  const module = await runningModule(name)
  table().set(name, module)
  if (twin !== name) table().set(twin, await runningModule(twin))
  const names = Object.keys(module).join(', ')
  return `export const { ${names} } = globalThis[Symbol.for(${JSON.stringify(tableKey)})].get(${JSON.stringify(twin)})`
}

/** The module in memory that holds the stand-ins of a bundle, and that which hands on `standIn`. */
export function standInsText(): string {
  table().set(standInsName, { StandIns })
  return `const { StandIns } = globalThis[Symbol.for(${JSON.stringify(tableKey)})].get('${standInsName}')\nexport const standIns = new StandIns()`
}

export async function servicesText(): Promise<string> {
  const text = await standInFor('allways/services')
  const own = `import { standIns } from '${standInsName}'\nexport const standIn = standIns.standIn`
  return `${text.replace(/\bstandIn\b/, 'standIn: $standInOfOthers')}\n${own}`
}

/** In the place of the key of this copy, in a bundle that travels. */
const travellingKey = 'allways.modules:there'

export function withTravellingKey(code: string): string {
  return code.replaceAll(JSON.stringify(tableKey), JSON.stringify(travellingKey))
}

/** A bundle that came from elsewhere finds the modules of this copy. */
export async function withOwnKey(code: string): Promise<string> {
  for (const name of publicModuleNames) await standInFor(name)
  standInsText()
  return code.replaceAll(JSON.stringify(travellingKey), JSON.stringify(tableKey))
}

/** What a module that was stood in for exports. */
export function exportsOf(name: string): readonly string[] {
  return Object.keys(table().get(name) ?? {})
}

/** What `allways/services` calls a function of it. */
export function nameAmongServices(callable: unknown): string | undefined {
  const services = Object.entries(table().get('allways/services') ?? {})
  return services.find(([name, exported]) => exported === callable && name !== 'standIn')?.[0]
}

/** For programs that are bundled with the sources of allways, as benchmarks are: their modules lie in no folder. */
export function provideModule(name: string, module: object): void {
  provided.set(name, module)
}

const provided = new Map<string, object>()

/** Not an import that can be followed when this file is read: the public API imports the loader. */
async function runningModule(name: string): Promise<object> {
  const known = provided.get(name)
  if (known !== undefined) return known
  return (await import(/* @vite-ignore */ pathToFileURL(fileOf(name)).href)) as object
}

function fileOf(name: string): string {
  const folder = ownFolder()
  return join(folder, `${files[name]}.${folder.endsWith('src') ? 'ts' : 'js'}`)
}

/** A bundle is a module of its own and can be reached by nothing but a global; other copies of allways have their own. */
const tableKey = `allways.modules:${import.meta.url}`

function table(): Map<string, object> {
  const global = globalThis as { [key: symbol]: unknown }
  const key = Symbol.for(tableKey)
  global[key] ??= new Map<string, object>()
  return global[key] as Map<string, object>
}
