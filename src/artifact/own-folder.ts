/**
 * `.allways`, in which files are made without being asked for by name. A link in its place, or below it, may have come with the
 * sources or from another user: it is followed only if it is the user's and stays in the folder that `.allways` lies in.
 */
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { getuid } from 'node:process'

const ownName = '.allways'

/** Throws an error like those of the file system if writing a file at this path would follow another link. */
export function refuseLinks(path: string): void {
  const parts = resolve(dirname(path)).split(sep)
  const own = parts.lastIndexOf(ownName)
  if (own < 0) return
  const home = parts.slice(0, own).join(sep) || sep
  for (let end = own + 1; end <= parts.length; end++) {
    const folder = parts.slice(0, end).join(sep)
    const found = lstatSync(folder, { throwIfNoEntry: false })
    if (found === undefined) return
    if (!found.isSymbolicLink()) continue
    const shown = join(ownName, ...parts.slice(own + 1, end))
    if (isOthers(found.uid)) throw new LinkedFolderError(`${shown} is a link of another user`, folder)
    if (!isInside(home, folder)) throw new LinkedFolderError(`${shown} is a link that leads out of its folder`, folder)
  }
}

/** What the system's administrator made is as good as one's own. */
function isOthers(owner: number): boolean {
  return owner !== 0 && getuid !== undefined && owner !== getuid()
}

/** A link to nothing leads nowhere inside. */
function isInside(home: string, link: string): boolean {
  try {
    const way = relative(realpathSync(home), realpathSync(link))
    return !isAbsolute(way) && way.split(sep)[0] !== '..'
  } catch {
    return false
  }
}

/** With the fields by which errors of the file system are known. */
export class LinkedFolderError extends Error {
  readonly code = 'ELOOP'
  readonly syscall = 'open'
  readonly path: string
  /** In words. */
  readonly why: string

  constructor(why: string, path: string) {
    super(`ELOOP: ${why}`)
    this.why = why
    this.path = path
  }
}
