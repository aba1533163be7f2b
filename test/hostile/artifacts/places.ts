/** What may be where a file should be. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'

/** Each makes something at a path, or gives another path to name. */
export const places: { readonly [what: string]: (path: string, text: string) => string } = {
  'a pipe': (path) => {
    spawnSync('mkfifo', [path])
    return path
  },
  'a folder': (path) => {
    mkdirSync(path)
    return path
  },
  'a file of 3 GB': (path) => {
    writeFileSync(path, '')
    truncateSync(path, 3e9)
    return path
  },
  nothing: (path) => path,
  'a link to itself': (path) => linked(path, path),
  'a link to nothing': (path) => linked(path, `${path}.missing`),
  'a link to what never ends': (path) => linked(path, '/dev/zero'),
  'a link to what is full': (path) => linked(path, '/dev/full'),
  'a link to a terminal': (path) => linked(path, '/dev/tty'),
  'a link to memory': (path) => linked(path, '/proc/self/mem'),
  'a link to a file without size': (path) => linked(path, '/proc/self/pagemap'),
  'a link to the file': (path, text) => {
    writeFileSync(`${path}.linked`, text)
    return linked(path, `${path}.linked`)
  },
  'a file that may not be read': (path, text) => {
    writeFileSync(path, text)
    chmodSync(path, 0)
    return path
  },
  'a file below a file': (path, text) => {
    writeFileSync(path, text)
    return `${path}/below`
  },
  'a name with a NUL': (path) => `${path}\u0000`,
  'a name that is too long': (path) => `${path}${'x'.repeat(300)}`,
  'a path that is too long': (path) => `${path}${'/x'.repeat(3_000)}`,
  'a name with orders to the terminal': (path, text) => {
    writeFileSync(`${path}\u001b[2J\u202e\n`, text)
    return `${path}\u001b[2J\u202e\n`
  },
  'an empty name': () => '',
  'an option': () => '--frobnicate',
  'a minus': () => '-',
}

function linked(path: string, to: string): string {
  symlinkSync(to, path)
  return path
}
