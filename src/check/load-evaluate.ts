/** Runs a bundle as a module and tells what went wrong with it. */

import { basename } from 'node:path'
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

/** A data: URL leaves no file behind; the name in `sourceURL` is what stacks show, and makes every load a new module. */
export async function evaluate({ code, map, folder, sources }: Bundle, shown: string): Promise<Result<ModuleExports>> {
  const name = `allways:${++loads}/${basename(shown).replaceAll(/[^\w.-]/g, '_')}`
  const text = Buffer.from(`${code}\n//# sourceURL=${name}\n`).toString('base64')
  const url = `data:text/javascript;base64,${text}`
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
    return moduleOf(ended, name, shown)
  } finally {
    strays.release()
    release()
    // A mistake made while declaring programs is reported here; no process must find it.
    running.mistake = undefined
  }
}

type Imported = { readonly module: ModuleExports } | { readonly thrown: unknown } | undefined

/** All that is called here was made before the code of the file could change it. */
async function imported(url: string): Promise<Imported> {
  const idle = whenIdle()
  const importing = (import(/* @vite-ignore */ url) as Promise<ModuleExports>).then(
    (module) => ({ module }),
    (thrown: unknown) => ({ thrown }),
  )
  const ended = await Promise.race([importing, idle.reached])
  idle.release()
  return ended
}

function moduleOf(ended: Imported, name: string, shown: string): Result<ModuleExports> {
  if (ended === undefined) return failure(neverLoaded(shown))
  if ('module' in ended) return success(ended.module)
  if (!(ended.thrown instanceof DiagnosticError)) return failure(failedLoad(ended.thrown, name, shown))
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

function failedLoad(error: unknown, bundleName: string, shown: string): Diagnostic {
  if (!isError(error))
    return { code: 'E104', message: `${shown} threw ${thrownBy(error).message} while it was loaded`, hint: atTopLevel }
  const text = error.message.replaceAll(/data:text\/javascript\S+/g, shown)
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
