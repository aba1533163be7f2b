/**
 * `allways-state/1`: what a machine needs to come back after a crash. A file is replaced as a whole: written beside, flushed to
 * the disk, renamed, and the folder flushed; so there is always the one before or the one after. A file that cannot be read is
 * a diagnostic, because a machine that silently forgets what it promised breaks the protocol it takes part in.
 */
import { createHash } from 'node:crypto'
import { accessSync, closeSync, constants, fsyncSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { longestArtifact, parsedJson } from '../artifact/artifact.ts'
import { makeFolder } from '../artifact/folder.ts'
import { atPath, namedText } from '../artifact/named-file.ts'
import { schemaProblems } from '../artifact/schemas.ts'
import { writeWhole } from '../artifact/write.ts'
import { DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import { isPlainObject } from '../core/option-shape.ts'
import { anyText } from '../core/value-text.ts'
import type { LocalState } from '../program/machines.ts'
import { fieldsOf, isCount } from './body.ts'
import { type SavedCalls, savedCallsFromJson, savedCallsToJson } from './call-history.ts'
import { localStateFromJson, localStateToJson } from './local-state.ts'
import { lockedState, type StateLock } from './state-lock.ts'

const stateFormat = 'allways-state/1'

const stateFile = {
  what: 'state',
  longest: longestArtifact,
  hint: 'move the file away to begin afresh, if the machine may forget what it has promised',
}

export interface SavedState {
  /** Each life has a larger one. */
  readonly incarnation: number
  /** Of the last life; the machine comes back from it through a crash. */
  readonly state: LocalState
  /** The latest snapshot that it took part in: its next life must not take part again, with what it has learned since. */
  readonly snapshot: number
  /** Of a system that refines an object. */
  readonly called?: SavedCalls | undefined
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
      if (error instanceof DiagnosticError) return failure({ ...error.diagnostic, code: 'E603' })
      // The rest repeats the path.
      const [why] = (error as Error).message.split(', ')
      const message = `the state of machine "${this.#machine}" cannot be kept in ${folder}: ${why}`
      return failure({ code: 'E603', message, hint: 'name a folder that can be written, or one that can be made' })
    }
  }

  /** Undefined if there is none. */
  read(): Result<SavedState | undefined> {
    if (atPath(this.path).kind === 'nothing') return success(undefined)
    const text = namedText(this.path, stateFile, this.path)
    if (!text.ok) return failure(...text.diagnostics.map((one) => ({ ...one, code: 'E603' as const })))
    const { format, digest, content } = fieldsIn(text.value)
    if (format === undefined) return this.#unusable('is damaged: it is not a JSON object with a format')
    if (format !== stateFormat) return this.#unusable(`has the format ${JSON.stringify(format)}, not "${stateFormat}"`)
    if (typeof content !== 'string' || digest !== digestOf(content))
      return this.#unusable('is damaged: its digest is wrong')
    const { system, machine, incarnation, state, snapshot, called } = fieldsIn(content)
    if (system !== this.#system || machine !== this.#machine)
      return this.#unusable(`is of machine ${anyText(machine)} of system ${anyText(system)}`)
    const local = localStateFromJson(state)
    const calls = called === undefined ? undefined : savedCallsFromJson(called)
    if (!isCount(incarnation) || !isCount(snapshot) || local === undefined || (called !== undefined && !calls))
      return this.#unusable('is damaged: it holds no state')
    const [misshapen] = schemaProblems('state-1', jsonIn(content))
    if (misshapen !== undefined) return this.#unusable(`is damaged: ${misshapen}`)
    return success({ incarnation, state: local, snapshot, called: calls })
  }

  /** A machine keeps to one kind of state: what is of another one is not its own. */
  misfit(kept: LocalState, start: LocalState): Result<never> | undefined {
    if (isPlainObject(kept.data) === isPlainObject(start.data)) return undefined
    return this.#unusable('holds a state of another kind than the machine has')
  }

  /** Throws what the file system throws. */
  write({ incarnation, state, snapshot, called }: SavedState): void {
    const saved = {
      system: this.#system,
      machine: this.#machine,
      incarnation,
      snapshot,
      state: localStateToJson(state),
      ...(called === undefined ? {} : { called: savedCallsToJson(called) }),
    }
    const content = JSON.stringify(saved)
    const text = `${JSON.stringify({ format: stateFormat, digest: digestOf(content), content })}\n`
    writeWhole(this.path, text, { flush: fsyncSync })
    flushFolder(dirname(this.path))
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
      hint: stateFile.hint,
    })
  }
}

function fieldsIn(text: string): { readonly [field: string]: unknown } {
  return fieldsOf(jsonIn(text)) ?? {}
}

function jsonIn(text: string): unknown {
  const parsed = parsedJson(text)
  return 'why' in parsed ? undefined : parsed.json
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
