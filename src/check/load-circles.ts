/**
 * Modules that import each other, where the bundler puts each into a function that is called when it is first asked for: as it does with
 * what is imported while a program runs. Their variables are then declared before all code, and what is read too early would be `undefined`
 * where Node throws.
 */
import { resolve } from 'node:path'
import { cwd } from 'node:process'
import type { Metafile } from 'esbuild'
import type { Diagnostic } from '../core/diagnostic.ts'
import { codeFrame, displayPath, sourceLines } from './source-places.ts'

type Inputs = Metafile['inputs']
type Import = Inputs[string]['imports'][number]

/** Nothing if the bundle behaves as its modules do. */
export function circleInFunctions(code: string, { inputs }: Metafile): Diagnostic | undefined {
  if (!/^var \w+ = __esm\(/m.test(code)) return undefined
  const closing = Object.keys(inputs).flatMap((module) => {
    return importsOf(inputs, module)
      .filter((one) => leadsTo(inputs, one.path, module))
      .map((one) => ({ module, one }))
  })[0]
  return closing === undefined ? undefined : refusal(closing.module, closing.one)
}

/** Packages are not bundled. */
function importsOf(inputs: Inputs, module: string): readonly Import[] {
  const imports = inputs[module]?.imports ?? []
  return imports.filter(
    ({ kind, path, external }) => kind === 'import-statement' && external !== true && path in inputs,
  )
}

function leadsTo(inputs: Inputs, from: string, to: string): boolean {
  const known = new Set([from])
  for (const module of known) for (const { path } of importsOf(inputs, module)) known.add(path)
  return known.has(to)
}

function refusal(module: string, { path, original = path }: Import): Diagnostic {
  const [file, other] = [module, path].map((one) => displayPath(resolve(cwd(), one))) as [string, string]
  const lines = sourceLines(file) ?? []
  const at = lines.findIndex((line) => /\b(?:import|from)\b/.test(line) && line.includes(original))
  const place = at < 0 ? undefined : { file, line: at + 1, column: (lines[at]?.indexOf(original) ?? 0) + 1 }
  return {
    code: 'E102',
    message: `${file} and ${other} import each other, in a program that imports modules while it runs`,
    hint: 'move what both need into a module of its own, or import all modules at the top of a file',
    place,
    frame: place === undefined ? undefined : codeFrame(place),
  }
}
