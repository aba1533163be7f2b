/** The command line: parse, load only the command that was asked for, and turn whatever happens into an exit code. */
import { type Strays, watchStrays } from '../check/strays.ts'
import { parseArguments } from './arguments.ts'
import { exitCodes } from './exit-codes.ts'
import { allWritten, type Host, type Io, ioOf, realHost } from './io.ts'
import { optimiseLate } from './late-optimising.ts'

/** The command as a process, which ends when the command has ended, whatever code of the files has left behind. */
export async function command(argv: readonly string[]): Promise<never> {
  const { exit } = process
  optimiseLate()
  const strays = watchStrays('process')
  const found = await told(argv, ioOf(realHost()), strays)
  const status = (await allWritten()) || found !== exitCodes.ok ? found : exitCodes.mistake
  strays.release()
  for (const listener of process.listeners('exit')) {
    try {
      listener.call(process, status)
    } catch {
      // Everything has been told, and the status is that of the checks.
    }
  }
  process.removeAllListeners('exit')
  return exit(status)
}

export async function main(argv: readonly string[], host: Host = realHost()): Promise<number> {
  const strays = watchStrays('process')
  try {
    return await told(argv, ioOf(host), strays)
  } finally {
    strays.release()
  }
}

async function told(argv: readonly string[], io: Io, strays: Strays): Promise<number> {
  try {
    const code = await dispatch(argv, io)
    const dropped = await strays.settled()
    if (dropped === undefined) return code
    // What was found has been told; that of `--json` too.
    const { located } = await import('../check/locate.ts')
    const { refuse } = await import('./print.ts')
    return refuse([located(dropped)], io, { json: false })
  } catch (error) {
    const { missingPart } = await import('./missing-part.ts')
    const missing = missingPart(error)
    if (missing !== undefined) {
      const { refuse } = await import('./print.ts')
      return refuse([missing], io, { json: argv.includes('--json') })
    }
    const { reportInternalError } = await import('./internal-error.ts')
    const message = await reportInternalError(error, io)
    if (argv.includes('--json')) {
      const { jsonText } = await import('../reports/json.ts')
      io.stdout.json(jsonText([], [], [{ message, program: null, file: null, engine: null }]))
    }
    return exitCodes.internal
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const invocation = parseArguments(argv)
  if (!invocation.ok) {
    const { refuse } = await import('./print.ts')
    return refuse(invocation.diagnostics, io, { json: argv.includes('--json') })
  }
  const asked = invocation.value
  if (io.cwd === '' && asked.kind !== 'print') {
    const { refuse } = await import('./print.ts')
    const hint = 'change to a directory that exists'
    return refuse([{ code: 'E101', message: 'the working directory has been removed', hint }], io, {
      json: argv.includes('--json'),
    })
  }
  switch (asked.kind) {
    case 'print':
      io.stdout.write(asked.text)
      return exitCodes.ok
    case 'check':
    case 'fuzz':
      return await (await import('./commands/check.ts')).check(asked.kind, asked.files, asked.flags, io)
    case 'prove':
      return await (await import('./commands/prove.ts')).prove(asked.files, asked.flags, io)
    case 'linearize':
      return await (await import('./commands/linearize.ts')).linearize(asked.files, asked.flags, io)
    case 'merge':
      return (await import('./commands/merge.ts')).merge(asked.reports, asked.flags, io)
    case 'worker':
      return await (await import('./commands/worker.ts')).worker(asked.flags, io)
    case 'list':
      return await (await import('./commands/list.ts')).list(asked.files, asked.flags, io)
    case 'replay':
      return await (await import('./commands/replay.ts')).replay(asked, io)
    case 'run':
      return await (await import('./commands/run.ts')).run(asked.file, asked.flags, io)
    case 'online':
      return await (await import('./commands/online.ts')).online(asked.file, asked.flags, io)
    case 'show':
      return await (await import('./commands/show.ts')).show(asked.trace, asked.flags, io)
  }
}
