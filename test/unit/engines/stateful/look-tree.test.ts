import { expect, test } from 'vitest'
import { LookTree } from '../../../../src/engines/stateful/ir/look-tree.ts'

/** A look shows one of the values. */
const shows = {
  shown: (look: number, values: Int32Array) => values[look] as number,
  registersIn: (look: number) => 1 << look,
}

test('what was done is known to whoever sees the same, and to nobody else', () => {
  const tree = new LookTree<string>(shows)
  // What the first value is decides where it looks then; it looks at one of 40 values, of which some are below 0.
  const looks = ([first = 0]: readonly number[]): readonly number[] => (first % 2 === 0 ? [0, 1] : [0, 2, 1])
  const told = (values: readonly number[]) => looks(values).map((look) => values[look])
  for (let at = 0; at < 3_000; at++) {
    const values = [(at * 7) % 40, ((at * 11) % 23) - 11, (at * 13) % 3]
    const known = tree.done(Int32Array.from(values))
    expect(known ?? `${told(values)}`).toBe(`${told(values)}`)
    if (known === undefined) expect(tree.learn(Int32Array.from(values), looks(values), `${told(values)}`)).toBe(true)
    expect(tree.done(Int32Array.from(values))).toBe(`${told(values)}`)
  }
  expect(tree.done(Int32Array.from([40, 0, 0]))).toBeUndefined()
  expect(tree.done(Int32Array.from([0, 12, 0]))).toBeUndefined()
})

test('whoever sees the same looks at the same and does the same', () => {
  const tree = new LookTree<string>(shows)
  const values = Int32Array.from([1, 2, 3])
  expect(tree.learn(values, [0, 1], 'one')).toBe(true)
  expect(tree.learn(values, [0, 2], 'other')).toBe(false)
  expect(tree.learn(values, [0, 1], 'other')).toBe(false)
  expect(tree.learn(values, [0], 'other')).toBe(false)
  expect(tree.learn(values, [0, 1, 2], 'other')).toBe(false)
  expect(tree.done(values)).toBe('one')
})

test("long ways are known to whoever sees the same, whatever looks depend on, and those that are new are nobody else's", () => {
  // Looks show sums of one or two values, the same ones some times in a row; one of these is beyond the 31st, and has no bit.
  const parts = (look: number): readonly number[] => {
    const row = Math.floor(look / 23)
    if (row === 6) return [40]
    return row < 6 ? [0, 1].slice(look % 2) : [2, row < 10 ? 3 : 4]
  }
  const sums = {
    shown: (look: number, values: Int32Array) => parts(look).reduce((sum, at) => sum + (values[at] as number), 0),
    registersIn: (look: number) => parts(look).reduce((all, at) => all | (at < 31 ? 1 << at : -1), 0),
  }
  const tree = new LookTree<string>(sums)
  let told = 0
  for (let at = 0; at < 4_000; at++) {
    const values = new Int32Array(41)
    for (let place = 0; place < 5; place++) values[place] = (at >> (2 * place)) & 3
    values[40] = (at >> 10) & 1
    const looks: number[] = []
    // What was seen decides where it looks next.
    for (let sum = 0; looks.length < 14; sum += sums.shown(looks.at(-1) as number, values))
      looks.push(looks.length * 23 + ((sum * 5) % 23))
    const done = looks.map((look) => `${look}:${sums.shown(look, values)}`).join()
    // A look that was looked at before shows nothing new.
    const once = [...new Set(looks)]
    const known = tree.done(values)
    if (known === undefined) expect(tree.learn(values, once, done)).toBe(true)
    else told++
    expect(known ?? done).toBe(done)
    expect(tree.done(values)).toBe(done)
  }
  expect(told).toBeGreaterThan(1_000)
})
