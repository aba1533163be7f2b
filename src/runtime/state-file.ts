/**
 * `allways-state/1`: what a machine needs to come back after a crash. A file is replaced as a whole: written beside, flushed to
 * the disk, renamed, and the folder flushed; so there is always the one before or the one after. A file that cannot be read is
 * a diagnostic, because a machine that silently forgets what it promised breaks the protocol it takes part in.
 */
import { createHash } from 'node:crypto'
import { accessSync, closeSync, constants, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { LocalState } from '../program/machines.ts'
import { fieldsOf, isCount, jsonOfText } from './body.ts'
import { makeFolder } from './folder.ts'
import { localStateFromJson, localStateToJson } from './local-state.ts'
import { lockedState, type StateLock } from './state-lock.ts'

const stateFormat = 'allways-state/1'

export interface SavedState {
  /** Each life has a larger one. */
  readonly incarnation: number
  /** Of the last life; the machine comes back from it through a crash. */
  readonly state: LocalState
  /** The latest snapshot that it took part in: its next life must not take part again, with what it has learned since. */
  readonly snapshot: number
}

export class StateFile {
  readonly path: string
  readonly #system: string
  readonly #machine: string

  constructor(folder: string, system: string, machine: string) {
    this.path = join(folder, `${encodeURIComponent(machine)}.state.json`)
    this.#system = system
    this.#machine = machine
  }

  /** Before anything runs: a machine that finds out when it has something to keep has begun in vain. The lock is the caller's to release. */
  prepare(): Result<StateLock> {
    const folder = dirname(this.path)
    try {
      makeFolder(folder)
      accessSync(folder, constants.W_OK)
      const lock = lockedState(`${this.path}.lock`)
      return typeof lock === 'string' ? this.#isRunBy(lock) : success(lock)
    } catch (error) {
      // The rest repeats the path.
      const [why] = (error as Error).message.split(', ')
      const message = `the state of machine "${this.#machine}" cannot be kept in ${folder}: ${why}`
      return failure({ code: 'E603', message, hint: 'name a folder that can be written, or one that can be made' })
    }
  }

  /** Undefined if there is none. */
  read(): Result<SavedState | undefined> {
    let text: string
    try {
      text = readFileSync(this.path, 'utf8')
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return code === 'ENOENT' ? success(undefined) : this.#unusable(`cannot be read: ${message}`)
    }
    const { format, digest, content } = fieldsOf(jsonOfText(text)?.json) ?? {}
    if (format === undefined) return this.#unusable('is damaged: it is not a JSON object with a format')
    if (format !== stateFormat) return this.#unusable(`has the format ${JSON.stringify(format)}, not "${stateFormat}"`)
    if (typeof content !== 'string' || digest !== digestOf(content))
      return this.#unusable('is damaged: its digest is wrong')
    const { system, machine, incarnation, state, snapshot } = fieldsOf(jsonOfText(content)?.json) ?? {}
    if (system !== this.#system || machine !== this.#machine)
      return this.#unusable(`is of machine "${String(machine)}" of system "${String(system)}"`)
    const local = localStateFromJson(state)
    if (!isCount(incarnation) || !isCount(snapshot) || local === undefined)
      return this.#unusable('is damaged: it holds no state')
    return success({ incarnation, state: local, snapshot })
  }

  /** Throws what the file system throws. */
  write({ incarnation, state, snapshot }: SavedState): void {
    const saved = {
      system: this.#system,
      machine: this.#machine,
      incarnation,
      snapshot,
      state: localStateToJson(state),
    }
    const content = JSON.stringify(saved)
    const folder = dirname(this.path)
    makeFolder(folder)
    const temporary = `${this.path}.tmp`
    const file = openSync(temporary, 'w', 0o600)
    try {
      // `writeSync` may write the first half and not complain, on a disk that is almost full.
      writeFileSync(file, `${JSON.stringify({ format: stateFormat, digest: digestOf(content), content })}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, this.path)
    flushFolder(folder)
  }

  #isRunBy(process: string): Result<never> {
    return failure({
      code: 'E603',
      message: `machine "${this.#machine}" is run by ${process}, over the same state: ${this.path}`,
      hint: `stop it first, or name another folder; if it has ended, remove ${this.path}.lock`,
    })
  }

  #unusable(why: string): Result<never> {
    return failure({
      code: 'E603',
      message: `${this.path} ${why}`,
      hint: 'move the file away to begin afresh, if the machine may forget what it has promised',
    })
  }
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Without it the rename itself may be undone by a power cut. Windows has no such thing. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
