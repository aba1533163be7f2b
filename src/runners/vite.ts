/**
 * `allways/vite`: what the command does to the files that it loads, for files that Vite loads, so that tests can import programs of
 * async processes.
 *
 *     import { allways } from 'allways/vite'
 *     export default { plugins: [allways()] }
 */
import { resolve } from 'node:path'
import { isTool, mayBeAsync } from '../check/load-async-packages.ts'
import { isOwnSource } from '../check/source-places.ts'
import { isTest } from '../check/test-files.ts'
import { yesOrNo } from '../core/answer.ts'
import { DiagnosticError } from '../core/diagnostic.ts'
import { noAnswer } from '../core/filter.ts'
import { requireShape, type Shapes, shapes } from '../core/option-shape.ts'
import { transform } from '../frontends/typescript/transform.ts'

export interface ViteOptions {
  /** Whether a file is transformed, by its path. By default all are that are no tests, and of packages what is async. */
  readonly transforms?: (path: string) => boolean
}

/** As much of a plugin of Vite as this one is: Vite itself is not needed here. */
export interface VitePlugin {
  readonly name: string
  readonly enforce: 'pre'
  transform(code: string, id: string): { readonly code: string; readonly map: string } | undefined
}

const optionShapes: Shapes<ViteOptions> = { transforms: shapes.func }

export function allways(options: ViteOptions = {}): VitePlugin {
  requireShape(options, optionShapes, 'allways(…) of allways/vite')
  const { transforms } = options
  return {
    name: 'allways',
    // Before types are stripped: what is transformed is TypeScript still, with every line where it was.
    enforce: 'pre',
    transform(code, id) {
      const path = sourcePath(id)
      // The package itself is among the files where it is linked and not installed.
      if (path === undefined || isOwnSource(resolve(path))) return undefined
      if (!(isWanted(transforms?.(path)) ?? isUsual(path, code))) return undefined
      const transformed = transform(code, path)
      // What cannot be parsed is for Vite to tell, or for a plugin that comes before it.
      return transformed.ok ? transformed.value : undefined
    },
  }
}

/** Of a module that is a source file on disk. */
function sourcePath(id: string): string | undefined {
  const [path = ''] = id.split('?', 1)
  return !path.startsWith('\0') && /\.[cm]?[jt]sx?$/.test(path) ? path : undefined
}

/**
 * Runners read the text of functions in tests, to see which fixtures they ask for, and move calls such as `vi.mock` in front of all
 * imports. Both fail where functions are wrapped, so tests stay as they are. Of packages, Vite asks for those that are inlined.
 */
function isUsual(path: string, code: string): boolean {
  return !isTest(path, code) && (!path.includes('/node_modules/') || (mayBeAsync(code) && !isTool(path)))
}

function isWanted(answer: unknown): boolean | undefined {
  if (answer === undefined) return undefined
  const isYes = yesOrNo(answer)
  if (isYes === undefined) throw new DiagnosticError(noAnswer('"transforms" of allways(…)', answer))
  return isYes
}
