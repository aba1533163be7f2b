/** Programs of P down to IR, for tests. Everything that is lowered here is validated. */
import type { SourceText } from '../../../../src/frontends/p/ast.ts'
import { checkProject } from '../../../../src/frontends/p/check.ts'
import { lower } from '../../../../src/frontends/p/lower.ts'
import { parse } from '../../../../src/frontends/p/parser.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import { printIr } from '../../../../src/ir/print.ts'
import { irProblems } from '../../../../src/ir/validate.ts'

/** The IR of each test of a program without mistakes. */
export function allLowered(...texts: readonly string[]): readonly Ir[] {
  const sources = texts.map((text, index): SourceText => ({ file: `model${index || ''}.p`, text }))
  const parsed = sources.map((source, index) => parse(source, index, { legacy: false }))
  const { checked, problems } = checkProject(parsed, sources)
  const mistakes = [...parsed.flatMap((one) => one.problems), ...problems]
  if (checked === undefined || mistakes.length > 0) {
    throw new Error(mistakes.map(({ code, message }) => `${code} ${message}`).join('\n'))
  }
  return checked.tests.map((test) => {
    const ir = lower(checked, test)
    const invalid = irProblems(ir)
    if (invalid.length > 0) throw new Error(`${printIr(ir)}\n${invalid.join('\n')}`)
    return ir
  })
}

/** The IR of the only test. */
export function lowered(...texts: readonly string[]): Ir {
  const [first, ...others] = allLowered(...texts)
  if (first === undefined || others.length > 0) throw new Error('the program has one test')
  return first
}

/** One function as text, without its head. */
export function functionText(ir: Ir, name: string): string {
  const part = printIr(ir)
    .trimEnd()
    .split('\n\n')
    .find((lines) => new RegExp(`^function \\d+ ${name.replaceAll('.', '\\.')}\\(`).test(lines))
  if (part === undefined) throw new Error(`there is no function ${name}`)
  return part.split('\n').slice(1).join('\n').replaceAll(/^ {2}/gm, '')
}

/** What everything below can use: events, a peer to send to, and functions with an effect. */
const around = `
  enum Color { RED = 3, GREEN = 5 }
  type Point = (x: int, of: machine);
  event eGo; event eNumber: int; event ePair: (int, bool); event ePoint: Point; event eText: string;
  fun same(n: int): int { return n; }
  machine Peer { start state Only { ignore eGo, eNumber, ePair, ePoint, eText; } }
`
const fields = `
  var count: int; var f: float; var yes: bool; var text: string; var peer: machine; var list: seq[int];
  var bag: set[int]; var names: map[int, string]; var deep: map[int, seq[Point]]; var point: Point; var pair: (int, bool);
  var thing: any; var what: event; var color: Color;
  fun bump(): int { count = count + 1; return count; }
  fun isFine(): bool { return $; }
`

/** The blocks of what a machine does at its start: locals first, then statements. */
export function entryText(body: string): string {
  const ir = lowered(
    `${around} machine Main { ${fields} start state Init { entry { ${body} } ignore eGo; } state Done { entry (n: int) {} } }`,
  )
  return functionText(ir, 'Main.Init.entry')
}
