/** The comparison with plain Node as a file to run, from the sources as they are or with one place of them changed. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { Compared } from './compare.ts'
import type { Kind } from './generate.ts'
import type { Told } from './host.ts'

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

interface Comparison {
  readonly compared: (asked: Asked, change?: Change) => Promise<Compared>
  /** What the snippets over the host logged. */
  readonly toldByHost: () => Promise<readonly Told[]>
}

/** `root` is the folder of this package. */
export function comparisonIn(root: string): Comparison {
  return {
    compared: async ({ kind, first, count, most }, change) =>
      JSON.parse(await run(root, 'compare.ts', [kind, first, count, most].map(String), change)),
    toldByHost: async () => JSON.parse(await run(root, 'host.ts', [])),
  }
}

async function run(root: string, entry: string, words: readonly string[], change?: Change): Promise<string> {
  return await runBundled(root, join('test/agreement/jobs', entry), words, change)
}

/** Runs a program of the tests by itself; gives what it prints. */
export async function runBundled(
  root: string,
  entry: string,
  words: readonly string[],
  change?: Change,
): Promise<string> {
  // Below this package, so that what is not bundled is found.
  const folder = mkdtempSync(join(root, 'node_modules/.allways-jobs-'))
  try {
    const outfile = join(folder, 'run.mjs')
    await build({
      entryPoints: [join(root, entry)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      external: ['oxc-parser', 'magic-string', 'esbuild'],
      plugins: change === undefined ? [] : [changing(root, change)],
    })
    const limits = { maxBuffer: 1 << 28, timeout: 20 * 60_000 }
    return (await promisify(execFile)(execPath, [outfile, ...words], limits)).stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function changing(root: string, { file, from, to }: Change): import('esbuild').Plugin {
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
