/**
 * How long the command takes to end when it is interrupted, or when its time is over, in each part of its work. The computer's own
 * share is measured beside it: a process that does nothing but wait for the interrupt. Where others use the computer, what counts is
 * how long the command's own thread was at work until it ended (Linux tells).
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execPath, kill } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { type Phase, phasesIn } from './phases.ts'

export interface MeasureOptions {
  readonly root: string
  /** Interrupts of each phase, and as many budgets. */
  readonly moments: number
  /** Only phases whose name contains it. */
  readonly only?: string | undefined
}

interface Measured {
  readonly name: string
  /** Milliseconds from the interrupt, or from the end of the time, to the end of the process. */
  readonly latencies: readonly number[]
  /** Milliseconds of these that its thread was at work, where the system tells. */
  readonly atWork: readonly number[]
  /** Exit codes and signals, with how often. */
  readonly ends: ReadonlyMap<string, number>
}

export interface InterruptTally {
  readonly phases: number
  readonly worst: number
  readonly rows: readonly Measured[]
}

/** Longer than this nobody waits to see how long it would take by itself. */
const longest = 4_000
const hung = 60_000

/** A tally after every row; nothing is wrong by itself, since a computer may be slow. */
export async function* measureInterrupts(options: MeasureOptions): AsyncGenerator<InterruptTally, undefined> {
  const { root, only = '' } = options
  const folder = mkdtempSync(join(tmpdir(), 'allways-interrupts-'))
  const places = { fixtures: join(root, 'test/interrupts/fixtures'), corpus: join(root, 'corpus'), folder }
  const command = join(root, 'bin/allways.mjs')
  const rows: Measured[] = []
  const tally = (row: Measured): InterruptTally => {
    rows.push(row)
    return { phases: rows.length, worst: Math.round(Math.max(...row.atWork, 0)), rows: [...rows] }
  }
  try {
    yield tally(await waiting(options.moments))
    for (const phase of phasesIn(places)) {
      if (!phase.name.includes(only)) continue
      if (phase.before !== undefined) spawnSync(execPath, [command, ...phase.before], { cwd: folder })
      const argv = [command, ...expanded(phase)]
      const length = await lengthOf(phase, argv, folder)
      const moments = Array.from({ length: options.moments }, (_, at) => (length * (at + 0.5)) / options.moments)
      yield tally(
        await measured(`${phase.name}: interrupt`, moments, (at) => interrupted(phase.tells, argv, at, folder)),
      )
      if (phase.hasTime === false) continue
      yield tally(await measured(`${phase.name}: time`, moments, (at) => timed(phase, argv, at, folder)))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return undefined
}

interface Ended {
  readonly end: string
  readonly latency: number
  readonly atWork: number | undefined
}

/** A name with a star stands for the files there are. */
function expanded({ argv }: Phase): readonly string[] {
  return argv.flatMap((word) => {
    if (!word.includes('*')) return [word]
    const [beginning = '', ending = ''] = basename(word).split('*')
    return readdirSync(dirname(word))
      .filter((name) => name.startsWith(beginning) && name.endsWith(ending))
      .map((name) => join(dirname(word), name))
  })
}

async function measured(
  name: string,
  moments: readonly number[],
  once: (at: number) => Promise<Ended | undefined>,
): Promise<Measured> {
  const [latencies, atWork]: [number[], number[]] = [[], []]
  const ends = new Map<string, number>()
  for (const at of moments) {
    const ended = await once(at)
    const end = ended?.end ?? 'by itself'
    ends.set(end, (ends.get(end) ?? 0) + 1)
    if (ended !== undefined) latencies.push(ended.latency)
    if (ended?.atWork !== undefined) atWork.push(ended.atWork)
  }
  return { name, latencies, atWork, ends }
}

/** The computer's own share. */
function waiting(moments: number): Promise<Measured> {
  const code =
    "process.once('SIGINT', () => process.exit(3)); setInterval(() => {}, 1000); process.stderr.write('begun\\n')"
  const all = Array.from({ length: moments }, () => 50)
  return measured('(waiting for an interrupt)', all, (at) => interrupted(1, ['-e', code], at, tmpdir()))
}

/** As it is by itself, from when it has loaded what it was given. */
async function lengthOf({ tells }: Phase, argv: readonly string[], folder: string): Promise<number> {
  const child = started(argv, folder)
  const ended = ending(child)
  const begun = await Promise.race([beginning(child, tells), ended.then(() => performance.now())])
  const isOver = await Promise.race([ended.then(() => true), delay(longest, false)])
  const length = performance.now() - begun
  if (!isOver) child.kill('SIGKILL')
  await ended
  return Math.min(longest, length)
}

/** Undefined if it ended before. */
async function interrupted(
  tells: number,
  argv: readonly string[],
  at: number,
  folder: string,
): Promise<Ended | undefined> {
  const child = started(argv, folder)
  const ended = ending(child)
  await Promise.race([beginning(child, tells), ended])
  if (await Promise.race([ended.then(() => true), delay(at, false)])) return undefined
  const sentAt = performance.now()
  const working = workOf(child)
  // As a terminal does it: to the command and to all that it has started.
  kill(-(child.pid as number), 'SIGINT')
  const end = await ended
  return { end, latency: performance.now() - sentAt, atWork: working() }
}

/** How much of the time its thread is at work from now on until it is asked; undefined where the system does not tell. */
function workOf({ pid }: ChildProcess): () => number | undefined {
  const now = (): number | undefined => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    } catch {
      return undefined
    }
  }
  const before = now()
  let last = before
  // A process that has ended tells nothing any more.
  const looking = setInterval(() => {
    last = now() ?? last
  }, 1)
  return () => {
    clearInterval(looking)
    return before === undefined || last === undefined ? undefined : last - before
  }
}

