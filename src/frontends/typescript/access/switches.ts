/** `switch`: tests are evaluated in order while the tested value waits; cases fall through. */
import type { SwitchStatement } from 'oxc-parser'
import { scopeHead } from './declarations.ts'
import type { Frame } from './frame.ts'
import { consume, mayStop } from './operands.ts'
import { type Code, slice } from './output.ts'
import type { Rewriter } from './rewriter.ts'

export function switchStatement(rewriter: Rewriter, frame: Frame, node: SwitchStatement): Code {
  const { flow } = frame
  const scope = rewriter.bindings.scopes.get(node)
  const labels = frame.jumps.takeLabels()
  const tests = node.cases.flatMap(({ test }) => (test === null ? [] : [test]))
  const tested = rewriter.expression(frame, node.discriminant)
  consume(frame, [tested])
  const isMoved = [...(scope?.bindings.values() ?? [])].length > 0
  const waits = isMoved || mayStop(rewriter, frame, tests) ? frame.kept('k') : undefined
  if (waits !== undefined) flow.define(waits)
  const head = movedHead(rewriter, frame, node)
  const starts = node.cases.map(() => flow.label())
  const end = flow.label()
  const codes = node.cases.map(({ test }, index) => {
    if (test === null) return ''
    frame.nextStatement()
    const value = rewriter.expression(frame, test)
    consume(frame, [value])
    flow.use(waits)
    flow.branch(starts[index] ?? end)
    return value.code
  })
  const otherwise = node.cases.findIndex(({ test }) => test === null)
  flow.jump(starts[otherwise] ?? end)
  const bodies: Code[] = []
  frame.jumps.within({ labels, isPlain: true, onBreak: end, onContinue: undefined }, () => {
    node.cases.forEach(({ test, consequent, start, end: caseEnd }, index) => {
      flow.place(starts[index] ?? end)
      const from = consequent[0]?.start ?? caseEnd
      const before =
        test === null ? slice(start, from) : [slice(start, test.start), codes[index] ?? '', slice(test.end, from)]
      bodies.push([before, rewriter.statements(frame, consequent, { start: from, end: caseEnd })])
    })
  })
  flow.place(end)
  const first = node.cases[0]?.start ?? node.end
  const gaps = node.cases.map(({ end: from }, index) => [
    bodies[index] ?? '',
    slice(from, node.cases[index + 1]?.start ?? node.end),
  ])
  const rest = [slice(node.discriminant.end, first), gaps]
  if (waits === undefined) return ['switch (', tested.code, rest]
  if (!isMoved) return ['switch (', waits.code, ' = ', tested.code, rest]
  return ['{ ', waits.code, ' = ', tested.code, '; {', head, ' switch (', waits.code, rest, ' } }']
}

/** Variables declared in cases. */
function movedHead(rewriter: Rewriter, frame: Frame, node: SwitchStatement): Code {
  const scope = rewriter.bindings.scopes.get(node)
  const plain = [...(scope?.bindings.values() ?? [])].filter(
    (binding) => binding.isMoved && !binding.isBoxed && binding.kind !== 'enum',
  )
  frame.flow.define(...plain.map((binding) => frame.variable(binding)))
  const names = plain.length === 0 ? '' : ` let ${plain.map((binding) => frame.codeOf(binding)).join(', ')};`
  return [names, scopeHead(rewriter, frame, scope)]
}
