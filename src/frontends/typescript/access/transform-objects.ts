/**
 * The source transform of user files for checks of objects: functions become generators that tell the runtime
 * (`allways/access`) about every access to memory that may be shared, with the values their frames still need there. The
 * runtime can suspend them at each access, run them again from its log, and compare states. The output is TypeScript
 * with the lines of the source; types are stripped afterwards.
 *
 * Accesses are told where the source has them; no object is wrapped. What native functions do with objects is the
 * runtime's to tell. Not covered: CommonJS files are left as they are.
 */
import MagicString, { SourceMap } from 'magic-string'
import { failure, type Result, success } from '../../../core/diagnostic.ts'
import type { ModuleMeta } from '../module-meta.ts'
import { type ParsedSource, parse } from '../parse.ts'
import type { Transformed } from '../transform.ts'
import { moduleCode } from './module-code.ts'
import { render } from './output.ts'
import { refusalDiagnostic } from './refusals.ts'
import { resourcesWrittenOut } from './resources.ts'
import { Rewriter } from './rewriter.ts'

/** `meta` stands in for properties of `import.meta`, which a bundle would answer for itself instead of for the file. */
export function transformObjects(source: string, file: string, meta: ModuleMeta = {}): Result<Transformed> {
  const parsed = readable(source, file)
  if (!parsed.ok) return parsed
  const text = new MagicString(parsed.value.text)
  if (!parsed.value.isCommonJs) {
    const rewriter = new Rewriter(parsed.value, meta)
    const refused = rewriter.refusals.others
    if (refused.length > 0) return failure(...refused.map((one) => refusalDiagnostic(parsed.value, one)))
    render(moduleCode(rewriter), parsed.value.text, text)
  }
  return success({ code: text.toString(), map: mapOf(text, parsed.value).toString() })
}

/** With everything written out that is short for something else. */
function readable(source: string, file: string): Result<ParsedSource> {
  const parsed = parse(source, file)
  if (!parsed.ok || parsed.value.isCommonJs) return parsed
  const written = resourcesWrittenOut(parsed.value)
  if (written === undefined) return parsed
  const again = parse(written.text, file)
  return again.ok ? success({ ...again.value, written }) : again
}

/** To what the user wrote. */
function mapOf(text: MagicString, { file, written }: ParsedSource): SourceMap {
  const options = { source: file, hires: 'boundary', includeContent: true } as const
  if (written === undefined) return text.generateMap(options)
  const map = text.generateDecodedMap(options)
  const starts = [0]
  for (const { index } of text.original.matchAll(/\n/g)) starts.push(index + 1)
  const startsBefore = [0]
  for (const { index } of written.before.matchAll(/\n/g)) startsBefore.push(index + 1)
  const mappings = map.mappings.map((line) =>
    line.map((segment) => {
      const [column, source, lineBefore, columnBefore, ...name] = segment as [number, number, number, number]
      const offset = written.offsetBefore((starts[lineBefore] as number) + columnBefore)
      return [column, source, lineBefore, offset - (startsBefore[lineBefore] as number), ...name] as typeof segment
    }),
  )
  return new SourceMap({ ...map, sourcesContent: [written.before], mappings })
}
