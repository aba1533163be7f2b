/** The P front end: a program for each test that a P file, a folder of them or a P project declares. Nothing of it is run when it is loaded. */
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { FrontEnd, LoadedFile, Reading } from '../frontends/frontend.ts'
import { isPSource, readPSources } from './load-p-sources.ts'
import { pPrograms } from './p-programs.ts'

export const p: FrontEnd = {
  reads: 'a P program',
  extensions: ['.p', '.pproj'],
  checkFiles: /\.pproj$/,
  shownNames: ['*.pproj'],
  readsFolder: (names) => names.some(isPSource) && !names.some((name) => name.endsWith('.pproj')),
  load,
}

async function load(path: string, shown: string, { admits, legacy = false }: Reading): Promise<Result<LoadedFile>> {
  const read = readPSources(path)
  if (!read.ok) return read
  const refused = admits?.(read.value)
  if (refused !== undefined) return failure(refused)
  const { digest, sources } = read.value
  const compiled = pPrograms(read.value, { legacy })
  if (!compiled.ok) return compiled
  const { programs, warnings } = compiled.value
  return success({ file: shown, programs, warnings, digest, sources })
}
