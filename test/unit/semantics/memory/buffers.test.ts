import { describe, expect, test } from 'vitest'
import { Canonical } from '../../../../src/semantics/memory/canonical.ts'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'

const source = `
const memory = new SharedArrayBuffer(16)

export class Views {
  readonly buffer = new ArrayBuffer(16)
  readonly words = new Int32Array(this.buffer)
  readonly bytes = new Uint8Array(this.buffer)
  readonly data = new DataView(this.buffer, 4)
  readonly doubles = new Float64Array(this.buffer)
  readonly far = new Int32Array(memory, 4)
  /** Loses an update if another process writes in between. */
  addWord() { const n = this.words[1]!; this.words[1] = n + 1; return n }
  addByte() { const n = this.bytes[4]!; this.bytes[4] = n + 1; return n }
  addData() { const n = this.data.getInt16(0, true); this.data.setInt16(0, n + 1, true); return n }
  addLocal() { const view = new Uint16Array(this.buffer, 4, 1); const n = view[0]!; view[0] = n + 1; return n }
  addFirst() { const n = this.words[0]!; this.words[0] = n + 1; return n }
  addAtomics() { return Atomics.add(this.words, 1, 1) }
  fill() { this.bytes.subarray(4, 6).fill(7); return 0 }
  double() { this.doubles[0] = 0.1; return 0 }
  look() { return [this.words[1]!, this.words[1]!] }
  addFar() { const n = this.far[0]!; this.far[0] = n + 1; return n }
  addNear() { const view = new DataView(memory); const n = view.getUint8(4); view.setUint8(4, n + 1); return n }
}

export class Sizes {
  readonly buffer: any = new (ArrayBuffer as any)(4, { maxByteLength: 8 })
  readonly bytes = new Uint8Array(this.buffer)
  readonly growing: any = new (SharedArrayBuffer as any)(4, { maxByteLength: 8 })
  resize(size: number) { this.buffer.resize(size); return 0 }
  set() { this.bytes[3] = 9; return 0 }
  look() { return [this.bytes.length, this.bytes[3] ?? 'none'] }
  grow() { this.growing.grow(8); return 0 }
  take() { return this.buffer.transfer().byteLength }
}

/** What a reader sees of the buffer depends on whether the two views show the same one. */
export class Sharing {
  one = new Int32Array(1)
  other = new Int32Array(1)
  join() { this.other = new Int32Array(this.one.buffer); return 0 }
  split() { this.other = new Int32Array(1); return 0 }
  write() { this.one[0] = 5; return 0 }
  read() { return this.other[0]! }
}
`

const loaded = await loadText(source)

function agreed(className: string, client: string): readonly string[] {
  const request = requestOf(loaded, className, client)
  const compared = compare({
    request: { ...request, criterion: 'outcomes' },
    client: clientOf(client),
    variants: [...reduced, ...forgetting],
    seed: 1,
    mostTransitions: 50_000,
  })
  if (compared.kind !== 'agree') throw new Error(JSON.stringify(compared))
  return compared.truth.outcomes
}

describe('two views of one buffer', () => {
  test.each(['addByte', 'addData', 'addLocal'])(
    'addWord and %s lose an update, and every reduction finds it',
    (name) => {
      expect(agreed('Views', `{ addWord() } || { ${name}() }`)).toEqual(['n0 || n0', 'n0 || n1', 'n1 || n0'])
    },
  )

  test.each([
    ['addWord', 'fill', 4],
    ['addByte', 'double', 5],
    ['look', 'fill', 5],
    ['look', 'addAtomics', 5],
    ['addFar', 'addNear', 3],
    ['addAtomics', 'addLocal', 5],
  ])('%s and %s: every reduction finds the same outcomes', (left, right, outcomes) => {
    expect(agreed('Views', `{ ${left}(); look() } || { ${right}() }`)).toHaveLength(outcomes)
  })

  test('elements next to each other are apart', () => {
    const request = requestOf(loaded, 'Views', '{ addWord() } || { addFirst() }')
    const lazy = { reduction: 'lazy', static: true, stateless: false, order: 'sequential' } as const
    const client = clientOf('{ addWord() } || { addFirst() }')
    const [all, few] = [full, lazy].map((setting) => search({ ...request, criterion: 'outcomes' }, client, setting))
    if (all?.kind !== 'ended' || few?.kind !== 'ended') throw new Error('too large')
    expect(few.endings.outcomes).toEqual(['n0 || n0'])
    expect(few.endings.counts.transitions).toBeLessThan(all.endings.counts.transitions / 2)
  })
})

test('a buffer that changes its size has it back after every step', () => {
  expect(agreed('Sizes', '{ set(); look() } || { resize(2); resize(8) }')).toEqual([
    'n0; [n2,"none"] || n0; n0',
    'n0; [n2,n0] || n0; n0',
    'n0; [n4,"none"] || n0; n0',
    'n0; [n4,n0] || n0; n0',
    'n0; [n4,n9] || n0; n0',
    'n0; [n8,n0] || n0; n0',
    'n0; [n8,n9] || n0; n0',
  ])
})

test.each([
  ['grow', 'grow', 32],
  ['take', 'transfer', 33],
])('%s() does what cannot be taken back, and is refused with its place', (name, method, line) => {
  const client = `{ ${name}() }`
  const request = requestOf(loaded, 'Sizes', client)
  const message = `${method}() of a buffer cannot be checked`
  expect(() => search({ ...request, criterion: 'outcomes' }, clientOf(client), full)).toThrow(
    expect.objectContaining({
      diagnostic: expect.objectContaining({ code: 'E307', message, place: expect.objectContaining({ line }) }),
    }),
  )
})

test('states with one buffer and with two equal ones are told apart', () => {
  expect(agreed('Sharing', '{ join() } || { split() } || { write(); read() }')).toEqual([
    'n0 || n0 || n0; n0',
    'n0 || n0 || n0; n5',
  ])
})

test('a canonical key has the sharing of buffers, and no bytes that nobody can see', () => {
  const buffer = new ArrayBuffer(8)
  const key = (value: unknown): string => {
    const canonical = new Canonical()
    canonical.add(value)
    return canonical.key()
  }
  const views = (left: ArrayBuffer, right: ArrayBuffer) => [new Uint8Array(left, 0, 2), new Uint8Array(right, 0, 2)]
  expect(key(views(buffer, buffer))).not.toBe(key(views(buffer, new ArrayBuffer(8))))
  const before = [key(views(buffer, buffer)), key([...views(buffer, buffer), buffer])]
  new Uint8Array(buffer)[7] = 1
  expect(key(views(buffer, buffer))).toBe(before[0])
  expect(key([...views(buffer, buffer), buffer])).not.toBe(before[1])
})
