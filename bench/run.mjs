/**
 * Runs benchmarks: `npm run bench` for all, `npm run bench -- speed memory` for some. Each is bundled with the sources as they
 * are and run in a fresh process, so that one's heap and compiled code do not help or hurt the next.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const names = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const options = process.argv.slice(2).filter((word) => word.startsWith('-'))
const chosen =
  names.length > 0
    ? names
    : [
        'speed',
        'scale',
        'sharing',
        'shards',
        'memory',
        'chain',
        'objects',
        'histories',
        'prove',
        'local',
        'systems',
        'rules',
        'p',
        'bdd',
        'symbolic',
        'jobs',
      ]
// Where the packages that are not bundled can be found.
const packages = join(here, '../node_modules')
const target = mkdtempSync(join(packages, '.allways-bench-'))
let status = 0
try {
  await build({
    entryPoints: chosen.map((name) => join(here, `${name}.bench.ts`)),
    outdir: target,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias: { allways: join(here, '../src/index.ts') },
    external: ['@jridgewell/trace-mapping', 'bullmq', 'esbuild', 'ioredis', 'magic-string', 'oxc-parser'],
    logLevel: 'warning',
  })
  for (const name of chosen) {
    const ran = spawnSync(process.execPath, [join(target, `${name}.bench.mjs`), ...options], { stdio: 'inherit' })
    status = Math.max(status, ran.status ?? 1)
  }
} finally {
  rmSync(target, { recursive: true, force: true })
}
process.exitCode = status
