/** A process of its own for some inputs: whatever they do to it, the next one is fresh. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { ran } from './command.ts'
import type { Genuine } from './genuine.ts'
import { givenInput } from './input.ts'
import { problemOf } from './judge.ts'

export interface Batch {
  readonly project: string
  /** A file with all genuine ones. */
  readonly genuine: string
  readonly seeds: readonly number[]
}

/** What is told about one input, as a line of JSON: that it begins, and how it ended. */
export type Line =
  | { readonly begun: number }
  | {
      readonly done: number
      readonly code: number | string
      readonly problem?: string | undefined
      /** Of the processor. */
      readonly milliseconds: number
      /** At most, since the process began. */
      readonly megabytes: number
    }

export async function runBatch({ project, genuine: file, seeds }: Batch): Promise<void> {
  process.chdir(project)
  const genuine = JSON.parse(readFileSync(file, 'utf8')) as readonly Genuine[]
  for (const seed of seeds) {
    tell({ begun: seed })
    const input = givenInput(seed, genuine, project)
    const before = process.cpuUsage()
    const answer = await ran(input.argv, project)
    const { user, system } = process.cpuUsage(before)
    tell({
      done: seed,
      code: answer.code,
      problem: problemOf(input, answer),
      milliseconds: Math.round((user + system) / 1000),
      megabytes: Math.round(process.resourceUsage().maxRSS / 1000),
    })
  }
}

function tell(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
