/** Statements: assignments to parts, messages, decisions, loops, waiting. */
import { describe, expect, it } from 'vitest'
import { entryText } from './lowered.ts'

function lines(body: string): readonly string[] {
  return entryText(body)
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim())
}

describe('a change of a part', () => {
  it.each([
    ['point.x = 1;', 'this.point = this.point with .x = 1'],
    ['pair.1 = true;', 'this.pair = this.pair with .1 = true'],
    ['list[0] = 1;', 'this.list = this.list with [0] = 1'],
    ['names[0] = "a";', 'this.names = this.names with [0] = "a"'],
    ['list += (0, 1);', 'this.list = this.list with new [0] = 1'],
    ['names += (0, "a");', 'this.names = this.names with new [0] = "a"'],
    ['bag += (1);', 'this.bag = this.bag with 1'],
    ['bag -= (1);', 'this.bag = this.bag without 1'],
    ['list -= (0);', 'this.list = this.list without 0'],
    ['var p: Point; p.of = null;', 'p = p with .of = null'],
    ['deep[1][2].x = 3;', 'this.deep = this.deep with [1] = this.deep[1] with [2] = this.deep[1][2] with .x = 3'],
    ['deep[1] += (0, point);', 'this.deep = this.deep with [1] = this.deep[1] with new [0] = this.point'],
    ['deep[1][2] = (x = 1, of = null);', 'this.deep = this.deep with [1] = this.deep[1] with [2] = (x = 1, of = null)'],
  ])('%s', (source, instruction) => {
    expect(lines(source)).toEqual([instruction, 'return'])
  })

  it('evaluates indices in their order, then the value, and looks at the variable last', () => {
    expect(lines('deep[bump()][count].x = bump();')).toEqual([
      '$0 = call Main.bump()',
      '$1 = this.count',
      '$2 = call Main.bump()',
      'this.deep = this.deep with [$0] = this.deep[$0] with [$1] = this.deep[$0][$1] with .x = $2',
      'return',
    ])
  })

  it('evaluates an index once', () => {
    expect(lines('deep[count + 1][0].x = 3;')).toEqual([
      '$0 = this.count + 1',
      'this.deep = this.deep with [$0] = this.deep[$0] with [0] = this.deep[$0][0] with .x = 3',
      'return',
    ])
  })

  it('has a value that fails before the way down does', () => {
    expect(lines('deep[1][2].x = 1 / count;')).toEqual([
      '$0 = 1 / this.count',
      'this.deep = this.deep with [1] = this.deep[1] with [2] = this.deep[1][2] with .x = $0',
      'return',
    ])
    // One step alone evaluates its index and its value before it looks.
    expect(lines('list[count / 2] = 1 / count;')).toEqual([
      'this.list = this.list with [this.count / 2] = 1 / this.count',
      'return',
    ])
  })

  it('takes a null in a tuple for what the variable wants, if it must be saved', () => {
    expect(entryText('deep[1][2] = (x = 1 / count, of = null);')).toContain('var $0: (x: int, of: machine)')
  })
})

describe('a message', () => {
  it.each([
    ['send peer, eGo;', ['send this.peer, eGo']],
    ['send peer, eNumber, 3;', ['send this.peer, eNumber, 3']],
    ['send peer, ePair, 3, true;', ['send this.peer, ePair, (3, true)']],
    ['send peer, ePoint, (x = 1, of = null);', ['send this.peer, ePoint, (x = 1, of = null)']],
    ['send peer, what;', ['send this.peer, this.what']],
    ['announce eNumber, count;', ['announce eNumber, this.count']],
    ['send new Peer(), eNumber, bump();', ['$0 = new Peer()', '$1 = call Main.bump()', 'send $0, eNumber, $1']],
    ['send peer, what, bump();', ['$0 = this.peer', '$1 = this.what', '$2 = call Main.bump()', 'send $0, $1, $2']],
    [
      'send peer, ePair, count, isFine();',
      ['$0 = this.peer', '$1 = this.count', '$2 = call Main.isFine()', 'send $0, ePair, ($1, $2)'],
    ],
  ])('%s', (source, instructions) => {
    expect(lines(source)).toEqual([...instructions, 'return'])
  })

  it.each([
    ['raise eGo;', ['raise eGo']],
    ['raise eNumber, bump();', ['$0 = call Main.bump()', 'raise eNumber, $0']],
    ['raise halt;', ['raise halt']],
    ['goto Done, count;', ['goto Done, this.count']],
    ['goto Done, bump(); print "never";', ['$0 = call Main.bump()', 'goto Done, $0']],
  ])('%s ends the handler', (source, instructions) => {
    expect(lines(source)).toEqual(instructions)
  })
})

describe('an assertion', () => {
  it('evaluates its message if it fails', () => {
    expect(entryText('assert count < 3, format("{0}", bump());')).toBe(
      `
var $0: int
b0:
  branch this.count < 3 ? b1 : b2
b1:
  return
b2:
  $0 = call Main.bump()
  fail format("{0}", $0)`.trim(),
    )
  })

  it('says where it stands if it has no message', () => {
    expect(lines('assert false; print "never";')).toEqual([
      expect.stringMatching(/^fail "Assertion Failed: model\.p:\d+:\d+"$/),
    ])
  })

  it('that always holds is nothing', () => {
    expect(lines('assert true;')).toEqual(['return'])
  })

  it('decides by branches where one side has an effect', () => {
    expect(entryText('assert !(yes && isFine()) || isFine(), "no";')).toBe(
      `
var $0: bool
var $1: bool
b0:
  branch this.yes ? b1 : b4
b1:
  $0 = call Main.isFine()
  branch $0 ? b2 : b4
b2:
  $1 = call Main.isFine()
  branch $1 ? b4 : b3
b3:
  fail "no"
b4:
  return`.trim(),
    )
  })
})

