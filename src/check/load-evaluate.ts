/** Runs a bundle as a module and tells what went wrong with it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeWhole } from '../artifact/write.ts'
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import { running } from '../core/running.ts'
import { isError, thrownBy } from '../core/thrown.ts'
import { builtIns } from './built-ins.ts'
import { changesBuiltIns } from './changed-built-ins.ts'
import { guardDeterminism } from './guard.ts'
import type { Bundle } from './load-bundle.ts'
import { codeFrame, placeOf, registerBundle } from './source-places.ts'
import { watchStrays } from './strays.ts'
import { loadOutside } from './surroundings.ts'

export type ModuleExports = { readonly [name: string]: unknown }

let loads = 0

/** The name in `sourceURL` is what stacks show. */
export async function evaluate({ code, map, folder, sources }: Bundle, shown: string): Promise<Result<ModuleExports>> {
  const name = `allways:${++loads}/${basename(shown).replaceAll(/[^\w.-]/g, '_')}`
  const { url, remove } = moduleOf(`${code}\n//# sourceURL=${name}\n`)
  // Whoever formats stacks in the place of V8, as test runners do, shows the URL instead of the name.
  registerBundle([name, url], { map, folder })
  // Set already now, so that a module that keeps `Date.now` in a variable keeps the trap.
  loadOutside(code)
  const release = guardDeterminism()
  const strays = watchStrays('loading')
  const { putBack } = builtIns({ withGlobals: true })
  try {
    const ended = await imported(url)
    const changed = putBack()
    const stray = await strays.settled()
    // The code may have caught what the border threw, and gone on.
    if (stray !== undefined) return failure(placed(stray))
    if (changed.length > 0)
      return failure(changesBuiltIns(`${shown}, or what it imports, changes`, changed, Object.keys(sources)))
    return answered(ended, { name, url, shown })
  } finally {
    strays.release()
    release()
    remove()
    // A mistake made while declaring programs is reported here; no process must find it.
    running.mistake = undefined
  }
}

/**
 * A module with a short URL, whose file is there while it is loaded. Node keeps what it has loaded, and a data: URL, which is all of the
 * code, four times over: of a file with 150 programs, which is loaded three times for each of them, that was a gigabyte.
 */
function moduleOf(text: string): { readonly url: string; remove(): void } {
  let folder: string | undefined
  try {
    folder = mkdtempSync(join(tmpdir(), 'allways-'))
    // A file may end the process, or be interrupted, while it is loaded.
    if (folders.size === 0) process.on('exit', removeAll)
    folders.add(folder)
    const file = join(folder, 'm.mjs')
    writeWhole(file, text)
    return { url: pathToFileURL(file).href, remove: () => removed(folder) }
  } catch {
    // Where nothing can be written, more memory is needed.
    removed(folder)
    const code = Buffer.from(text).toString('base64')
    return { url: `data:text/javascript;base64,${code}`, remove: () => {} }
  }
}

/** Temporary folders that are there. */
const folders = new Set<string>()

function removed(folder: string | undefined): void {
  if (folder === undefined) return
  folders.delete(folder)
  if (folders.size === 0) process.off('exit', removeAll)
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The system clears its temporary files itself.
  }
}

function removeAll(): void {
  for (const folder of folders) removed(folder)
}

/** As Node may show it. */
function fileOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

type Imported = { readonly module: ModuleExports } | { readonly thrown: unknown } | undefined

interface Reexported {
  readonly module: ModuleExports
}

/** Test runners transform files that are imported in modules which they have transformed themselves, and leave these alone. */
function reexported(url: string): string {
  return `import * as module from ${JSON.stringify(url)}; export { module }`
}

/** All that is called here was made before the code of the file could change it. */
async function imported(url: string): Promise<Imported> {
  const idle = whenIdle()
  const importing = (
    import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(reexported(url))}`) as Promise<Reexported>
  ).then(
    ({ module }) => ({ module }),
    (thrown: unknown) => ({ thrown }),
  )
  const ended = await Promise.race([importing, idle.reached])
  idle.release()
  return ended
}

/** Under which names the code was loaded. */
interface Loaded {
  readonly name: string
  readonly url: string
  readonly shown: string
}

function answered(ended: Imported, loaded: Loaded): Result<ModuleExports> {
  if (ended === undefined) return failure(neverLoaded(loaded.shown))
  if ('module' in ended) return success(ended.module)
  if (!(ended.thrown instanceof DiagnosticError)) return failure(failedLoad(ended.thrown, loaded))
  return failure(...ended.thrown.diagnostics.map(placed))
}

/** Nothing is left that could happen: the host would end the process now. */
function whenIdle(): { readonly reached: Promise<undefined>; release(): void } {
  let reach: () => void = () => {}
  const reached = new Promise<undefined>((resolve) => {
    reach = () => resolve(undefined)
  })
  process.once('beforeExit', reach)
  return { reached, release: () => void process.off('beforeExit', reach) }
}

function neverLoaded(shown: string): Diagnostic {
  return {
    code: 'E104',
    message: `${shown} awaits something at its top level that never comes`,
    hint: atTopLevel,
  }
}

const atTopLevel = 'the top level of a check file runs when it is loaded, before any check'
const unlinkedHint = 'import what the module exports, under the name it has there'

function failedLoad(error: unknown, { name: bundleName, url, shown }: Loaded): Diagnostic {
  if (!isError(error))
    return { code: 'E104', message: `${shown} threw ${thrownBy(error).message} while it was loaded`, hint: atTopLevel }
  const text = error.message.replaceAll(url, shown).replaceAll(fileOf(url), shown)
  const unlinked = unlinkedAt(error, bundleName)
  if (unlinked !== undefined)
    return framed({ code: 'E102', message: text, hint: unlinkedHint, place: placeOf(unlinked) })
  return framed({
    code: 'E104',
    message: `${shown} threw ${error.name}: ${text}`,
    hint: atTopLevel,
    place: placeOf(error.stack),
  })
}

/** Node shows a missing export of a package as a line and carets above the message; given back as a stack frame. */
function unlinkedAt(error: Error, bundleName: string): string | undefined {
  const [location = '', , carets = ''] = error.stack?.split('\n') ?? []
  if (!(error instanceof SyntaxError) || !location.startsWith(`${bundleName}:`)) return undefined
  return `    at ${location}:${carets.indexOf('^') + 1}`
}

function framed(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, frame: diagnostic.place === undefined ? undefined : codeFrame(diagnostic.place) }
}

function placed(diagnostic: Diagnostic): Diagnostic {
  return framed({ ...diagnostic, place: placeOf(diagnostic.stack) })
}
