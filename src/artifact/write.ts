/**
 * Files that allways writes. Nobody sees a half-written one: it is written beside and renamed. The file beside is made new, never
 * opened, and a rename replaces a link instead of following it; so a link that somebody laid into a shared folder leads nowhere.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './folder.ts'

/** What programs send may be anybody's data. */
const ownersOnly = 0o600

/** Makes the folders above. Throws what the file system throws. */
export function writeWhole(path: string, text: string, { flush = noFlush, mode = ownersOnly } = {}): void {
  makeFolder(dirname(path))
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = openSync(unfinished, 'wx', mode)
    try {
      // `writeSync` may write the first half and not complain, on a disk that is almost full.
      writeFileSync(file, text)
      flush(file)
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

function noFlush(_file: number): void {}
