/**
 * A file in the form in which it runs in JavaScript's own job order. Its modules are run anew for every execution, as Node does when a
 * program begins, so that nothing that they keep comes from another one: the bundle is a function, and what it imports is handed to it.
 */
import { compileFunction } from 'node:vm'
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import { isClass } from '../../core/option-shape.ts'
import { settingFrom } from '../../core/setting.ts'
import { moduleFunction } from '../../frontends/typescript/jobs/module-function.ts'
import { originalOf } from '../guard-traps.ts'
import { bundle, type Overlay } from '../load-bundle.ts'
import type { ModuleExports } from '../load-evaluate.ts'
import { programsIn } from '../load-programs.ts'
import { registerBundle } from '../source-places.ts'

/** How an instance is made of modules that nobody has used; or why that cannot be. */
export type JobOrderForm = Result<{ readonly run: () => ModuleExports }>

let loads = 0

export async function jobOrderForm(path: string, overlay?: Overlay): Promise<JobOrderForm> {
  const bundled = await bundle(path, 'jobs', overlay)
  if (!bundled.ok) return bundled
  const { code, map, folder } = bundled.value
  const made = moduleFunction(code)
  if (!made.ok) return made
  const { body, imports } = made.value
  const outside = imports.find((name) => !harmless.includes(name))
  if (outside !== undefined) return failure(reachesOutside(outside))
  const filename = `allways:jobs/${++loads}`
  registerBundle([filename], { map, folder })
  let compiled: OfImports | undefined
  const run = (): ModuleExports => {
    compiled ??= functionHere(body, filename)
    return compiled(Object.fromEntries(imports.map((name) => [name, builtIn(name)])))
  }
  return success({ run })
}

type OfImports = (imported: object) => ModuleExports

/**
 * In the realm of this module, whose built-ins are those that are controlled: some test runners give modules a realm of their own, and `compileFunction`
 * knows Node's alone.
 */
function functionHere(body: string, filename: string): OfImports {
  // Compiled in the first execution, when traps may stand in the place of what programs must not call.
  const compiling = originalOf(compileFunction) as typeof compileFunction
  const isInNodes = compiling('return globalThis')() === globalThis
  if (isInNodes) return compiling(body, ['$imports'], { filename }) as OfImports
  const code = `(function ($imports) {${body}\n})\n//# sourceURL=${filename}`
  // biome-ignore lint/security/noGlobalEval: the code is the user's, and nothing else runs it in this realm
  return Reflect.apply(globalThis.eval, undefined, [code]) as OfImports
}

/** Of a check that the file exports. */
export function madeByCheck(form: JobOrderForm, exportName: string): () => object {
  return () => {
    const { run } = usable(form)
    const found = programsIn(run()).find((one) => one.exportName === exportName)
    const check = found?.program.views.object?.(settingFrom({ params: {}, network: 'bag' }))
    invariant(check !== undefined, 'a file exports the same checks in all its forms')
    return check.create()
  }
}

/** Of a class that the file exports, perhaps as its default. */
export function madeByClass(form: JobOrderForm, name: string): () => object {
  return () => {
    const { [name]: named, default: standard } = usable(form).run()
    const found = isClass(named) ? named : standard
    invariant(isClass(found), 'a file exports the same classes in all its forms')
    return new (found as unknown as new () => object)()
  }
}

function usable(form: JobOrderForm): { readonly run: () => ModuleExports } {
  if (form.ok) return form.value
  throw new DiagnosticError(...(form.diagnostics as [Diagnostic, ...Diagnostic[]]))
}

/** Modules of Node's that keep nothing and reach nothing outside; timers and randomness of theirs are under control. */
const harmless: readonly string[] = [
  ...['assert', 'assert/strict', 'buffer', 'crypto', 'path', 'querystring', 'string_decoder', 'timers'],
  ...['timers/promises', 'url', 'util', 'util/types'],
].map((name) => `node:${name}`)

/** As ES modules see it, and as it is now: what a check controls of it has been replaced. */
function builtIn(name: string): object {
  const module = process.getBuiltinModule(name) as object
  return { ...module, default: module }
}

function reachesOutside(name: string): Diagnostic {
  return {
    code: 'E307',
    message: `${name} is imported, which does not run under control in JavaScript's own job order`,
    hint: 'pass in what you need of it, and give the check a stand-in, or leave out --order jobs',
  }
}
