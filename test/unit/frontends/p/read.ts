/** Sources of P for tests, and trees in a form that can be written down. */
import type { Declaration, Expression, FunctionBody, Statement } from '../../../../src/frontends/p/ast.ts'
import { parse } from '../../../../src/frontends/p/parser.ts'
import { toDiagnostic } from '../../../../src/frontends/p/problem.ts'

/** The declarations without places, names as texts. The source has no mistake. */
export function read(text: string, legacy = false): readonly unknown[] {
  return declarationsOf(text, legacy).map(shape)
}

function declarationsOf(text: string, legacy = false): readonly Declaration[] {
  const { declarations, problems } = parse({ file: 'model.p', text }, 0, { legacy })
  if (problems.length > 0) throw new Error(problems.map(({ code, message }) => `${code} ${message}`).join('\n'))
  return declarations
}

function body(text: string): FunctionBody {
  const [declaration] = declarationsOf(`fun f() { ${text} }`)
  if (declaration?.kind !== 'function' || declaration.body === undefined) throw new Error('a function is expected')
  return declaration.body
}

export function statements(text: string): readonly unknown[] {
  return body(text).body.map(shape)
}

export function expression(text: string): Expression {
  const first: Statement | undefined = body(`x = ${text};`).body[0]
  if (first?.kind !== 'assign') throw new Error('an assignment is expected')
  return first.value
}

/** `12:3 E702 message | hint` for each mistake. */
export function mistakes(text: string, legacy = false): readonly string[] {
  const source = { file: 'model.p', text }
  return parse(source, 0, { legacy }).problems.map((problem) => {
    const { code, message, hint, place } = toDiagnostic(problem, [source])
    return `${place?.line}:${place?.column} ${code} ${message} | ${hint}`
  })
}

/** `3:7 E702` for each mistake. */
export function places(text: string, legacy = false): readonly string[] {
  return mistakes(text, legacy).map((mistake) => mistake.split(' ').slice(0, 2).join(' '))
}

export function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, part]) => key !== 'at' && part !== undefined)
  const isName = entries.length === 1 && entries[0]?.[0] === 'text'
  if (isName) return entries[0]?.[1]
  return Object.fromEntries(entries.map(([key, part]) => [key, shape(part)]))
}

/** With all parentheses. */
export function written(expression: Expression): string {
  switch (expression.kind) {
    case 'int':
    case 'float':
      return expression.digits
    case 'name':
      return expression.name.text
    case 'unary':
      return `(${expression.operator}${written(expression.of)})`
    case 'binary':
      return `(${written(expression.left)} ${expression.operator} ${written(expression.right)})`
    case 'as':
    case 'to':
      return `(${written(expression.of)} ${expression.kind} ${JSON.stringify(shape(expression.type))})`
    case 'item':
      return `${written(expression.of)}.${expression.index}`
    case 'field':
      return `${written(expression.of)}.${expression.name.text}`
    case 'element':
      return `${written(expression.of)}[${written(expression.index)}]`
    case 'call':
      return `${expression.callee.text}(${expression.args.map(written).join(', ')})`
    case 'tuple':
      return `<${expression.items.map(written).join(', ')}>`
    default:
      return expression.kind
  }
}
