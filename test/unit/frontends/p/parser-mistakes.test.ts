import { describe, expect, test } from 'vitest'
import { parse } from '../../../../src/frontends/p/parser.ts'
import { toDiagnostic } from '../../../../src/frontends/p/problem.ts'
import { mistakes, places } from './read.ts'

describe('of statements', () => {
  test.each([
    ['x = 1; var y: int;', '1:18 E707 a local variable is declared after a statement | move the declaration'],
    ['var x: int = 3;', '1:22 E707 a variable has no value in its declaration | declare it without value'],
    ['var x = 3;', '1:17 E707 a variable has no value in its declaration'],
    ['x = 1\n y = 2;', '1:15 E702 ";" is missing after the assignment | put a ";" behind it'],
    ['x = 1 }', '1:15 E702 ";" is missing after the assignment'],
    ['if (x = 3) { }', '1:17 E709 values are compared with "==", and "=" assigns | write "=="'],
    ['while (x = 3) { }', '1:20 E709 values are compared with "=="'],
    ['assert x = 3;', '1:20 E709 values are compared with "=="'],
    ['x == 3;', '1:13 E709 "==" compares, and "=" assigns | write "="'],
    ['retrun x;', '1:11 E702 "retrun" does not begin a statement | did you mean "return"?'],
    ['whlie (x) { y = 1; }', '1:11 E702 "whlie" does not begin a statement | did you mean "while"?'],
    ['sned x, e;', '1:11 E702 "sned" does not begin a statement | did you mean "send"?'],
    ['braek;', '1:11 E702 "braek" does not begin a statement | did you mean "break"?'],
    ['if x { }', '1:14 E702 "(" is expected after "if", and "x" stands here | a condition stands between parentheses'],
    ['x++;', '1:12 E702 "=" is expected after the variable, and "+" stands here | a number is counted by x = x + 1'],
    ['x += 1;', '1:16 E702 "(" is expected after "+=", and "1" stands here | collections grow by s += (x)'],
    ['x += (a = 1, b = 2);', '1:16 E709 a tuple that is inserted has parentheses of its own'],
    ['x += (1, 2, 3);', '1:16 E709 a tuple that is inserted has parentheses of its own'],
    ['push S;', '1:11 E705 "push" is gone from the language | there is no stack of states any more'],
    ['pop;', '1:11 E705 "pop" is gone from the language'],
    [
      'data = 1;',
      '1:11 E704 "data" is a word of the language, and no variable | words of the language cannot be names',
    ],
    ['type = 1;', '1:11 E704 "type" is a word of the language, and no variable'],
    ['var keys: int;', '1:15 E704 "keys" is a word of the language, and the name of a local variable is expected here'],
    ['foreach (x in s) invariant x; { }', '1:28 E706 "invariant" is a word of P\'s verifier'],
    ['else { }', '1:11 E702 a statement is expected, and "else" stands here | an "else" follows directly'],
    ['receive { }', '1:11 E702 a receive has at least one case'],
    ['send x;', '1:17 E702 "," is expected between the machine and the event, and ";" stands here'],
    ['print "a\\q";', '1:19 E701 \\q is no escape of a string'],
    ["print 'a';", "1:17 E701 ' is not a part of any P program | strings stand between double quotes"],
  ])('%s', (text, expected) => {
    const isClosed = text.endsWith('}') && text.startsWith('x = 1 ')
    expect(mistakes(`fun f() { ${text}${isClosed ? '' : ' }'}`)[0]).toContain(expected)
  })
  test('each of them is told alone', () => {
    const lines = [
      'sned x, e;',
      'y = 1;',
      'if (x = 3) { pop; }',
      'whlie (x) { y = 1; }',
      'y = ;',
      'z = 2;',
      'z = (1, ;',
    ]
    expect(places(`fun f() {\n${lines.join('\n')}\n}\nfun g() { x = ; }`)).toEqual([
      '2:1 E702',
      '4:7 E709',
      '4:14 E705',
      '5:1 E702',
      '6:5 E702',
      '8:9 E702',
      '10:15 E702',
    ])
  })
})

