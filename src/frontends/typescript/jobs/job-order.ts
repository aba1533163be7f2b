/**
 * The source transform for classes in JavaScript's own job order: async code becomes generators that `src/jobs` drives, as `lowerToJobs`
 * makes them, and every `await` says on which line it stands. That is a call around the value, so that no job is more or fewer.
 */
import MagicString from 'magic-string'
import { type Place, type Result, success } from '../../../core/diagnostic.ts'
import { Edits } from '../edits.ts'
import { countIterations } from '../loop-fuel.ts'
import { type ModuleMeta, replaceModuleMeta } from '../module-meta.ts'
import { parse } from '../parse.ts'
import { walk } from '../syntax.ts'
import type { Transformed } from '../transform.ts'
import { asyncFacts } from './async-facts.ts'
import { FunctionRewriter } from './function-rewriter.ts'
import { handsOver, type Suspension } from './suspension.ts'

/** `yield $allways.at("seats.ts", 7, 5)(e)` */
const tellsWhere: Suspension = {
  ...handsOver,
  awaited: (edits, isGenerator, node) => {
    const open = handsOver.awaited(edits, isGenerator, node)
    if (node.type !== 'AwaitExpression') return open
    const { file, line, column }: Place = edits.placeOf(node.start)
    return `${open.slice(0, -1)}${edits.helper('at')}(${[file, line, column].map((part) => JSON.stringify(part)).join(', ')})(`
  },
}

interface Written {
  readonly meta?: ModuleMeta
  /** None of the user's: places in it are told to nobody. */
  readonly isStranger?: boolean
}

/** CommonJS files are left as they are: their async functions give promises of the host, which are refused. */
export function transformJobOrder(
  source: string,
  file: string,
  { meta = {}, isStranger = false }: Written = {},
): Result<Transformed> {
  const parsed = parse(source, file)
  if (!parsed.ok) return parsed
  const text = new MagicString(source)
  if (!parsed.value.isCommonJs) {
    const edits = new Edits(parsed.value, text, 'allways/job-order')
    const rewriter = new FunctionRewriter(edits, asyncFacts(parsed.value.program), isStranger ? handsOver : tellsWhere)
    walk(parsed.value.program, {
      enter: (node) => rewriter.enter(node),
      leave: (node, parent) => {
        replaceModuleMeta(edits, node, meta)
        countIterations(edits, node)
        rewriter.leave(node, parent)
      },
    })
    edits.finish()
  }
  const map = text.generateMap({ source: file, hires: 'boundary', includeContent: true })
  return success({ code: text.toString(), map: map.toString() })
}
