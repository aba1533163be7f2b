import { describe, expect, test } from 'vitest'
import { accepted, expectRefused, main, told } from './check-program.ts'

const declarations = `
enum Color { RED, GREEN }
enum Size { SMALL = 3, LARGE = 7 }
event ePlain;
event eInt: int;
event ePair: (int, bool);
event eNamed: (a: int, b: bool);
event eAny: any;
eventset esOne = { ePlain };
eventset esTwo = { ePlain, eInt };
eventset esOther = { eInt };
type tForeign;
interface I(int) receives ePlain;
machine Client { start state S { entry (id: int) { } } }
machine Server { start state S { } }
machine Deaf receives ; sends ; { start state S { } }
machine Picky receives ePlain; { start state S { } }
fun one(): int { return 1; }
fun nothing() { }
fun two(a: int, b: bool) { }
`

const variables = `var i: int; var f: float; var b: bool; var s: string; var e: event; var m: machine; var x: any; var d: data;
var c: Color; var z: Size; var l: seq[int]; var la: seq[any]; var t: set[int]; var p: map[string, int]; var u: (int, bool);
var r: (a: int, b: bool); var q: (b: bool, a: int); var v: Server; var w: Picky; var o: esOne; var h: esTwo; var g: esOther; var k: Deaf;`

function body(statements: string): string {
  return declarations + main(variables + statements)
}

describe('types that fit', () => {
  test.each([
    'i = 2147483647; i = -i; i = i + 1 * 2 - 3 / 4 % 5;',
    'f = 1.5; f = f * 2.0; f = i to float; i = f to int; i = c to int; i = i to int;',
    's = "a" + "b"; b = "a" < "b"; s = format("{0} of {1}, {{0}}", i, l);',
    'b = i < 2 && f >= 1.0 || !b; b = b ==> b; b = b <==> b;',
    'c = RED; b = c == GREEN; z = LARGE; b = c != default(Color);',
    'e = ePlain; e = null; e = halt; m = null; m = this; m = new Server(); m = v; m = w; x = null; d = null; d = e;',
    'v = this; v = new Client(1); v = m as Server; w = m to Picky; w = v to Picky; o = w; w = new Picky();',
    'x = i; x = l; x = (1, true); i = x as int; l = x as seq[int]; d = l; d = p; d = (1, "a"); i = d as int; d = k;',
    'la = l; l += (0, 1); l[0] = 2; l -= 0; i = l[0]; i = sizeof(l); b = 1 in l; b = 1 in t; b = "a" in p; i = t[0];',
    't += (1); t -= 2; p += ("a", 1); p["b"] = 2; p -= "a"; l = values(p); i = p["a"];',
    'u = (1, true); i = u.0; u.1 = false; r = (a = 1, b = true); i = r.a; r.b = false; x = (1,); x = (a = 1,);',
    'b = m == null; b = e == ePlain; b = x == 1; b = v == m; b = m == v; b = u == (1, false); b = l == la;',
    'b = $; b = choose(); i = choose(10000); i = choose(l); i = choose(t); s = choose(p);',
    'i = one(); one(); nothing(); two(1, true);',
    'foreach (i in l) { } foreach (i in t) { b = true; } foreach (s in keys(p)) { }',
    'assert b; assert b, "a"; assert i == 1, format("{0}", i); print "a";',
    'while (b) { if (i == 1) break; else continue; }',
    'send m, ePlain; send m, eInt, 1; send m, ePair, (1, true); send m, ePair, 1, true; send m, e; send m, e, 1; send m, eAny, null;',
    'announce eInt, 1; send v, eNamed, (a = 1, b = true); send this, halt; send m, ePlain, null; raise ePair, 1, true;',
  ])('%s', (statements) => {
    accepted(body(statements))
  })
})

