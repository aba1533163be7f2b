/**
 * Text to tokens. What is no token becomes a problem and a token of kind `junk`, at which the parser stops reading without another problem.
 * Every character is looked at a bounded number of times, whatever the text is.
 */
import type { Span } from './ast.ts'
import type { Problems } from './problem.ts'
import { keywords, verifierWords } from './words.ts'

export interface Token {
  /** Words of the verifier are a kind of their own, and names for those who read older P. */
  readonly kind: 'name' | 'keyword' | 'verifier' | 'int' | 'string' | 'symbol' | 'junk' | 'end'
  /** As written; of a string, what it stands for. */
  readonly text: string
  readonly at: Span
  /** Whether no other token stands before it on its line. */
  readonly isFirstOfLine: boolean
}

export interface LexerOptions {
  readonly source: number
  readonly legacy: boolean
  readonly problems: Problems
}

export function tokenize(text: string, options: LexerOptions): readonly Token[] {
  const lexer = new Lexer(text, options)
  const tokens: Token[] = []
  for (;;) {
    const token = lexer.next()
    tokens.push(token)
    if (token.kind === 'end') return tokens
  }
}

/** Longest first where one is the beginning of another. */
const symbols = /<==>|==>|\$\$|&&|\|\||==|!=|<=|>=|->|\+=|-=|[$!<>=+\-*/%{}[\]();,.:]/y
const word = /[a-zA-Z_][a-zA-Z0-9_]*/y
const digits = /[0-9]+/y
const blank = /[ \t\r\n\f\ufeff]+/y
const lineComment = /\/\/[^\r\n]*/y
/** Everything that can begin neither a token nor a blank: one problem for a run of it. */
const junk = /[^a-zA-Z0-9_ \t\r\n\f"$!<>=+\-*/%{}[\]();,.:]+/y
/** What other languages take for a string: one problem for the whole. */
const quotedText = /'[^'\r\n]*'/y
const initCondition = 'init-condition'

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '"': '"',
  "'": "'",
  '\\': '\\',
}

class Lexer {
  readonly #text: string
  readonly #options: LexerOptions
  #offset = 0
  #isFirstOfLine = true
  /** The first string with a line break: if quotes do not pair up, it is the likely culprit. */
  #longString: Span | undefined

  constructor(text: string, options: LexerOptions) {
    this.#text = text
    this.#options = options
  }

