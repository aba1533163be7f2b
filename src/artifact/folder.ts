/**
 * Makes a folder with those above it. `mkdirSync` with `recursive` never returns where a folder that exists refuses a new
 * entry with "no such file or directory", as `/proc` does: it makes the parent, which is there, and tries again.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Throws what the file system throws. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(path)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
    if (code !== 'ENOENT' || parent === path || statSync(parent, { throwIfNoEntry: false }) !== undefined) throw error
    makeFolder(parent)
    mkdirSync(path)
  }
}
