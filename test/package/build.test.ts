/** Whoever builds the package from the same sources gets the same bytes, wherever that is. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { isSlow, long } from '../amount.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const inputs = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
/** Declarations take the compiler longer than all else. */
const types = isSlow ? ['--types'] : []
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Digests by name of what a build makes in a folder of its own, with nothing in it but the sources. */
function cleanBuild(): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'allways-build-'))
  folders.push(folder)
  for (const input of inputs) cpSync(join(root, input), join(folder, input), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  const { status, stderr } = spawnSync(execPath, ['scripts/build.mjs', ...types], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const names = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).sort()
  // The stamp is of this clone, says when its files were changed, and is not part of the package.
  const files = names.filter((name) => name !== '.build.json' && statSync(join(folder, 'dist', name)).isFile())
  return new Map(files.map((name) => [name, digestOf(join(folder, 'dist', name))]))
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

test('two clean builds in two folders are the same, byte for byte', long, () => {
  const [first, second] = [cleanBuild(), cleanBuild()]
  expect([...second]).toEqual([...first])
  const made = ['index.js', 'index.js.map', 'cli/main.js', ...(types.length > 0 ? ['index.d.ts'] : [])]
  expect([...first.keys()]).toEqual(expect.arrayContaining(made))
})
