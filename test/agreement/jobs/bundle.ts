/** The comparison with plain Node as a file to run, from the sources as they are or with one place of them changed. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { Compared } from './compare.ts'
import type { Kind } from './generate.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A place of a source file, and what stands there instead. */
export interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface Asked {
  readonly kind: Kind
  readonly first: number
  readonly count: number
  /** It ends when so many differ. */
  readonly most: number
}

export async function compared({ kind, first, count, most }: Asked, change?: Change): Promise<Compared> {
  // Below this package, so that what is not bundled is found.
  const folder = mkdtempSync(join(root, 'node_modules/.allways-jobs-'))
  try {
    const outfile = join(folder, 'compare.mjs')
    await build({
      entryPoints: [join(root, 'test/agreement/jobs/compare.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      external: ['oxc-parser', 'magic-string'],
      plugins: change === undefined ? [] : [changing(change)],
    })
    const words = [outfile, kind, first, count, most].map(String)
    const { stdout } = await promisify(execFile)(execPath, words, { maxBuffer: 1 << 28, timeout: 20 * 60_000 })
    return JSON.parse(stdout) as Compared
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function changing({ file, from, to }: Change): import('esbuild').Plugin {
  const path = join(root, 'src', file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not have the place to change once: ${from}`)
  return {
    name: 'changing',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, (loaded) =>
        loaded.path === path ? { contents: text.replace(from, () => to), loader: 'ts' } : undefined,
      )
    },
  }
}
