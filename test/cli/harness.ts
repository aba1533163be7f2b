/** Runs the command line inside the test, with streams that remember. */
import { cwd } from 'node:process'
import type { Host } from '../../src/cli/io.ts'
import { main } from '../../src/cli/main.ts'
import type { Sink } from '../../src/cli/terminal.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly env?: Host['env']
  readonly isTTY?: boolean
  /** Called once listening for Ctrl-C begins. */
  readonly interrupt?: (listener: () => void) => void
  /** Ctrl-C comes as soon as stderr has this. */
  readonly interruptAfter?: RegExp
  /** Called as soon as stderr has something. */
  readonly once?: { readonly told: RegExp; readonly call: () => void }
}

export const fixtures = 'test/cli/fixtures'

export async function allways(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const [stdout, stderr] = [new Captured(surroundings), new Captured(surroundings)]
  if (surroundings.once !== undefined) stderr.onceWritten(surroundings.once.told, surroundings.once.call)
  const io: Host = {
    cwd: cwd(),
    // Ten minutes for each search, as nobody waits at a prompt: a budget of time that is not spoken of ends none.
    env: { CI: 'true', ...surroundings.env },
    stdout,
    stderr,
    onInterrupt(listener) {
      surroundings.interrupt?.(listener)
      if (surroundings.interruptAfter !== undefined) stderr.onceWritten(surroundings.interruptAfter, listener)
      return () => {}
    },
  }
  const code = await main(argv, io)
  return { code, stdout: stdout.text, stderr: stderr.text.replaceAll(progressLines, '') }
}

/** What comes every ten seconds says how slow the computer is: ' bank fifo  18,204 explored · 6.1k/s · 0:10 of 1:00 · 0 violated'. */
const progressLines = /^ \S.*[·*] \d+:\d{2}(?: of \d+:\d{2})?(?: [·*] \d+ violated)?\n/gm

export class Captured implements Sink {
  text = ''
  readonly isTTY: boolean
  #awaited: { readonly pattern: RegExp; readonly then: () => void } | undefined
  readonly columns = 100

  constructor({ isTTY }: Surroundings) {
    this.isTTY = isTTY ?? false
  }

  write(text: string): void {
    this.text += text
    if (this.#awaited?.pattern.test(this.text) !== true) return
    const { then } = this.#awaited
    this.#awaited = undefined
    then()
  }

  onceWritten(pattern: RegExp, then: () => void): void {
    this.#awaited = { pattern, then }
  }
}
