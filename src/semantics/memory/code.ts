/** What the front end told about the code under check: where accesses stand, which fields are ever assigned, module state. */
import type { CodeFunction, CodeSite } from '../../core/code.ts'
import type { Place } from '../../core/diagnostic.ts'

type FunctionEntry = readonly [name: string, first: number, last: number, loops: readonly (readonly [number, number])[]]
type SiteEntry = readonly [functionIndex: number, line: number, column: number]

/** Sites of our own stand-ins for native functions that call back, which no user line shows. */
export const ownSites = { arrays: -1, locks: -2, awaits: -3, promises: -4 } as const

const sites: CodeSite[] = []
let assigned = new Set<string>()
const shownNames = new Map<string, string>()
let variables: (() => readonly unknown[])[] = []

/** Called by every transformed module when it is loaded; gives the number of its first site. */
export function module(
  file: string,
  functions: readonly FunctionEntry[],
  entries: readonly SiteEntry[],
  assignedNames: readonly string[],
): number {
  const base = sites.length
  const known: CodeFunction[] = functions.map(([name, first, last, loops]) => ({
    file,
    name,
    lines: { first, last },
    loops: loops.map(([from, to]) => ({ first: from, last: to })),
  }))
  for (const [index, line, column] of entries) {
    sites.push({ function: known[index] as CodeFunction, line, column })
  }
  for (const name of assignedNames) assigned.add(name)
  return base
}

/** What modules that were loaded together bring along beside their exports. */
export interface ModuleState {
  /** Values of their variables. */
  readonly roots: () => readonly unknown[]
  /** Fields that are assigned after construction; grows if it turns out that there are more. */
  readonly assigned: Set<string>
}

/** Objects that live in variables of a module. */
export function moduleRoots(values: () => readonly unknown[]): void {
  variables.push(values)
}

/** The state of all modules loaded since the last call. */
export function takeModuleState(): ModuleState {
  const taken = variables
  const state = { roots: () => taken.flatMap((values) => values()), assigned }
  variables = []
  assigned = new Set()
  return state
}

export function showNames(names: { readonly [name: string]: string }): void {
  for (const [name, shown] of Object.entries(names)) shownNames.set(name, shown)
}

export function shownName(name: PropertyKey): string {
  return typeof name === 'string' ? (shownNames.get(name) ?? name) : String(name)
}

export function siteOf(site: number): CodeSite | undefined {
  return sites[site]
}

export interface Callers {
  readonly site: number
  readonly parent: Callers | undefined
}

/** Where a position is in the user's code: stand-ins of ours are where they are called. */
export function userSite(site: number, callers: Callers | undefined): number {
  if (sites[site] !== undefined || callers === undefined) return site
  return userSite(callers.site, callers.parent)
}

export function placeOfSite(site: number): Place | undefined {
  const code = sites[site]
  return code === undefined ? undefined : { file: code.function.file, line: code.line, column: code.column }
}

/** True for elements of arrays. */
export function isIndex(name: string): boolean {
  const code = name.charCodeAt(0)
  return code >= 48 && code <= 57
}
