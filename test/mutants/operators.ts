/** Ways to make the source of the extractor wrong, each applied wherever it fits: by the syntax tree, never by hand. */
import { type Node, parseSync } from 'oxc-parser'
import { isTypeOnly } from '../../src/frontends/typescript/access/tree.ts'
import { childrenOf } from '../../src/frontends/typescript/syntax.ts'

export interface Mutant {
  readonly file: string
  readonly operator: string
  readonly line: number
  readonly start: number
  readonly end: number
  /** Stands there instead. */
  readonly text: string
  /** What is changed and the line it stands in, with '#2' for a namesake: the same wherever the line moves. */
  readonly name: string
}

type Change = Pick<Mutant, 'operator' | 'start' | 'end' | 'text'>

export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const names = new Map<string, number>()
  const changes: Change[] = []
  visit(parseSync(file, source).program, source, changes)
  return changes
    .toSorted((left, right) => left.start - right.start)
    .map((change) => {
      const shown = (source.slice(change.start, change.end) || change.text).replace(/\s+/g, ' ').slice(0, 60)
      const line = source.slice(0, change.start).split('\n').length
      const around = (source.split('\n')[line - 1] ?? '').trim().slice(0, 80)
      const base = `${file}: ${change.operator}: ${shown} in ${around}`
      const count = (names.get(base) ?? 0) + 1
      names.set(base, count)
      return { ...change, file, line, name: count === 1 ? base : `${base} #${count}` }
    })
}

function visit(node: Node, source: string, changes: Change[]): void {
  if (isTypeOnly(node) || node.type === 'ImportDeclaration') return
  changes.push(...changesOf(node, (one) => source.slice(one.start, one.end)))
  for (const child of childrenOf(node)) visit(child, source, changes)
}

type TextOf = (node: Node) => string

function* changesOf(node: Node, textOf: TextOf): Generator<Change> {
  switch (node.type) {
    case 'IfStatement':
      if (refuses(textOf(node.consequent))) yield change('refusal removed', node.test, 'false')
      else yield change('condition negated', node.test, `!(${textOf(node.test)})`)
      break
    case 'ConditionalExpression':
      yield change('condition negated', node.test, `!(${textOf(node.test)})`)
      break
    case 'Literal':
      if (typeof node.value === 'number') yield change('off by one', node, `${node.value + 1}`)
      if (typeof node.value === 'boolean') yield change('boolean flipped', node, `${!node.value}`)
      break
    case 'ExpressionStatement':
      if (refuses(textOf(node))) yield change('refusal removed', node, ';')
      break
    case 'ThrowStatement':
      yield change('refusal removed', node, ';')
      break
    case 'ArrayExpression':
      yield* elementsDropped(node)
      break
    case 'CallExpression':
      yield* callChanges(node, textOf)
      break
    case 'ObjectExpression':
      yield* sidesSwapped(node, textOf)
  }
}

function change(operator: string, { start, end }: Node, text: string): Change {
  return { operator, start, end, text }
}

/** A call of what throws a refusal, or reports one. */
function refuses(text: string): boolean {
  return /^(?:return )?(?:[\w.#]*\.)?#?(?:refuse\w*|complain)(?:<\w+>)?\(/.test(text)
}

/** Of a list that is written as one text. */
function* wordsDropped(node: Node | undefined): Generator<Change> {
  if (node?.type !== 'Literal' || typeof node.value !== 'string') return
  let start = node.start + 1
  for (const word of node.value.split(' ')) {
    yield { operator: 'word dropped', start, end: start + word.length, text: `not${word}` }
    start += word.length + 1
  }
}

function* elementsDropped(node: Extract<Node, { type: 'ArrayExpression' }>): Generator<Change> {
  for (const element of node.elements) {
    if (element?.type !== 'Literal' || typeof element.value !== 'string') continue
    // Of longer lists of words the compiler knows what is missing.
    if (!element.value.includes(' ')) yield change('element dropped', element, `'not ${element.value}'`)
  }
}

function* callChanges(node: Extract<Node, { type: 'CallExpression' }>, textOf: TextOf): Generator<Change> {
  const { callee } = node
  if (callee.type === 'Identifier' && formReadings.has(callee.name)) {
    if (callee.name === 'refused') yield change('form let in', callee, 'exact')
    else yield change('form kept out', callee, 'refused')
  }
  if (callee.type === 'MemberExpression' && textOf(callee.property) === 'split') yield* wordsDropped(callee.object)
  if (callee.type === 'Identifier' && callee.name === 'words') {
    const [first] = node.arguments
    const listed = node.arguments.flatMap((one) => (one.type === 'Literal' ? String(one.value).split(' ') : []))
    // What is known, but not for this: what is not known at all is refused before anybody asks.
    const candidates = listed.some((word) => word.includes('.'))
      ? ['Object.assign']
      : listed.every((word) => /^[A-Z]/.test(word))
        ? ['Number']
        : ['push', 'find', 'frobnicate']
    const strangers = candidates.filter((word) => !listed.includes(word))
    for (const list of node.arguments) yield* wordsDropped(list)
    if (first?.type === 'Literal')
      for (const word of strangers)
        yield { operator: 'word added', start: first.start, end: first.start, text: `'${word}', ` }
  }
  const functions = node.arguments.filter((one) => one.type === 'ArrowFunctionExpression' || one.type === 'Identifier')
  const [left, right] = functions.slice(-2)
  const isBranch = callee.type === 'MemberExpression' && textOf(callee.property) === 'branch'
  if (isBranch && left !== undefined && right !== undefined) {
    const text = `${textOf(right)}, ${textOf(left)}`
    yield { operator: 'branches swapped', start: left.start, end: right.end, text }
  }
}

const formReadings: ReadonlySet<string> = new Set(['exact', 'ordered', 'refused'])

/** Of `{ left: …, right: … }`. */
function* sidesSwapped(node: Extract<Node, { type: 'ObjectExpression' }>, textOf: TextOf): Generator<Change> {
  const named = (name: string) =>
    node.properties.find((one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === name)
  const [left, right] = [named('left'), named('right')]
  if (left?.type !== 'Property' || right?.type !== 'Property') return
  const between = textOf(node).slice(left.end - node.start, right.start - node.start)
  const text = `left: ${textOf(right.value)}${between}right: ${textOf(left.value)}`
  yield { operator: 'sides swapped', start: left.start, end: right.end, text }
}
