/** Loads a file so that every access of its classes can be seen: checks it exports, and the classes themselves. */

import { extname, resolve } from 'node:path'
import { types } from 'node:util'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import { isClass } from '../../core/option-shape.ts'
import { settingFrom } from '../../core/setting.ts'
import type { Admission, LoadedFile, LoadedProgram } from '../../frontends/frontend.ts'
import { isProgram } from '../../program/program.ts'
import { withLoop } from '../../semantics/memory/class-loop.ts'
import { type ModuleState, takeModuleState } from '../../semantics/memory/code.ts'
import { host } from '../../semantics/memory/host.ts'
import { endWalks } from '../../semantics/memory/world.ts'
import { isTrap } from '../guard-traps.ts'
import { bundle, type Overlay } from '../load-bundle.ts'
import { evaluate } from '../load-evaluate.ts'
import { missingFile } from '../load-missing.ts'
import { nameAmongServices } from '../load-modules.ts'
import { programsIn } from '../load-programs.ts'
import { sourceExtensions } from '../source-extensions.ts'
import { displayPath } from '../source-places.ts'
import { classProgram } from './class-program.ts'
import { isHostFunction, outsideName } from './host-functions.ts'
import { type JobOrderForm, jobOrderForm, madeByCheck } from './job-order-form.ts'

/** Of its programs, those that are classes. */
export interface LoadedObjects extends LoadedFile {
  /** Exported classes by name. */
  readonly classes: ReadonlyMap<string, AnyClass>
  readonly modules: ModuleState
  readonly jobOrder: JobOrderForm
}

export type AnyClass = new (...args: never[]) => object

host.knows = isHostFunction
host.outside = outsideName
host.service = nameAmongServices
// What stands in the place of `Date` while a check runs is none of the user's.
host.isProxy = (value) => types.isProxy(value) && !isTrap(value)

/** Texts that stand in for files, and who says whether the code may run. */
interface LoadingObjects {
  readonly overlay?: Overlay | undefined
  readonly admits?: Admission | undefined
}

export async function loadObjects(
  file: string,
  { overlay, admits }: LoadingObjects = {},
): Promise<Result<LoadedObjects>> {
  const path = resolve(file)
  const shown = displayPath(path)
  const missing = missingFile(path, shown)
  if (missing !== undefined) return failure(missing)
  if (!sourceExtensions.includes(extname(path))) return failure(notASource(shown, extname(path)))
  const bundled = await bundle(path, 'objects', overlay)
  if (!bundled.ok) return bundled
  const refused = admits?.(bundled.value)
  if (refused !== undefined) return failure(refused)
  takeModuleState()
  endWalks()
  const evaluated = await withLoop(() => evaluate(bundled.value, shown))
  const { roots, assigned } = takeModuleState()
  const modules = { roots: () => roots().filter(isState), assigned }
  if (!evaluated.ok) return evaluated
  const { digest, sources } = bundled.value
  const jobOrder = await jobOrderForm(path, overlay)
  const programs = programsIn(evaluated.value).flatMap((one) => seenClass(one, modules, jobOrder))
  return success({ file: shown, programs, classes: classesIn(evaluated.value), modules, jobOrder, digest, sources })
}

/** Declarations of programs are no state of a class. */
function isState(value: unknown): boolean {
  return !isProgram(value)
}

/** A class as a program whose accesses are seen. */
function seenClass(
  { program, ...declared }: LoadedProgram,
  modules: ModuleState,
  jobOrder: JobOrderForm,
): readonly LoadedProgram[] {
  const check = program.views.object?.(settingFrom({ params: {}, network: 'bag' }))
  if (check === undefined) return []
  const origin = { kind: 'export', name: declared.exportName } as const
  const createInJobOrder = madeByCheck(jobOrder, declared.exportName)
  const source = { modules, createInJobOrder }
  return [{ ...declared, origin, program: classProgram({ ...check, name: program.name }, source) }]
}

function classesIn(module: { readonly [name: string]: unknown }): ReadonlyMap<string, AnyClass> {
  const found = new Map<string, AnyClass>()
  for (const [name, value] of Object.entries(module)) {
    if (!isClass(value)) continue
    const subject = value as AnyClass
    found.set(name === 'default' ? subject.name : name, subject)
  }
  return found
}

function notASource(shown: string, extension: string): Diagnostic {
  if (extension === '.p' || extension === '.pproj') {
    const hint = 'use allways check, which explores every execution of it'
    return { code: 'E308', message: `${shown} is a P program, and has no classes`, hint }
  }
  return {
    code: 'E102',
    message: `${shown} is not a TypeScript or JavaScript module`,
    hint: 'give the file of the class, a check file, or a *.history.jsonl',
  }
}
