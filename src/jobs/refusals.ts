/** What the lowering leaves native, told when it is called under control. */
import { running } from '../core/running.ts'

/** Stands at the head of such a function. True means: leave at once. Throwing would reject a promise that nobody looks at. */
export function refuse(construct: string, file: string, line: number, column: number): boolean {
  if (running.process === undefined) return false
  running.mistake ??= {
    code: 'E215',
    message: `${construct} cannot be used in a process`,
    hint: hints[construct] ?? 'write this part with plain async functions, or as a generator with yield*',
    place: { file, line, column },
  }
  return true
}

const hints: { readonly [construct: string]: string } = {
  'await using other than in a block of a function': 'write the declaration into a block',
  'using in the head of for await': 'write for await (const item of items) { using resource = item … }',
  'super in an async arrow function, other than to read or call a member':
    'assign to it outside the arrow function, or in an async method',
  'an async method that is called __proto__': 'give the method another name',
  'a decorator on an async method': 'call the decorator on a method that is not async, or write the wrapping by hand',
  'super in an async method of an object literal': 'make the object an instance of a class',
  'an async generator declaration that is assigned to': 'write const name = async function* () { … }',
}
