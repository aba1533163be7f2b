/** The version of this package, from the one place that states it. */
import { readFileSync } from 'node:fs'

let known: string | undefined

export function version(): string {
  known ??= readVersion()
  return known
}

/** `package.json` is two folders up from this file, from `dist/cli/main.js`, and from every chunk in `dist/chunks`. */
function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
