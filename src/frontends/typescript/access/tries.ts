/**
 * `try`. If a `finally` block may suspend, how it was entered is kept in variables (see jumps.ts); an exception on its way
 * through the block is only known to the language, so one more handler notes it:
 *
 *   try { A } catch (e) { B } finally { C }
 *   try { $c1 = 0, $v2 = undefined; try { A } catch (e) { B } } catch ($e3) { $c1 = 2, $v2 = $e3; throw $e3 } finally { C }
 */
import type { CatchClause, TryStatement } from 'oxc-parser'
import { boxItems, declarationOf } from './declarations.ts'
import type { Label } from './flow.ts'
import type { Frame } from './frame.ts'
import { completions, type Finalizer, type Pending } from './jumps.ts'
import { nameCode } from './members.ts'
import { mayStop } from './operands.ts'
import { type Code, slice } from './output.ts'
import { bindPattern, declareName } from './patterns.ts'
import { plainPattern } from './plain-patterns.ts'
import type { Rewriter } from './rewriter.ts'
import { isPattern } from './tree.ts'
import { named, transient } from './value.ts'

export function tryStatement(rewriter: Rewriter, frame: Frame, node: TryStatement): Code {
  const { finalizer } = node
  if (finalizer === null) {
    const end = frame.flow.label()
    const code = guardedPart(rewriter, frame, node, { end, escaped: undefined })
    frame.flow.place(end)
    return code
  }
  const suspends = mayStop(rewriter, frame, [finalizer])
  const context = finalizerOf(frame, suspends)
  const escaped = frame.flow.label()
  const end = frame.flow.label()
  let guarded: Code = ''
  noteCompletion(frame, context)
  frame.jumps.within(context, () => {
    guarded = guardedPart(rewriter, frame, node, { end: context.entry, escaped })
  })
  frame.flow.place(escaped)
  noteCompletion(frame, context)
  frame.flow.place(context.entry)
  const last = rewriter.statement(frame, finalizer)
  frame.flow.use(context.pending?.kind, context.pending?.value)
  for (const exit of context.exits) frame.flow.branch(exit)
  frame.flow.branch(end)
  // Rethrows: what is around may catch it.
  frame.flow.end()
  frame.flow.place(end)
  const part = node.handler ?? node.block
  const gap = slice(part.end, finalizer.start)
  if (context.pending === undefined) return [guarded, gap, last]
  return surrounded(frame, { pending: context.pending, guarded, gap: [' finally '], last })
}

interface Surrounding {
  readonly pending: Pending
  readonly guarded: Code
  readonly gap: Code
  readonly last: Code
}

/** `guarded` is a block, or a statement of its own. */
export function surrounded(frame: Frame, { pending: { kind, value }, guarded, gap, last }: Surrounding): Code {
  const error = frame.dummy()
  const begin = `${kind.code} = ${completions.normal}, ${value.code} = undefined;`
  const note = `${kind.code} = ${completions.throw}, ${value.code} = ${error}; throw ${error}`
  return [`try { ${begin} `, guarded, ` } catch (${error}) { ${note} }`, gap, last]
}

function finalizerOf(frame: Frame, suspends: boolean): Finalizer {
  return suspends ? suspendingFinalizer(frame) : { entry: frame.flow.label(), exits: new Set(), pending: undefined }
}

export function suspendingFinalizer(frame: Frame): Finalizer & { readonly pending: Pending } {
  const entry = frame.flow.label()
  return { entry, exits: new Set(), pending: { kind: frame.kept('c'), value: frame.kept('v') } }
}

export function noteCompletion(frame: Frame, { pending }: Finalizer): void {
  if (pending !== undefined) frame.flow.define(pending.kind, pending.value)
}

/** Block and handler; `escaped` is where their exceptions go, if there is a `finally` block. */
function guardedPart(
  rewriter: Rewriter,
  frame: Frame,
  { start, block, handler, finalizer }: TryStatement,
  { end, escaped }: { readonly end: Label; readonly escaped: Label | undefined },
): Code {
  const { flow, jumps } = frame
  const caught = handler === null ? escaped : flow.label()
  let body: Code = ''
  const emit = (): void => {
    body = rewriter.statement(frame, block)
  }
  jumps.guarded(() => (caught === undefined ? emit() : flow.guarded(caught, emit)))
  flow.jump(end)
  const isNested = finalizer !== null && mayStop(rewriter, frame, [finalizer])
  const head = isNested && handler === null ? body : [slice(start, block.start), body]
  if (handler === null || caught === undefined) return head
  flow.place(caught)
  let clause: Code = ''
  const emitClause = (): void => {
    clause = catchClause(rewriter, frame, handler)
  }
  if (escaped === undefined) emitClause()
  else jumps.guarded(() => flow.guarded(escaped, emitClause))
  flow.jump(end)
  return [head, slice(block.end, handler.start), clause]
}

function catchClause(rewriter: Rewriter, frame: Frame, { start, param, body }: CatchClause): Code {
  frame.nextStatement()
  if (param === null) return [slice(start, body.start), rewriter.statement(frame, body)]
  if (isPattern(param) && frame.kind === 'generator') {
    const error = frame.kept('e')
    frame.flow.define(error)
    const items = bindPattern(rewriter, frame, { target: param, value: named(error), declares: true })
    const bound = declarationOf(frame, 'let', items, false)
    const caught = frame.dummy()
    return [`catch (${caught}) { ${error.code} = ${caught}; `, bound, ' ', rewriter.statement(frame, body), ' }']
  }
  const content = (): Code => rewriter.statement(frame, body)
  if (param.type !== 'Identifier') {
    const boxes = boxItems(rewriter, frame, param)
    const head = ['catch (', plainPattern(rewriter, frame, param), ') { ']
    return [head, declarationOf(frame, 'const', boxes, false), ' ', content(), ' }']
  }
  const binding = rewriter.bindings.resolved.get(param)
  if (binding?.isBoxed === true) {
    const caught = frame.dummy()
    const box = declareName(rewriter, frame, param, transient(caught))
    return [`catch (${caught}) { `, declarationOf(frame, 'const', [box], false), ' ', content(), ' }']
  }
  if (binding !== undefined) frame.flow.define(frame.variable(binding))
  return ['catch (', nameCode(frame, param, binding), ') ', content()]
}
