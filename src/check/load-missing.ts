/** A path that names no file: what is there instead. */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Diagnostic } from '../core/diagnostic.ts'
import { nearestName } from '../core/did-you-mean.ts'
import { displayPath } from './source-places.ts'

const checkFile = /\.check\.[mc]?[jt]sx?$/
const maxListed = 5

/** Nothing if the path names a file. */
export function missingFile(path: string, shown: string): Diagnostic | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFile()) return undefined
  if (stat?.isDirectory()) {
    const inside = namesIn(path).filter((name) => checkFile.test(name))
    return {
      code: 'E101',
      message: `${shown} is a directory, not a file`,
      hint: inside.length === 0 ? 'it holds no *.check.ts file' : `it holds ${listed(path, inside)}`,
    }
  }
  return { code: 'E101', message: `there is no file ${shown}`, hint: hintFor(path) }
}

function hintFor(path: string): string | undefined {
  const folder = dirname(path)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return `there is no directory ${displayPath(folder)} either`
  const name = basename(path)
  const names = namesIn(folder)
  // `allways check counter` for counter.check.ts is no slip of the finger, but as easily understood.
  const near = names.find((candidate) => candidate.startsWith(`${name}.`)) ?? nearestName(name, names)
  if (near !== undefined) return `did you mean ${displayPath(join(folder, near))}?`
  const checks = names.filter((candidate) => checkFile.test(candidate))
  return checks.length === 0 ? undefined : `there is ${listed(folder, checks)}`
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder).sort()
}

function listed(folder: string, names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => displayPath(join(folder, name)))
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
