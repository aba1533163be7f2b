/** Calls of `linearizable` with mistakes: classes are seen only in files. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkResult } from '../../src/check/check.ts'
import type { Random } from '../../src/core/random.ts'
import { classCalls } from './calls.ts'
import { mutated } from './mutate.ts'
import { failed, type Outcome, said, withoutIgnored } from './mutations.ts'

let files = 0

export async function classOutcome(random: Random, folder: string): Promise<Outcome & { readonly source: string }> {
  const valid = random.pick(classCalls)
  const one = mutated(valid, random)
  const source = `import { linearizable } from 'allways'\n${valid.around.replace('CALL', () => one.text)}\n`
  // A name of its own: modules are kept by their names.
  const path = join(folder, `class-${++files}.hostile.check.ts`)
  writeFileSync(path, source)
  try {
    return { ...withoutIgnored(said(await checkResult(path, { time: 2000 })), one), source }
  } catch (error) {
    return { ...withoutIgnored(failed(error, one.words), one), source }
  }
}
