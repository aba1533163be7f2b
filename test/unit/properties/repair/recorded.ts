/** Executions written by hand: one line of text per access. */
import type { CodeFunction, CodeSite, LineRange } from '../../../../src/core/code.ts'
import type { RecordedAccess, RecordedExecution } from '../../../../src/properties/repair/execution.ts'

export const lines = (first: number, last = first): LineRange => ({ first, last })

export function codeFunction(name: string, range: LineRange, loops: readonly LineRange[] = []): CodeFunction {
  return { file: 'stack.ts', name, lines: range, loops }
}

export function site(where: CodeFunction, line: number, column = 1): CodeSite {
  return { function: where, line, column }
}

export interface Written extends Partial<Pick<RecordedAccess, 'callers' | 'step' | 'isLock' | 'part'>> {
  readonly column?: number
}

/**
 * 'write items.2' at a line of a function in call `call`; calls 10 to 19 are those of process 1, and so on. The name of the object
 * becomes its number, the part after the dot its part, '*' the whole object.
 */
export function access(
  call: number,
  where: CodeFunction,
  line: number,
  what: string,
  more: Written = {},
): RecordedAccess {
  const [mode, location = ''] = what.split(' ')
  const [object = '', part = '0'] = location.split('.')
  const { column = 1, ...rest } = more
  return {
    process: Math.floor(call / 10),
    call,
    site: site(where, line, column),
    object: numberOf(object),
    part: part === '*' ? -1 : Number(part),
    mode: mode === 'write' ? 'write' : 'read',
    isLock: false,
    ...rest,
  }
}

export function execution(...accesses: readonly RecordedAccess[]): RecordedExecution {
  return { accesses }
}

function numberOf(name: string): number {
  return [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0)
}
