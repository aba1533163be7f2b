/** The code of all threads: Node runs no TypeScript, so from the sources, too, they run what was built. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownFolder } from './source-places.ts'

export function threadFile(): string {
  const own = ownFolder()
  const file = join(dirname(own), 'dist', 'check', 'worker.js')
  return existsSync(file) ? file : join(own, 'check', 'worker.js')
}