describe('of declarations', () => {
  test.each([
    ['evnt e: int;', '1:1 E702 a declaration is expected, and "evnt" stands here | did you mean "event"?'],
    [
      'machin M { start state S { } }',
      '1:1 E702 a declaration is expected, and "machin" stands here | did you mean "machine"?',
    ],
    ['foo bar;', '1:1 E702 a declaration is expected, and "foo" stands here | declarations begin with type, enum'],
    [
      'event e assert 1: int;',
      '1:9 E705 bounds of events ("assert n") are gone from the language | leave it out, or read the program as older P with --p-legacy',
    ],
    ['event values;', '1:7 E704 "values" is a word of the language, and the name of the event is expected here'],
    ['static fun f() { }', '1:1 E705 "static" is gone from the language'],
    ['model type T;', '1:1 E705 "model" is gone from the language'],
    ['main machine M { }', '1:1 E705 "main machine" is gone from the language'],
    [
      'invariant a: x == y;',
      '1:1 E706 "invariant" is a word of P\'s verifier, which is not supported | say it with assert',
    ],
    ['Proof { prove a; }', '1:1 E706 "Proof" is a word'],
    ['pure p(): int;', '1:1 E706 "pure" is a word'],
    ['init-condition x == 1;', '1:1 E706 "init-condition" is a word'],
    ['fun exists() { }', '1:5 E706 "exists" is a word'],
    ['fun f() return (r: int); ensures r > 0;', '1:26 E706 "ensures" is a word'],
    [
      'test T [main=M] { M };',
      '1:17 E709 ":" is missing before the module of the test | test Name [main=Machine]: { Machine };',
    ],
    [
      'test T: { M };',
      '1:7 E702 "[" is expected after the name of the test, and ":" stands here | say which machine is created first: test T [main=Machine]',
    ],
    ['module m = union { M };', '1:23 E702 "," is expected between the modules of "union", which are two or more'],
    [
      'spec S { }',
      '1:8 E702 "observes" is expected after the name of the spec, and "{" stands here | spec S observes event1, event2 { … }',
    ],
    [
      'spec S obsrves e { }',
      '1:8 E702 "observes" is expected after the name of the spec, and "obsrves" stands here | did you mean "observes"?',
    ],
    ['enum E { A, B = 2 }', '1:13 E702 some elements of the enum have numbers, others have none'],
    ['enum E { }', '1:10 E702 the name of an element is expected, and "}" stands here'],
    [
      'machine M { sate S { } }',
      '1:13 E702 "var", "fun", "start", "hot", "cold" or "state" is expected in a machine, and "sate" stands here | did you mean "state"?',
    ],
    [
      'machine M { state S { enrty { } } }',
      '1:23 E702 "entry", "exit", "on", "defer" or "ignore" is expected in a state, and "enrty" stands here | did you mean "entry"?',
    ],
    [
      'machine M { hot start state S { } }',
      '1:17 E702 "state" is expected, and "start" stands here | write "start" first',
    ],
    ['machine M { state S { on e push T; } }', '1:28 E705 "push" is gone'],
    ['machine M { state S { exit (x: int) { } } }', '1:29 E702 an exit function has no parameter'],
    ['machine M { state S { entry (x: int, y: int) { } } }', '1:38 E702 a handler has one parameter'],
    ['machine M { state S { entry () { } } }', '1:29 E702 a handler without parameter has no parentheses'],
    ['machine M { state S { defer null; } }', '1:29 E702 null is not an event that can be named here'],
    ['machine M { var x: int = 3; }', '1:24 E707 a variable has no value in its declaration'],
    ['fun f(): int', '1:13 E702 "{" or ";" is expected after the head of the function, and the file ends'],
    ['}', '1:1 E703 this "}" closes nothing'],
    ['event e; /* open', '1:10 E701 a comment is not closed'],
    ['type T = (a: int', '1:17 E702 ")" is expected after the fields, and the file ends'],
  ])('%s', (text, expected) => {
    const found = mistakes(text)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(expected)
  })
})

