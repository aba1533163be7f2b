#!/usr/bin/env node
// In a clone the command always runs the sources beside it; in an installed package there are none, only `dist/`.
import { existsSync } from 'node:fs'

/** The exit status for a mistake of ours; 1 would say that a program was found to be wrong. */
const INTERNAL_ERROR = 70

const builder = new URL('../scripts/build.mjs', import.meta.url)
const inClone = existsSync(new URL('../src/', import.meta.url)) && existsSync(builder)

try {
  if (inClone) await (await import(builder.href)).ensureBuilt()
  const { command } = await import('../dist/cli/main.js')
  await command(process.argv.slice(2))
} catch (error) {
  console.error(error)
  process.exitCode = INTERNAL_ERROR
}
