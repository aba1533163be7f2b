/**
 * Files that allways writes. Nobody sees a half-written one: it is written beside and renamed. The file beside is made new, never
 * opened, and a rename replaces a link instead of following it; so a link that somebody laid into a shared folder leads nowhere.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './folder.ts'
import { refuseLinks } from './own-folder.ts'

/** What programs send may be anybody's data. */
const ownersOnly = 0o600

/** Makes the folders above. Throws what the file system throws. */
export function writeWhole(path: string, text: string, { flush = noFlush, mode = ownersOnly } = {}): void {
  writeBeside(path, text, { flush, mode, give: (unfinished) => renameSync(unfinished, path) })
}

/** False if there is a file already: of several processes that make it at once, one does, and the others find it whole. */
export function writeNew(path: string, text: string): boolean {
  const give = (unfinished: string): void => {
    linkSync(unfinished, path)
    rmSync(unfinished, { force: true })
  }
  try {
    writeBeside(path, text, { flush: noFlush, mode: ownersOnly, give })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

interface Beside {
  readonly mode: number
  flush(file: number): void
  /** From the name of the finished file beside to the name that it shall have. */
  give(unfinished: string): void
}

function writeBeside(path: string, text: string, { flush, mode, give }: Beside): void {
  refuseLinks(path)
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
    give(unfinished)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** To add to a file that is there, or to a new one; not through a link either. Throws an error that says why not. */
export function openToAppend(path: string): number {
  // Looked at before it is opened, which alone may make a device do something; and after, since it may have been exchanged.
  refuseOthers(lstatSync(path, { throwIfNoEntry: false }))
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, ownersOnly)
  try {
    refuseOthers(fstatSync(file))
  } catch (error) {
    closeSync(file)
    throw error
  }
  return file
}

function refuseOthers(found: Stats | undefined): void {
  if (found?.isSymbolicLink() === true) throw new Error('it is a link, and what it leads to is not written')
  if (found?.isFile() === false) throw new Error('it is not a regular file')
}

function noFlush(_file: number): void {}
