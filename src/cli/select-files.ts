/** Which check files a command speaks about: those named, those in the folders named, or all below the working directory. */
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkFileNames, isCheckFile, isProgramFolder } from '../check/load.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'

export interface SelectedFile {
  readonly path: string
  /** From `file.check.ts:42`: the program declared at or above this line. */
  readonly line: number | undefined
}

const skippedFolders = /^(node_modules|dist|\..*)$/

export async function selectFiles(typed: readonly string[], cwd: string): Promise<Result<readonly SelectedFile[]>> {
  // `"$FILE"` of a variable that is not set would mean all files.
  if (typed.some((one) => one.trim() === '')) return failure(withoutName)
  const found =
    typed.length === 0 ? await discover(cwd) : (await Promise.all(typed.map((one) => select(one, cwd)))).flat()
  const unique = new Map(found.map((file) => [`${file.path}:${file.line ?? ''}`, file]))
  return unique.size === 0 ? failure(nothingFound(typed)) : success([...unique.values()])
}

async function select(typed: string, cwd: string): Promise<readonly SelectedFile[]> {
  const path = resolve(cwd, typed)
  const kind = await kindOf(path)
  if (kind === 'folder') return isProgramFolder(path) ? [{ path, line: undefined }] : await discover(path)
  const [, file, line] = kind === 'missing' ? (/^(.+?):(\d+)(?::\d+)?$/.exec(path) ?? []) : []
  return [file === undefined ? { path, line: undefined } : { path: file, line: Number(line) }]
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'missing'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch {
    return 'missing'
  }
}

async function discover(folder: string): Promise<readonly SelectedFile[]> {
  // Below a folder that is named there may be some that nobody may read.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const sorted = entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  const found = await Promise.all(
    sorted.map(async (entry): Promise<readonly SelectedFile[]> => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return skippedFolders.test(entry.name) ? [] : await discover(path)
      return isCheckFile(entry.name) ? [{ path, line: undefined }] : []
    }),
  )
  return found.flat()
}

const withoutName: Diagnostic = {
  code: 'E101',
  message: 'a file has an empty name',
  hint: 'leave it out for all check files below this folder, or name the folder: .',
}

function nothingFound(typed: readonly string[]): Diagnostic {
  const where = typed.length === 0 ? 'this folder' : typed.join(', ')
  return {
    code: 'E101',
    message: `there are no check files below ${where}`,
    hint: `check files are named ${checkFileNames()}; see allways --help`,
  }
}
