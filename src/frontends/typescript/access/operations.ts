/** The code of operations: calls of the runtime that answer at once or ask the generator to suspend. */
import type { Frame } from './frame.ts'
import { consume, type Operands } from './operands.ts'
import { type Code, joined, Late } from './output.ts'
import type { Rewriter } from './rewriter.ts'
import { stored, transient, type Value } from './value.ts'

export interface EmittedOperation {
  readonly name: string
  /** Where it stands in the source. */
  readonly offset: number
  readonly operands: Operands
  /** The arguments of the runtime's function, from the code of the operands; by default these in order. */
  readonly arrange?: (operands: readonly Code[]) => readonly Code[]
}

/** In code that runs in one go nothing is told of what lives; the runtime sees what is accessed, and what native code changes. */
const plainNames: { readonly [name: string]: string } = {
  get: 'plainGet',
  set: 'plainSet',
  del: 'plainDelete',
  call: 'plainCall',
  invoke: 'plainInvoke',
  apply: 'plainApply',
}

export function operation(
  rewriter: Rewriter,
  frame: Frame,
  { name, offset, operands, arrange }: EmittedOperation,
): Value {
  const { setup, values } = operands
  const codes = values.map(({ code }) => code)
  const list = joined(arrange === undefined ? codes : arrange(codes))
  const site = siteCode(rewriter, frame, offset)
  if (frame.kind === 'plain') {
    consume(frame, values)
    return transient(sequence(setup, [rewriter.runtime(plainNames[name] ?? name), '(', site, ', ', list, ')']))
  }
  const live = new Late()
  const result = frame.temporary()
  frame.flow.operation({
    uses: values.flatMap(({ variable }) => (variable === undefined ? [] : [variable])),
    result,
    live,
    isVisible: (variable) => frame.isVisible(variable, offset),
  })
  const { code } = result
  const start = ['((', code, ' = ', rewriter.runtime(name), '(', site, ', ', live, ', ', list, ')) === ']
  const rest = `${rewriter.runtime('stop')} ? (${code} = yield* ${rewriter.runtime('go')}()) : ${code})`
  return stored(sequence(setup, [...start, rest]), result)
}

export function siteCode(rewriter: Rewriter, frame: Frame, offset: number): string {
  return `${rewriter.names.base}+${rewriter.table.site(frame.index, offset)}`
}

/** An expression behind others whose values are not used. */
export function sequence(first: readonly Code[], last: Code): Code {
  return first.length === 0 ? last : ['(', joined([...first, last]), ')']
}
