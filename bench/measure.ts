/** What every benchmark needs: a search driven to its end, and what it cost in CPU time and memory. */

import { settingFrom } from '../src/core/setting.ts'
import { dpor } from '../src/engines/dpor/dpor.ts'
import type { Options } from '../src/engines/engine.ts'
import type { NetworkName, Params, Program } from '../src/index.ts'
import type { Runnable } from '../src/program/program.ts'

export interface Measured {
  readonly executions: number
  readonly blocked: number
  readonly violations: number
  readonly cpuSeconds: number
}

const setting: Options = { seed: 1, schedule: 'sends-first', eager: false, samples: 0, depth: 0 }

export function subjectOf(program: Program, params: Params, network: NetworkName): Runnable {
  const view = program.views.runnable
  if (view === undefined) throw new Error(`${program.name} has no runnable view`)
  return view(settingFrom({ params: { ...program.params, ...params }, network, faults: program.faults ?? {} }))
}

/** Explores everything, or until a violation or the given number of executions. */
export function search(
  program: Program,
  params: Params,
  network: NetworkName,
  options: { readonly eager?: boolean; readonly untilViolation?: boolean; readonly most?: number } = {},
): Measured {
  const subject = subjectOf(program, params, network)
  let [executions, blocked, violations] = [0, 0, 0]
  const before = process.cpuUsage()
  for (const event of dpor.explore(subject, { ...setting, eager: options.eager ?? false })) {
    if (event.kind === 'execution') event.blocked ? blocked++ : executions++
    if (event.kind === 'violation') violations++
    if (event.kind === 'diagnostic') throw new Error(`${program.name}: ${event.diagnostic.message}`)
    if (options.untilViolation === true && violations > 0) break
    if (options.most !== undefined && executions + blocked >= options.most) break
  }
  return { executions, blocked, violations, cpuSeconds: secondsSince(before) }
}

export function secondsSince(before: NodeJS.CpuUsage): number {
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1e6
}

/** The cheapest of several runs: what the work costs when nothing else disturbs it. */
export function best<T>(times: number, run: () => T, cost: (result: T) => number): T {
  let found = run()
  for (let again = 1; again < times; again++) {
    const next = run()
    if (cost(next) < cost(found)) found = next
  }
  return found
}

/** Rows as aligned text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return [line(head), ...rows.map(line)].join('\n')
}

export function thousands(count: number): string {
  return Math.round(count).toLocaleString('en')
}
