/** Lists of names: events, variables. */
import type { EventName, Name, TypeNode } from './ast.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './parse-expression.ts'
import { parseType } from './parse-type.ts'

export function parseNames(cursor: Cursor, what: string): readonly Name[] {
  return cursor.list(() => cursor.name(what))
}

/** Names of events, `halt` among them, and `null` where the machine that has nothing to do is meant. */
export function parseEventNames(cursor: Cursor, orNull: 'or null' | 'not null'): readonly EventName[] {
  return cursor.list(() => {
    const { text, at } = cursor.token
    if (cursor.accept('halt') || (orNull === 'or null' && cursor.accept('null'))) return { text, at }
    if (cursor.is('null')) {
      const hint = 'only "on null" and "case null" have it; leave it out'
      cursor.fail({ code: 'E702', message: 'null is not an event that can be named here', hint, at })
    }
    return cursor.name('the name of an event')
  })
}

/** `var a, b: int;`, in a machine or at the head of a function. */
export function parseVariables(
  cursor: Cursor,
  what: string,
): { readonly names: readonly Name[]; readonly type: TypeNode } {
  cursor.advance()
  const names = parseNames(cursor, `the name of ${what}`)
  if (cursor.is('=')) noInitialValue(cursor)
  cursor.expect(':', 'after the names, and then the type')
  const type = parseType(cursor)
  if (cursor.is('=')) noInitialValue(cursor)
  cursor.expectSemicolon('after the declaration of a variable')
  return { names, type }
}

function noInitialValue(cursor: Cursor): void {
  const { at } = cursor.advance()
  const hint = 'declare it without value (it has the default of its type), and assign to it behind all declarations'
  cursor.report({ code: 'E707', message: 'a variable has no value in its declaration', hint, at })
  parseExpression(cursor)
}
