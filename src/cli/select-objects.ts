/** Which classes `linearize` speaks about: checks that files export, or a class of a source file. */
import { nearestName, suggestion } from '../check/did-you-mean.ts'
import { type LoadedObjects, loadObjects } from '../check/objects/load.ts'
import { checkIn, type LoadedTarget, type ObjectTarget } from '../check/objects/target.ts'
import { type Diagnostic, failure, type Place, type Result, success } from '../core/diagnostic.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import type { ObjectFlags } from './object-flags.ts'
import type { SelectedFile } from './select-files.ts'

export interface SelectedObject extends LoadedTarget {
  readonly target: ObjectTarget
  /** Where the check is declared. */
  readonly place: Place | undefined
}

export interface ObjectSelection {
  readonly objects: readonly SelectedObject[]
  readonly diagnostics: readonly Diagnostic[]
}

/** A file that cannot be loaded does not stop the others. */
export async function selectObjects(files: readonly SelectedFile[], flags: ObjectFlags): Promise<ObjectSelection> {
  const objects: SelectedObject[] = []
  const diagnostics: Diagnostic[] = []
  for (const file of files) {
    const found = await objectsIn(file, flags)
    if (found.ok) objects.push(...found.value)
    else diagnostics.push(...found.diagnostics)
  }
  const { testName } = flags
  const named = objects.filter(({ check }) => isNamed(check.name, testName))
  if (testName === undefined || named.length > 0 || objects.length === 0) return { objects: named, diagnostics }
  const names = objects.map(({ check }) => check.name)
  const hint = namesHint(testName, names, 'checks')
  return {
    objects: [],
    diagnostics: [...diagnostics, { code: 'E106', message: `no check has "${testName}" in its name`, hint }],
  }
}

interface FoundCheck {
  readonly path: string
  readonly exportName: string
  readonly loaded: LoadedFile
}

/** Checks that were found by loading their files as programs. */
export async function reloadObjects(found: readonly FoundCheck[]): Promise<ObjectSelection> {
  const objects: SelectedObject[] = []
  const diagnostics: Diagnostic[] = []
  for (const path of new Set(found.map((one) => one.path))) {
    const loaded = await loadObjects(path)
    const here = found.filter((one) => one.path === path)
    if (!loaded.ok) {
      diagnostics.push(...loaded.diagnostics)
      continue
    }
    const names = here.map(({ exportName }) => exportName)
    for (const { exportName, check, place } of loaded.value.checks) {
      if (!names.includes(exportName)) continue
      const origin = { kind: 'export', name: exportName } as const
      const target = { path, origin, specification: undefined, hasClients: false }
      objects.push({ loaded: loaded.value, check, target, place })
    }
  }
  return { objects, diagnostics }
}

async function objectsIn(file: SelectedFile, flags: ObjectFlags): Promise<Result<readonly SelectedObject[]>> {
  const loaded = await loadObjects(file.path)
  if (!loaded.ok) return loaded
  const isDeclared = loaded.value.checks.length > 0 && flags.className === undefined
  return isDeclared ? declared(file, loaded.value, flags) : ofClass(file, loaded.value, flags)
}

function declared(
  { path, line }: SelectedFile,
  loaded: LoadedObjects,
  { specification, options, args }: ObjectFlags,
): Result<readonly SelectedObject[]> {
  if (args.length > 0) return failure(declaredArguments(loaded))
  const above = loaded.checks.filter(({ place }) => line === undefined || (place?.line ?? 0) <= line)
  const chosen = line === undefined ? above : above.length > 0 ? above.slice(-1) : loaded.checks.slice(0, 1)
  const found: SelectedObject[] = []
  for (const { exportName, place } of chosen) {
    const origin = { kind: 'export', name: exportName } as const
    const target: ObjectTarget = { path, origin, specification, hasClients: options.clients !== undefined }
    const check = checkIn(loaded, target)
    if (!check.ok) return check
    found.push({ loaded, check: check.value, target, place })
  }
  return success(found)
}

function ofClass(
  { path }: SelectedFile,
  loaded: LoadedObjects,
  { className, args, specification, options }: ObjectFlags,
): Result<readonly SelectedObject[]> {
  const names = [...loaded.classes.keys()]
  const [only, ...others] = names
  const name = className ?? (others.length === 0 ? only : undefined)
  if (name === undefined) return failure(only === undefined ? nothingToCheck(loaded) : whichClass(loaded, names))
  const origin = { kind: 'class', name, args } as const
  const target: ObjectTarget = { path, origin, specification, hasClients: options.clients !== undefined }
  const check = checkIn(loaded, target)
  return check.ok ? success([{ loaded, check: check.value, target, place: undefined }]) : check
}

/** Names have spaces and commas in them. */
export function namesHint(testName: string, names: readonly string[], listed: string): string {
  return nearestName(testName, names) !== undefined || names.length === 0
    ? suggestion(testName, names, listed)
    : `${listed}: ${names.map((name) => JSON.stringify(name)).join(', ')}`
}

export function isNamed(name: string, testName: string | undefined): boolean {
  return testName === undefined || name.toLowerCase().includes(testName.toLowerCase())
}

function nothingToCheck({ file }: LoadedObjects): Diagnostic {
  return {
    code: 'E308',
    message: `${file} exports neither a class nor a check of one`,
    hint: 'export the class, or a check: export default linearizable(Stack, { operations: { push: [1, 2], pop: [] } })',
  }
}

function whichClass({ file }: LoadedObjects, names: readonly string[]): Diagnostic {
  return {
    code: 'E308',
    message: `${file} exports several classes: ${names.join(', ')}`,
    hint: `say which: --class ${names[0]}`,
  }
}

function declaredArguments({ file }: LoadedObjects): Diagnostic {
  return {
    code: 'E107',
    message: `--args is for classes without a check, and ${file} declares one`,
    hint: 'change the operations there, or name a class with --class',
  }
}
