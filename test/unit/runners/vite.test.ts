/** Which files the plugin of Vite changes, and that what it makes of them is what the command makes of them. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../../../src/check/source-places.ts'
import { transform } from '../../../src/frontends/typescript/transform.ts'
import { allways, type ViteOptions } from '../../../src/runners/vite.ts'

const source = `export async function server(): Promise<void> {\n  await receive()\n}\n`
const ownSource = join(ownFolder(), 'index.ts')

test('a file is changed as the command changes it, with a map', () => {
  const changed = allways().transform(source, '/home/you/src/server.ts?t=17')
  const { code, map } = changed ?? {}
  expect(transform(source, '/home/you/src/server.ts')).toMatchObject({ ok: true, value: { code, map } })
  expect(code).toContain('function* ')
  expect(code?.split('\n').slice(0, 3)).toHaveLength(source.split('\n').length - 1)
})

test.each([
  ['a test', '/home/you/src/server.test.ts', source],
  ['a specification', '/home/you/src/server.spec.mts', source],
  ['what imports the runner', '/home/you/src/setup.ts', `import { beforeEach } from "vitest"\n${source}`],
  ['a package', '/home/you/node_modules/p-limit/index.js', source],
  ['what is on no disk', '\0virtual:server.ts', source],
  ['no source', '/home/you/src/server.css', source],
  ['what cannot be parsed', '/home/you/src/server.ts', 'async function {'],
  ['allways itself', ownSource, source],
])('%s stays as it is', (_, path, text) => {
  expect(allways().transform(text, path)).toBeUndefined()
})

test('who says which files are changed is asked for all of them, but for those of allways', () => {
  const asked: string[] = []
  const plugin = allways({ transforms: (path) => asked.push(path) > 0 && path.includes('node_modules') })
  expect(plugin.transform(source.replace(': Promise<void>', ''), '/home/you/node_modules/queue/index.js')).toBeDefined()
  expect(plugin.transform(source, '/home/you/src/server.ts')).toBeUndefined()
  expect(plugin.transform(source, join(ownFolder(), 'core/value.ts'))).toBeUndefined()
  expect(asked).toEqual(['/home/you/node_modules/queue/index.js', '/home/you/src/server.ts'])
})

test.each([
  [{ transform: () => true }, /no option "transform".*"transforms"/],
  [{ transforms: 'src' }, /"transforms".*a function/],
  [null, /null, and not an object/],
])('options %s are refused', (options, message) => {
  expect(() => allways(options as unknown as ViteOptions)).toThrow(message)
})
