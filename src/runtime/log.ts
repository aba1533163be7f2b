/**
 * `allways-log/1`: what a machine did, one JSON object a line. A first line says whose log it is; then every event with what
 * was sent, and which calls of abstract objects were announced. Messages are named by sender, incarnation and number, so that
 * the logs of all machines join to one history: each receipt finds its send. Events of one life are numbered, so that one that
 * is missing is noticed.
 */

import { createWriteStream, readSync, type WriteStream } from 'node:fs'
import { atPath, withFile } from '../artifact/named-file.ts'
import { openToAppend } from '../artifact/write.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { Json } from '../core/value-json.ts'

export const logFormat = 'allways-log/1'

export interface LogSink {
  /** False if there was no room for the line. */
  write(line: { readonly [field: string]: Json }): boolean
  close(): Promise<void>
}

/** Lines that the disk is behind with; more are dropped and counted, because a machine must not wait for its log. */
const mostWaiting = 8 << 20

/** Appends to the file, so that the log of a machine spans its lives. `onEnd` is told, once, why it ends before the machine. */
export function openLog(path: string, onEnd: (diagnostic: Diagnostic) => void): Result<LogSink> {
  try {
    const isCut = isCutOff(path)
    const stream = createWriteStream(path, { fd: openToAppend(path) })
    const log = new FileLog(stream, (error) => onEnd(ended(path, error)))
    // What a machine could not write to its end must not swallow the line after it.
    if (isCut) stream.write('\n')
    return success(log)
  } catch (error) {
    const hint = 'name a file in a folder that you may write to'
    return failure({ code: 'E107', message: `${path} cannot be written: ${(error as Error).message}`, hint })
  }
}

/** Whether there is something whose last line has no end. */
function isCutOff(path: string): boolean {
  if (atPath(path).kind !== 'file') return false
  return withFile(path, (file, size) => {
    const last = Buffer.alloc(1)
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== lineBreak
  })
}

const lineBreak = 0x0a

function ended(path: string, { code, message }: NodeJS.ErrnoException): Diagnostic {
  const why = code === 'ENOSPC' ? 'there is no room left on the disk' : message
  return {
    code: 'E107',
    message: `the log ${path} ends here, because it cannot be written: ${why}`,
    hint: 'the machines go on without it; make room, or name a file elsewhere with --log',
  }
}

class FileLog implements LogSink {
  readonly #stream: WriteStream
  /** After the first failure nothing more is written; lines are counted as `unlogged`. */
  #isBroken = false

  constructor(stream: WriteStream, onBroken: (error: NodeJS.ErrnoException) => void) {
    this.#stream = stream
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!this.#isBroken) onBroken(error)
      this.#isBroken = true
    })
  }

  write(line: { readonly [field: string]: Json }): boolean {
    if (this.#isBroken || this.#stream.writableEnded || this.#stream.writableLength > mostWaiting) return false
    this.#stream.write(`${JSON.stringify(line)}\n`)
    return true
  }

  async close(): Promise<void> {
    if (this.#isBroken || this.#stream.writableEnded) return
    await new Promise<void>((resolve) => {
      this.#stream.on('error', () => resolve())
      this.#stream.end(() => resolve())
    })
  }
}
