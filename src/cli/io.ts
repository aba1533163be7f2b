/** What a command may touch of the world: two streams, a folder, the environment, time and Ctrl-C. Tests bring their own. */
import process from 'node:process'

export interface Sink {
  write(text: string): void
  readonly isTTY: boolean
  readonly columns: number
}

export interface Io {
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  /** Results, and nothing else. */
  readonly stdout: Sink
  /** Progress, diagnostics, notices. */
  readonly stderr: Sink
  /** Calls the listener at the first Ctrl-C; the second one kills. The returned function stops listening. */
  onInterrupt(listener: () => void): () => void
}

export function realIo(): Io {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    onInterrupt(listener) {
      // `once` leaves the second signal to the default, which ends the process.
      process.once('SIGINT', listener)
      process.once('SIGTERM', listener)
      return () => {
        process.removeListener('SIGINT', listener)
        process.removeListener('SIGTERM', listener)
      }
    },
  }
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  // Whoever read us has seen enough (`| head`); that is no reason to print a stack.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return {
    write: (text) => void stream.write(text),
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
