/**
 * Destructuring as the reads it consists of, in their order: `const { a, b: [c] } = e` reads `e.a`, then `e.b`, and binds
 * each name where it has its value. Only a rest element takes several properties in one operation.
 */
import type { ArrayPattern, MemberExpression, Node, ObjectPattern } from 'oxc-parser'
import { evaluatedBefore } from './calls.ts'
import type { Variable } from './flow.ts'
import type { Frame } from './frame.ts'
import { boxPlace, memberPlace, nameCode, writePlace } from './members.ts'
import { consume, held, nameable, operandsOf } from './operands.ts'
import { operation, siteCode } from './operations.ts'
import { type Code, joined } from './output.ts'
import type { Rewriter } from './rewriter.ts'
import { type Identifier, unwrapped } from './tree.ts'
import { constant, named, transient, type Value } from './value.ts'

/** A declared name with its value, or an expression to be evaluated. */
export interface Item {
  readonly name?: Code
  readonly code: Code | undefined
}

/** Binds the names of a pattern in a generator. */
export function bindPattern(
  rewriter: Rewriter,
  frame: Frame,
  { target, value, declares }: { readonly target: Node; readonly value: Value; readonly declares: boolean },
): readonly Item[] {
  const binder = new PatternBinder(rewriter, frame, declares)
  binder.bind(target, value)
  return binder.items
}

/** One name of a declaration gets its value. */
export function declareName(rewriter: Rewriter, frame: Frame, identifier: Identifier, value: Value | undefined): Item {
  const binding = rewriter.bindings.resolved.get(identifier)
  if (value !== undefined) consume(frame, [value])
  if (binding === undefined || (binding.isTopLevel && !binding.isBoxed))
    return { name: nameCode(frame, identifier, binding), code: value?.code }
  const variable = frame.variable(binding)
  if (!binding.isBoxed) {
    frame.flow.define(variable)
    if (!binding.isMoved) return { name: nameCode(frame, identifier, binding), code: value?.code }
    return { code: [nameCode(frame, identifier, binding), ' = ', value?.code ?? 'undefined'] }
  }
  const content = value?.code ?? 'undefined'
  if (!binding.isEarly && binding.kind !== 'var') {
    frame.flow.define(variable)
    return { name: variable.code, code: cellCode(rewriter, frame, identifier, content) }
  }
  if (frame.kind === 'plain') return { code: [variable.code, '.v = ', content] }
  const written = { node: evaluatedBefore, emit: () => transient(content) }
  return {
    code: writePlace(rewriter, frame, boxPlace(frame, identifier, binding), { value: written, wanted: false }).code,
  }
}

/** A box for the variable whose name stands at the offset. */
export function cellCode(rewriter: Rewriter, frame: Frame, { name, start }: CellOrigin, content: Code): Code {
  return [rewriter.runtime('cell'), '(', siteCode(rewriter, frame, start), ', ', content, `, '${name}')`]
}

/** The variable that a box is for. */
interface CellOrigin {
  readonly name: string
  readonly start: number
}

/** `a = 1, b = 2`; expressions stand in front of the next value. */
export function declarators(frame: Frame, items: readonly Item[]): Code {
  const list: Code[] = []
  let front: Code[] = []
  for (const { name, code } of items) {
    if (name === undefined) {
      if (code !== undefined) front.push(code)
    } else {
      list.push(
        front.length === 0
          ? [name, code === undefined ? '' : [' = ', code]]
          : [name, ' = (', joined([...front, code ?? 'undefined']), ')'],
      )
      front = []
    }
  }
  if (front.length > 0) list.push([frame.dummy(), ' = (', joined(front), ')'])
  return joined(list)
}

type BoundProperty = Extract<ObjectPattern['properties'][number], { type: 'Property' }>
type Rest = Extract<ObjectPattern['properties'][number], { type: 'RestElement' }>

class PatternBinder {
  readonly items: Item[] = []
  readonly #rewriter: Rewriter
  readonly #frame: Frame
  readonly #declares: boolean

  constructor(rewriter: Rewriter, frame: Frame, declares: boolean) {
    this.#rewriter = rewriter
    this.#frame = frame
    this.#declares = declares
  }

