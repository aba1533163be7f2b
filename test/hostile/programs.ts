/** Programs that people write, from the pages beside this file: the heading is the name, the block the source. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imports } from './loaded.ts'

export interface HostileProgram {
  readonly page: string
  readonly name: string
  readonly text: string
}

export function hostilePrograms(folder: string): readonly HostileProgram[] {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return pages.sort().flatMap((page) => {
    const found = readFileSync(join(folder, page), 'utf8').matchAll(/^## (.+)\n\n```ts\n([\s\S]*?)```$/gm)
    return [...found].map(([, name = '', source = '']) => ({ page, name, text: `${imports}${source}` }))
  })
}
