import { expect, test } from 'vitest'
import { accessModes, wholeObject } from '../../../../src/program/stateful.ts'
import { orderPart } from '../../../../src/semantics/memory/heap.ts'
import { StepWords } from '../../../../src/semantics/memory/step-words.ts'

const instance = { list: [1], inner: { names: new Set(['a']), byName: new Map([['a', [1]]]) } }

/** Words of an execution whose instance is the one above. */
function words(): StepWords {
  const found = new StepWords()
  const client = { process: { invocation: { args: [instance] } } }
  found.of({ client, kind: 'call' } as never)
  return found
}

function touched(object: object, part: number): string {
  const position = { site: -1, callers: undefined }
  return words().touched({ object, part, mode: accessModes.write, isLock: false, position })
}

test('what tells how many there are is the length of a list and the size of a set', () => {
  expect(touched(instance.list, orderPart)).toBe('writes list.length')
  expect(touched(instance.inner.names, orderPart)).toBe('writes inner.names.size')
})

test('objects in objects are called after the way there', () => {
  expect(touched(instance.inner.names, wholeObject)).toBe('writes inner.names')
  expect(touched(instance.inner.byName.get('a') as object, wholeObject)).toBe('writes inner.byName.get("a")')
  expect(touched({}, wholeObject)).toBe('writes an object')
})
