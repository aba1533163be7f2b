/** Classes by hand: accesses that hide in constructors, callbacks and fields with unusual names, and calls that never begin. */

export interface ObjectCase {
  readonly title: string
  /** Of the module below. */
  readonly class: string
  readonly client: string
  /** How many outcomes there are: with fewer, the case would not show what it is for. */
  readonly outcomes: number
}

export const casesModule = `
import { Mutex } from 'allways/sync'

const secret = Symbol('secret')
let counter = 0
const hidden: any = Object.defineProperty({}, 'value', { value: 0, writable: true, enumerable: false })

class Counted { static made = 0; id = 0; constructor() { Counted.made = Counted.made + 1; this.id = Counted.made } }
class Owned { next: any; constructor(owner: any) { this.next = owner.head; owner.count++ } }
class Copied { items: any; constructor(source: any) { this.items = [...source] } }
class Summed { sum = 0; constructor(owner: any) { for (const each of owner.list) this.sum += each } }
class Careful { static made = 0; constructor() { try { Careful.made = Careful.made + 1 } catch { Careful.made = 77 } } }

export class Constructors {
  head: any = null
  count = 0
  list: any[] = [1]
  map = new Map<any, any>([[1, 1]])
  make() { return new Counted().id }
  look() { const one = Counted.made; return [one, Counted.made] }
  writeAndMake() { this.count = 1; const made = new Counted(); return [this.count, made.id] }
  lookAndWrite() { const one = Counted.made; this.count = 2; return [one, Counted.made] }
  own() { this.head = new Owned(this); return this.count }
  count2() { const one = this.count; return [one, this.count] }
  copy() { return new Copied(this.list).items.join() }
  sum() { return new Summed(this).sum }
  copyMap() { return new Map(this.map).size }
  change() { this.list[0] = 5; this.list.push(2); this.map.set(3, 3); this.map.delete(1); return 0 }
  careful() { try { new Careful(); return Careful.made } catch { return 'caught' } }
}

export class Callbacks {
  sort() { return [2, 1].sort(() => { counter = counter + 1; return 0 }).join() }
  from() { return Array.from({ length: 2 }, () => counter++).join() }
  replace() { return 'ab'.replace(/./g, () => String(counter++)) }
  computed() { const literal = { get next() { counter++; return counter } }; return literal.next }
  swallowing() { try { return [2, 1].sort(() => { counter++; return 0 }).join() } catch { return 'caught' } }
  look() { const one = counter; return [one, counter] }
}

export class Names {
  [secret] = 0
  list: any[] = []
  record: any = { p: 1 }
  add() { this[secret] = this[secret] + 1; return 0 }
  read() { return this[secret] }
  addHidden() { hidden.value = hidden.value + 1; return 0 }
  readHidden() { return hidden.value }
  hole() { this.list.length = 1; return 0 }
  fill() { this.list[0] = undefined; return 0 }
  isFilled() { return 0 in this.list }
  plain() { this.record = { p: 1 }; return 0 }
  named() { this.record = { p: 1, [secret]: 5 }; return 0 }
  readNamed() { return this.record[secret] ?? 'none' }
}

export class Stuck {
  value = 0
  mutex = new Mutex()
  take() { this.mutex.acquireSync(); return 0 }
  set() { this.mutex.acquireSync(); this.value = 5; this.mutex.release(); return 0 }
  odd() { const one = this.value; const other = this.value; return one !== other ? 5 : one }
  flicker() { this.value = 1; this.value = 0; return 0 }
}
`

export const cases: readonly ObjectCase[] = [
  { title: 'a constructor that counts', class: 'Constructors', client: '{ make() } || { look() }', outcomes: 3 },
  {
    title: 'a constructor between two accesses',
    class: 'Constructors',
    client: '{ writeAndMake() } || { lookAndWrite() }',
    outcomes: 6,
  },
  {
    title: 'a constructor that changes its owner',
    class: 'Constructors',
    client: '{ own() } || { count2() }',
    outcomes: 3,
  },
  { title: 'a constructor that copies', class: 'Constructors', client: '{ copy() } || { change() }', outcomes: 3 },
  { title: 'a constructor with a loop', class: 'Constructors', client: '{ sum() } || { change() }', outcomes: 3 },
  {
    title: 'a native constructor that reads',
    class: 'Constructors',
    client: '{ copyMap() } || { change() } || { copyMap() }',
    outcomes: 4,
  },
  { title: 'a constructor that catches', class: 'Constructors', client: '{ careful() } || { careful() }', outcomes: 3 },
  { title: 'a comparison that counts', class: 'Callbacks', client: '{ sort() } || { look() }', outcomes: 3 },
  { title: 'a mapping that counts', class: 'Callbacks', client: '{ from() } || { look() }', outcomes: 3 },
  { title: 'a replacement that counts', class: 'Callbacks', client: '{ replace() } || { look() }', outcomes: 3 },
  {
    title: 'a computed property of a literal',
    class: 'Callbacks',
    client: '{ computed() } || { look() }',
    outcomes: 3,
  },
  { title: 'a callback inside of try', class: 'Callbacks', client: '{ swallowing() } || { look() }', outcomes: 3 },
  { title: 'a field named by a symbol', class: 'Names', client: '{ add() } || { add() } || { read() }', outcomes: 3 },
  {
    title: 'a property that is not enumerable',
    class: 'Names',
    client: '{ addHidden() } || { addHidden() } || { readHidden() }',
    outcomes: 3,
  },
  { title: 'a hole in an array', class: 'Names', client: '{ hole() } || { fill() } || { isFilled() }', outcomes: 2 },
  {
    title: 'a literal with a symbol',
    class: 'Names',
    client: '{ plain() } || { named() } || { readNamed() }',
    outcomes: 2,
  },
  {
    title: 'a call that never begins',
    class: 'Stuck',
    client: '{ take(); flicker() } || { set() } || { odd() }',
    outcomes: 6,
  },
]
