/**
 * Code that a trace or a checkpoint names. Such a file may come from anywhere, and loading the code it names runs it: so that code is
 * run only if it is the user's own, as it was when the file was written, or if the user says so.
 */
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { atPath, namesIn } from '../artifact/named-file.ts'
import { displayPath } from '../check/source-places.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { ProgramRef } from '../core/trace.ts'
import type { Admission } from '../frontends/frontend.ts'

export interface Naming {
  /** Of the trace or checkpoint, absolute. */
  readonly savedAt: string
  /** What the user calls it: 'the trace x.trace.json'. */
  readonly shown: string
  readonly program: ProgramRef
}

/** What the user says about the code. */
export interface Trusting {
  readonly cwd: string
  /** The file, on the command line. */
  readonly file?: string | undefined
  readonly trust?: boolean | undefined
  /** What keeps code that has changed from being of use, whoever names it. */
  readonly ifChanged?: Diagnostic | undefined
  /** The command with the file on it, to paste. */
  readonly command: (file: string) => string
}

export interface NamedCode {
  readonly path: string
  readonly admits: Admission
}

/** What is not of the project is not even read, unless the user means it. */
export function namedCode(naming: Naming, saying: Trusting): Result<NamedCode> {
  const { cwd, file, trust } = saying
  const path = projectIn(file === undefined ? programFile(naming, cwd) : resolve(cwd, file))
  const isMeant = file !== undefined || trust === true
  if (!isMeant && existsSync(path) && !isOfProject(path, cwd))
    return failure(unnamed(path, 'is not a file of this project', naming, saying))
  return success({ path, admits: ({ digest }) => changedSince({ path, digest, isMeant }, naming, saying) })
}

/** Where the program lies: seen from here, or from the folder that `.allways` is in. */
function programFile({ program: { file }, savedAt }: Naming, cwd: string): string {
  const fromHere = resolve(cwd, file)
  const fromSaved = resolve(dirname(savedAt), '..', '..', file)
  return !existsSync(fromHere) && existsSync(fromSaved) ? fromSaved : fromHere
}

/** A folder with a project file stands for that project, as it does where it is checked. */
function projectIn(path: string): string {
  if (atPath(path).kind !== 'folder') return path
  const projects = namesIn(path).filter((name) => name.endsWith('.pproj'))
  return projects.length === 1 ? join(path, projects[0] as string) : path
}

interface Code {
  readonly path: string
  readonly digest: string
  /** By the user. */
  readonly isMeant: boolean
}

function changedSince({ path, digest, isMeant }: Code, naming: Naming, saying: Trusting): Diagnostic | undefined {
  // What code names beside itself is known once it runs, and asked about then.
  if (digest === naming.program.digest || naming.program.digest.startsWith(`${digest}+`)) return undefined
  if (saying.ifChanged !== undefined) return saying.ifChanged
  return isMeant ? undefined : unnamed(path, 'has changed since, or imports a file that has', naming, saying)
}

function unnamed(path: string, why: string, { shown }: Naming, { command }: Trusting): Diagnostic {
  const file = displayPath(path)
  return {
    code: 'E419',
    message: `${shown} names ${file}, which ${why}: to go on would run it as it is now`,
    hint: `if it is what you mean to run, name it: ${command(file)}`,
  }
}

/** What a command must say of the code that it runs by way of a trace or checkpoint: nothing of the project's own. */
export function saidFile(file: string, cwd: string): string | undefined {
  const path = resolve(cwd, file)
  return existsSync(path) && isOfProject(path, cwd) ? undefined : file
}

/** Not by a link, and not what was installed. */
function isOfProject(path: string, cwd: string): boolean {
  const inside = relative(realpathSync(projectOf(cwd)), realpathSync(path))
  return !isAbsolute(inside) && inside.split(sep).every((part) => part !== '..' && part !== 'node_modules')
}

/** The nearest folder above with a manifest or a repository; a home holds more than one project, and is none. */
function projectOf(cwd: string): string {
  for (let folder = cwd; folder !== homedir() && folder !== dirname(folder); folder = dirname(folder)) {
    if (['package.json', '.git'].some((name) => existsSync(join(folder, name)))) return folder
  }
  return cwd
}
