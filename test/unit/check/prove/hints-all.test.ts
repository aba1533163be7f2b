/** Every hint that the sources of `prove` hold is followed by one of the tests beside this one: what no test follows may lead nowhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const sources = 'src/frontends/typescript/icet'
const tests = 'test/unit/check/prove'

/** Functions whose second argument is a hint. */
const makers = new Set(['outside', 'undecided', 'notUpFront', 'notAnAddress', 'sharedVariable', 'refused'])

/** Hints that no program gets, with the reason. */
const neverGiven: ReadonlyMap<string, string> = new Map([
  ['write import … from …', 'such an import stands outside all functions'],
  ['use a module of its own', 'a namespace stands outside all functions'],
  ['write TypeScript', 'intrinsics are no syntax of modules'],
  ['name the object', '`with` is no syntax of modules'],
  ['write it in another way', 'the table has all forms'],
  ['compute it in a function outside', 'forms that are not refused are read where they can stand'],
  [
    "write export default program('name', { params: { … } }, function* ({ … }) { … }) in the check file itself",
    'programs are looked for where they were declared',
  ],
])

type Node = { readonly type: string; readonly [field: string]: unknown }

/** Texts of a hint, one for each way to choose between them; what is put in is `…`. */
function textsOf(node: unknown, constants: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const { type, ...parts } = node as Node
  const texts = (...nodes: readonly unknown[]) => nodes.flatMap((one) => textsOf(one, constants))
  switch (type) {
    case 'Literal':
      return typeof parts.value === 'string' ? [parts.value] : []
    case 'TemplateLiteral':
      return [(parts.quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')]
    case 'ConditionalExpression':
      return texts(parts.consequent, parts.alternate)
    case 'Identifier':
      return constants.get(parts.name as string) ?? []
    default:
      return []
  }
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const part of Object.values(value)) yield* nodesIn(part)
}

function hintsIn(file: string): readonly string[] {
  const { program } = parseSync(file, readFileSync(join(sources, file), 'utf8'))
  const nodes = [...nodesIn(program)]
  const constants = new Map<string, readonly string[]>()
  for (const { type, id, init } of nodes) {
    if (type !== 'VariableDeclarator' || init === null) continue
    const { name } = id as { readonly name?: string }
    if (name !== undefined) constants.set(name, [...(constants.get(name) ?? []), ...textsOf(init, new Map())])
  }
  return nodes.flatMap((node) => {
    const name = (part: unknown) => (part as { readonly name?: string } | undefined)?.name
    if (node.type === 'CallExpression' && makers.has(name(node.callee) ?? ''))
      return textsOf((node.arguments as readonly unknown[])[1] ?? {}, constants)
    if (node.type === 'Property' && name(node.key) === 'hint') return textsOf(node.value, constants)
    return node.type === 'AssignmentPattern' && name(node.left) === 'hint' ? textsOf(node.right, constants) : []
  })
}

/** What is put in may be anything in one line. */
function patternOf(hint: string): RegExp {
  const fixed = hint.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return new RegExp(fixed.join('.+?'))
}

const hints = new Set(readdirSync(sources).flatMap(hintsIn))
const followed = readdirSync(tests)
  .filter((file) => file.startsWith('hints') && file !== 'hints-all.test.ts')
  .map((file) => readFileSync(join(tests, file), 'utf8').replaceAll(`\\'`, `'`))
  .join('\n')

test('hints are found', () => expect(hints.size).toBeGreaterThan(70))

test('each is followed', () => {
  const open = [...hints].filter((hint) => !neverGiven.has(hint) && !patternOf(hint).test(followed))
  expect(open).toEqual([])
})

test('those that are never given are hints', () => {
  expect([...neverGiven.keys()].filter((hint) => !hints.has(hint))).toEqual([])
})
