/** Project files of P (`.pproj`): which sources a project has, and which other projects it uses. */
import type { Span } from './ast.ts'

export interface ProjectFile {
  /** Files and folders with sources, as they are written: relative to the project file. */
  readonly sources: readonly Listed[]
  /** Other project files. */
  readonly includes: readonly Listed[]
}

export interface Listed {
  readonly path: string
  readonly at: Pick<Span, 'start' | 'end'>
}

/**
 * A project file is XML, of which two elements matter: `PFile` and `IncludeProject`. Comments are skipped, and the five entities that XML has by
 * itself are resolved; anything else of XML may be there and is not looked at.
 */
export function readProjectFile(text: string): ProjectFile {
  const sources: Listed[] = []
  const includes: Listed[] = []
  const visible = text.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => ' '.repeat(comment.length))
  for (const found of visible.matchAll(/<(PFile|IncludeProject)\s*>([^<]*)<\/\1\s*>/g)) {
    const [whole, element, content = ''] = found
    const start = found.index + whole.indexOf('>') + 1
    const listed = { path: resolved(content.trim()), at: { start, end: start + content.length } }
    ;(element === 'PFile' ? sources : includes).push(listed)
  }
  return { sources, includes }
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Folders may be written with the separators of another system. */
function resolved(content: string): string {
  return content.replace(/&(\w+);/g, (whole, name: string) => entities.get(name) ?? whole).replaceAll('\\', '/')
}
