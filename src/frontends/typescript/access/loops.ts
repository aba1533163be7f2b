/**
 * Loops. Iteration over a collection becomes a loop over an iterator of the runtime's, which is a live value of the frame
 * like any other. Every body begins with a call that counts, so that a loop that never ends is found.
 */
import type { ForInStatement, ForOfStatement, ForStatement, Node } from 'oxc-parser'
import { evaluatedBefore } from './calls.ts'
import { boxItems, declaration, declarationOf } from './declarations.ts'
import type { Label, Variable } from './flow.ts'
import type { Frame } from './frame.ts'
import { completions } from './jumps.ts'
import { boxPlace, readPlace } from './members.ts'
import { consume, operandsOf } from './operands.ts'
import { operation } from './operations.ts'
import { type Code, joined, slice } from './output.ts'
import { bindPattern, cellCode, type Item } from './patterns.ts'
import { plainPattern } from './plain-patterns.ts'
import type { Rewriter } from './rewriter.ts'
import { declaredNames, type Identifier } from './tree.ts'
import { noteCompletion, surrounded, suspendingFinalizer } from './tries.ts'
import { named, transient } from './value.ts'

/** The flow has the order of evaluation (test, body, update); the code has the order of the source. */
export function forLoop(rewriter: Rewriter, frame: Frame, node: ForStatement): Code {
  const { flow } = frame
  const [head, onContinue, exit] = [flow.label(), flow.label(), flow.label()]
  const labels = frame.jumps.takeLabels()
  const init = node.init === null ? '' : loopHead(rewriter, frame, node.init)
  flow.place(head)
  const test = node.test === null ? undefined : rewriter.expression(frame, node.test)
  if (test !== undefined) {
    consume(frame, [test])
    if (!isTrue(node.test)) flow.branch(exit)
  }
  const body = loopBody(rewriter, frame, node.body, { labels, onBreak: exit, onContinue })
  flow.place(onContinue)
  frame.nextStatement()
  const copies = node.init === null ? [] : copiedBoxes(rewriter, frame, node.init)
  const update = node.update === null ? undefined : rewriter.expression(frame, node.update, false)
  flow.jump(head)
  flow.place(exit)
  const updates = update === undefined ? copies : [...copies, update.code]
  return ['for (', init, '; ', test?.code ?? '', '; ', joined(updates), ') ', body]
}

export function whileLoop(rewriter: Rewriter, frame: Frame, node: Extract<Node, { type: 'WhileStatement' }>): Code {
  const { flow } = frame
  const [head, exit] = [flow.label(), flow.label()]
  const labels = frame.jumps.takeLabels()
  flow.place(head)
  const test = rewriter.expression(frame, node.test)
  consume(frame, [test])
  if (!isTrue(node.test)) flow.branch(exit)
  const body = loopBody(rewriter, frame, node.body, { labels, onBreak: exit, onContinue: head })
  flow.jump(head)
  flow.place(exit)
  return [slice(node.start, node.test.start), test.code, slice(node.test.end, node.body.start), body]
}

export function doWhileLoop(rewriter: Rewriter, frame: Frame, node: Extract<Node, { type: 'DoWhileStatement' }>): Code {
  const { flow } = frame
  const [head, onContinue, exit] = [flow.label(), flow.label(), flow.label()]
  const labels = frame.jumps.takeLabels()
  flow.place(head)
  const body = loopBody(rewriter, frame, node.body, { labels, onBreak: exit, onContinue })
  flow.place(onContinue)
  frame.nextStatement()
  const test = rewriter.expression(frame, node.test)
  consume(frame, [test])
  flow.branch(head)
  flow.place(exit)
  const rest = [slice(node.body.end, node.test.start), test.code, slice(node.test.end, node.end)]
  return [slice(node.start, node.body.start), body, ' ', rest]
}

/**
 * `for (x of o)` becomes `for ($i = iterate(…, o); next(…, $i) === true; ) { x = $i.value … }`; `for … in` in the same way. What
 * leaves a `for … of` early tells the iterator, see `closedBody`.
 */
