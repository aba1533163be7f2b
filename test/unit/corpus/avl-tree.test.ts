/** The tree of `avl-map` keeps its shape: a strict AVL tree whenever nobody is at work, and in step with its list. */
import { expect, test } from 'vitest'
import type { Element } from '../../../corpus/avl-map/element.ts'
import { LogicalOrderingAVL } from '../../../corpus/avl-map/map.ts'
import { Random } from '../../../src/core/random.ts'

class Inspected extends LogicalOrderingAVL {
  get sentinel(): Element {
    return this.root
  }

  /** Elements from the smallest on, as the list has them. */
  get list(): readonly Element[] {
    const elements: Element[] = []
    for (let element = this.root.pred; element.key !== -Infinity; element = element.pred) {
      elements.unshift(element)
    }
    return elements
  }
}

/** What is wrong with the map; asserting each of the many conditions by itself would take a minute. */
function faultsOf(map: Inspected, keys: readonly number[]): readonly string[] {
  const faults: string[] = []
  const inOrder: Element[] = []
  const heightOf = (element: Element | null, parent: Element): number => {
    if (element === null) return 0
    const left = heightOf(element.left, element)
    inOrder.push(element)
    const right = heightOf(element.right, element)
    if (element.parent !== parent) faults.push(`${element.key} does not know its parent`)
    if (element.leftHeight !== left || element.rightHeight !== right) faults.push(`${element.key} has wrong heights`)
    if (Math.abs(left - right) > 1) faults.push(`${element.key} is not balanced`)
    return Math.max(left, right) + 1
  }
  const root = map.sentinel
  heightOf(root.left, root)
  const list = map.list
  if (inOrder.length !== list.length || inOrder.some((element, index) => element !== list[index])) {
    faults.push('tree and list differ')
  }
  if (list.length !== keys.length || keys.some((key, index) => list[index]?.key !== key)) faults.push('keys are wrong')
  const all = [root.parent, ...list, root]
  for (const [index, element] of all.entries()) {
    if (!element.valid) faults.push(`${element.key} is invalid`)
    if (element.treeLock.locked || element.succLock.locked) faults.push(`${element.key} is locked`)
    if (index > 0 && all[index - 1]?.succ !== element) faults.push(`${element.key} is not a successor`)
  }
  return faults
}

function height(element: Element | null): number {
  return element === null ? 0 : Math.max(height(element.left), height(element.right)) + 1
}

test.each([
  ['8 keys', 8, 600],
  ['60 keys', 60, 1500],
  ['500 keys', 500, 1500],
] as const)('with %s it is balanced, sorted and unlocked after every call', (_name, keys, calls) => {
  const random = new Random(keys)
  const map = new Inspected()
  const model = new Map<number, number>()
  for (let call = 0; call < calls; call++) {
    const key = random.below(keys)
    // Two of three calls add in the first half, two of three remove in the second.
    const adds = random.below(3) < (call < calls / 2 ? 2 : 1)
    if (adds) {
      expect(map.put(key, call)).toBe(model.get(key) ?? null)
      model.set(key, call)
    } else {
      expect(map.removeKey(key)).toBe(model.get(key) ?? null)
      model.delete(key)
    }
    const keysInOrder = [...model.keys()].sort((one, other) => one - other)
    expect(faultsOf(map, keysInOrder), `call ${call}`).toEqual([])
  }
})

test.each([
  ['ascending', (key: number) => key],
  ['descending', (key: number) => 255 - key],
  ['zigzag', (key: number) => (key % 2 === 0 ? key : 256 - key)],
] as const)('256 keys in %s order make a tree at most ten high, which empties again', (_name, nth) => {
  const map = new Inspected()
  const present = new Set<number>()
  for (let index = 0; index < 256; index++) {
    map.put(nth(index), 0)
    present.add(nth(index))
  }
  // 1.44 · log2(256 + 2), rounded down, is 11 for any AVL tree; sorted input fills it better.
  expect(height(map.sentinel.left)).toBeLessThanOrEqual(10)
  for (let index = 0; index < 256; index++) {
    expect(map.remove(nth(index), 1)).toBe(false)
    expect(map.remove(nth(index), 0)).toBe(true)
    present.delete(nth(index))
    const keysInOrder = [...present].sort((one, other) => one - other)
    expect(faultsOf(map, keysInOrder), `without ${nth(index)}`).toEqual([])
  }
})