describe('a decision', () => {
  it('meets again', () => {
    expect(entryText('if (yes) { count = 1; } else { count = 2; } print "x";')).toBe(
      `
b0:
  branch this.yes ? b1 : b2
b1:
  this.count = 1
  jump b3
b2:
  this.count = 2
  jump b3
b3:
  print "x"
  return`.trim(),
    )
  })

  it('may have one side, which may leave', () => {
    expect(entryText('if (!yes) { return; } count = 2;')).toBe(
      `
b0:
  branch this.yes ? b1 : b2
b1:
  this.count = 2
  return
b2:
  return`.trim(),
    )
  })
})

describe('a loop', () => {
  it('evaluates its condition each time', () => {
    expect(
      entryText('while (bump() < 3) { if (yes) continue; if (count == 2) { break; } list += (0, 1); } print "x";'),
    ).toBe(
      `
var $0: int
b0:
  jump b1
loop b1:
  $0 = call Main.bump()
  branch $0 < 3 ? b2 : b5
b2:
  branch this.yes ? b1 : b3
b3:
  branch this.count == 2 ? b5 : b4
b4:
  this.list = this.list with new [0] = 1
  jump b1
b5:
  print "x"
  return`.trim(),
    )
  })

  it('without end has nothing behind it', () => {
    expect(entryText('while (true) { count = 1; } print "never";')).toBe(
      `
b0:
  jump b1
loop b1:
  this.count = 1
  jump b1`.trim(),
    )
  })

  it('over a collection goes over a copy, and its variable keeps the last element', () => {
    expect(
      entryText(
        'var x: int; foreach (x in list) { if (x == 1) continue; if (x == 2) break; list += (0, x); } count = x;',
      ),
    ).toBe(
      `
var x: int
var $0: seq[int]
var $1: int
b0:
  $0 = this.list
  $1 = 0
  jump b1
loop b1:
  branch $1 < size($0) ? b2 : b5
b2:
  x = $0[$1]
  $1 = $1 + 1
  branch x == 1 ? b1 : b3
b3:
  branch x == 2 ? b5 : b4
b4:
  this.list = this.list with new [0] = x
  jump b1
b5:
  this.count = x
  return`.trim(),
    )
  })

  it('over a set goes over its elements, into a field too', () => {
    const text = entryText('foreach (count in bag) { bag -= (count); }')
    expect(text).toContain('$0 = elements(this.bag)')
    expect(text).toContain('this.count = $0[$1]')
  })

  it('in a loop has a place of its own', () => {
    const text = entryText('var x: int; var y: int; foreach (x in list) { foreach (y in list) { count = x + y; } }')
    expect(text.match(/^loop/gm)).toHaveLength(2)
    expect(text.match(/= this\.list$/gm)).toEqual(['= this.list', '= this.list'])
    expect(text).toMatch(/var \$3: int/)
  })
})

describe('temporaries', () => {
  it('are used again by the next statement', () => {
    expect(entryText('count = bump(); count = bump(); yes = isFine();').match(/var \$\d: \w+/g)).toEqual([
      'var $0: int',
      'var $1: bool',
    ])
  })

  it('of a loop are not used by its body', () => {
    const text = entryText('var x: int; foreach (x in list) { count = bump(); }')
    expect(text).toContain('$2 = call Main.bump()')
  })
})

describe('receive', () => {
  it('has cases that meet again', () => {
    expect(
      entryText(
        'receive { case eNumber: (n: int) { count = n; } case eGo, eText: (s: any) { count = 0; } } print "x";',
      ),
    ).toBe(
      `
var n: int
var s: any
b0:
  receive
    case eNumber into n: b1
    case eGo, eText into s: b2
b1:
  this.count = n
  jump b3
b2:
  this.count = 0
  jump b3
b3:
  print "x"
  return`.trim(),
    )
  })

  it('in a loop begins with the defaults of its locals each time', () => {
    expect(entryText('while (yes) { receive { case eGo: { var x: int; x = x + 1; count = x; } } }')).toBe(
      `
var x: int
b0:
  jump b1
loop b1:
  branch this.yes ? b2 : b4
b2:
  receive
    case eGo: b3
b3:
  x = default(int)
  x = x + 1
  this.count = x
  jump b1
b4:
  return`.trim(),
    )
  })

  it('has locals that are told from others of the same name, and sees those around it', () => {
    const text = entryText(
      'var x: int; receive { case eGo: { var y: int; y = x; } case eNumber: (y: int) { x = y; receive { case eGo: { x = y + x; } } } }',
    )
    expect(text).toContain('var y: int\nvar y#2: int')
    expect(text).toContain('  y = default(int)\n  y = x\n')
    expect(text).toContain('case eNumber into y#2')
    expect(text).toContain('  x = y#2 + x\n')
  })

  it('has a return that ends the function', () => {
    expect(entryText('receive { case eGo: { return; } case eNumber: (n: int) { } } print "x";')).toBe(
      `
var n: int
b0:
  receive
    case eGo: b1
    case eNumber into n: b2
b1:
  return
b2:
  print "x"
  return`.trim(),
    )
  })
})
