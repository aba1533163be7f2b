/**
 * The source transform of user files for checks of objects: functions become generators that tell the runtime
 * (`allways/access`) about every access to memory that may be shared, with the values their frames still need there. The
 * runtime can suspend them at each access, run them again from its log, and compare states. The output is TypeScript
 * with the lines of the source; types are stripped afterwards.
 *
 * Accesses are told where the source has them; no object is wrapped. What native functions do with objects is the
 * runtime's to tell. Not covered: CommonJS files are left as they are.
 */
import MagicString from 'magic-string'
import { failure, type Result, success } from '../../../core/diagnostic.ts'
import type { ModuleMeta } from '../module-meta.ts'
import { parse } from '../parse.ts'
import type { Transformed } from '../transform.ts'
import { moduleCode } from './module-code.ts'
import { render } from './output.ts'
import { refusalDiagnostic } from './refusals.ts'
import { Rewriter } from './rewriter.ts'

/** `meta` stands in for properties of `import.meta`, which a bundle would answer for itself instead of for the file. */
export function transformObjects(source: string, file: string, meta: ModuleMeta = {}): Result<Transformed> {
  const parsed = parse(source, file)
  if (!parsed.ok) return parsed
  const text = new MagicString(source)
  if (!parsed.value.isCommonJs) {
    const rewriter = new Rewriter(parsed.value, meta)
    const refused = rewriter.refusals.others
    if (refused.length > 0) return failure(...refused.map((one) => refusalDiagnostic(parsed.value, one)))
    render(moduleCode(rewriter), source, text)
  }
  const map = text.generateMap({ source: file, hires: 'boundary', includeContent: true })
  return success({ code: text.toString(), map: map.toString() })
}
