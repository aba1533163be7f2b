/** What a command may touch of the world: two streams, a folder, the environment, time and Ctrl-C. Tests bring their own. */
import process from 'node:process'
import { type Shell, shellOf } from '../reports/shell.ts'
import { setPageWidth } from '../reports/text-width.ts'
import { type Sink, Terminal } from './terminal.ts'

export interface Host {
  /** Empty if there is none. */
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  /** As Node names it; that of this process if nothing is said. */
  readonly platform?: string | undefined
  /** Results, and nothing else. */
  readonly stdout: Sink
  /** Progress, diagnostics, notices. */
  readonly stderr: Sink
  /** Calls the listener at the first Ctrl-C; the second one kills. The returned function stops listening. */
  onInterrupt(listener: () => void): () => void
}

/** The same with streams that show nothing but text. */
export interface Io extends Host {
  readonly stdout: Terminal
  readonly stderr: Terminal
  /** That commands are pasted into. */
  readonly shell: Shell
}

export function ioOf(host: Host): Io {
  setPageWidth(columnsOf(host))
  const isRunner = host.env.GITHUB_ACTIONS === 'true'
  const shell = shellOf({ platform: host.platform ?? process.platform, env: host.env })
  return { ...host, shell, stdout: new Terminal(host.stdout, isRunner), stderr: new Terminal(host.stderr, isRunner) }
}

/** Of a terminal as many as it has, unless somebody says otherwise; files and pipes are read anywhere. */
function columnsOf({ env, stdout }: Host): number {
  const said = /^[1-9]\d{0,4}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : undefined
  return said ?? (stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY)
}

export function realHost(): Host {
  return {
    cwd: workingDirectory(),
    env: process.env,
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    onInterrupt(listener) {
      // `once` leaves the second signal to the default, which ends the process.
      for (const signal of endings) process.once(signal, listener)
      return () => {
        for (const signal of endings) process.removeListener(signal, listener)
      }
    },
  }
}

let isLost = false

/** Pipes are read when their reader likes. False if what was to be told has got lost, because there is no room for it. */
export async function allWritten(): Promise<boolean> {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write('', () => resolve()))
  }
  // Files are written at once, and fail a moment later.
  await new Promise<void>((resolve) => setImmediate(resolve))
  return !isLost
}

/** Empty if there is none any more: somebody has removed it. */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return ''
  }
}

/** Ctrl-C, `kill`, and a terminal that was closed. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function sinkOf(stream: NodeJS.WriteStream): Sink {
  let isTold = false
  // Files may replace the method.
  const write = stream.write.bind(stream)
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read us has seen enough (`| head`); one that has no room for more has not.
    if (error.code === 'EPIPE' || stream === process.stderr || isTold) return
    isTold = true
    isLost = true
    process.stderr.write(` note: not all could be printed (${error.code})\n`)
  })
  return {
    write: (text) => void write(text),
    isTTY: stream.isTTY === true,
    columns: stream.columns ?? 100,
  }
}

/** `--no-color` and `--color` first, then NO_COLOR and FORCE_COLOR, then whether somebody is looking. */
export function usesColor(io: Io, flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return io.stdout.isTTY && TERM !== 'dumb'
}

/** Arrows and boxes need UTF-8; a locale that names another encoding, or none on a bare console, gets ASCII. */
export function usesAscii(io: Io, flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag
  const locale = io.env.LC_ALL || io.env.LC_CTYPE || io.env.LANG
  if (locale === undefined || locale === '' || locale === 'C.UTF-8') return false
  return !/utf-?8/i.test(locale)
}
