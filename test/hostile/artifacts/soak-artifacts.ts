/**
 * Files of every format with damage in them, given to the commands that read them: `npm run soak -- --what artifacts`. Most are read
 * in a process that reads many, some by the command itself.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Line } from './batch.ts'

export { runBatch } from './batch.ts'

import { type Genuine, genuineFiles } from './genuine.ts'
import { givenInput } from './input.ts'
import { problemOf } from './judge.ts'

export interface ArtifactTally {
  programs: number
  holds: number
  violated: number
  refused: number
  incomplete: number
  typed: number
  problems: number
  slowest: number
  largest: number
}

export interface ArtifactSoak {
  readonly programs: number
  readonly seed: number
  readonly root: string
  /** This module as it was bundled: what a fresh process imports. */
  readonly bundle: string
}

const inBatch = 500
/** One in so many is given to the command itself. */
const seldom = 100
const mostMilliseconds = 5_000
const mostMegabytes = 1_000
/** By the clock, on a machine that others use as well. */
const patience = 120_000
/** A cause shows more than once. */
const mostProblems = 40

/** Yields after every input; returns what was answered badly, if anything was. */
export async function* soakArtifacts(options: ArtifactSoak): AsyncGenerator<ArtifactTally, string | undefined> {
  const soak = new Soak(options)
  try {
    await soak.prepare()
    yield* soak.run()
    return soak.problems.length === 0 ? undefined : soak.problems.join('\n\n')
  } finally {
    soak.close()
  }
}

class Soak {
  readonly problems: string[] = []
  readonly #options: ArtifactSoak
  readonly #folder = mkdtempSync(join(tmpdir(), 'allways-artifacts-'))
  readonly #tally: ArtifactTally = {
    programs: 0,
    holds: 0,
    violated: 0,
    refused: 0,
    incomplete: 0,
    typed: 0,
    problems: 0,
    slowest: 0,
    largest: 0,
  }
  #genuine: readonly Genuine[] = []

  constructor(options: ArtifactSoak) {
    this.#options = options
  }

  get #project(): string {
    return join(this.#folder, 'project')
  }

  async prepare(): Promise<void> {
    const here = process.cwd()
    mkdirSync(this.#project)
    process.chdir(this.#project)
    try {
      this.#genuine = await genuineFiles(this.#options.root, this.#project)
    } finally {
      process.chdir(here)
    }
    writeFileSync(join(this.#folder, 'genuine.json'), JSON.stringify(this.#genuine))
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async *run(): AsyncGenerator<ArtifactTally> {
    const { programs, seed } = this.#options
    const first = seed * 10_000_019
    for (let at = 0; at < programs && this.problems.length < mostProblems; ) {
      const seeds = Array.from({ length: Math.min(inBatch, programs - at) }, (_, index) => first + at + index)
      const done = await this.#batch(seeds)
      for (const one of seeds.slice(0, done)) if (one % seldom === 0) this.#typed(one)
      at += done
      this.#tally.programs = at
      yield this.#tally
    }
  }

  /** How many were answered: a process that has been given something bad is not asked again. */
  async #batch(seeds: readonly number[]): Promise<number> {
    const { lines, end } = await this.#inProcess(seeds)
    let done = 0
    for (const line of lines) {
      if ('begun' in line) continue
      done++
      this.#count(line)
      if (line.problem !== undefined) this.#report(line.done, line.problem)
      if (isExcessive(line)) {
        await this.#again(line.done)
        return done
      }
    }
    if (done === seeds.length) return done
    this.#report(seeds[done] as number, end)
    return done + 1
  }

  /** Alone: what it takes may have been taken by those before. */
  async #again(seed: number): Promise<void> {
    const { lines, end } = await this.#inProcess([seed])
    const line = lines.find((one) => 'done' in one)
    if (line === undefined) this.#report(seed, end)
    else if ('done' in line && isExcessive(line))
      this.#report(seed, `it takes ${line.milliseconds} ms and ${line.megabytes} MB`)
    else if ('done' in line) this.#measure(line)
  }

  async #inProcess(seeds: readonly number[]): Promise<{ readonly lines: readonly Line[]; readonly end: string }> {
    const batch = { project: this.#project, genuine: join(this.#folder, 'genuine.json'), seeds }
    const { bundle } = this.#options
    const code = `import(${JSON.stringify(bundle)}).then((m) => m.runBatch(${JSON.stringify(batch)})).then(() => process.exit())`
    const child = spawn(process.execPath, [`--max-old-space-size=${mostMegabytes}`, '-e', code], { cwd: this.#project })
    const lines: Line[] = []
    let [said, end] = ['', '']
    child.stderr.on('data', (piece) => {
      said = `${said}${piece}`.slice(-2_000)
    })
    const giveUp = (): void => {
      end = `it takes more than ${patience / 1000} s`
      child.kill('SIGKILL')
    }
    let timer = setTimeout(giveUp, patience)
    const reader = createInterface({ input: child.stdout })
    reader.on('line', (text) => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, patience)
      lines.push(JSON.parse(text) as Line)
    })
    const [status, signal] = await new Promise<readonly unknown[]>((resolve) => {
      child.on('close', (...how) => resolve(how))
    })
    clearTimeout(timer)
    return { lines, end: end === '' ? `the process ends with ${status ?? signal}: ${said}` : end }
  }

  #typed(seed: number): void {
    const input = givenInput(seed, this.#genuine, this.#project)
    if (input.argv.some((word) => word.includes('\u0000'))) return
    const command = [
      `--max-old-space-size=${mostMegabytes}`,
      join(this.#options.root, 'bin', 'allways.mjs'),
      ...input.argv,
    ]
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, command, {
      cwd: this.#project,
      encoding: 'utf8',
      timeout: patience,
      maxBuffer: 1e9,
      input: '',
    })
    this.#tally.typed++
    const problem = problemOf(input, { code: status ?? `ended by ${signal}`, stdout, stderr })
    if (problem !== undefined) this.#report(seed, `typed: ${problem}`)
  }

  #count(line: Extract<Line, { readonly done: number }>): void {
    const name = (['holds', 'violated', 'refused', 'incomplete'] as const)[Number(line.code)]
    if (name !== undefined) this.#tally[name]++
    if (!isExcessive(line)) this.#measure(line)
  }

  #measure({ milliseconds, megabytes }: Extract<Line, { readonly done: number }>): void {
    this.#tally.slowest = Math.max(this.#tally.slowest, milliseconds)
    this.#tally.largest = Math.max(this.#tally.largest, megabytes)
  }

  /** The file is kept, to be looked at. */
  #report(seed: number, problem: string): void {
    const { argv, words, genuine, text: content } = givenInput(seed, this.#genuine, this.#project)
    const kept = join(this.#options.root, '.allways', 'soak', `${seed}`)
    if (content !== undefined) cpSync(join(this.#project, 'given'), kept, { recursive: true })
    this.#tally.problems++
    const text = `seed ${seed}: ${genuine.name}, ${words}\n  ${argv.join(' ')}\n  ${problem}${content === undefined ? '' : `\n  kept in ${kept}`}`
    this.problems.push(text)
    process.stderr.write(`${text}\n`)
  }
}

function isExcessive({ milliseconds, megabytes }: Extract<Line, { readonly done: number }>): boolean {
  return milliseconds > mostMilliseconds || megabytes > mostMegabytes
}
