/** Types, and names with types. */
import { type PrimitiveType, primitiveTypes, type TypedName, type TypeNode } from './ast.ts'
import type { Cursor } from './cursor.ts'
import type { Token } from './lexer.ts'

export function parseType(cursor: Cursor): TypeNode {
  return cursor.nested(() => typeNode(cursor))
}

function typeNode(cursor: Cursor): TypeNode {
  const start = cursor.token
  if (start.kind === 'name') return { kind: 'named', name: cursor.name('a type'), at: start.at }
  if (start.kind === 'keyword' && isPrimitive(start.text)) {
    cursor.advance()
    return { kind: 'primitive', name: start.text, at: start.at }
  }
  if (cursor.accept('(')) return tupleType(cursor, start)
  if (cursor.is('seq') || cursor.is('set')) {
    const kind = cursor.is('seq') ? 'seq' : 'set'
    cursor.advance()
    cursor.expect('[', `after "${kind}"`)
    const of = parseType(cursor)
    cursor.expect(']', 'after the type of the elements')
    return { kind, of, at: cursor.since(start) }
  }
  if (cursor.accept('map')) {
    cursor.expect('[', 'after "map"')
    const key = parseType(cursor)
    cursor.expect(',', 'between the types of keys and values')
    const value = parseType(cursor)
    cursor.expect(']', 'after the type of the values')
    return { kind: 'map', key, value, at: cursor.since(start) }
  }
  return cursor.unexpected(
    'a type',
    '',
    `types are ${primitiveTypes.join(', ')}, seq[…], set[…], map[…, …], (…) and names`,
  )
}

function isPrimitive(text: string): text is PrimitiveType {
  return primitiveTypes.some((name) => name === text)
}

/** After the parenthesis. A name with a colon behind it makes it a record. */
function tupleType(cursor: Cursor, start: Token): TypeNode {
  const isRecord = cursor.is(':', 1)
  if (isRecord) {
    const fields = parseTypedNames(cursor, 'the name of a field')
    cursor.expect(')', 'after the fields')
    return { kind: 'record', fields, at: cursor.since(start) }
  }
  const items = cursor.list(() => parseType(cursor))
  cursor.expect(')', 'after the types of the tuple')
  return { kind: 'tuple', items, at: cursor.since(start) }
}

/** `a: int, b: bool` */
export function parseTypedNames(cursor: Cursor, what: string): readonly TypedName[] {
  return cursor.list(() => {
    const start = cursor.token
    const name = cursor.name(what)
    cursor.expect(':', `after "${name.text}", and then its type`)
    const type = parseType(cursor)
    return { name, type, at: cursor.since(start) }
  })
}