export function iteration(rewriter: Rewriter, frame: Frame, node: ForOfStatement | ForInStatement): Code {
  if (frame.kind === 'plain') return plainIteration(rewriter, frame, node)
  const { flow } = frame
  const [head, exit] = [flow.label(), flow.label()]
  const labels = frame.jumps.takeLabels()
  const iterator = frame.kept('i')
  const offset = node.right.start
  const isAwaited = node.type === 'ForOfStatement' && node.await
  const name = isAwaited ? 'iterateAsync' : node.type === 'ForOfStatement' ? 'iterate' : 'iterateKeys'
  const begun = operation(rewriter, frame, {
    name,
    offset,
    operands: operandsOf(rewriter, frame, [{ node: node.right }]),
  })
  consume(frame, [begun])
  flow.define(iterator)
  flow.place(head)
  frame.nextStatement()
  const next = operandsOf(rewriter, frame, [{ node: evaluatedBefore, emit: () => named(iterator) }])
  const more = operation(rewriter, frame, { name: isAwaited ? 'nextAsync' : 'next', offset, operands: next })
  consume(frame, [more])
  flow.branch(exit)
  frame.nextStatement()
  const targets = { labels, onBreak: exit, onContinue: head }
  const body =
    node.type === 'ForOfStatement'
      ? closedBody(rewriter, frame, node, { iterator, targets })
      : loopBody(rewriter, frame, node.body, { ...targets, head: boundElement(rewriter, frame, node, iterator) })
  flow.jump(head)
  flow.place(exit)
  return ['for (', iterator.code, ' = ', begun.code, '; ', more.code, ' === true; ) ', body]
}

interface Closed {
  readonly iterator: Variable
  readonly targets: LoopTargets
}

/**
 * `{ try { x = $i.value … } catch ($d) { … } finally { if ($c …) close(…, $i, …) } }`: unless it ends or goes on with the next
 * element, the body is left early. Errors of `next` stand outside: an iterator that failed is not closed (ECMA-262 §14.7.5.7).
 */
function closedBody(rewriter: Rewriter, frame: Frame, node: ForOfStatement, { iterator, targets }: Closed): Code {
  const { flow, jumps } = frame
  const context = suspendingFinalizer(frame)
  const { pending } = context
  const goesOn = jumps.numberOf(context, targets.onContinue)
  const escaped = flow.label()
  let body: Code = ''
  const emit = (): void => {
    const bound = boundElement(rewriter, frame, node, iterator)
    body = [bound, ' ', rewriter.statement(frame, node.body)]
  }
  rewriter.table.loop(frame.index, node.body)
  noteCompletion(frame, context)
  jumps.within({ ...targets, isPlain: true }, () =>
    jumps.within(context, () => jumps.guarded(() => flow.guarded(escaped, emit))),
  )
  flow.jump(targets.onContinue)
  flow.place(escaped)
  noteCompletion(frame, context)
  flow.place(context.entry)
  frame.nextStatement()
  const values = [named(iterator), transient(`${pending.kind.code} === ${completions.throw}`)]
  const closed = operation(rewriter, frame, {
    name: node.await ? 'closeAsync' : 'close',
    offset: node.right.start,
    operands: { setup: [], values },
  })
  consume(frame, [closed])
  flow.use(pending.kind, pending.value)
  for (const exit of context.exits) flow.branch(exit)
  flow.end()
  const isLeft = `${pending.kind.code} !== ${completions.normal} && ${pending.kind.code} !== ${goesOn}`
  const last: Code = [`{ if (${isLeft}) `, closed.code, '; }']
  const code = surrounded(frame, { pending, guarded: ['{', body, ' }'], gap: ' finally ', last })
  return [`{ ${rewriter.runtime('tick')}(); `, code, ' }']
}

