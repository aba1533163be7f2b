/** Optional chains: `a?.b.c(d)` becomes nested conditionals, each testing a value that a variable holds. */
import type { CallExpression, ChainExpression, MemberExpression, Node } from 'oxc-parser'
import {
  applyFunction,
  argumentOperands,
  evaluatedBefore,
  methodCall,
  nativeCallCode,
  performCall,
  privateCall,
} from './calls.ts'
import type { Label } from './flow.ts'
import type { Frame } from './frame.ts'
import { memberPlace, nativePrivate, readOf } from './members.ts'
import { consume, held, nameable, type Operand, operandsOf } from './operands.ts'
import { operation, sequence } from './operations.ts'
import type { Code } from './output.ts'
import { twice } from './private-members.ts'
import type { Rewriter } from './rewriter.ts'
import { named, transient, type Value } from './value.ts'

type Link = MemberExpression | CallExpression

/** The value of the chain; with `deletes`, the last member is deleted instead of read. */
export function chain(rewriter: Rewriter, frame: Frame, node: ChainExpression, deletes = false): Value {
  const links: Link[] = []
  let base: Node = node.expression
  while (base.type === 'MemberExpression' || base.type === 'CallExpression' || base.type === 'TSNonNullExpression') {
    if (base.type === 'TSNonNullExpression') base = base.expression
    else if (base.type === 'MemberExpression' && base.object.type === 'Super') break
    else {
      links.unshift(base)
      base = base.type === 'MemberExpression' ? base.object : base.callee
    }
  }
  const end = frame.flow.label()
  const result = new Chain(rewriter, frame, { end, deletes }).follow(
    rewriter.expression(frame, base),
    links,
    superOf(base, frame),
  )
  consume(frame, [result])
  frame.flow.place(end)
  return transient(result.code)
}

/** A method of `super` is called with `this`. */
function superOf(base: Node, frame: Frame): Value | undefined {
  return base.type === 'MemberExpression' && base.object.type === 'Super' ? named(frame.self) : undefined
}

class Chain {
  readonly #rewriter: Rewriter
  readonly #frame: Frame
  readonly #end: Label
  readonly #deletes: boolean

  constructor(rewriter: Rewriter, frame: Frame, { end, deletes }: { readonly end: Label; readonly deletes: boolean }) {
    this.#rewriter = rewriter
    this.#frame = frame
    this.#end = end
    this.#deletes = deletes
  }

  /** `self` is the object that the value was read from. */
  follow(value: Value, links: readonly Link[], self: Value | undefined): Value {
    const [link, ...rest] = links
    if (link === undefined) return value
    if (link.optional) return this.#tested(value, (tested) => this.#step(tested, link, rest, self))
    return this.#step(value, link, rest, self)
  }

  #tested(value: Value, rest: (tested: Value) => Value): Value {
    const { flow } = this.#frame
    const known = value.isName ? value : held(this.#frame, value)
    flow.use(known.variable)
    flow.branch(this.#end)
    const tested = known.variable === undefined || known.isName ? known : named(known.variable)
    const result = rest(tested)
    consume(this.#frame, [result])
    return transient(['(', known.code, ` == null ? ${this.#deletes ? 'true' : 'undefined'} : `, result.code, ')'])
  }

  #step(value: Value, link: Link, rest: readonly Link[], self: Value | undefined): Value {
    if (link.type === 'CallExpression') return this.follow(this.#called(value, link, self), rest, undefined)
    const [next, ...others] = rest
    if (next?.type !== 'CallExpression') return this.follow(this.#read(value, link, rest.length === 0), rest, undefined)
    if (!next.optional) return this.follow(this.#invoked(value, link, next), others, undefined)
    // The object is needed twice: to read the method, and as its `this`.
    const setup: Code[] = []
    const object = nameable(this.#rewriter, this.#frame, value, { later: [link.property], setup })
    const result = this.follow(this.#read(object, link, false), rest, object)
    return setup.length === 0 ? result : transient(sequence(setup, result.code))
  }

  #read(value: Value, link: MemberExpression, isLast: boolean): Value {
    const object: Operand = { node: evaluatedBefore, emit: () => value }
    if (!isLast || !this.#deletes) return readOf(this.#rewriter, this.#frame, link, object)
    const place = memberPlace(this.#rewriter, this.#frame, link, { object })
    const operands = operandsOf(this.#rewriter, this.#frame, [object, place.key])
    return operation(this.#rewriter, this.#frame, { name: 'del', offset: place.offset, operands })
  }

  #invoked(value: Value, link: MemberExpression, node: CallExpression): Value {
    if (this.#frame.kind === 'plain' && link.property.type === 'PrivateIdentifier') {
      const { first, again } = twice(this.#frame, value)
      const callee = nativePrivate(this.#rewriter, this.#frame, link.property, transient(first))
      return this.#bound(callee, again, node)
    }
    const list = argumentOperands(this.#rewriter, this.#frame, node.arguments)
    const object = { node: evaluatedBefore, emit: () => value }
    if (link.property.type === 'PrivateIdentifier')
      return privateCall(this.#rewriter, this.#frame, link, { object, list, isAwaited: false })
    return performCall(
      this.#rewriter,
      this.#frame,
      methodCall(this.#rewriter, link, object, { list, isAwaited: false }),
    )
  }

  #bound(callee: Value, self: Code, node: CallExpression): Value {
    return nativeCallCode(this.#rewriter, this.#frame, transient([callee.code, '.bind(', self, ')']), node.arguments)
  }

  #called(value: Value, node: CallExpression, self: Value | undefined): Value {
    const list = argumentOperands(this.#rewriter, this.#frame, node.arguments)
    const callee = { node: evaluatedBefore, emit: () => value }
    const request = { offset: node.callee.start, callee, arguments: list }
    if (self === undefined) return performCall(this.#rewriter, this.#frame, request)
    return applyFunction(this.#rewriter, this.#frame, request, { node: evaluatedBefore, emit: () => self })
  }
}