  next(): Token {
    const from = this.#offset
    const isClosed = this.#skipBlanks()
    this.#isFirstOfLine = from === 0 || /[\r\n]/.test(this.#text.slice(from, this.#offset))
    if (!isClosed) return this.#rest('a comment is not closed', 'a comment that begins with /* ends with */')
    const start = this.#offset
    if (start >= this.#text.length || this.#options.problems.isFull) return this.#token('end', '', start)
    if (this.#text[start] === '"') return this.#string(start)
    if (!this.#options.legacy && this.#text.startsWith(initCondition, start) && !this.#continues(start)) {
      this.#offset += initCondition.length
      return this.#token('verifier', initCondition, start)
    }
    const name = this.#match(word)
    if (name !== undefined) return this.#token(this.#kindOf(name), name, start)
    const number = this.#match(digits)
    if (number !== undefined) return this.#token('int', number, start)
    const symbol = this.#match(symbols)
    if (symbol !== undefined) return this.#token('symbol', symbol, start)
    return this.#junk(start)
  }

  /** Whether letters follow on `init-condition`, so that it is a subtraction of two names. */
  #continues(start: number): boolean {
    return /[a-zA-Z0-9_]/.test(this.#text[start + initCondition.length] ?? '')
  }

  #kindOf(name: string): Token['kind'] {
    if (keywords.has(name)) return 'keyword'
    return verifierWords.has(name) && !this.#options.legacy ? 'verifier' : 'name'
  }

  /** False: a comment runs to the end of the text. The offset is then at its beginning. */
  #skipBlanks(): boolean {
    while (this.#offset < this.#text.length) {
      if (this.#match(blank) !== undefined || this.#match(lineComment) !== undefined) continue
      if (!this.#text.startsWith('/*', this.#offset)) return true
      const end = this.#text.indexOf('*/', this.#offset + 2)
      if (end < 0) return false
      this.#offset = end + 2
    }
    return true
  }

  #string(start: number): Token {
    const parts: string[] = []
    let from = start + 1
    for (let offset = from; offset < this.#text.length; offset++) {
      const character = this.#text[offset]
      if (character === '"') {
        parts.push(this.#text.slice(from, offset))
        this.#offset = offset + 1
        const token = this.#token('string', parts.join(''), start)
        if (/[\r\n]/.test(token.text)) this.#longString ??= token.at
        return token
      }
      if (character !== '\\') continue
      parts.push(this.#text.slice(from, offset), this.#escaped(offset))
      offset++
      from = offset + 1
    }
    return this.#unclosedString(start)
  }

  #escaped(backslash: number): string {
    const character = this.#text[backslash + 1] ?? ''
    const meant = Object.hasOwn(escapes, character) ? escapes[character] : undefined
    if (meant === undefined && character !== '') {
      this.#options.problems.add({
        code: 'E701',
        message: `\\${printable(character)} is no escape of a string`,
        hint: 'escapes are \\n \\t \\r \\0 \\" \\\\; a backslash is written \\\\',
        at: { source: this.#options.source, start: backslash, end: backslash + 2 },
      })
    }
    return meant ?? character
  }

  #junk(start: number): Token {
    const found = this.#match(quotedText) ?? this.#match(junk) ?? this.#text[start] ?? ''
    this.#offset = start + found.length
    const token = this.#token('junk', found, start)
    const shown = found.startsWith("'") ? "'" : printable(found.slice(0, 20))
    const message = `${shown} is not a part of any P program`
    this.#options.problems.add({ code: 'E701', message, hint: junkHint(found), at: token.at })
    return token
  }

  /** Few strings have several lines: the first that does has likely lost its end, and all quotes behind it mean the opposite. */
  #unclosedString(start: number): Token {
    const hint = 'a string ends with a double quote; it may have several lines'
    if (this.#longString === undefined) return this.#rest('a string is not closed', hint)
    const at = { source: this.#options.source, start, end: start + 1 }
    const second = { at, label: 'or the last one' }
    this.#options.problems.distrustBehind(this.#longString.start)
    this.#options.problems.add({ code: 'E701', message: 'a string is not closed', hint, at: this.#longString, second })
    this.#offset = this.#text.length
    return this.#token('junk', '', start)
  }

  /** What follows cannot be told apart any more. */
  #rest(message: string, hint: string): Token {
    const start = this.#offset
    this.#offset = this.#text.length
    const at = { source: this.#options.source, start, end: Math.min(start + 2, this.#text.length) }
    this.#options.problems.add({ code: 'E701', message, hint, at })
    return this.#token('junk', '', start)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#offset += found.length
    return found
  }

  #token(kind: Token['kind'], text: string, start: number): Token {
    return {
      kind,
      text,
      at: { source: this.#options.source, start, end: this.#offset },
      isFirstOfLine: this.#isFirstOfLine,
    }
  }
}

/** Control characters and everything beyond ASCII by number: they could change what a terminal shows. */
function printable(text: string): string {
  const shown = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code > 32 && code < 127 ? character : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  })
  return shown.length > 4 ? `${shown.slice(0, 4).join(' ')} …` : shown.join(' ')
}

function junkHint(text: string): string {
  if (text === '&') return 'write && for "and"'
  if (text === '|') return 'write || for "or"'
  if (text.startsWith("'") || text.startsWith('`')) return 'strings stand between double quotes'
  if (text.startsWith('#')) return 'a comment begins with //'
  if (/[\u2018-\u201f]/.test(text)) return 'these are typographic quotes: strings stand between plain double quotes'
  if (/^[\p{L}\p{N}]+$/u.test(text)) return 'names have letters a to z, digits and _'
  return 'remove it; in strings and comments any character may stand'
}
