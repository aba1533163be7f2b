/** Where the parser is in the tokens of a source, what it may expect there, and how it goes on after a mistake. */
import { nearestName } from '../../core/did-you-mean.ts'
import type { Name, Span } from './ast.ts'
import type { Token } from './lexer.ts'
import type { Problem, Problems } from './problem.ts'
import { formerWords, stateWords, topWords } from './words.ts'

/** Thrown where reading cannot go on, after the problem is noted; caught where a list of statements or declarations goes on. */
class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** One for all: nobody looks at its stack. */
const unreadable = new Unreadable('the source cannot be read here')

/** What stands in a machine, and not in functions as `var` does. */
const stateOrFunction = ['fun', 'start', 'hot', 'cold', 'state']

/** What follows on a word that is used as a variable, though it cannot be one. */
export const assigning: readonly string[] = ['=', '+=', '-=', '.', '[']

/** How deep brackets, blocks and operators in front may stand in each other: far more than people write, far less than the stack holds. */
const deepest = 200

export class Cursor {
  readonly legacy: boolean
  readonly problems: Problems
  readonly #tokens: readonly Token[]
  readonly #end: Token
  #position = 0
  #depth = 0
  /** Where an unclosed block was noted: all blocks that end there for the same reason are closed in silence. */
  #unclosedAt = -1

  constructor(tokens: readonly Token[], problems: Problems, legacy: boolean) {
    const end = tokens.at(-1)
    if (end === undefined) throw new Error('a list of tokens has an end')
    this.#tokens = tokens
    this.#end = end
    this.problems = problems
    this.legacy = legacy
  }

  get token(): Token {
    return this.peek(0)
  }

  get previous(): Token {
    return this.peek(-1)
  }

  get position(): number {
    return this.#position
  }

  get isAtEnd(): boolean {
    return this.token.kind === 'end'
  }

  peek(distance: number): Token {
    return this.#tokens[Math.max(0, this.#position + distance)] ?? this.#end
  }

  advance(): Token {
    const token = this.token
    if (token.kind !== 'end') this.#position++
    return token
  }

  /** Whether a keyword or a symbol is next. */
  is(text: string, distance = 0): boolean {
    const token = this.peek(distance)
    return token.text === text && (token.kind === 'symbol' || token.kind === 'keyword')
  }

  isOneOf(texts: readonly string[]): boolean {
    return texts.some((text) => this.is(text))
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false
    this.advance()
    return true
  }

  expect(text: string, where: string): Token {
    if (!this.is(text)) this.unexpected(`"${text}"`, where)
    return this.advance()
  }

  /** The end of a statement or a declaration. If it is just missing, reading goes on as if it were there. */
  expectSemicolon(after: string): void {
    if (this.accept(';')) return
    const goesOn = this.is('}') || this.isAtEnd || this.token.isFirstOfLine || this.isStructure()
    if (!goesOn || this.token.kind === 'junk' || this.previous.kind === 'junk') this.unexpected('";"', after)
    const { source, end } = this.previous.at
    const at = { source, start: Math.max(end - 1, 0), end }
    this.report({ code: 'E702', message: `";" is missing ${after}`, hint: 'put a ";" behind it', at })
  }

  /** A name that the user chose. */
  name(what: string): Name {
    const { kind, text, at } = this.token
    if (kind === 'name') {
      this.advance()
      return { text, at }
    }
    if (kind === 'keyword') {
      const hint = `words of the language cannot be names: choose another, such as ${text}_`
      this.fail({
        code: 'E704',
        message: `"${text}" is a word of the language, and ${what} is expected here`,
        hint,
        at,
      })
    }
    return this.unexpected(what, '')
  }

  /** Items with commas between them, at least one. */
  list<T>(item: () => T): T[] {
    const items = [item()]
    while (this.accept(',')) items.push(item())
    return items
  }

  /** From a token to the one before the next. */
  since(start: Token): Span {
    return { source: start.at.source, start: start.at.start, end: Math.max(start.at.end, this.previous.at.end) }
  }

  report(problem: Problem): void {
    this.problems.add(problem)
  }

  fail(problem: Problem): never {
    this.report(problem)
    throw unreadable
  }

  /** Something else stands here than what is expected, perhaps a slip of one of the words. Of what is no token at all the lexer has told. */
  unexpected(expected: string, where: string, hint?: string, words = quoted(expected)): never {
    const { kind, text, at } = this.token
    if (kind === 'junk' || (kind === 'end' && this.previous.kind === 'junk')) throw unreadable
    if (kind === 'verifier') this.fail(verifierProblem(text, at))
    const former = kind === 'name' ? formerWords.get(text) : undefined
    if (former !== undefined) {
      this.fail({ code: 'E705', message: `"${text}" is gone from the language`, hint: former, at })
    }
    const found =
      kind === 'end' ? 'the file ends' : kind === 'string' ? 'a string stands here' : `"${text}" stands here`
    const place = where === '' ? '' : ` ${where}`
    const near = kind === 'name' ? nearestName(text, words) : undefined
    const advice =
      near === undefined ? (hint ?? `write ${expected}, or look at what stands before it`) : `did you mean "${near}"?`
    return this.fail({ code: 'E702', message: `${expected} is expected${place}, and ${found}`, hint: advice, at })
  }

