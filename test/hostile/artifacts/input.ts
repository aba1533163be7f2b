/** One input: a command, and the file that it reads, which is not what it should be. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Random } from '../../../src/core/random.ts'
import { damaged, type Exchanged } from './damage.ts'
import type { Genuine } from './genuine.ts'
import { places } from './places.ts'

export interface Input {
  readonly genuine: Genuine
  readonly argv: readonly string[]
  /** What is wrong with the file. */
  readonly words: string
  /** What is in it, if it is a file. */
  readonly text: string | undefined
  readonly exchanged?: Exchanged | undefined
}

const folder = 'given'
/** One in so many is no file with damage in it, but something else in its place. */
const seldom = 40

/** Writes the file below the project. The same seed is the same input. */
export function givenInput(seed: number, genuine: readonly Genuine[], project: string): Input {
  const random = new Random(seed)
  const one = random.pick(genuine)
  const command = random.pick(one.commands)
  const relative = join(folder, one.file ?? 'input.json')
  const path = join(project, relative)
  rmSync(dirname(path), { recursive: true, force: true })
  mkdirSync(dirname(path))
  const isElsewhere = random.below(seldom) === 0
  const what = random.pick(Object.keys(places))
  if (isElsewhere) {
    const shown = (places[what] as (path: string, text: string) => string)(path, one.text)
    return { genuine: one, argv: argvOf(command, shown.replace(`${project}/`, '')), words: what, text: undefined }
  }
  const { bytes, words, exchanged } = damaged(one, random)
  writeFileSync(path, bytes)
  return { genuine: one, argv: argvOf(command, relative), words, text: bytes.toString('utf8'), exchanged }
}

function argvOf(command: readonly string[], file: string): readonly string[] {
  return command.map((word) => (word === 'FILE' ? file : word === 'FOLDER' ? folder : word))
}
