/** What `with` makes of a view is what it makes of the list itself, and nothing is read by making it. */
import { describe, expect, test } from 'vitest'
import { changedView } from '../../../../src/semantics/machines/changed-views.ts'
import { Part, recorded } from '../../../../src/semantics/machines/state-views.ts'

function viewOf(list: readonly unknown[]): { readonly view: unknown[]; readonly read: string[] } {
  const read: string[] = []
  const view = recorded(new Part(0), Object.freeze(list), (part, asked) => read.push(`${part.path} ${asked}`))
  return { view: view as unknown[], read }
}

const list = Object.freeze([1, Object.freeze({ a: 2 }), 'three', null])

test('nothing is read but how long the list is', () => {
  const { view, read } = viewOf(list)
  const made = view.with(2, 'other')
  expect(read).toEqual(['/"length" what'])
  expect(changedView(made)?.items).toEqual(new Map([[2, 'other']]))
  expect(made[2]).toBe('other')
  expect(read).toEqual(['/"length" what'])
  expect(made[0]).toBe(1)
  expect(read.at(-1)).toBe('/"0" what')
})

test('again and again, the last one counts', () => {
  const { view } = viewOf(list)
  const made = view.with(0, 'a').with(1, 'b').with(0, 'c')
  expect(changedView(made)?.items).toEqual(
    new Map<number, unknown>([
      [0, 'c'],
      [1, 'b'],
    ]),
  )
  expect([...made]).toEqual(['c', 'b', 'three', null])
})

test('a list that was looked at as a whole has nothing left to tell', () => {
  const made = viewOf(list).view.with(0, 'a')
  expect(Object.keys(made)).toEqual(['0', '1', '2', '3'])
  expect(changedView(made)).toBeUndefined()
})

describe('what it can do', () => {
  const uses: readonly (readonly [string, (list: unknown[]) => unknown])[] = [
    ['spread', (made) => [...made]],
    ['map', (made) => made.map((one) => typeof one)],
    ['flatMap', (made) => made.flatMap((one) => [one, one])],
    ['filter', (made) => made.filter((one) => one !== null)],
    ['indexOf', (made) => [made.indexOf('new'), made.indexOf('three'), made.includes(null)]],
    ['at', (made) => [made.at(-1), made.at(0), made.at(9)]],
    ['slice', (made) => made.slice(1, 3)],
    ['concat', (made) => [0].concat(made as number[])],
    ['push', (made) => [made.push('end'), [...made]]],
    ['in place', (made) => [Reflect.set(made, 0, 'set'), [...made]]],
    ['shorter', (made) => [Reflect.set(made, 'length', 1), [...made]]],
    ['reverse', (made) => made.reverse()],
    ['sort', (made) => made.map(String).sort()],
    ['splice', (made) => [made.splice(1, 1, 'x', 'y').length, [...made]]],
    ['delete', (made) => [Reflect.deleteProperty(made, '1'), 1 in made]],
    ['keys', (made) => Object.keys(made)],
    ['entries', (made) => Object.entries(made).length],
    ['isArray', (made) => [Array.isArray(made), made.length]],
    ['json', (made) => JSON.stringify(made)],
    ['freeze', (made) => [Object.isFrozen(Object.freeze(made)), Object.isFrozen(made)]],
    ['with', (made) => [...made.with(-1, 'last')]],
    ['join', (made) => made.with(1, 0).join('-')],
    ['hasOwn', (made) => [Object.hasOwn(made, 0), Object.hasOwn(made, 7), 2 in made]],
    ['destructured', ([one, ...others]) => [one, others.length]],
    ['beyond', (made) => [made[17], (made as unknown as { readonly other: unknown }).other]],
  ]

  test.each(uses)('%s', (_, use) => {
    expect(use(viewOf(list).view.with(2, 'new') as unknown[])).toEqual(use(list.with(2, 'new')))
  })

  test.each([-1, 1.7, -4, Number.NaN, '2', undefined, 4, -5, Number.POSITIVE_INFINITY])('place %s', (place) => {
    const answer = (of: readonly unknown[]): unknown => {
      try {
        return [...of.with(place as number, 'new')]
      } catch (error) {
        return (error as Error).name
      }
    }
    expect(answer(viewOf(list).view)).toEqual(answer(list))
  })
})