  /** Reads something that may stand in itself. */
  nested<T>(read: () => T): T {
    if (this.#depth >= deepest) {
      const hint = `at most ${deepest} brackets, blocks and operators may stand in each other: give parts a name`
      this.fail({ code: 'E708', message: 'this is nested too deeply', hint, at: this.token.at })
    }
    this.#depth++
    try {
      return read()
    } finally {
      this.#depth--
    }
  }

  /**
   * Reads items up to the closing brace. An item that cannot be read is left out. A word at which something of an outer level begins says
   * that the brace is missing.
   */
  block<T>(open: Token, isOutside: () => boolean, item: () => T): readonly T[] {
    const items: T[] = []
    while (!this.is('}')) {
      if (this.isAtEnd || isOutside()) {
        this.#noteUnclosed(open)
        return items
      }
      const before = this.#position
      const read = this.attempt(item)
      if (read !== undefined) items.push(read)
      else this.skipItem()
      if (this.#position === before) this.advance()
    }
    this.advance()
    return items
  }

  attempt<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      if (this.problems.isEmpty) throw new Error('what cannot be read has a problem')
      // What else is wrong would not be told any more.
      if (this.problems.isFull) this.#position = this.#tokens.length - 1
      return undefined
    }
  }

  #noteUnclosed(open: Token): void {
    const isKnown = this.#unclosedAt === this.#position || this.previous.kind === 'junk' || this.token.kind === 'junk'
    this.#unclosedAt = this.#position
    if (isKnown) return
    const { at, text, kind } = this.token
    const found = kind === 'end' ? 'the file ends' : `"${text}" begins something else`
    const second = { at: open.at, label: 'it is open since' }
    this.report({ code: 'E703', message: `"}" is missing: ${found}`, hint: 'close the block before', at, second })
  }

  /** Behind the next `;` or block, or before what ends the list or begins something else. */
  skipItem(): void {
    const from = this.#position
    while (!this.isAtEnd && !this.is('}')) {
      if (this.#position > from && this.isStructure()) return
      if (this.accept(';')) return
      if (!this.is('{')) this.advance()
      else {
        this.#skipBlock()
        if (!this.isOneOf(['else', 'with', ';', ',', ')'])) return
      }
    }
  }

  #skipBlock(): void {
    let depth = 0
    do {
      if (this.is('{')) depth++
      if (this.is('}')) depth--
      this.advance()
    } while (depth > 0 && !this.isAtEnd && !this.isTopDeclaration())
  }

  /** Before the next declaration of the file. */
  skipToDeclaration(): void {
    const from = this.#position
    while (!this.isAtEnd && (this.#position === from || !this.isTopDeclaration())) {
      if (this.is('{')) this.#skipBlock()
      else this.advance()
    }
  }

  /** Whether one of the words begins something here, and is not a type or the like. */
  #begins(words: readonly string[]): boolean {
    if (this.token.kind !== 'keyword' || !words.includes(this.token.text)) return false
    return this.#position === 0 || this.#isBefore(['}', ';', '{'])
  }

  #isBefore(texts: readonly string[]): boolean {
    return texts.some((text) => this.is(text, -1))
  }

  isTopDeclaration(): boolean {
    const next = this.peek(1).kind
    const isVariable = assigning.some((symbol) => this.is(symbol, 1))
    if (this.#begins(topWords)) return !isVariable
    return (next === 'name' || next === 'keyword') && this.#beginsLine(topWords)
  }

  isMachineItem(): boolean {
    return this.#begins(stateOrFunction) || this.#beginsLine(['state', 'start', 'fun'])
  }

  isStateItem(): boolean {
    return this.#begins(stateWords)
  }

  isStructure(): boolean {
    return this.isTopDeclaration() || this.isMachineItem() || this.isStateItem()
  }

  /** At the beginning of a line these words begin something even if the end of what stands before is missing. */
  #beginsLine(words: readonly string[]): boolean {
    const { kind, text, isFirstOfLine } = this.token
    return (
      kind === 'keyword' && isFirstOfLine && words.includes(text) && !this.#isBefore([':', ',', '[', '(', 'as', 'to'])
    )
  }
}

function quoted(expected: string): readonly string[] {
  return [...expected.matchAll(/"([a-z]+)"/g)].map(([, text = '']) => text)
}

function verifierProblem(text: string, at: Span): Problem {
  return {
    code: 'E706',
    message: `"${text}" is a word of P's verifier, which is not supported`,
    hint: 'say it with assert or a spec machine; if it is a name in an older program, --p-legacy reads it as one',
    at,
  }
}