/** In plain code the language iterates: nothing can stop in it. */
function plainIteration(rewriter: Rewriter, frame: Frame, node: ForOfStatement | ForInStatement): Code {
  const { left, right } = node
  const labels = frame.jumps.takeLabels()
  const [head, exit] = [frame.flow.label(), frame.flow.label()]
  const declarator = left.type === 'VariableDeclaration' ? left.declarations[0] : undefined
  const target =
    declarator === undefined
      ? plainPattern(rewriter, frame, left, true)
      : [slice(left.start, declarator.id.start), plainPattern(rewriter, frame, declarator.id)]
  const end = declarator === undefined ? left.end : declarator.id.end
  const iterated = rewriter.expression(frame, right)
  const boxes = declarator === undefined ? [] : boxItems(rewriter, frame, declarator.id)
  const extra = boxes.length === 0 ? '' : [' ', declarationOf(frame, 'const', boxes, false)]
  const body = loopBody(rewriter, frame, node.body, { labels, onBreak: exit, onContinue: head, head: extra })
  return [
    slice(node.start, left.start),
    target,
    slice(end, right.start),
    iterated.code,
    slice(right.end, node.body.start),
    body,
  ]
}

interface LoopTargets {
  readonly labels: readonly string[]
  readonly onBreak: Label
  readonly onContinue: Label
  /** What runs at the beginning of each round. */
  readonly head?: Code
}

function loopBody(rewriter: Rewriter, frame: Frame, node: Node, { head = '', ...targets }: LoopTargets): Code {
  rewriter.table.loop(frame.index, node)
  let code: Code = ''
  frame.jumps.within({ ...targets, isPlain: true }, () => {
    code = rewriter.statement(frame, node)
  })
  return [`{ ${rewriter.runtime('tick')}();`, head, ' ', code, ' }']
}

/** What the name or pattern in the head of an iteration gets in each round. */
function boundElement(
  rewriter: Rewriter,
  frame: Frame,
  { left }: ForOfStatement | ForInStatement,
  iterator: Variable,
): Code {
  frame.flow.use(iterator)
  const value = transient(`${iterator.code}.value`)
  const declarator = left.type === 'VariableDeclaration' ? left.declarations[0] : undefined
  const target = declarator?.id ?? left
  const items = bindPattern(rewriter, frame, { target, value, declares: declarator !== undefined })
  return [' ', declarationOf(frame, left.type === 'VariableDeclaration' ? left.kind : 'let', items, false)]
}

/** `const` becomes `let`, because `copiedBoxes` assigns a new box in every round. */
function loopHead(rewriter: Rewriter, frame: Frame, init: Node): Code {
  if (init.type !== 'VariableDeclaration') return rewriter.expression(frame, init, false).code
  const early: Item[] = boxedNames(rewriter, init).flatMap(({ binding }) => {
    if (!binding.isEarly) return []
    const variable = frame.variable(binding)
    frame.flow.define(variable)
    return [
      {
        name: variable.code,
        code: cellCode(rewriter, frame, { name: binding.name, start: binding.offset }, 'undefined'),
      },
    ]
  })
  const kind = init.kind === 'const' ? 'let' : init.kind
  return declaration(rewriter, frame, { ...init, kind }, { isHead: true, extra: early })
}

/** Each round has its own copy of the variables of the head. */
function copiedBoxes(rewriter: Rewriter, frame: Frame, init: Node): readonly Code[] {
  if (init.type !== 'VariableDeclaration' || init.kind === 'var') return []
  return boxedNames(rewriter, init).map(({ identifier, binding }) => {
    const variable = frame.variable(binding)
    const old = readPlace(rewriter, frame, boxPlace(frame, identifier, binding))
    consume(frame, [old])
    frame.flow.define(variable)
    return [variable.code, ' = ', cellCode(rewriter, frame, identifier, old.code)]
  })
}

function boxedNames(rewriter: Rewriter, init: Extract<Node, { type: 'VariableDeclaration' }>) {
  return init.declarations.flatMap(({ id }) =>
    [...declaredNames(id)].flatMap((identifier: Identifier) => {
      const binding = rewriter.bindings.resolved.get(identifier)
      return binding?.isBoxed === true ? [{ identifier, binding }] : []
    }),
  )
}

/** `while (true)` has no way out by its test, so what follows it need not keep values alive. */
function isTrue(node: Node | null): boolean {
  return node?.type === 'Literal' && node.value === true
}