describe('types that do not fit', () => {
  test.each([
    ['bool for int', 'i = @true;'],
    ['int for float', 'f = @1;'],
    ['float for int', 'i = @1.5;'],
    ['mixed numbers', 'f = @f + i;'],
    ['element of an enum for int', 'i = @RED;'],
    ['int for an element', 'c = @0;'],
    ['element of another enum', 'c = @SMALL;'],
    ['elements of two enums compared', 'b = @c == z;'],
    ['any for int', 'i = @x;'],
    ['machine for a machine by name', 'v = @m;'],
    ['null for a machine by name', 'v = @null;'],
    ['null for int', 'i = @null;'],
    ['machine by name compared with null', 'b = @v == null;'],
    ['machines with other events', 'w = @v;'],
    ['machines with fewer events', 'o = @h;'],
    ['machine as data', 'd = @v;'],
    ['any as data', 'd = @x;'],
    ['list of machines as data', 'd = @default(seq[machine]);'],
    ['other elements', 'l = @la;'],
    ['set for a list', 'l = @default(set[int]);'],
    ['keys that differ', 'p = @default(map[int, int]);'],
    ['tuple for a named tuple', 'r = @(1, true);'],
    ['named tuple for a tuple', 'u = @(a = 1, b = true);'],
    ['names in another order', 'r = @q;'],
    ['longer tuple', 'u = @(1, true, 2);'],
    ['index of a list', 'i = l[@true];'],
    ['index of a set', 'i = t[@true];'],
    ['key of a map', 'i = p[@1];'],
    ['part of a number', 'i = @i[0];'],
    ['field of a tuple', 'i = @u.a;'],
    ['item of a named tuple', 'i = @r.0;'],
    ['size of a string', 'i = sizeof(@s);'],
    ['keys of a list', 'la = keys(@l);'],
    ['element that is sought', 'b = @true in l;'],
    ['something sought in a number', 'b = 1 in @i;'],
    ['number as a condition', 'if (@i) { }'],
    ['any as a condition', 'while (@x) { }'],
    ['number asserted', 'assert @1;'],
    ['number as a message', 'assert b, @1;'],
    ['number printed', 'print @1;'],
    ['negated bool', 'i = -@b;'],
    ['not of a number', 'b = !@i;'],
    ['and of numbers', 'b = @i && b;'],
    ['strings subtracted', 's = @s - s;'],
    ['bools compared in size', 'b = @b < b;'],
    ['cast that cannot succeed', 'i = @b as int;'],
    ['number converted to an element', 'c = @1 to Color;'],
    ['conversion to a string', 's = @1 to string;'],
    ['conversion to any machine', 'm = @v to machine;'],
    ['permission that is gained', 'h = @o to esTwo;'],
    ['permission that is another', 'g = @o to esOther;'],
    ['value added to a list', '@l += (1);'],
    ['position of a set', '@t += (0, 1);'],
    ['value inserted', 'l += (0, @true);'],
    ['position', 'l += (@true, 0);'],
    ['value of a map', 'p += ("a", @"b");'],
    ['element added', 't += (@true);'],
    ['element removed', 't -= @true;'],
    ['something removed from a number', '@i -= 1;'],
    ['choice among strings', 's = choose(@s);'],
    ['loop over a map', 'foreach (s in @p) { }'],
    ['variable of a loop', 'foreach (@x in l) { }'],
    ['value of a call that returns none', 'x = @nothing();'],
    ['addressee', 'send @x, ePlain;'],
    ['something sent that is no event', 'send m, @1;'],
    ['something raised that is no event', 'raise @x;'],
    ['value returned from an entry', '@return 1;'],
    ['arguments of a function', 'two(1, @1);'],
  ])('%s', (_, statements) => {
    expectRefused('E712', body(statements))
  })

  test.each([
    ['no value', `${declarations} fun f(): int { @return; } ${main('')}`],
    ['another value', `${declarations} fun f(): int { return @true; } ${main('')}`],
  ])('%s', (_, text) => {
    expectRefused('E712', text)
  })

  test('messages name types as P writes them', () => {
    expect(told(body('l = default(seq[(machine, int)]);'))).toContain(
      'expected "seq[int]", found "seq[(machine, int)]"',
    )
    expect(told(body('r = (a = 1,);'))).toContain('expected "(a: int, b: bool)", found "(a: int)"')
    expect(told(body('x = default(map[string, seq[int]]) + 1;'))).toContain(
      '"+" does not take "map[string, seq[int]]" and "int"',
    )
    expect(told(body('i = f;'))).toContain('convert it: "… to int"')
    expect(told(body('w = v;'))).toContain('"Server" may be sent everything, "Picky" may not')
    expect(told(body('o = h;'))).toContain('"esTwo" may be sent "eInt", "esOne" may not')
    expect(told(body('i = x;'))).toContain('"… as int"')
  })
})

