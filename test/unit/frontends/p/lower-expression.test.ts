/** Expressions: what is an effect, and the order in which things happen. */
import { describe, expect, it } from 'vitest'
import { entryText } from './lowered.ts'

/** Of a body without branches, the instructions. */
function lines(body: string): readonly string[] {
  const text = entryText(body)
  return text
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim())
}

describe('an expression without effect', () => {
  it.each([
    ['count = 1 + 2 * count;', 'this.count = 1 + (2 * this.count)'],
    ['count = -5 - -count;', 'this.count = -5 - (-this.count)'],
    ['count = count / 2 % 3;', 'this.count = (this.count / 2) % 3'],
    ['f = f * 2.5 - -f;', 'this.f = (this.f *. 2.5) -. (-.this.f)'],
    ['text = text + "a";', 'this.text = this.text ++ "a"'],
    ['yes = count < 3;', 'this.yes = this.count < 3'],
    ['yes = count <= 3;', 'this.yes = this.count <= 3'],
    ['yes = count == 3;', 'this.yes = this.count == 3'],
    ['yes = count in list;', 'this.yes = this.count in this.list'],
    ['yes = yes && count < 3 || yes;', 'this.yes = (this.yes && (this.count < 3)) || this.yes'],
    ['yes = point.x == pair.0;', 'this.yes = this.point.x == this.pair.0'],
    ['count = list[bag[0]];', 'this.count = this.list[this.bag[0]]'],
    ['text = names[count];', 'this.text = this.names[this.count]'],
    ['count = sizeof(list);', 'this.count = size(this.list)'],
    ['list = keys(names);', 'this.list = keys(this.names)'],
    ['yes = "a" in values(names);', 'this.yes = "a" in values(this.names)'],
    ['list = default(seq[int]);', 'this.list = default(seq[int])'],
    ['count = thing as int;', 'this.count = this.thing as int'],
    ['f = count to float;', 'this.f = this.count to float'],
    ['color = GREEN;', 'this.color = GREEN'],
    ['count = RED to int;', 'this.count = RED to int'],
    ['what = eGo;', 'this.what = eGo'],
    ['what = halt;', 'this.what = halt'],
    ['peer = this;', 'this.peer = this'],
    ['peer = null;', 'this.peer = null'],
    ['point = (x = 1, of = null);', 'this.point = (x = 1, of = null)'],
    ['pair = (1, true);', 'this.pair = (1, true)'],
    ['thing = (1,);', 'this.thing = (1,)'],
    ['thing = (only = 1,);', 'this.thing = (only = 1,)'],
  ])('%s', (source, instruction) => {
    expect(lines(source)).toEqual([instruction, 'return'])
  })
})

describe('an operator that IR does not have', () => {
  it.each([
    // The left side is evaluated first in either form.
    ['yes = count > 3;', 'this.yes = !(this.count <= 3)'],
    ['yes = count >= 3;', 'this.yes = !(this.count < 3)'],
    ['yes = text > "a";', 'this.yes = !(this.text <= "a")'],
    ['yes = count != 3;', 'this.yes = !(this.count == 3)'],
    ['yes = !(count != 3);', 'this.yes = this.count == 3'],
    ['yes = yes ==> count < 3;', 'this.yes = (!this.yes) || (this.count < 3)'],
    ['yes = yes <==> count < 3;', 'this.yes = this.yes == (this.count < 3)'],
    // Of NaN neither is greater, so the contrary would be wrong.
    ['yes = f > 1.0;', 'this.yes = 1.0 < this.f'],
    ['yes = f >= 1.0;', 'this.yes = 1.0 <= this.f'],
  ])('%s', (source, instruction) => {
    expect(lines(source)).toEqual([instruction, 'return'])
  })
})

it('of two floats that may both fail, the left one does', () => {
  expect(lines('yes = f / 1.0 > 2.0 / f;')).toEqual(['$0 = this.f /. 1.0', 'this.yes = (2.0 /. this.f) < $0', 'return'])
  // Where it may not matter, it is not evaluated.
  expect(entryText('yes = yes && f / 1.0 > 2.0 / f;')).toContain(
    'b1:\n  $1 = this.f /. 1.0\n  $0 = (2.0 /. this.f) < $1\n',
  )
  expect(lines('yes = f / 1.0 >= 2.0;')).toEqual(['this.yes = 2.0 <= (this.f /. 1.0)', 'return'])
})

describe('an effect', () => {
  it.each([
    ['yes = $;', ['$0 = choose boolean', 'this.yes = $0']],
    ['yes = choose();', ['$0 = choose boolean', 'this.yes = $0']],
    ['count = choose(3);', ['$0 = choose below 3', 'this.count = $0']],
    ['count = choose(list);', ['$0 = choose element this.list', 'this.count = $0']],
    ['count = choose(names);', ['$0 = choose element this.names', 'this.count = $0']],
    ['peer = new Peer();', ['$0 = new Peer()', 'this.peer = $0']],
    ['count = bump();', ['$0 = call Main.bump()', 'this.count = $0']],
    ['count = same(count + 1);', ['$0 = call same(this.count + 1)', 'this.count = $0']],
    // Into a local there is no detour.
    ['var x: int; x = same(x);', ['x = call same(x)']],
    ['var x: any; x = choose(3);', ['x = choose below 3']],
    // As a statement it has no result.
    ['bump();', ['call Main.bump()']],
    ['new Peer();', ['new Peer()']],
  ])('%s', (source, instructions) => {
    expect(lines(source)).toEqual([...instructions, 'return'])
  })
})

