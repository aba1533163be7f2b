/**
 * Rounds of a running system that has more states than they have time for: each is over by its time, and how much later is told. What
 * counts is how long this process is at work, because others use the computer as well.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { getHeapStatistics } from 'node:v8'
import { hostWith } from '../../src/check/host.ts'
import { loadPrograms } from '../../src/check/load.ts'
import { liveState } from '../../src/check/online/live-state.ts'
import { runRound } from '../../src/check/online/round.ts'
import { AttachedSource } from '../../src/check/online/source.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import type { Program } from '../../src/program/program.ts'
import { parseAddress } from '../../src/runtime/address.ts'

export interface RoundsTally {
  rounds: number
  /** Those that their time ended: others say nothing about it. */
  cut: number
  /** Milliseconds at work in one of those. */
  median: number
  worst: number
}

export interface RoundsOptions {
  readonly root: string
  /** Rounds. */
  readonly programs: number
}

const milliseconds = 500
const most = milliseconds * 1.2

const host = {
  ...hostWith(() => getHeapStatistics().used_heap_size),
  now: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
}

/** A tally after every round; something is wrong if one took more than a fifth longer than it has. */
export async function* soakRounds({ root, programs }: RoundsOptions): AsyncGenerator<RoundsTally, string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'allways-rounds-'))
  const key = randomBytes(32)
  writeFileSync(join(folder, 'key'), key, { mode: 0o600 })
  const file = join(root, 'test/online/fixtures/campaigns.check.ts')
  const program = orThrow(await loadPrograms(file)).programs[0]?.program as Program
  const argv = ['run', file, '--all', '--control', '127.0.0.1:0', '--key-file', join(folder, 'key')]
  const running = spawn(execPath, [join(root, 'bin/allways.mjs'), ...argv], { stdio: ['ignore', 'ignore', 'pipe'] })
  const control = orThrow(parseAddress(await controlOf(running), 'control'))
  const source = new AttachedSource(program.name, [control], key)
  const times: number[] = []
  try {
    for (let rounds = 1; rounds <= programs; rounds++) {
      const { snapshot, shown } = orThrow(await source.take(new AbortController().signal))
      const live = orThrow(liveState(program, snapshot, { shown, isLive: true }))
      const before = host.now()
      const { raced } = orThrow(await runRound(live, { milliseconds, host }))
      if (raced.because !== 'time') return `round ${rounds} was ended by ${raced.because}, not by its time`
      times.push(Math.round(host.now() - before))
      times.sort((left, right) => left - right)
      yield { rounds, cut: times.length, median: times[times.length >> 1] as number, worst: times.at(-1) as number }
    }
    return (times.at(-1) as number) > most ? `a round of ${milliseconds} ms took ${times.at(-1)} ms` : undefined
  } finally {
    source.close()
    running.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As it is told once the machines run. */
function controlOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise((found) => {
    let told = ''
    stderr?.on('data', (text: Buffer) => {
      told += text.toString()
      const [, control] = /control is at (\S+)/.exec(told) ?? []
      if (control !== undefined) found(control)
    })
  })
}