async function timed(
  { tells }: Phase,
  argv: readonly string[],
  at: number,
  folder: string,
): Promise<Ended | undefined> {
  const budget = Math.max(100, Math.round(at))
  // A budget begins when the program is loaded, which only some of them say: others are loaded once more to see how long it takes.
  const [command = '', , file = ''] = argv
  const loading = tells === 0 ? await timeOf([command, 'list', file], folder) : 0
  const child = started([...argv, '--time', `${budget}ms`], folder)
  const ended = ending(child)
  const begun = await Promise.race([beginning(child, tells), ended.then(() => performance.now())])
  const isOver = await Promise.race([
    ended.then(() => true),
    delay(begun + budget + loading - performance.now(), false),
  ])
  const working = workOf(child)
  const end = await ended
  const [latency, atWork] = [performance.now() - begun - budget - loading, working()]
  return isOver ? undefined : { end, latency, atWork }
}

async function timeOf(argv: readonly string[], folder: string): Promise<number> {
  const startedAt = performance.now()
  await ending(started(argv, folder))
  return performance.now() - startedAt
}

function started(argv: readonly string[], cwd: string): ChildProcess {
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  return spawn(execPath, argv, { cwd, detached: true, stdio: [...stdio], timeout: hung, killSignal: 'SIGKILL' })
}

/** When what is loaded, or explored, has said so as often as it does. */
function beginning(child: ChildProcess, tells: number): Promise<number> {
  return new Promise((done) => {
    let left = tells
    const count = (words: number): void => {
      left -= words
      if (left <= 0) done(performance.now())
    }
    count(0)
    child.stderr?.on('data', (text: Buffer) => count(text.toString().split('begun').length - 1))
  })
}

function ending(child: ChildProcess): Promise<string> {
  return new Promise((done) => child.on('close', (status, signal) => done(signal ?? `exit ${status}`)))
}

export function interruptTable({ rows }: InterruptTally): string {
  const cells = rows.map(({ name, latencies, atWork, ends }) => {
    const ended = [...ends].map(([end, count]) => `${count} × ${end}`).join(', ')
    const count = String(latencies.length).padStart(3)
    return `${name.padEnd(36)} ${count} ${middleAndWorst(atWork)} ${middleAndWorst(latencies)}  ${ended}`
  })
  const heading = `${'phase; ms at work, ms in all'.padEnd(36)}   n median  worst median  worst  ended`
  return [heading, ...cells].join('\n')
}

function middleAndWorst(values: readonly number[]): string {
  const sorted = values.toSorted((left, right) => left - right)
  const shown = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(0)).padStart(6)
  return `${shown(sorted[Math.floor(sorted.length / 2)])} ${shown(sorted.at(-1))}`
}
