/**
 * Functions that run in one go, as the language runs them: constructors, and those which hold something that cannot be checked.
 * The latter refuse when a check reaches them. A generator works as ever otherwise: a module may use it while it is
 * loaded, and what it yields may be a process of a program in the same file.
 */
import type { Function as FunctionNode } from 'oxc-parser'
import { walk } from '../syntax.ts'
import type { Region } from './bindings.ts'
import { boxItems, declarationOf } from './declarations.ts'
import { Frame } from './frame.ts'
import type { AnyFunction } from './function-flags.ts'
import { type Code, slice } from './output.ts'
import { plainPattern } from './plain-patterns.ts'
import type { Refusal } from './refusals.ts'
import type { Rewriter } from './rewriter.ts'

export interface Refused {
  readonly node: AnyFunction
  readonly refusal: Refusal
}

/** In the place of the body of the generator that the function becomes. */
export function refusingBody(rewriter: Rewriter, region: Region, index: number, { node, refusal }: Refused): Code {
  if (!node.generator || usesSuper(node)) return [' {', refuseCode(rewriter, index, refusal, 'always'), ' }']
  const refuse = refuseCode(rewriter, index, refusal)
  const { body, params, async: isAsync } = node
  if (body === null) return ' {}'
  const original = plainFunction(rewriter, { node, region, index, isAsync }, '')
  const head = params.length === 0 ? '() ' : '('
  return [' {', refuse, ` return (${isAsync ? 'async ' : ''}function* ${head}`, original, ').apply(this, arguments) }']
}

/** A statement that throws if it is reached: under check, or always. */
export function refuseCode(
  rewriter: Rewriter,
  index: number,
  { construct, hint, offset }: Refusal,
  when: 'checking' | 'always' = 'checking',
): string {
  const site = `${rewriter.names.base}+${rewriter.table.site(index, offset)}`
  const texts = [`${construct} cannot be checked`, hint].map((text) => JSON.stringify(text))
  return ` ${rewriter.runtime('refused')}(${[site, ...texts, when === 'always'].join(', ')});`
}

interface PlainFunction {
  readonly node: FunctionNode
  readonly region: Region
  readonly index: number
  readonly isAsync: boolean
}

/** From the first parameter to the end of the body, or from the body on if there are none. */
export function plainFunction(
  rewriter: Rewriter,
  { node, region, index, isAsync }: PlainFunction,
  first: string,
): Code {
  const { params, body } = node
  if (body === null) return ''
  const { bindings, names } = rewriter
  const frame = new Frame({ kind: 'plain', region, index, isAsync, names })
  const pieces: Code[] = []
  let at = params[0]?.start ?? body.start
  for (const parameter of params) {
    const pattern = rewriter.loose(frame, (inner) => plainPattern(rewriter, inner, parameter))
    pieces.push(slice(at, parameter.start), pattern)
    at = parameter.end
  }
  const boxes = params.flatMap((parameter) => boxItems(rewriter, frame, parameter))
  const given = bindings.scopes.get(node)?.bindings.get('arguments')
  const content = [
    given?.kind === 'arguments' ? ` const ${names.arguments} = arguments;` : '',
    boxes.length === 0 ? '' : [' ', declarationOf(frame, 'const', boxes, false)],
    rewriter.scopeHead(frame, bindings.scopes.get(node)),
    rewriter.scopeHead(frame, bindings.scopes.get(body)),
    rewriter.statements(frame, body.body, { start: body.start + 1, end: body.end }),
  ]
  frame.finish()
  return [pieces, slice(at, body.start + 1), first, frame.declarations, content]
}

/** A function of its own inside the method would have none. */
function usesSuper(node: AnyFunction): boolean {
  let found = false
  walk(node, {
    enter: ({ type }) => {
      found ||= type === 'Super'
    },
  })
  return found
}
