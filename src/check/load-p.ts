/** The P front end: a program for each test that a P file, a folder of them or a P project declares. Nothing of it is run when it is loaded. */
import { dirname, extname, join } from 'node:path'
import { namesIn } from '../artifact/named-file.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { FrontEnd, LoadedFile, Reading } from '../frontends/frontend.ts'
import { isPSource, readPSources } from './load-p-sources.ts'
import { pPrograms } from './p-programs.ts'
import { displayPath } from './source-places.ts'

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
  if (!compiled.ok) return failure(...compiled.diagnostics.map((one) => withProject(one, path)))
  const { programs, warnings } = compiled.value
  return success({ file: shown, programs, warnings, digest, sources })
}

/** A name that is not known in one file may be declared in another of the same project. */
function withProject(diagnostic: Diagnostic, path: string): Diagnostic {
  const name = /"(\w+)"/.exec(diagnostic.message)?.[1]
  if (diagnostic.code !== 'E710' || name === undefined || extname(path) !== '.p') return diagnostic
  const whole = projectOf(path)
  const read = readPSources(whole)
  const declared = new RegExp(`\\b(?:machine|event|spec|type|enum|fun|module|interface|param)\\s+${name}\\b`)
  const other = read.ok ? read.value.texts.find(({ text }) => declared.test(text)) : undefined
  if (other === undefined || other.file === displayPath(path)) return diagnostic
  return { ...diagnostic, hint: `${other.file} declares it: check both together, allways check ${displayPath(whole)}` }
}

/** The project file beside it or above it, or else its folder. */
function projectOf(path: string): string {
  const folder = dirname(path)
  for (const place of [folder, dirname(folder)]) {
    const project = namesIn(place).find((name) => name.endsWith('.pproj'))
    if (project !== undefined) return join(place, project)
  }
  return folder
}
