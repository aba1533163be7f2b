/**
 * The source transform of user files: async functions become coroutines that a check can drive, loops count their iterations, and
 * generators that are made and not used are noticed. The output is still TypeScript with every line where it was; types are stripped afterwards.
 *
 * Not covered: CommonJS files are left as they are, so their async functions give promises, which a process refuses (E208).
 */
import MagicString from 'magic-string'
import { type Result, success } from '../../core/diagnostic.ts'
import { DroppedCalls } from './dropped-calls.ts'
import { Edits } from './edits.ts'
import { asyncFacts } from './jobs/async-facts.ts'
import { FunctionRewriter } from './jobs/function-rewriter.ts'
import { performs } from './jobs/suspension.ts'
import { countIterations } from './loop-fuel.ts'
import { type ModuleMeta, replaceModuleMeta } from './module-meta.ts'
import { parse } from './parse.ts'
import { endUpdates } from './statement-ends.ts'
import { walk } from './syntax.ts'

export interface Transformed {
  readonly code: string
  /** Source map as JSON. */
  readonly map: string
}

/** `meta` stands in for properties of `import.meta`, which a bundle would answer for itself instead of for the file. */
export function transform(source: string, file: string, meta: ModuleMeta = {}): Result<Transformed> {
  const parsed = parse(source, file)
  if (!parsed.ok) return parsed
  const text = new MagicString(source)
  if (!parsed.value.isCommonJs) {
    const edits = new Edits(parsed.value, text)
    const rewriter = new FunctionRewriter(edits, asyncFacts(parsed.value.program), performs)
    const dropped = new DroppedCalls(edits)
    walk(parsed.value.program, {
      enter: (node) => {
        dropped.enter(node)
        rewriter.enter(node)
      },
      // On the way out, so that what is inserted at one offset for an inner node stands nearer to it.
      leave: (node, parent) => {
        replaceModuleMeta(edits, node, meta)
        countIterations(edits, node)
        endUpdates(edits, node)
        dropped.leave(node)
        rewriter.leave(node, parent)
      },
    })
    edits.finish()
  }
  const map = text.generateMap({ source: file, hires: 'boundary', includeContent: true })
  return success({ code: text.toString(), map: map.toString() })
}
