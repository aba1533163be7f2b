/** A path that names no file: what is there instead. */
import { basename, dirname, join } from 'node:path'
import { atPath, namesIn, shownPath } from '../artifact/named-file.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { nearestName } from '../core/did-you-mean.ts'
import { displayPath } from './source-places.ts'

const checkFile = /\.check\.[mc]?[jt]sx?$/
const maxListed = 5

/** Nothing if the path names a file. */
export function missingFile(path: string, shown: string): Diagnostic | undefined {
  const found = atPath(path)
  if (found.kind === 'file') return undefined
  if (found.kind === 'refused')
    return { code: 'E101', message: `${shownPath(shown)} cannot be read: ${found.why}`, hint: usualFor(path) }
  if (found.kind === 'folder') {
    const inside = namesIn(path).filter((name) => checkFile.test(name))
    return {
      code: 'E101',
      message: `${shown || 'this folder'} is a directory, not a file`,
      hint: inside.length === 0 ? 'it holds no *.check.ts file' : `it holds ${listed(path, inside)}`,
    }
  }
  return { code: 'E101', message: `there is no file ${shownPath(shown)}`, hint: hintFor(path) }
}

/** Of a path that is named like a P program, where those are. */
function usualFor(path: string): string {
  return /\.p(?:proj)?$/.test(path) ? 'name a .p file, a folder of them, or a .pproj file' : usual
}

const usual = 'check files are named *.check.ts; allways list shows those below this folder'

function hintFor(path: string): string {
  const folder = dirname(path)
  if (atPath(folder).kind !== 'folder') return `there is no directory ${shownPath(displayPath(folder))} either`
  const name = basename(path)
  const names = namesIn(folder)
  // `allways check counter` for counter.check.ts is no slip of the finger, but as easily understood.
  const near = names.find((candidate) => candidate.startsWith(`${name}.`)) ?? nearestName(name, names)
  if (near !== undefined) return `did you mean ${displayPath(join(folder, near))}?`
  const checks = names.filter((candidate) => checkFile.test(candidate))
  return checks.length === 0 ? usual : `there is ${listed(folder, checks)}`
}

function listed(folder: string, names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => displayPath(join(folder, name)))
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