describe('from left to right', () => {
  it('what was read before a call is what it was before the call', () => {
    expect(lines('count = count + bump();')).toEqual([
      '$0 = this.count',
      '$1 = call Main.bump()',
      'this.count = $0 + $1',
      'return',
    ])
  })

  it('what is read after a call is what it is after the call', () => {
    expect(lines('count = bump() + count;')).toEqual([
      '$0 = call Main.bump()',
      'this.count = $0 + this.count',
      'return',
    ])
  })

  it('what can fail does so before the call', () => {
    expect(lines('var s: seq[int]; count = s[0] + bump();')).toEqual([
      '$0 = s[0]',
      '$1 = call Main.bump()',
      'this.count = $0 + $1',
      'return',
    ])
  })

  it('locals and constants need not be saved: a call cannot change them', () => {
    expect(lines('var x: int; count = (x, 3).0 + bump();')).toEqual([
      '$0 = call Main.bump()',
      'this.count = (x, 3).0 + $0',
      'return',
    ])
  })

  it('tuples, arguments and elements', () => {
    expect(lines('pair = (count, isFine());').slice(0, 3)).toEqual([
      '$0 = this.count',
      '$1 = call Main.isFine()',
      'this.pair = ($0, $1)',
    ])
    expect(lines('count = list[bump()];').slice(0, 3)).toEqual([
      '$0 = this.list',
      '$1 = call Main.bump()',
      'this.count = $0[$1]',
    ])
    expect(lines('point = (x = bump(), of = new Peer());').slice(0, 3)).toEqual([
      '$0 = call Main.bump()',
      '$1 = new Peer()',
      'this.point = (x = $0, of = $1)',
    ])
  })

  it('calls within calls', () => {
    expect(lines('count = same(same(count) + bump());')).toEqual([
      '$1 = call same(this.count)',
      '$2 = call Main.bump()',
      '$0 = call same($1 + $2)',
      'this.count = $0',
      'return',
    ])
  })
})

describe('a format', () => {
  it('has its arguments between texts', () => {
    expect(lines('text = format("a{0}b{1}", count, yes);')[0]).toBe(
      'this.text = format("a{0}b{1}", this.count, this.yes)',
    )
  })

  it('has braces of its own', () => {
    expect(lines('text = format("{{{0}}}", count);')[0]).toBe('this.text = format("{{0}}", this.count)')
  })

  it('is any text: a brace is written twice there too', () => {
    expect(lines('text = "a {{b}} c";')[0]).toBe('this.text = "a {b} c"')
  })

  it('evaluates arguments as they were written, and each one once', () => {
    expect(lines('text = format("{1}{0}{1}", list[0], list[1]);').slice(0, 3)).toEqual([
      '$0 = this.list[0]',
      '$1 = this.list[1]',
      'this.text = format("{0}{1}{2}", $1, $0, $1)',
    ])
    expect(lines('text = format("{1}{0}", count, yes);')[0]).toBe('this.text = format("{0}{1}", this.yes, this.count)')
  })

  it('that must save arguments does not do so where it is not evaluated', () => {
    expect(entryText('yes = yes && format("{1}{0}", list[0], list[1]) == "a";')).toBe(
      `
var $0: bool
var $1: int
var $2: int
b0:
  branch this.yes ? b1 : b2
b1:
  $1 = this.list[0]
  $2 = this.list[1]
  $0 = format("{0}{1}", $2, $1) == "a"
  jump b3
b2:
  $0 = false
  jump b3
b3:
  this.yes = $0
  return`.trim(),
    )
  })
})

describe('the right side of a decision, if it has an effect', () => {
  const decided = (operator: string): string => entryText(`yes = yes ${operator} isFine();`)

  it('&& happens if the left side holds', () => {
    expect(decided('&&')).toBe(
      `
var $0: bool
b0:
  branch this.yes ? b1 : b2
b1:
  $0 = call Main.isFine()
  jump b3
b2:
  $0 = false
  jump b3
b3:
  this.yes = $0
  return`.trim(),
    )
  })

  it('|| happens if the left side does not hold', () => {
    expect(decided('||')).toBe(
      `
var $0: bool
b0:
  branch this.yes ? b1 : b2
b1:
  $0 = true
  jump b3
b2:
  $0 = call Main.isFine()
  jump b3
b3:
  this.yes = $0
  return`.trim(),
    )
  })

  it('==> happens if the left side holds', () => {
    expect(decided('==>')).toBe(
      `
var $0: bool
b0:
  branch this.yes ? b1 : b2
b1:
  $0 = call Main.isFine()
  jump b3
b2:
  $0 = true
  jump b3
b3:
  this.yes = $0
  return`.trim(),
    )
  })

  it('<==> happens in any case', () => {
    expect(lines('yes = yes <==> isFine();')).toEqual([
      '$0 = this.yes',
      '$1 = call Main.isFine()',
      'this.yes = $0 == $1',
      'return',
    ])
  })

  it('reads what the variable was before, which is assigned to at the end', () => {
    const text = entryText('var b: bool; b = isFine() && (b || isFine());')
    expect(text).not.toMatch(/b = (true|false|call)/)
    expect(text).toMatch(/b = \$\d\n/)
  })

  it('of the left side counts for what comes first', () => {
    expect(lines('yes = isFine() && count < 3;')).toEqual([
      '$0 = call Main.isFine()',
      'this.yes = $0 && (this.count < 3)',
      'return',
    ])
  })
})
