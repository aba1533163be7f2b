/** The sources of a P project: one file, all files of a folder, or what a project file lists, with the projects that it includes. */
import { createHash } from 'node:crypto'
import { dirname, extname, join, relative, resolve, sep } from 'node:path'
import { atPath, type FileKind, namedText, namesIn, shownPath } from '../artifact/named-file.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { SourceText } from '../frontends/p/ast.ts'
import { type Listed, readProjectFile } from '../frontends/p/project-file.ts'
import { codeFrame, displayPath, registerSource } from './source-places.ts'

export interface PSources {
  readonly texts: readonly SourceText[]
  /** Sources, by their places in that list, whose tests belong to a project that is only included. */
  readonly included: ReadonlySet<number>
  /** Digest of every file, by the path users see. */
  readonly sources: { readonly [file: string]: string }
  /** Of them all, the same in every working directory. */
  readonly digest: string
}

const sourceFile: FileKind = {
  what: 'P file',
  longest: 4_000_000,
  hint: 'P files are texts in UTF-8 of at most 4 MB each: name one, a folder of them, or a .pproj file',
}
const projectFile: FileKind = { ...sourceFile, what: 'project file', longest: 1_000_000 }
const mostFiles = 2000

export function readPSources(path: string): Result<PSources> {
  const reading = new Reading()
  if (atPath(path).kind === 'folder') reading.folder(path)
  else if (extname(path) === '.pproj') reading.project(path)
  else reading.source(path)
  return reading.result(path)
}

/** Whether a file of a folder is a source; copies that some systems leave beside a file are not. */
export function isPSource(name: string): boolean {
  return name.endsWith('.p') && !name.startsWith('._')
}

/** What has been read; each file once, however many projects list it. */
class Reading {
  readonly #texts = new Map<string, { readonly text: string; isIncluded: boolean }>()
  readonly #projects = new Map<string, string>()
  readonly #problems: Diagnostic[] = []
  #depth = 0

  result(named: string): Result<PSources> {
    if (this.#problems.length > 0) return failure(...this.#problems)
    if (this.#texts.size === 0) return failure(noSources(named))
    const folder = atPath(named).kind === 'folder' ? named : dirname(named)
    const digests = new Map<string, string>()
    for (const [path, text] of this.#projects) digests.set(path, digestOf(text))
    for (const [path, { text }] of this.#texts) digests.set(path, digestOf(text))
    const entries = [...this.#texts]
    const included = entries.flatMap(([, { isIncluded }], at) => (isIncluded ? [at] : []))
    const lines = [...digests].map(([path, digest]) => `${relative(folder, path).split(sep).join('/')}\0${digest}\n`)
    return success({
      texts: entries.map(([path, { text }]) => ({ file: displayPath(path), text })),
      included: new Set(included),
      sources: Object.fromEntries([...digests].map(([path, digest]) => [displayPath(path), digest]).sort()),
      digest: digestOf(lines.sort().join('')),
    })
  }

  source(path: string): void {
    const known = this.#texts.get(path)
    if (known !== undefined) {
      known.isIncluded &&= this.#depth > 1
      return
    }
    if (this.#texts.size >= mostFiles) return
    const text = namedText(path, sourceFile, displayPath(path))
    if (!text.ok) this.#problems.push(...text.diagnostics)
    else {
      registerSource(path, text.value)
      this.#texts.set(path, { text: text.value, isIncluded: this.#depth > 1 })
    }
  }

  folder(path: string): void {
    for (const name of namesIn(path)) if (isPSource(name)) this.source(join(path, name))
  }

  project(path: string): void {
    if (this.#projects.has(path)) return
    const text = namedText(path, projectFile, displayPath(path))
    if (!text.ok) {
      this.#problems.push(...text.diagnostics)
      return
    }
    registerSource(path, text.value)
    this.#projects.set(path, text.value)
    this.#depth++
    const { sources, includes, unclear } = readProjectFile(text.value)
    const told = (listed: Listed, what: Said): void => {
      const place = { file: displayPath(path), ...placeIn(text.value, listed.at.start) }
      this.#problems.push({ code: 'E101', ...what, place, frame: codeFrame(place) })
    }
    for (const listed of unclear) told(listed, notUnderstood(displayPath(path)))
    for (const listed of [...sources, ...includes]) {
      const wrong = this.#listed(path, listed.path)
      if (wrong !== undefined) told(listed, wrong)
    }
    this.#depth--
  }

  /** What is wrong with it, if it cannot be read. No other files than P's are looked into, as mistakes in them would be shown. */
  #listed(project: string, path: string): Said | undefined {
    const named = resolve(dirname(project), path)
    const lists = `${displayPath(project)} lists ${shownPath(path)}`
    const found = atPath(named)
    if (found.kind === 'refused') return { message: `${lists}, which cannot be read: ${found.why}`, hint: listable }
    if (found.kind === 'nothing')
      return {
        message: `${lists}, and there is no such file or folder`,
        hint: 'paths in a project file are relative to it',
      }
    if (found.kind === 'folder') this.folder(named)
    else if (extname(named) === '.pproj') this.project(named)
    else if (extname(named) === '.p') this.source(named)
    else return { message: `${lists}, which is not a P file`, hint: listable }
    return undefined
  }
}

type Said = Pick<Diagnostic, 'message' | 'hint'>

const listable = 'a project file lists .p files, folders of them, and other .pproj files'

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('hex')}`
}

function placeIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

function notUnderstood(project: string): Said {
  return {
    message: `${project} lists something in a form that is not understood`,
    hint: 'write <PFile>folder or file</PFile> or <IncludeProject>other.pproj</IncludeProject>, without attributes and entities of your own',
  }
}

function noSources(path: string): Diagnostic {
  const isProject = extname(path) === '.pproj'
  return {
    code: 'E103',
    message: `${displayPath(path)} ${isProject ? 'lists no P files' : 'holds no P files'}`,
    hint: isProject
      ? 'a project file has <PFile>folder or file</PFile> for its sources, and <IncludeProject>other.pproj</IncludeProject>'
      : 'P files are named *.p',
  }
}
