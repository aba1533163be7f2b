/** Measures in fresh processes, so that neither heap nor compiled code of one helps or hurts another. */
import { spawnSync } from 'node:child_process'
import { measures } from './measures.ts'

const prefix = '--measure='

type Measures = typeof measures
type Answer<Name extends keyof Measures> = ReturnType<Measures[Name]>

/** In a process of its own, of the same program. */
export function measured<Name extends keyof Measures>(name: Name, ...args: Parameters<Measures[Name]>): Answer<Name> {
  const program = process.argv[1] as string
  const request = `${prefix}${JSON.stringify([name, ...args])}`
  const ran = spawnSync(process.execPath, ['--expose-gc', program, request], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  })
  if (ran.status !== 0) throw new Error(`${name} failed`)
  return JSON.parse(ran.stdout)
}

/** Answers if this process was started to measure. */
export function answered(): boolean {
  const request = process.argv.find((word) => word.startsWith(prefix))
  if (request === undefined) return false
  const [name, ...args] = JSON.parse(request.slice(prefix.length)) as [keyof Measures, ...unknown[]]
  const measure = measures[name] as (...args: readonly unknown[]) => unknown
  process.stdout.write(JSON.stringify(measure(...args)))
  return true
}
