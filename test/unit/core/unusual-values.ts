/** What looks like a value, and has something that a reader, a copy or a text of it does not show. */
import type { ValueProblem } from '../../../src/core/value.ts'

export interface Unusual {
  readonly name: string
  make(): object
  readonly problem: ValueProblem
}

const extra = 'an array with holes or with properties of its own'

function holed(): unknown[] {
  const list: unknown[] = [1]
  list[2] = 3
  return list
}

export const unusual: readonly Unusual[] = [
  {
    name: 'a field that a symbol names',
    make: () => ({ n: 1, [Symbol('s')]: 1 }),
    problem: { path: '', found: 'an object with a field that is named by a symbol' },
  },
  {
    name: 'a field that is not enumerable',
    make: () => Object.defineProperty({ n: 1 }, 'hidden', { value: 1 }),
    problem: { path: '.hidden', found: 'a field that is not enumerable' },
  },
  {
    name: 'a field with a getter',
    make: () => ({
      get computed() {
        return 1
      },
    }),
    problem: { path: '.computed', found: 'a field with a getter or a setter' },
  },
  {
    name: 'a field with a setter',
    make: () => Object.defineProperty({}, 'computed', { enumerable: true, set: () => {} }),
    problem: { path: '.computed', found: 'a field with a getter or a setter' },
  },
  { name: 'a hole', make: holed, problem: { path: '', found: extra } },
  { name: 'a field of a list', make: () => Object.assign([1], { extra: 1 }), problem: { path: '', found: extra } },
  {
    name: 'a hole and a field of a list',
    make: () => Object.assign(holed(), { extra: 1 }),
    problem: { path: '', found: extra },
  },
  {
    name: 'a field of a list that a symbol names',
    make: () => Object.assign([1], { [Symbol('s')]: 1 }),
    problem: { path: '', found: extra },
  },
  {
    name: 'a field of a list that is not enumerable',
    make: () => Object.defineProperty([1], 'extra', { value: 1 }),
    problem: { path: '', found: extra },
  },
  {
    name: 'an item with a getter',
    make: () => Object.defineProperty([1], 0, { get: () => 2 }),
    problem: { path: '[0]', found: 'an item with a getter or a setter' },
  },
  {
    name: 'a field of a Map',
    make: () => Object.assign(new Map(), { extra: undefined }),
    problem: { path: '', found: 'a Map with properties of its own' },
  },
  {
    name: 'a field of a Map that a symbol names',
    make: () => Object.assign(new Map(), { [Symbol('s')]: 1 }),
    problem: { path: '', found: 'a Map with properties of its own' },
  },
  {
    name: 'a method of a Map that is another one',
    make: () => Object.defineProperty(new Map(), 'set', { value: () => 1 }),
    problem: { path: '', found: 'a Map with properties of its own' },
  },
  {
    name: 'a field of a Set',
    make: () => Object.assign(new Set(), { extra: 1 }),
    problem: { path: '', found: 'a Set with properties of its own' },
  },
]
