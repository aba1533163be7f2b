/** `worker`: explores parts of searches that others submit, until Ctrl-C. */
import { availableParallelism } from 'node:os'
import { serveRuns } from '../../check/cluster/worker.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import { redisUrl } from '../../distribute/redis/url.ts'
import { counted } from '../../reports/count-words.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { workersFlag } from '../flags.ts'
import { interruptsOf } from '../interrupts.ts'
import type { Io } from '../io.ts'
import { keyIn } from '../key-file.ts'
import { printDiagnostics, printWarnings, refuse } from '../print.ts'
import type { TypedWorkerFlags } from '../worker-arguments.ts'

export async function worker(typed: TypedWorkerFlags, io: Io): Promise<ExitCode> {
  const { quiet, color, ascii } = typed
  const flags = { ...(color === undefined ? {} : { color }), ...(ascii === undefined ? {} : { ascii }) }
  const url = redisUrl(typed.redis ?? '', '--redis')
  const workers = workersFlag(typed.workers)
  const key = url.ok && workers.ok ? keyIn(typed.keyFile, io.cwd) : undefined
  if (!url.ok || !workers.ok || key?.ok !== true)
    return refuse(
      [url, workers, key].flatMap((one) => (one === undefined || one.ok ? [] : one.diagnostics)),
      io,
      flags,
    )
  printWarnings(key.value.warnings, io, flags)
  const many = workers.value === 'auto' ? availableParallelism() : (workers.value ?? 1)
  const interrupts = interruptsOf(io)
  interrupts.listen()
  const say = (text: string): void => {
    if (quiet !== true) io.stderr.line(` ${text}`)
  }
  const served = await serveRuns({
    url: url.value,
    key: key.value.bytes,
    workers: many,
    signal: interrupts.signal,
    ready: () =>
      say(`worker: ${counted(many, 'thread')} at ${url.value.shown}, until Ctrl-C; runs what is submitted there`),
    note: (told) => {
      if ('joined' in told) say(`worker: explores "${told.program}" (${told.joined})`)
      else printDiagnostics([told satisfies Diagnostic], io, flags)
    },
  })
  interrupts.release()
  return served.ok ? exitCodes.ok : refuse(served.diagnostics, io, flags)
}
