/** Parts of allways that are made for one platform, and may be missing: an installation that was copied, or made without them. */
import process from 'node:process'
import type { Diagnostic } from '../core/diagnostic.ts'

/** What allways imports that has a binary beside it. */
const parts = ['esbuild', 'oxc-parser'] as const

/** As these packages say it, and as Node does. */
const complaints: readonly RegExp[] = [
  /Cannot find native binding|Failed to load native binding/,
  /The package "@esbuild\/[^"]+" could not be found|You installed esbuild (?:on|for) another platform/,
  /esbuild: Failed to install|Host version "[^"]*" does not match binary version/,
]
const codes: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']

/** Nothing if the error is another one. */
export function missingPart(error: unknown): Diagnostic | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  const isNamed = new RegExp(`\\b(?:${parts.join('|')})\\b`).test(error.message)
  if (!complaints.some((one) => one.test(error.message)) && !(codes.includes(code) && isNamed)) return undefined
  const part = parts.find((name) => `${error.message}\n${error.stack}`.includes(name)) ?? 'a package'
  return {
    code: 'E112',
    message: `${part} is not installed for this platform, which is ${process.platform}-${process.arch}`,
    hint: 'remove node_modules and run npm install here, without --omit=optional; do not copy node_modules from elsewhere',
  }
}
