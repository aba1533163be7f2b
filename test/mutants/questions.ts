/**
 * The programs that every mutant of the extractor is asked about: those whose terms and refusals are written down word
 * by word, those that are easily guessed wrong, those that people write, and the corpus.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IcetRequest } from '../../src/frontends/typescript/icet/extract.ts'
import type { Program } from '../../src/program/program.ts'
import { readAnswers } from '../corpus/answers.ts'
import { loaded } from '../hostile/loaded.ts'
import { hostilePrograms } from '../hostile/programs.ts'
import { around } from '../unit/frontends/icet/extracted.ts'
import { guesses, programText } from '../unit/frontends/icet/guesses.ts'
import { inside } from '../unit/frontends/icet/inside.ts'
import { evaluated } from '../unit/frontends/icet/outcomes.ts'
import { outside } from '../unit/frontends/icet/outside.ts'
import { programs } from '../unit/frontends/icet/programs.ts'
import { smallGuesses } from '../unit/frontends/icet/small-guesses.ts'
import { calls, type Telling } from './programs.ts'
import { control } from './programs-control.ts'
import { loops } from './programs-loops.ts'
import { more } from './programs-more.ts'
import { declarations, operations, places, unreadable } from './programs-operations.ts'
import { values } from './programs-values.ts'
import { words } from './programs-words.ts'

export interface Question {
  readonly name: string
  readonly source: string
  readonly file: string
  readonly at: IcetRequest['at']
  /** About the term alone: nobody sends what it waits for, so there is nothing to prove. */
  readonly isTelling?: boolean
  /** Other files that it imports. */
  readonly files?: { readonly [specifier: string]: string }
  /** As `check` would load it. */
  program(): Program
}

export function questionsIn(root: string): readonly Question[] {
  const written = (name: string, source: string): Question => {
    return { name, source, file: 'a.check.ts', at: 'default', program: () => evaluated(source) }
  }
  return [
    ...inside.map(({ name, body, more }) => written(`inside: ${name}`, around(body, more))),
    ...outside.map(({ name, body, more }) => written(`outside: ${name}`, around(body, more))),
    ...Object.entries(programs).map(([name, source]) => written(`program: ${name}`, source)),
    ...[...Object.values(guesses).flat(), ...smallGuesses].map((guess) =>
      written(`guess: ${[guess.sent, guess.body, guess.more].filter(Boolean).join(' / ')}`, programText(guess)),
    ),
    ...hostilePrograms(join(root, 'test/hostile/programs')).map(({ name, text }) => ({
      ...written(`hostile: ${name}`, text),
      at: placeOf(text, 'program('),
      program: () => loaded(text),
    })),
    ...corpus(root),
    ...[...words, ...calls, ...more, ...control, ...operations, ...values, ...loops].map((one) => ({
      ...written(`telling: ${tellingName(one)}`, tellingText(one)),
      files: one.files ?? {},
      isTelling: true,
    })),
    ...places.map(([name, source, text]) => ({ ...written(`place: ${name}`, source), at: placeOf(source, text) })),
    ...unreadable.map(([name, source, files]) => ({ ...written(`file: ${name}`, source), files })),
    ...declarations.map((source) => written(`declared: ${source.slice(source.indexOf('export default'))}`, source)),
  ]
}

function corpus(root: string): readonly Question[] {
  return readAnswers().flatMap(({ name, answers }) => {
    const file = join('corpus', name, 'model.check.ts')
    const exported = new Set(answers.filter(({ engines }) => engines.sequentialize).map(({ program }) => program))
    if (exported.size === 0) return []
    const source = readFileSync(join(root, file), 'utf8')
    return [...exported].map((at) => {
      return { name: `corpus: ${name} ${at}`, source, file, at, program: () => evaluated(source, at) }
    })
  })
}

/** Of the last time that the text stands there. */
function placeOf(source: string, text: string): { readonly line: number; readonly column: number } {
  const before = source.slice(0, source.lastIndexOf(text)).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

function tellingName({ name, body, more, isAsync }: Telling): string {
  return name ?? [isAsync === true ? 'async' : '', body, more].filter(Boolean).join(' / ')
}

function tellingText({ body, more, isAsync }: Telling): string {
  const text = around(body, more)
  return isAsync === true ? text.replaceAll('yield*', 'await').replaceAll('function*', 'async function') : text
}
