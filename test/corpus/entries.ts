/** The corpus as programs with their answers, and what it asks of the engines that count executions. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { typescript } from '../../src/check/load-typescript.ts'
import type { NetworkName } from '../../src/core/operation.ts'
import type { Params } from '../../src/core/setting.ts'
import { isProgram, type Program } from '../../src/program/program.ts'
import { type Answer, corpusFolder, type ExecutionsAnswer, readAnswers } from './answers.ts'
import type { Cell } from './explore.ts'

export interface Entry {
  readonly name: string
  readonly programs: ReadonlyMap<string, Program>
  readonly answers: readonly Answer[]
}

export interface Question {
  readonly title: string
  readonly program: Program
  readonly params: Params
  readonly engine: 'dpor' | 'exhaustive'
  readonly network: NetworkName
  /** dpor's comparison variant, which also orders messages that nobody reads. */
  readonly eager: boolean
  readonly answer: Cell
  readonly long: boolean
  readonly slow: boolean
}

/** All entries about programs and systems. Those about classes are not loaded here: that takes the front end for classes. */
export async function readCorpus(isWanted: (answer: Answer) => boolean = () => true): Promise<readonly Entry[]> {
  const wanted = readAnswers().filter(({ classes, answers }) => classes === undefined && answers.some(isWanted))
  return Promise.all(wanted.map(async ({ name, answers }) => ({ name, programs: await programsOf(name), answers })))
}

async function programsOf(name: string): Promise<ReadonlyMap<string, Program>> {
  // Async processes are what the front end makes of them.
  if (name.startsWith('async-')) {
    const loaded = await typescript.load(join(corpusFolder, name, 'model.check.ts'), name, {})
    if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'))
    return new Map(loaded.value.programs.map(({ exportName, program }) => [exportName, program]))
  }
  const models: unknown = await import(pathToFileURL(join(corpusFolder, name, 'model.check.ts')).href)
  return new Map(Object.entries(models as object).filter((pair): pair is [string, Program] => isProgram(pair[1])))
}

/** 'litmus nsR, n = 2' */
export function titleOf(entry: Pick<Entry, 'name'>, { program, setting }: Answer): string {
  const params = Object.entries(setting.params ?? {}).map(([name, value]) => `, ${name} = ${value}`)
  return `${entry.name} ${program}${params.join('')}`
}

/** One question per program, parameters, network and engine. */
export function questions(corpus: readonly Entry[]): readonly Question[] {
  return corpus.flatMap((entry) => entry.answers.flatMap((answer) => asked(entry, answer)))
}

function asked(entry: Entry, answer: Answer): readonly Question[] {
  const { params = {}, network } = answer.setting
  const program = entry.programs.get(answer.program)
  if (program === undefined || network === undefined) return []
  return (['dpor', 'exhaustive'] as const).flatMap((engine) => {
    const expected = answer.engines[engine]
    if (expected === undefined) return []
    const eager = expected.options?.eager === true
    const cell = cellOf(expected)
    const on = eager ? `${network}-eager` : network
    const title = `${titleOf(entry, answer)}, ${on}, ${engine}: ${describe(cell)}`
    const [long, slow] = [expected.long === true, expected.slow === true]
    return [{ title, program, params, engine, network, eager, answer: cell, long, slow }]
  })
}

function cellOf({ verdict, counts: { executions, blocked } }: ExecutionsAnswer): Cell {
  return { verdict, executions, blocked }
}

function describe({ verdict, executions, blocked }: Cell): string {
  return `${verdict}, ${executions} executions, ${blocked} blocked`
}
