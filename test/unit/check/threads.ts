/** Checks by several threads, of which the first explores little before the others have begun. */
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach } from 'vitest'
import type { FromMember } from '../../../src/check/crew-messages.ts'
import type { Threads } from '../../../src/check/drive.ts'
import { realHost } from '../../../src/check/host.ts'
import { loadPrograms } from '../../../src/check/load.ts'
import { type CheckOptions, checkRequest } from '../../../src/check/request.ts'
import { type RunOptions, runCheck } from '../../../src/check/run.ts'
import { orThrow } from '../../../src/core/diagnostic.ts'
import type { Verdict } from '../../../src/core/verdict.ts'
import { corpusFolder } from '../../corpus/answers.ts'

const path = join(corpusFolder, 'microbenchmarks', 'model.check.ts')

/** What threads have said since a test began. */
export let told: FromMember[] = []
let isHeard: () => void = () => undefined

function listen(thread: Worker): void {
  const ofTest = told
  // A thread of an earlier test may end late.
  const heard = (): void => {
    if (told === ofTest) isHeard()
  }
  thread.on('message', (message: FromMember) => {
    ofTest.push(message)
    heard()
  })
  thread.on('exit', heard)
}

/** For each test of a file. */
export function listenToThreads(): void {
  beforeEach(() => {
    told = []
    process.on('worker', listen)
  })

  afterEach(() => {
    process.off('worker', listen)
  })
}

/** This thread explores little before the first of the others has said something, or is over. */
function waitingHost(): RunOptions['host'] {
  const heard = new Promise<void>((resolve) => {
    isHeard = resolve
  })
  let isFirst = true
  const pause = async (): Promise<void> => {
    await realHost.pause()
    // They are started after the first slice.
    if (isFirst) isFirst = false
    else await heard
  }
  return { ...realHost, pause }
}

interface Asked {
  readonly name: string
  readonly options: CheckOptions
  readonly change?: Partial<Threads>
  readonly file?: string
}

export async function checked({ name, options, change, file = path }: Asked, resume?: RunOptions['resume']) {
  const { programs, digest } = orThrow(await loadPrograms(file))
  const found = programs.find(({ program }) => program.name === name)
  if (found === undefined) throw new Error(`there is no program "${name}"`)
  const { program, exportName } = found
  const named = { program: { name, origin: undefined }, exportName, legacy: false }
  const threads: Threads = { path: file, ...named, digest, options, after: 0, ...change }
  const request = orThrow(checkRequest(program, options))
  return orThrow(await runCheck(request, { threads, resume, host: request.workers === 1 ? realHost : waitingHost() }))
}

/** Where allways itself was called from differs. */
export function withoutStacks(verdict: Verdict): unknown {
  return JSON.parse(JSON.stringify(verdict, (name, value: unknown) => (name === 'stack' ? undefined : value)))
}
