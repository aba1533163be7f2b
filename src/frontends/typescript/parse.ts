/** TypeScript text to syntax tree; syntax errors to diagnostics with their places. */
import { type Comment, type OxcError, type Program, parseSync } from 'oxc-parser'
import { type Diagnostic, failure, type Place, type Result, success } from '../../core/diagnostic.ts'

export interface ParsedSource {
  readonly text: string
  readonly file: string
  readonly program: Program
  readonly comments: readonly Comment[]
  /** A file without `import` and `export` that uses `require` or `module` is not an ES module. */
  readonly isCommonJs: boolean
  /** What the user wrote, if that is another text with the same lines. */
  readonly written?: { readonly before: string; offsetBefore(offset: number): number } | undefined
}

export function parse(text: string, file: string): Result<ParsedSource> {
  const parsed = parseSync(file, text, { sourceType: isPlainScript(file) ? 'unambiguous' : 'module' })
  const errors = parsed.errors.filter((error) => error.severity === 'Error')
  if (errors.length > 0) return failure(...errors.map((error) => diagnosticOf(error, text, file)))
  const { program, comments, module } = parsed
  const isCommonJs = !module.hasModuleSyntax && /\b(?:require|module|exports)\b/.test(text)
  return success({ text, file, program, comments, isCommonJs })
}

/** Where an offset lies in what the user wrote. */
export function placeIn({ text, file, written }: ParsedSource, offset: number): Place {
  return written === undefined
    ? placeAt(text, file, offset)
    : placeAt(written.before, file, written.offsetBefore(offset))
}

/** Where an offset lies, as people count: lines and columns from 1. */
export function placeAt(text: string, file: string, offset: number): Place {
  const before = text.slice(0, offset)
  const lines = before.split(/\r\n|[\n\r\u2028\u2029]/)
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** A `.js` file may be CommonJS, where top-level `return` and `await` as a name are legal. */
function isPlainScript(file: string): boolean {
  return /\.[cm]?jsx?$/.test(file)
}

function diagnosticOf(error: OxcError, text: string, file: string): Diagnostic {
  const label = error.labels[0]
  return {
    code: 'E102',
    message: label?.message ? `${error.message}: ${label.message}` : error.message,
    hint: error.helpMessage ?? 'write what TypeScript accepts: tsc tells more',
    place: label === undefined ? undefined : placeAt(text, file, label.start),
  }
}
