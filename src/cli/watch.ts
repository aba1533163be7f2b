/** Runs something again whenever one of the files it depends on changes. */
import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Polled, because editors replace files in ways that watching a file misses. */
const pollMilliseconds = 100

export interface Watching {
  /** Files that are known before the first run. */
  readonly files: readonly string[]
  readonly signal: AbortSignal
  readonly onWait: () => void
}

/** Until the signal; what the last run returned. `run` says which files it depends on, in absolute paths. */
export async function rerun<T extends { readonly sources: readonly string[] }>(
  run: () => Promise<T>,
  { files, signal, onWait }: Watching,
): Promise<T> {
  let known = files
  for (;;) {
    const startedAt = Date.now()
    const before = new Map(known.map((path) => [path, stampOf(path)]))
    const ran = await run()
    if (signal.aborted) return ran
    // A file that does not load names none of what it imports: what earlier runs named still counts.
    known = [...new Set([...known, ...ran.sources])]
    const stamps = new Map(known.map((path) => [path, before.get(path) ?? stampSince(path, startedAt)]))
    onWait()
    if (!(await isChanged(stamps, signal))) return ran
  }
}

/** Compared with what was there before the run, so that a change during the run counts. */
async function isChanged(stamps: ReadonlyMap<string, string | undefined>, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    for (const [path, stamp] of stamps) {
      const now = stampOf(path)
      if (now !== undefined && now !== stamp) return true
    }
    await delay(pollMilliseconds, undefined, { signal }).catch(() => undefined)
  }
  return false
}

function stampSince(path: string, since: number): string | undefined {
  const stats = statsOf(path)
  return stats !== undefined && stats.mtimeMs > since ? undefined : stampOf(path)
}

/** Undefined while there is no such file, as in the middle of being replaced. */
function stampOf(path: string): string | undefined {
  const stats = statsOf(path)
  return stats === undefined ? undefined : `${stats.mtimeMs} ${stats.size} ${stats.ino}`
}

/** What cannot be looked at is not there. */
function statsOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
