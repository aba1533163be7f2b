/** The lock file says what is installed, down to the bytes. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>
}

/**
 * Entries that may do without a digest: programs for platforms that the registry at hand did not offer when the lock file was made,
 * so that nobody could look at their bytes (`scripts/complete-lock.mjs` adds them, for `npm ci` to find them elsewhere). An
 * installation from a registry that has them adds the digests; then they are taken off this list.
 */
const withoutDigest: Readonly<Record<string, readonly string[]>> = {
  '@biomejs/cli': [
    ...['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64', 'linux-arm64-musl', 'linux-x64-musl'],
    ...['win32-arm64', 'win32-x64'],
  ],
  '@oxc-parser/binding': [
    ...['android-arm-eabi', 'android-arm64', 'darwin-arm64', 'darwin-x64', 'freebsd-x64', 'linux-arm-gnueabihf'],
    ...['linux-arm-musleabihf', 'linux-arm64-musl', 'linux-ppc64-gnu', 'linux-riscv64-gnu', 'linux-riscv64-musl'],
    ...['linux-s390x-gnu', 'linux-x64-musl', 'openharmony-arm64', 'win32-arm64-msvc', 'win32-ia32-msvc'],
    ...['win32-x64-msvc'],
  ],
  '@rolldown/binding': [
    ...['android-arm-eabi', 'android-arm64', 'darwin-arm64', 'darwin-x64', 'freebsd-x64', 'linux-arm-gnueabihf'],
    ...['linux-arm64-musl', 'linux-ppc64-gnu', 'linux-s390x-gnu', 'linux-x64-musl'],
    ...['openharmony-arm64', 'wasm32-wasi', 'win32-arm64-msvc', 'win32-x64-msvc'],
  ],
}

const excused = new Set(
  Object.entries(withoutDigest).flatMap(([family, platforms]) => platforms.map((platform) => `${family}-${platform}`)),
)
const entries = Object.entries(packages).filter(([path]) => path !== '')
const lacking = entries.filter(([, { integrity }]) => integrity === undefined)

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

test('every entry has a digest, unless a reason is listed', () => {
  expect(entries.length).toBeGreaterThan(100)
  expect(lacking.map(([path]) => nameOf(path)).filter((name) => !excused.has(name))).toEqual([])
})

test('no reason is listed for what has a digest, or is not there', () => {
  const names = new Set(lacking.map(([path]) => nameOf(path)))
  expect([...excused].filter((name) => !names.has(name))).toEqual([])
})

test('what has no digest is for one platform, optional, and asked for by somebody at exactly that version', () => {
  const asked = new Set(
    Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.entries(optionalDependencies).map(([name, version]) => `${name} ${version}`),
    ),
  )
  for (const [path, { optional, os, cpu, version }] of lacking) {
    expect([path, optional]).toEqual([path, true])
    expect([path, (os ?? cpu ?? []).length]).toEqual([path, 1])
    expect([path, asked.has(`${nameOf(path)} ${version}`)]).toEqual([path, true])
  }
})

test('nothing that is installed here was installed without a digest', () => {
  expect(lacking.map(([path]) => path).filter((path) => existsSync(join(root, path)))).toEqual([])
})

test('digests are SHA-512, and nothing comes from an address of its own', () => {
  for (const [path, entry] of entries) {
    expect([path, entry.integrity?.split('-')[0] ?? 'sha512']).toEqual([path, 'sha512'])
    expect(entry).not.toHaveProperty('resolved')
  }
})