describe('reading goes on', () => {
  test('after a brace that is missing, and its block is named', () => {
    const text = 'machine M {\n start state A {\n  entry {\n   x = 1;\n  on e do f;\n }\n state B { }\n}\nevent e: ;\n'
    expect(mistakes(text)).toEqual([
      '5:3 E703 "}" is missing: "on" begins something else (it is open since: line 3) | close the block before',
      expect.stringContaining('9:10 E702 a type is expected'),
    ])
  })
  test('after the end of a file, with one mistake for all open blocks', () => {
    expect(places('machine M { start state A { entry { if (x) { y = 1;')).toEqual(['1:52 E703'])
  })
  test('after a brace too many', () => {
    const text = 'machine M {\n start state A { } }\n state B { on e do { } }\n}\nmachine N { }\nevent ;'
    expect(places(text)).toEqual(['3:2 E703', '6:7 E702'])
  })
  test('at the next declaration', () => {
    const { declarations, problems } = parse(
      { file: 'a.p', text: 'event ;\nevent e;\nmachine ]\nfun f() { x = ; y = 1; }\nevent g;' },
      0,
      { legacy: false },
    )
    expect(problems).toHaveLength(3)
    expect(declarations.map((declaration) => 'name' in declaration && declaration.name.text)).toEqual(['e', 'f', 'g'])
  })
  test('and a file has at most 20 mistakes', () => {
    expect(places('event ;\n'.repeat(1000))).toHaveLength(20)
    expect(places('@ '.repeat(1000))).toHaveLength(20)
    expect(places(`fun f() { ${'x = (; '.repeat(1000)}`)).toHaveLength(20)
  })
  test('a string that is not closed is the only mistake from there on', () => {
    expect(mistakes('event ;\nfun f() { print "a; }\nfun g() { print "b"; }\n')).toEqual([
      expect.stringContaining('1:7 E702'),
      expect.stringContaining('2:17 E701 a string is not closed (or the last one: line 3)'),
    ])
    expect(places('fun f() { print "a; }')).toEqual(['1:17 E701'])
  })
})

describe('nesting is bounded', () => {
  const many = 10_000
  const around = (open: string, middle: string, close: string) => open.repeat(many) + middle + close.repeat(many)
  test.each([
    ['parentheses', `fun f() { x = ${around('(', '1', ')')}; }`],
    ['negations', `fun f() { x = ${around('!', 'a', '')}; }`],
    ['sums', `fun f() { x = 1${around(' + 1', '', '')}; }`],
    ['fields', `fun f() { x = a${around('.b', '', '')}; }`],
    ['indices', `fun f() { x = ${around('a[', '1', ']')}; }`],
    ['blocks', `fun f() { ${around('{', '', '}')} }`],
    ['branches', `fun f() { ${around('if (a) ', ';', '')} }`],
    ['alternatives', `fun f() { ${around('if (a) { } else ', '{ }', '')} }`],
    ['types', `type T = ${around('seq[', 'int', ']')};`],
    ['modules', `module m = ${around('(', 'a', ')')};`],
    ['cases', `fun f() { ${around('receive { case e: { ', '', '} }')} }`],
  ])('%s', (_, text) => {
    expect(mistakes(text).map((mistake) => mistake.split(' ')[1])).toEqual(['E708'])
  })
  test('and what people write is far from the bound', () => {
    const sum = Array.from({ length: 300 }, () => 'a').join(' + ')
    const alternatives = 'if (a) { } else '.repeat(300)
    expect(mistakes(`fun f() { x = ${'('.repeat(60)}${sum}${')'.repeat(60)}; ${alternatives} { } }`)).toEqual([])
  })
})

test('a place counts lines of all kinds, and a byte-order mark has no column', () => {
  const text = '\ufeffevent;\r\n\r  event ;\n\n event ;'
  const sources = [
    { file: 'other.p', text: '' },
    { file: 'dir/model.p', text },
  ]
  const { problems } = parse(sources[1] ?? { file: '', text: '' }, 1, { legacy: false })
  expect(problems.map((problem) => toDiagnostic(problem, sources).place)).toEqual([
    { file: 'dir/model.p', line: 1, column: 6 },
    { file: 'dir/model.p', line: 3, column: 9 },
    { file: 'dir/model.p', line: 5, column: 8 },
  ])
})
