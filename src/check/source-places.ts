/**
 * From JavaScript stacks to places in the user's own files. Loaded check files run as bundles, whose frames are mapped back
 * through their source maps; frames of allways itself, of Node and of packages are left out.
 */
import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath } from 'node:url'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { withFile } from '../artifact/named-file.ts'
import type { Place } from '../core/diagnostic.ts'
import { pageWidth } from '../reports/text-width.ts'
import { originalOf } from './guard-traps.ts'

export interface LoadedBundle {
  /** Source map as JSON. */
  readonly map: string
  /** What the sources in the map are relative to. */
  readonly folder: string
}

/** Announces a bundle under the names its frames may carry. One that is loaded again and again has one map, which is decoded once. */
export function registerBundle(names: readonly string[], { map, folder }: LoadedBundle): void {
  const key = `${folder}\0${map}`
  const entry = entries.get(key) ?? { map, folder, decoded: undefined }
  entries.set(key, entry)
  for (const name of names) bundles.set(name, entry)
}

/** Keeps the text a bundle was made from: the file may change while it is being checked. */
export function registerSource(path: string, text: string): void {
  sources.set(path, text)
}

/** The first frame that lies in a user's own file. */
export function placeOf(stack: string | undefined): Place | undefined {
  return framesOf(stack).next().value?.place
}

/** Whether code of a file that was loaded here is on the stack. */
export function isFromBundle(stack: string | undefined): boolean {
  return locationsOf(stack).some((location) => bundles.has(location))
}

/** Whether nothing but code of allways and of Node is on the stack. */
export function isOwnStack(stack: string | undefined): boolean {
  const locations = locationsOf(stack)
  return locations.some(isOwn) && locations.every((location) => isOwn(location) || location.startsWith('node:'))
}

function locationsOf(stack: string | undefined): readonly string[] {
  return (stack?.split('\n') ?? []).flatMap((line) => /^\s+at (?:.*\()?(.+?):\d+:\d+\)?$/.exec(line)?.[1] ?? [])
}

/** The stack in user lines only, for printing. */
export function userFrames(stack: string | undefined): string[] {
  return [...framesOf(stack)].map(({ name, place }) => {
    const where = `${place.file}:${place.line}:${place.column}`
    return name === '' ? `at ${where}` : `at ${name} (${where})`
  })
}

/** Numbered source lines around a place with a caret under it, as wide as a page at most. */
export function codeFrame(place: Place, context = 2): string | undefined {
  const lines = sourceLines(place.file)
  if (lines === undefined || place.line > lines.length) return undefined
  const first = Math.max(1, place.line - context)
  const last = Math.min(lines.length, place.line + context)
  const digits = String(last).length
  const width = pageWidth - digits - 5
  const shift = Math.max(0, place.column + Math.floor(width / 4) - width)
  const cut = (line: string) => line.replaceAll('\t', ' ').slice(shift, shift + width)
  const framed = lines.slice(first - 1, last).flatMap((line, index) => {
    const number = first + index
    const shown = `${number === place.line ? '>' : ' '} ${String(number).padStart(digits)} | ${cut(line)}`.trimEnd()
    return number === place.line
      ? [shown, `  ${' '.repeat(digits)} | ${' '.repeat(place.column - 1 - shift)}^`]
      : [shown]
  })
  return framed.join('\n')
}

/** All files that were loaded. */
export function loadedFiles(): readonly string[] {
  return [...sources.keys()].map(displayPath)
}

/** The lines of a user's file, as it was when it was loaded. */
export function sourceLines(file: string): readonly string[] | undefined {
  return sourceText(resolve(file))?.split(/\r\n|[\n\r\u2028\u2029]/)
}

/** A path as users see it: relative to where they are, unless it lies elsewhere. */
export function displayPath(path: string): string {
  // Also asked for while a file is run anew, when a trap stands in its place.
  const here = (originalOf(cwd) as typeof cwd)()
  const fromHere = relative(here, path)
  const isElsewhere = fromHere.startsWith('..') || isAbsolute(fromHere)
  return (isElsewhere ? path : fromHere).split(sep).join('/')
}

/** The folder the running code of allways lies in: `src` from the sources, `dist` from a build. */
export function ownFolder(): string {
  const own = fileURLToPath(import.meta.url)
  return /^.*[\\/](?:src|dist)(?=[\\/])/.exec(own)?.[0] ?? dirname(own)
}

interface StackFrame {
  readonly name: string
  readonly place: Place
}

type Entry = LoadedBundle & { decoded?: TraceMap | undefined }

/** By the names of their frames, and by what they are. */
const bundles = new Map<string, Entry>()
const entries = new Map<string, Entry>()
const sources = new Map<string, string>()

function* framesOf(stack: string | undefined): Generator<StackFrame, undefined> {
  let isStub = false
  for (const line of stack?.split('\n') ?? []) {
    const parsed = /^\s+at (?:async )?(?:(.*) \()?(.+?):(\d+):(\d+)\)?$/.exec(line)
    if (parsed === null) continue
    const [, name = '', location = '', row, column] = parsed
    const place = placeIn(location, Number(row), Number(column))
    if (place !== undefined && !isStub) yield { name: shownName(name), place }
    // A declared async function is a stub that calls its generator: one function to the user, so one frame.
    isStub = place === undefined && /(?:^|[. ])call(?: \[as .*\])?$/.test(name) && isOwn(location)
  }
  return undefined
}

function placeIn(location: string, line: number, column: number): Place | undefined {
  const bundle = bundles.get(location)
  if (bundle !== undefined) return placeInBundle(bundle, line, column)
  const path = pathOf(location)
  if (path === undefined || isOwn(location) || isPackage(path)) return undefined
  return { file: displayPath(path), line, column }
}

/** Lines and columns count from 1. */
export function placeInBundle(bundle: Entry, line: number, column: number): Place | undefined {
  bundle.decoded ??= new TraceMap(bundle.map)
  const original = originalPositionFor(bundle.decoded, { line, column: column - 1 })
  if (original.source === null) return undefined
  // Modules that are no files, such as allways itself, have names that no file was registered under.
  const path = namesOf(original.source)
    .map((name) => resolve(bundle.folder, name))
    .find((name) => sources.has(name))
  if (path === undefined || isPackage(path)) return undefined
  return { file: displayPath(path), line: original.line, column: original.column + 1 }
}

/** As it stands in a map, and as it is if a bundler has taken it for a URL. */
function namesOf(source: string): readonly string[] {
  try {
    return [source, decodeURIComponent(source)]
  } catch {
    return [source]
  }
}

function pathOf(location: string): string | undefined {
  if (location.startsWith('file://')) return fileURLToPath(location.replace(/\?.*$/, ''))
  return isAbsolute(location) ? location : undefined
}

function isOwn(location: string): boolean {
  const path = pathOf(location)
  return path !== undefined && isOwnSource(path)
}

/** Whether a file is part of allways, be it a clone or the package. */
export function isOwnSource(path: string): boolean {
  const root = dirname(ownFolder())
  return ['src', 'dist', 'bin'].some((folder) => path.startsWith(`${root}${sep}${folder}${sep}`))
}

function isPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path)
}

/** Names as the user wrote them: without our prefix and V8's additions. */
function shownName(name: string): string {
  const plain = name.replace(/^(?:async |new |Module\.|Object\.)+/, '').replace(/\$allways\d*_/, '')
  return /^(?:<anonymous>|eval)$/.test(plain) ? '' : plain
}

function sourceText(path: string): string | undefined {
  const known = sources.get(path)
  if (known !== undefined) return known
  try {
    return withFile(path, (file) => readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
