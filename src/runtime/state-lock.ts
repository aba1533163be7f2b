/**
 * One process at a time runs a machine over its saved state: two would each keep promises that the other one breaks. The lock is
 * a file that names its process; one whose process has ended is taken over.
 */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { atPath, namedText } from '../artifact/named-file.ts'
import { orThrow } from '../core/diagnostic.ts'

/** Locks that this process holds: its number alone does not tell them from those of an earlier process with the same number. */
const held = new Set<string>()

export interface StateLock {
  /** The process that left it behind, if one did. */
  readonly takenOver: number | undefined
  release(): void
}

const lockFile = { what: 'lock', longest: 1_000, hint: 'remove it, if no process runs the machine' }

/** The text says who has it. Throws what the file system throws, and a diagnostic if there is something else in its place. */
export function lockedState(path: string): StateLock | string {
  const holder = holderOf(path)
  if (holder !== undefined && isAlive(path, holder)) {
    const where = holder.host === hostname() ? '' : ` on ${holder.host}`
    return `process ${holder.pid}${where}`
  }
  if (holder !== undefined) rmSync(path, { force: true })
  try {
    const file = openSync(path, 'wx', 0o600)
    writeFileSync(file, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`)
    closeSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'another process'
    throw error
  }
  held.add(path)
  return {
    takenOver: holder?.pid,
    release: () => {
      if (held.delete(path)) rmSync(path, { force: true })
    },
  }
}

interface Holder {
  readonly pid: number
  readonly host: string
}

/** What is not written completely was left by a process that ended while it wrote. */
function holderOf(path: string): Holder | undefined {
  if (atPath(path).kind === 'nothing') return undefined
  const text = orThrow(namedText(path, lockFile, path))
  const [, pid = '0', host = hostname()] = /^\{"pid":(\d+),"host":"(.*)"\}/.exec(text) ?? []
  return { pid: Number(pid), host }
}

/** A process elsewhere cannot be asked, and counts as alive. */
function isAlive(path: string, { pid, host }: Holder): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid) return held.has(path)
  try {
    // No signal: only whether there is somebody to be sent one; 0 would be all processes of the group.
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
