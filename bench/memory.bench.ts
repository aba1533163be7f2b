/** Peak memory must not grow with the number of executions: nworkers(9) explores 72 times more than nworkers(7). */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nworkers } from '../corpus/microbenchmarks/model.check.ts'
import { search, table, thousands } from './measure.ts'

const [n] = process.argv.slice(2).flatMap((word) => (word.startsWith('--n=') ? [Number(word.slice(4))] : []))

if (n === undefined) {
  const peaks = [7, 8, 9].map((size) => ({ size, ...peakOf(size) }))
  const first = peaks[0]?.peak ?? 1
  const rows = peaks.map(({ size, executions, peak }) => [
    `nworkers(${size})`,
    thousands(executions),
    `${(peak / 1024).toFixed(0)} MB`,
    `${(peak / first).toFixed(2)} ×`,
  ])
  console.log('\npeak resident memory of a process that explores nothing else\n')
  console.log(table(['program', 'executions', 'peak', 'ratio'], rows))
} else {
  const { executions } = search(nworkers, { n }, 'fifo')
  console.log(JSON.stringify({ executions, peak: process.resourceUsage().maxRSS }))
}

function peakOf(size: number): { readonly executions: number; readonly peak: number } {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), `--n=${size}`], { encoding: 'utf8' })
  return JSON.parse(child.stdout) as { executions: number; peak: number }
}
