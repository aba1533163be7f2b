/**
 * Compares dpor with its oracles on as many generated programs as asked for, longer than a test may take.
 *
 *   npm run soak -- --programs 100000 --seed 7
 *
 * Progress goes to stderr. Ends with 1 at the first disagreement, with the smallest program that shows it on stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { argv, stderr, stdout } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const { values } = parseArgs({
  args: argv.slice(2),
  options: { programs: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})

const folder = mkdtempSync(join(tmpdir(), 'allways-soak-'))
try {
  process.exitCode = await main(await loadSoak())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function loadSoak() {
  const outfile = join(folder, 'soak.mjs')
  const entry = fileURLToPath(new URL('../test/agreement/soak.ts', import.meta.url))
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' })
  return (await import(pathToFileURL(outfile).href)).soak
}

async function main(soak) {
  const started = performance.now()
  const search = soak({ programs: Number(values.programs), seed: Number(values.seed) })
  let shown = 0
  let step = search.next()
  for (let last = step.value; !step.done; step = search.next()) {
    last = step.value
    const seconds = Math.floor((performance.now() - started) / 1000)
    if (seconds < shown + 5) continue
    shown = seconds
    stderr.write(`${seconds} s: ${describe(last)}\n`)
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  stderr.write(`${values.programs} programs asked for, seed ${values.seed}, ${seconds} s\n`)
  if (step.value === undefined) {
    stdout.write('no disagreement\n')
    return 0
  }
  stdout.write(`${step.value}\n`)
  return 1
}

function describe({ programs, compared, dropped, executions }) {
  return `${programs} programs, ${compared} comparisons, ${dropped} left out as too large, ${executions} executions`
}
