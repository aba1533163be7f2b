/** A class to be checked, by what leads to it: plain data, so that a trace file and a worker can name it. */
import { failure, type Result, success } from '../../core/diagnostic.ts'
import type { ClassOrigin } from '../../core/trace.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import { suggestion } from '../did-you-mean.ts'
import { classCheck } from './class-check.ts'
import { type LoadedObjects, loadObjects } from './load.ts'

export interface ObjectTarget {
  readonly path: string
  readonly origin: ClassOrigin
  /** The name of a specification to use instead of what the check says. */
  readonly specification: string | undefined
  /** Whether clients are given, so that none have to be made. */
  readonly hasClients: boolean
}

export interface LoadedTarget {
  readonly loaded: LoadedObjects
  readonly check: ObjectCheck
}

export async function loadTarget(target: ObjectTarget): Promise<Result<LoadedTarget>> {
  const loaded = await loadObjects(target.path)
  if (!loaded.ok) return loaded
  const check = checkIn(loaded.value, target)
  return check.ok ? success({ loaded: loaded.value, check: check.value }) : check
}

export function checkIn(loaded: LoadedObjects, target: ObjectTarget): Result<ObjectCheck> {
  const found = declaredIn(loaded, target)
  if (!found.ok || target.specification === undefined) return found
  return success({ ...found.value, specification: target.specification })
}

function declaredIn(loaded: LoadedObjects, { path, origin, hasClients }: ObjectTarget): Result<ObjectCheck> {
  const { name } = origin
  if (origin.kind === 'class') return classCheck(path, loaded, { name, args: origin.args, hasClients })
  const exported = loaded.checks.find(({ exportName }) => exportName === name)
  if (exported !== undefined) return success(exported.check)
  const names = loaded.checks.map(({ exportName }) => exportName)
  return failure({
    code: 'E308',
    message: `${loaded.file} exports no check "${name}"`,
    hint: suggestion(name, names, 'exported checks'),
  })
}
