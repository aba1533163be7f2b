/**
 * A program on its way to other machines: the bundle that was loaded, and nothing of the machine it was loaded on. What it would find there
 * and not elsewhere, such as packages, files and variables of the environment, is refused before anything is explored.
 */
import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { failure, type Result, success } from '../../core/diagnostic.ts'
import { firstHostRead, readsLocale } from '../../frontends/typescript/host-reads.ts'
import { type Bundle, bundle } from '../load-bundle.ts'
import { loadBundle } from '../load-check-file.ts'
import { withOwnKey, withTravellingKey } from '../load-modules.ts'
import type { NamedProgram } from '../load-named.ts'
import { codeFrame, placeInBundle } from '../source-places.ts'
import { cannotTravel, elsewhere, localeHere } from './travel.ts'

export interface TravellingBundle {
  readonly bytes: Buffer
  readonly digest: string
  /** Of what it may depend. */
  readonly locale: string | undefined
}

/** `digest` is that of the sources which were loaded here. */
export async function travelling(path: string, shown: string, digest: string): Promise<Result<TravellingBundle>> {
  const bundled = await bundle(path)
  if (!bundled.ok) return bundled
  if (bundled.value.digest !== digest)
    return failure(
      cannotTravel(shown, 'it, or a file it imports, has changed since it was loaded', 'start the search again'),
    )
  const { code } = bundled.value
  const read = firstHostRead(code)
  if (read !== undefined) {
    const place = placeInBundle(bundled.value, read.line, read.column)
    const frame = place === undefined ? undefined : codeFrame(place)
    return failure({ ...cannotTravel(shown, read.what, elsewhere), place, frame })
  }
  const bytes = serialize({ ...bundled.value, code: withTravellingKey(code) })
  return success({ bytes, digest: digestOf(bytes), locale: readsLocale(code) ? localeHere() : undefined })
}

export function digestOf(bytes: Buffer): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`
}

/** What a bundle exports under a name, on another machine than it was made on. */
export async function loadCarried(
  carried: Bundle,
  path: string,
  shown: string,
  exportName: string,
): Promise<Result<NamedProgram>> {
  const own = { ...carried, code: await withOwnKey(carried.code) }
  const loaded = await loadBundle(own, path, shown, {})
  if (!loaded.ok) return loaded
  const found = loaded.value.programs.find((one) => one.exportName === exportName)
  if (found === undefined)
    return failure({ code: 'E404', message: `${shown} exports no check "${exportName}"`, hint: 'look at its exports' })
  return success({ ...found, path, loaded: loaded.value })
}