  bind(pattern: Node, value: Value): void {
    const target = unwrapped(pattern)
    switch (target.type) {
      case 'AssignmentPattern':
        this.bind(target.left, this.#withDefault(value, target.right, target.left))
        return
      case 'ObjectPattern':
        this.#bindObject(target as ObjectPattern, value)
        return
      case 'ArrayPattern':
        this.#bindArray(target as ArrayPattern, value)
        return
      case 'MemberExpression':
        this.#bindMember(target, value)
        return
      case 'Identifier':
        this.items.push(
          this.#declares
            ? declareName(this.#rewriter, this.#frame, target as Identifier, value)
            : { code: this.#assigned(target as Identifier, value) },
        )
        return
    }
  }

  #assigned(target: Identifier, value: Value): Code {
    const binding = this.#rewriter.bindings.resolved.get(target)
    if (binding?.isBoxed === true) {
      const written = { node: evaluatedBefore, emit: () => value }
      return writePlace(this.#rewriter, this.#frame, boxPlace(this.#frame, target, binding), {
        value: written,
        wanted: false,
      }).code
    }
    consume(this.#frame, [value])
    if (binding !== undefined && !binding.isTopLevel) this.#frame.flow.define(this.#frame.variable(binding))
    return [nameCode(this.#frame, target, binding), ' = ', value.code]
  }

  #bindMember(target: MemberExpression, value: Value): void {
    const waiting = this.#nameable(value, [target])
    const place = memberPlace(this.#rewriter, this.#frame, target, { writes: true })
    const written = writePlace(this.#rewriter, this.#frame, place, {
      value: { node: evaluatedBefore, emit: () => waiting },
      wanted: false,
    })
    this.items.push({ code: written.code })
  }

  #withDefault(value: Value, node: Node, target: Node): Value {
    const { flow } = this.#frame
    const tested = held(this.#frame, value)
    const present = flow.label()
    const end = flow.label()
    flow.use(tested.variable)
    flow.branch(present)
    const name = target.type === 'Identifier' ? target.name : undefined
    const otherwise = this.#rewriter.namedValue(this.#frame, node, name)
    consume(this.#frame, [otherwise])
    flow.jump(end)
    flow.place(present)
    flow.use(tested.variable)
    flow.place(end)
    return transient(['(', tested.code, ' === undefined ? ', otherwise.code, ' : ', tested.variable.code, ')'])
  }

  #bindObject(pattern: ObjectPattern, value: Value): void {
    const source = this.#nameable(value, [pattern])
    const keys: Value[] = []
    for (const property of pattern.properties) {
      if (property.type === 'RestElement') {
        this.#bindRest(property, source, keys)
        continue
      }
      const key = this.#key(property, pattern)
      const read = { name: 'get', offset: property.key.start, operands: { setup: [], values: [source, key] } }
      keys.push(key)
      this.bind(property.value, operation(this.#rewriter, this.#frame, read))
    }
    // Even an empty pattern fails if there is nothing to take apart.
    if (pattern.properties.length === 0) this.items.push({ code: this.#picked(pattern, source, [], false).code })
  }

  /** What is left is copied in one operation. */
  #bindRest({ argument, start }: Rest, source: Value, keys: readonly Value[]): void {
    const picked = this.#picked({ start }, source, keys, true)
    const [left, others] = [this.#frame.temporary(), this.#frame.temporary()]
    const pieces = keys.map((key) => ['[', key.code, ']: ', left.code])
    consume(this.#frame, [picked, ...keys])
    this.#frame.flow.define(others)
    this.items.push({ code: ['({ ', joined([...pieces, ['...', others.code]]), ' } = ', picked.code, ')'] })
    this.items.push({ code: [others.code, ' = ', this.#made(start, others.code)] })
    this.bind(argument, named(others))
  }

  #picked({ start }: { readonly start: number }, source: Value, keys: readonly Value[], hasRest: boolean): Value {
    return operation(this.#rewriter, this.#frame, {
      name: 'pick',
      offset: start,
      operands: { setup: [], values: [source, ...keys] },
      arrange: ([object, ...codes]) => [object ?? '', ['[', joined(codes), ']'], String(hasRest)],
    })
  }

  #key(property: BoundProperty, pattern: ObjectPattern): Value {
    if (!property.computed) return constant(JSON.stringify(this.#rewriter.propertyName(property.key)))
    return this.#nameable(this.#rewriter.expression(this.#frame, property.key), [pattern])
  }

  #bindArray(pattern: ArrayPattern, value: Value): void {
    const frame = this.#frame
    const last = pattern.elements.at(-1)
    const rest = last?.type === 'RestElement' ? last : undefined
    const elements = rest === undefined ? pattern.elements : pattern.elements.slice(0, -1)
    const isPlain = pattern.elements.every((element) => element !== null && this.#isUnseen(element))
    const taking = `{ hasRest: ${rest !== undefined}, isPlain: ${isPlain} }`
    const taken = operation(this.#rewriter, frame, {
      name: 'take',
      offset: pattern.start,
      operands: operandsOf(this.#rewriter, frame, [{ node: evaluatedBefore, emit: () => value }]),
      arrange: ([array]) => [array ?? '', String(elements.length), taking],
    })
    const { code, variable } = held(frame, taken)
    this.items.push({ code })
    const parts = elements.flatMap((target, index) =>
      target === null ? [] : [{ target: target as Node, value: this.#element(variable, `${variable.code}[${index}]`) }],
    )
    if (rest !== undefined) {
      const others = this.#made(rest.start, `${variable.code}.slice(${elements.length})`)
      parts.push({ target: rest.argument, value: this.#element(variable, others) })
    }
    for (const part of parts) this.bind(part.target, part.value)
  }

  /** Whether no code can notice when the element is bound (the value of one that is left out is not read): it is a variable of its own, or one that no other function uses. */
  #isUnseen(element: Node): boolean {
    const target = element.type === 'RestElement' ? element.argument : unwrapped(element)
    if (target.type !== 'Identifier') return false
    const binding = this.#rewriter.bindings.resolved.get(target)
    if (binding === undefined) return false
    if (binding.isTopLevel) return this.#declares
    return !binding.isBoxed || (this.#declares && (binding.kind === 'let' || binding.kind === 'const'))
  }

  /** All elements are taken out before any is bound, so that the array is not needed meanwhile. */
  #element(array: Variable, code: Code): Value {
    const temporary = this.#frame.temporary()
    this.#frame.flow.use(array)
    this.#frame.flow.define(temporary)
    this.items.push({ code: [temporary.code, ' = ', code] })
    return named(temporary)
  }

  #made(offset: number, code: Code): Code {
    return [this.#rewriter.runtime('made'), '(', siteCode(this.#rewriter, this.#frame, offset), ', ', code, ')']
  }

  #nameable(value: Value, later: readonly Node[]): Value {
    const setup: Code[] = []
    const result = nameable(this.#rewriter, this.#frame, value, { later, setup })
    for (const code of setup) this.items.push({ code })
    return result
  }
}
