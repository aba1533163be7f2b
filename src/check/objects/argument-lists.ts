/** `--args "push: 1, 2"`: the ways to call an operation, written as in a check file. */
import { DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import type { Value } from '../../core/value.ts'
import { ClientReader, identifier, readValue } from '../../properties/linearizability/client-literal.ts'

export interface ArgumentLists {
  readonly operation: string
  readonly lists: readonly (readonly Value[])[]
}

/** A value is one argument, an array several, nothing at all a call without arguments. */
export function parseArgumentLists(text: string): Result<ArgumentLists> {
  try {
    const reader = new ClientReader(text, '--args')
    const operation = reader.match(identifier) ?? reader.fail(`expected an operation, found ${reader.next()}`)
    reader.expect(':', `after ${operation}`)
    const lists: (readonly Value[])[] = []
    while (!reader.ended) {
      const value = readValue(reader)
      lists.push(Array.isArray(value) ? (value as readonly Value[]) : [value])
      if (!reader.ended) reader.expect(',', 'between two values')
    }
    return success({ operation, lists: lists.length === 0 ? [[]] : lists })
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    const { diagnostic } = error
    const message = diagnostic.message.replace('the client cannot be read', '--args cannot be read')
    const hint = 'write for example --args "push: 1, 2", with an array for several arguments: --args "put: [1, 2]"'
    return failure({ ...diagnostic, code: 'E107', message, hint: diagnostic.hint ?? hint })
  }
}
