/** Lists of forms, one on each line, in the folder beside this file. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function page(name: string): readonly string[] {
  // From the root, where what is bundled finds it as well.
  const file = fileURLToPath(new URL(`../../test/mutants/pages/${name}.txt`, import.meta.url))
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}
