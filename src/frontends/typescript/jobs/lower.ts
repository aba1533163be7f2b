/**
 * The source transform for JavaScript's own concurrency: async functions, async generators and `for await` become generators that
 * `src/jobs` drives on an event loop under control. The output is still TypeScript with every line where it was.
 *
 * What a generator cannot express exactly stays native, says so when it is called under control (E215), and is told as a refusal.
 */
import MagicString from 'magic-string'
import { type Place, type Result, success } from '../../../core/diagnostic.ts'
import { Edits } from '../edits.ts'
import { parse } from '../parse.ts'
import { walk } from '../syntax.ts'
import type { Transformed } from '../transform.ts'
import { asyncFacts } from './async-facts.ts'
import { FunctionRewriter } from './function-rewriter.ts'
import { handsOver } from './suspension.ts'

interface Lowered extends Transformed {
  readonly refusals: readonly { readonly construct: string; readonly place: Place }[]
}

export function lowerToJobs(source: string, file: string): Result<Lowered> {
  const parsed = parse(source, file)
  if (!parsed.ok) return parsed
  const text = new MagicString(source)
  const edits = new Edits(parsed.value, text, 'allways/jobs')
  const facts = asyncFacts(parsed.value.program)
  const rewriter = new FunctionRewriter(edits, facts, handsOver)
  walk(parsed.value.program, rewriter)
  edits.finish()
  const map = text.generateMap({ source: file, hires: 'boundary', includeContent: true })
  const refusals = facts.refusals.map(({ construct, offset }) => ({ construct, place: edits.placeOf(offset) }))
  return success({ code: text.toString(), map: map.toString(), refusals })
}
