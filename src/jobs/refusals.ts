/** What the lowering leaves native, told when it is called under control. */
import { running } from '../core/running.ts'

/** Stands at the head of such a function. True means: leave at once. Throwing would reject a promise that nobody looks at. */
export function refuse(construct: string, file: string, line: number, column: number): boolean {
  if (running.process === undefined) return false
  running.mistake ??= {
    code: 'E215',
    message: `${construct} cannot be used under control`,
    hint: hints[construct] ?? 'write this part with plain async functions',
    place: { file, line, column },
  }
  return true
}

const hints: { readonly [construct: string]: string } = {
  'await using other than in a block of a function': 'write the declaration into a block',
  'a decorator on an async method': 'call the decorator on a method that is not async, or write the wrapping by hand',
  'super in an async method of an object literal': 'make the object an instance of a class',
  'an async generator declaration that is assigned to': 'write const name = async function* () { … }',
}
