/** From a path to the programs in the file, by the front end that reads files of its kind. */
import { basename, extname, resolve } from 'node:path'
import { atPath, namesIn } from '../artifact/named-file.ts'
import { type Diagnostic, failure, type Result } from '../core/diagnostic.ts'
import { invariant } from '../core/invariant.ts'
import type { FrontEnd, LoadedFile, Reading } from '../frontends/frontend.ts'
import { isHistoryFile } from './history-names.ts'
import { missingFile } from './load-missing.ts'
import { p } from './load-p.ts'
import { typescript } from './load-typescript.ts'
import { displayPath } from './source-places.ts'

/** Every front end; the only list of them. */
const frontEnds: FrontEnd[] = [typescript, p]

/** Adds a front end from elsewhere. */
export function registerFrontEnd(frontEnd: FrontEnd): void {
  const taken = frontEnd.extensions.filter((extension) => frontEndOf(extension) !== undefined)
  invariant(taken.length === 0, `one front end reads files that end in ${taken.join(', ')}`)
  frontEnds.push(frontEnd)
}

export async function loadPrograms(file: string, reading: Reading = {}): Promise<Result<LoadedFile>> {
  const path = resolve(file)
  const shown = displayPath(path)
  const ofFolder = frontEndOfFolder(path)
  const missing = ofFolder === undefined ? missingFile(path, shown) : undefined
  if (missing !== undefined) return failure(missing)
  const beside = ofFolder === undefined ? [] : namesIn(path).filter(isCheckFile)
  if (beside.length > 0) return failure(severalKinds(shown, beside))
  const frontEnd = ofFolder ?? frontEndOf(extname(path))
  return frontEnd === undefined ? failure(notASource(shown)) : await frontEnd.load(path, shown, reading)
}

/** Whether a file is named as files with programs are. */
export function isCheckFile(path: string): boolean {
  return frontEnds.some(({ checkFiles }) => checkFiles.test(basename(path)))
}

/** '*.check.ts, *.check.mts …' */
export function checkFileNames(): string {
  const names = frontEnds.flatMap(({ shownNames }) => shownNames)
  return names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Whether a folder is named as a file would be: what lies in it is one program. */
export function isProgramFolder(path: string): boolean {
  return frontEndOfFolder(path) !== undefined
}

function frontEndOfFolder(path: string): FrontEnd | undefined {
  if (atPath(path).kind !== 'folder') return undefined
  const names = namesIn(path)
  return frontEnds.find(({ readsFolder }) => readsFolder?.(names) === true)
}

function frontEndOf(extension: string): FrontEnd | undefined {
  return frontEnds.find(({ extensions }) => extensions.includes(extension))
}

/** Which of them is meant, or whether all are, is not for us to say. */
function severalKinds(shown: string, [first = '']: readonly string[]): Diagnostic {
  return {
    code: 'E101',
    message: `${shown === '' ? 'this folder' : shown} holds sources of one program and ${first}, a check file of its own`,
    hint: `name what you mean: ${shown === '' ? '' : `${shown}/`}${first}, or one of the other files`,
  }
}

function notASource(shown: string): Diagnostic {
  const [first, ...others] = frontEnds.map(({ reads }) => reads)
  return {
    code: 'E102',
    message: `${shown} is not ${[first, ...others].join(' or ')}`,
    hint: isHistoryFile(shown)
      ? `a recorded history is judged by allways linearize ${shown} --spec <name>`
      : `check files are named ${checkFileNames()}`,
  }
}
