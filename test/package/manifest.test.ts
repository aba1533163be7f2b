/** What is published, and what the registry is told about it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { long } from '../amount.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('the package says where its sources are and where to report, and is published with a proof of where it was built', () => {
  const { homepage, repository, bugs, publishConfig, license } = manifest
  const place = 'https://github.com/allways/allways'
  expect({ homepage, repository, bugs, license }).toEqual({
    homepage: `${place}#readme`,
    repository: { type: 'git', url: `git+${place}.git` },
    bugs: { url: `${place}/issues` },
    license: 'Apache-2.0',
  })
  expect(publishConfig).toEqual({ access: 'public', provenance: true })
})

test('nothing of the package runs when it is installed from the registry', () => {
  for (const script of ['preinstall', 'install', 'postinstall']) expect(manifest.scripts).not.toHaveProperty(script)
})

let known: readonly string[] | undefined

function packed(): readonly string[] {
  if (known !== undefined) return known
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }]
  known = files.map(({ path }) => path)
  return known
}

test('whoever has the package has the pages that README.md and SECURITY.md lead to', long, () => {
  const paths = packed()
  const links = ['README.md', 'SECURITY.md'].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link as string),
  )
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter((link) => !paths.some((path) => path === link || path.startsWith(`${link}/`)))).toEqual([])
})

test('the package holds what it runs and what is read about it, and nothing else', long, () => {
  const paths = packed()
  expect(paths).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'SECURITY.md', 'bin/allways.mjs', 'dist/index.js', 'package.json']),
  )
  const top = new Set(paths.map((path) => path.split('/')[0]))
  const pages = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md']
  expect([...top].sort()).toEqual([...pages, 'bin', 'dist', 'docs', 'examples', 'package.json', 'schema'])
  expect(paths).not.toContain('dist/.build.json')
})
