/** The corpus as data: programs, and classes, with the answers their `expected.json` gives. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Params } from '../../src/core/trace.ts'
import { isProgram, type Program } from '../../src/program/program.ts'
import type { Cell } from './explore.ts'

type Cells = { readonly [network: string]: Cell }

/** One setting of parameters. A row with `seconds` is slow: it takes about that long for all its cells together. */
interface Row {
  readonly params?: Params
  readonly dpor: Cells
  /** Interleavings, for rows that have few of them. */
  readonly exhaustive?: Cells
  readonly seconds?: number
}

export interface Entry {
  readonly name: string
  readonly programs: ReadonlyMap<string, Program>
  /** By export name; nothing if the entry has no `expected.json`. */
  readonly expected: ReadonlyMap<string, readonly Row[]> | undefined
}

export interface Question {
  readonly title: string
  readonly program: Program
  readonly params: Params
  readonly engine: 'dpor' | 'exhaustive'
  readonly network: string
  readonly answer: Cell
  readonly slow: boolean
}

export interface Outcomes {
  /** How many tuples of results the calls can also give one after the other, in some order … */
  readonly linearizable: number
  /** … and how many others there are. */
  readonly other: number
}

export interface Section {
  readonly file: string
  readonly function: string
  readonly lines: readonly [first: number, last: number]
}

interface Repair {
  /** To be made atomic together. */
  readonly sections: readonly Section[]
  /** How many of the other outcomes are left then. */
  readonly leaves: number
  /** The result in Table 2.2, in lines of the original and linearizable executions it disables. */
  readonly thesis?: { readonly sections: { readonly [method: string]: Section['lines'] }; readonly disables: number }
}

export interface ObjectRow {
  readonly id: string
  readonly class: string
  readonly client: string
  readonly outcomes: Outcomes
  /** As printed in Table 2.1. */
  readonly thesis?: Outcomes
  /** Best first. */
  readonly repairs?: readonly Repair[]
  readonly note?: string
}

/** An entry about a class: the correct one, and broken ones with clients on which they fail. */
export interface ObjectEntry {
  readonly name: string
  readonly correct: string
  readonly classes: { readonly [name: string]: { readonly file: string; readonly export: string } }
  readonly rows: readonly ObjectRow[]
}

const folder = fileURLToPath(new URL('../../corpus/', import.meta.url))

export async function readCorpus(): Promise<readonly Entry[]> {
  return Promise.all(entryNames().filter(checksPrograms).map(readEntry))
}

/** The entries about classes that say what is to be found. Their models are not loaded: that takes the front end for classes. */
export function readObjects(): readonly ObjectEntry[] {
  return entryNames().flatMap((name) => objectEntry(name) ?? [])
}

/** Systems of machines have answers of their own (`machine-entries.ts`). */
function checksPrograms(name: string): boolean {
  if (existsSync(join(folder, name, 'machines.json'))) return false
  return !readFileSync(join(folder, name, 'model.check.ts'), 'utf8').includes('linearizable(')
}

function entryNames(): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isDirectory())
    .map(({ name }) => name)
    .filter((name) => existsSync(join(folder, name, 'model.check.ts')))
}

function objectEntry(name: string): ObjectEntry | undefined {
  const file = join(folder, name, 'expected.json')
  if (!existsSync(file)) return undefined
  const { kind, ...entry } = JSON.parse(readFileSync(file, 'utf8')) as { readonly kind?: unknown }
  return kind === 'object' ? ({ name, ...entry } as ObjectEntry) : undefined
}

async function readEntry(name: string): Promise<Entry> {
  const models: unknown = await import(pathToFileURL(join(folder, name, 'model.check.ts')).href)
  const programs = Object.entries(models as object).filter((pair): pair is [string, Program] => isProgram(pair[1]))
  const file = join(folder, name, 'expected.json')
  return { name, programs: new Map(programs), expected: existsSync(file) ? rowsOf(file) : undefined }
}

function rowsOf(file: string): Map<string, readonly Row[]> {
  const answers = JSON.parse(readFileSync(file, 'utf8')) as { readonly [name: string]: Row | readonly Row[] }
  return new Map(Object.entries(answers).map(([name, rows]) => [name, Array.isArray(rows) ? rows : [rows]]))
}

/** Everything the corpus asks of the engines, one question per model, parameters, engine and network. */
export function questions(corpus: readonly Entry[]): readonly Question[] {
  return corpus.flatMap((entry) =>
    [...(entry.expected ?? [])].flatMap(([name, rows]) => {
      const program = entry.programs.get(name)
      return program === undefined ? [] : rows.flatMap((row) => asked(`${entry.name} ${name}`, program, row))
    }),
  )
}

function asked(title: string, program: Program, row: Row): readonly Question[] {
  const params = row.params ?? {}
  const setting = Object.entries(params).map(([name, value]) => `, ${name} = ${value}`)
  const ask = (engine: Question['engine'], cells: Cells = {}): readonly Question[] =>
    Object.entries(cells).map(([network, answer]) => ({
      title: `${title}${setting.join('')}, ${network}, ${engine}: ${describe(answer)}`,
      program,
      params,
      engine,
      network,
      answer,
      slow: row.seconds !== undefined,
    }))
  return [...ask('dpor', row.dpor), ...ask('exhaustive', row.exhaustive)]
}

function describe({ verdict, executions, blocked }: Cell): string {
  return `${verdict}, ${executions} executions, ${blocked} blocked`
}
