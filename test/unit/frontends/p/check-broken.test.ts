import { describe, expect, test } from 'vitest'
import { checkProject } from '../../../../src/frontends/p/check.ts'
import { parse } from '../../../../src/frontends/p/parser.ts'
import { long } from '../../../amount.ts'

const program = `
enum Answer { YES = 1, NO = 2 }
type tRequest = (id: int, from: Client, tags: set[string]);
event eRequest: tRequest; event eReply: (id: int, answer: Answer); event eTick;
eventset es = { eTick, eReply };
interface IServer(seq[int]) receives eRequest, eTick;
param n: int; param fair: bool;
fun largest(l: seq[int]): int { var x, best: int; foreach (x in l) { if (x > best) best = x; else continue; } return best; }
machine Client receives eReply, eTick; sends eRequest; {
  var server: machine; var seen: map[int, Answer];
  start state Init {
    entry (whom: machine) { server = whom; goto Ask, largest(values(default(map[int, int]))); }
    exit { print format("{0}", server); }
  }
  state Ask {
    entry (id: int) {
      send server, eRequest, (id = id, from = this, tags = default(set[string]));
      receive { case eReply: (reply: (id: int, answer: Answer)) { seen[reply.id] = reply.answer; } case eTick: { raise halt; } }
    }
    on eTick do tick; on null goto Rest with { seen -= 1; }
    defer eReply; ignore halt;
  }
  state Rest { }
  fun tick() { assert n > 0 && !(YES in values(seen)), "yes"; announce eTick; }
}
machine Server { start state Serve { entry (l: seq[int]) { l += (0, choose(2)); } on eRequest do (r: tRequest) { send r.from, eReply, (id = r.id, answer = NO); } } }
machine Main { start state Init { entry { var c: machine; c = new IServer(default(seq[int])); new Client(c); } } }
spec Answers observes eReply { var last: any; start hot state Wait { on eReply goto Done with (x: any) { last = x; } } cold state Done { ignore eReply; } }
module system = union { Client }, { Server -> IServer };
test param (n in [1, -2], fair in [true, false]) assume (n < 2 || fair) tcAll [main=Main]: assert Answers in (union system, { Main });
`

const tokens: readonly string[] = program.match(/\s+|\w+|"[^"]*"|./g) ?? []
const names: readonly string[] = [...new Set(tokens.filter((token) => /^\w+$/.test(token)))]

function said(text: string): readonly string[] {
  const source = { file: 'a.p', text }
  const parsed = parse(source, 0, { legacy: false })
  const { checked, problems } = checkProject([parsed], [source])
  expect(checked === undefined).toBe(problems.length > 0)
  expect(problems.filter(({ at }) => at.start > at.end || at.end > text.length)).toEqual([])
  return [...parsed.problems, ...problems].map(({ message, hint }) => `${message}; ${hint}`)
}

describe('a program that is damaged', () => {
  test('is accepted when it is whole', () => {
    expect(said(program)).toEqual([])
  })

  test('gets an answer whatever is left out', long, () => {
    const places = tokens.flatMap((token, index) => (token.trim() === '' ? [] : [index]))
    const answers = places.flatMap((index) => said(tokens.toSpliced(index, 1).join('')))
    expect(answers.length).toBeGreaterThan(places.length / 2)
    expect(answers.filter((answer) => /undefined|\[object|NaN/.test(answer))).toEqual([])
  })

  test('gets an answer whatever name stands for another', () => {
    const places = tokens.flatMap((token, index) => (names.includes(token) ? [index] : []))
    const answers = places.flatMap((index) => {
      const other = names[(index * 7919) % names.length] ?? ''
      return said(tokens.with(index, other).join(''))
    })
    expect(answers.length).toBeGreaterThan(places.length / 2)
    expect(answers.filter((answer) => /undefined|\[object|NaN/.test(answer))).toEqual([])
  })
})
