/** The programs that a check file in TypeScript exports. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { isClass as isUserClass } from '../core/option-shape.ts'
import type { LoadedFile, LoadedProgram, Reading } from '../frontends/frontend.ts'
import { type Bundle, bundle } from './load-bundle.ts'
import { evaluate, type ModuleExports } from './load-evaluate.ts'
import { modelsIn } from './load-p-models.ts'
import { programsIn, withOwnNames } from './load-programs.ts'
import { loadObjects } from './objects/load.ts'
import { withTerm } from './prove/term.ts'

/** What was bundled last: an audit loads a file several times in a row. */
let latest: { readonly path: string; readonly bundled: Result<Bundle> } | undefined

async function bundledAt(path: string, { again = false }: Reading): Promise<Result<Bundle>> {
  if (!again || latest?.path !== path) latest = { path, bundled: await bundle(path) }
  return latest.bundled
}

export async function loadCheckFile(path: string, shown: string, reading: Reading): Promise<Result<LoadedFile>> {
  const bundled = await bundledAt(path, reading)
  if (!bundled.ok) return bundled
  const refused = reading.admits?.(bundled.value)
  if (refused !== undefined) return failure(refused)
  return await loadBundle(bundled.value, path, shown, reading)
}

/** `path` is where the file lay that was bundled. */
export async function loadBundle(
  bundled: Bundle,
  path: string,
  shown: string,
  reading: Reading,
): Promise<Result<LoadedFile>> {
  const evaluated = await evaluate(bundled, shown)
  if (!evaluated.ok) return evaluated
  const models = modelsIn(evaluated.value, path, reading)
  if (!models.ok) return models
  const programs = withOwnNames([...programsIn(evaluated.value).map(withTerm), ...models.value.programs])
  if (programs.length === 0) return failure(noProgram(evaluated.value, shown))
  const { warnings, digest: ofModels } = models.value
  const sources = { ...bundled.sources, ...models.value.sources }
  const digest = ofModels === '' ? bundled.digest : `${bundled.digest}+${ofModels}`
  // The code has run, and says which P programs it names: those may have changed as well.
  const changed = ofModels === '' ? undefined : reading.admits?.({ digest, sources })
  if (changed !== undefined) return failure(changed)
  const loaded = { file: shown, programs, warnings, digest, sources }
  return success(programs.some(isClass) ? await withClasses(path, loaded) : loaded)
}

/** Accesses of classes are seen in another form of the file: it is loaded again for them. */
async function withClasses(path: string, loaded: LoadedFile): Promise<LoadedFile> {
  const seen = await loadObjects(path)
  if (!seen.ok)
    return { ...loaded, programs: loaded.programs.filter((one) => !isClass(one)), diagnostics: seen.diagnostics }
  const named = new Map(seen.value.programs.map((one) => [one.exportName, one]))
  return { ...loaded, programs: loaded.programs.map((one) => named.get(one.exportName) ?? one) }
}

function isClass({ program }: LoadedProgram): boolean {
  return program.views.object !== undefined
}

function noProgram(module: ModuleExports, shown: string): Diagnostic {
  const exported = Object.entries(module).map(([name, value]) => `${name} (${kindOf(value)})`)
  const subject = Object.entries(module).find(([, value]) => isUserClass(value))?.[0]
  const machine = Object.entries(module).find(([, value]) => isMachine(value))?.[0]
  return {
    code: 'E103',
    message:
      exported.length === 0 ? `${shown} exports nothing` : `${shown} exports ${exported.join(', ')}, but no program`,
    hint:
      subject !== undefined
        ? `allways linearize checks the class ${subject} of this file; or export default linearizable(${subject}, { operations: … })`
        : machine === undefined
          ? "export one: export default program('name', function* () { … })"
          : `machines are checked together: export default system('name', () => ({ machines: { a: ${machine === 'default' ? 'node' : machine}.as() } }))`,
  }
}

/** By its looks: what `machine` made belongs to the user's copy of the model. */
function isMachine(value: unknown): boolean {
  const { name, as } = (typeof value === 'object' && value !== null ? value : {}) as { name?: unknown; as?: unknown }
  return typeof name === 'string' && typeof as === 'function'
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (isMachine(value)) return 'a machine'
  if (isUserClass(value)) return 'a class'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
