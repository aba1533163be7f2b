/** Project files of P (`.pproj`): which sources a project has, and which other projects it uses. */
import type { Span } from './ast.ts'

export interface ProjectFile {
  /** Files and folders with sources, as they are written: relative to the project file. */
  readonly sources: readonly Listed[]
  /** Other project files. */
  readonly includes: readonly Listed[]
  /** Elements of these kinds that are written in a way which is not understood; the path is what stands there. */
  readonly unclear: readonly Listed[]
}

export interface Listed {
  readonly path: string
  readonly at: Pick<Span, 'start' | 'end'>
}

/** No path is longer; what is looked at again for each element stays short. */
const longestPath = 4096
const content = `(?:[^<]|<!\\[CDATA\\[[^\\]]{0,${longestPath}}\\]\\]>){0,${longestPath}}`
const element = new RegExp(`<(PFile|IncludeProject)(?:\\s*>(${content})</\\1\\s*>|(?![\\w.:-]))`, 'g')

/**
 * A project file is XML, of which two elements matter: `PFile` and `IncludeProject`. Comments are skipped; anything else of XML may be there and is not
 * looked at. In these two, the five entities that XML has by itself, characters by number and CDATA are read, and nothing else is guessed at.
 */
export function readProjectFile(text: string): ProjectFile {
  const sources: Listed[] = []
  const includes: Listed[] = []
  const unclear: Listed[] = []
  const visible = text.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => ' '.repeat(comment.length))
  for (const found of visible.matchAll(element)) {
    const [whole, kind, written] = found
    const start = found.index + (written === undefined ? 0 : whole.indexOf('>') + 1)
    const at = { start, end: start + (written ?? whole).length }
    const path = written === undefined ? undefined : textOf(written.trim())
    if (path === undefined || path === '') unclear.push({ path: written?.trim() || whole.trim(), at })
    else (kind === 'PFile' ? sources : includes).push({ path: path.replaceAll('\\', '/'), at })
  }
  return { sources, includes, unclear }
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Undefined if it has an entity that is not known. */
function textOf(content: string): string | undefined {
  let isKnown = true
  const text = content.replace(/<!\[CDATA\[([^\]]*)\]\]>|&([^;&\s]*);?/g, (_, verbatim?: string, name?: string) => {
    if (verbatim !== undefined) return verbatim
    const meant = entities.get(name ?? '') ?? numbered(name ?? '')
    isKnown &&= meant !== undefined
    return meant ?? ''
  })
  return isKnown ? text : undefined
}

/** A character by its number: `#46`, `#x2e`. */
function numbered(name: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  const code = hexadecimal === undefined ? Number(decimal ?? 'none') : Number.parseInt(hexadecimal, 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