describe('literals and limits', () => {
  test.each([
    ['number', 'i = @2147483648;'],
    ['choice', 'i = @choose(10001);'],
    ['too few values', 's = @format("{0} {1}", i);'],
    ['too many values', 's = @format("{0}", i, i);'],
    ['text with a placeholder', 's = @"{0}";'],
    ['open brace', 's = @format("{0", i);'],
    ['closing brace', 's = @"a}";'],
  ])('%s', (_, statements) => {
    expectRefused('E718', body(statements))
  })

  test('number of an element', () => {
    expectRefused('E718', `enum E { @a = 2147483648 } ${main('')}`)
  })
})

describe('payloads', () => {
  test.each([
    ['missing', 'send m, @eInt;'],
    ['missing though it may be anything', 'send m, @eAny;'],
    ['not expected', 'send m, ePlain, @1;'],
    ['of another type', 'raise eInt, @true;'],
    ['several for one', 'announce @eInt, 1, 2;'],
    ['several for a named tuple', 'send m, @eNamed, 1, true;'],
    ['too many items', 'send m, @ePair, 1, true, 2;'],
    ['item of another type', 'send m, ePair, 1, @2;'],
    ['null is sent', 'send m, @null;'],
    ['null is raised', 'raise @null;'],
    ['null is announced', 'announce @null;'],
    ['halt carries nothing', 'send m, halt, @1;'],
    ['new without', 'v = @new Client();'],
    ['new with', 'new Server(@1);'],
    ['new with another type', 'new Client(@true);'],
    ['new of an interface', 'w = @new I();'],
    ['too few arguments', '@two(1);'],
    ['too many arguments', 'i = @one(1);'],
  ])('%s', (_, statements) => {
    expectRefused('E713', body(statements))
  })

  test('of an event that is a value nobody knows it', () => {
    accepted(body('e = eInt; send m, e; send m, e, 1; send m, e, 1, 2;'))
  })
})

describe('what the checker hands on', () => {
  const checked = accepted(body('r.a = l[i] + one(); foreach (i in l) { send m, ePlain; } x = default(seq[bool]);'))

  test('types of every expression, meanings of names, callees and written types', () => {
    const kinds = [...checked.types].map(([expression, type]) => `${expression.kind} ${type.kind}`)
    expect(new Set(kinds)).toEqual(
      new Set([
        'int int',
        'name record',
        'field int',
        'name seq',
        'name int',
        'element int',
        'call int',
        'binary int',
        'name machine',
        'name event',
        'name any',
        'default seq',
      ]),
    )
    expect([...checked.meanings].map(([name, meaning]) => `${name.text} ${meaning.kind}`)).toEqual([
      'r local',
      'l local',
      'i local',
      'l local',
      'i local',
      'm local',
      'ePlain event',
      'x local',
    ])
    expect([...checked.callees].map(([name, callee]) => `${name.text} ${callee.name}`)).toEqual(['one one'])
    expect([...checked.written.values()]).toEqual([{ kind: 'seq', of: { kind: 'bool' } }])
  })

  test('machines with what they receive', () => {
    expect(checked.machines.map(({ name, receives, payload }) => [name, receives, payload.kind])).toEqual([
      ['Client', undefined, 'int'],
      ['Server', undefined, 'void'],
      ['Deaf', [], 'void'],
      ['Picky', ['ePlain'], 'void'],
      ['Main', undefined, 'void'],
    ])
  })
})
