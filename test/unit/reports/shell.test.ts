/** Words of commands to paste, by the shell they are pasted into. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { replayCommand } from '../../../src/reports/commands-to-paste.ts'
import { quotedFor, type Shell, shellOf } from '../../../src/reports/shell.ts'

test.each<[string, { readonly [name: string]: string }, Shell]>([
  ['linux', {}, 'sh'],
  ['darwin', { SHELL: '/bin/zsh' }, 'sh'],
  ['linux', { POWERSHELL_DISTRIBUTION_CHANNEL: 'PSDocker-Ubuntu' }, 'sh'],
  ['win32', {}, 'windows'],
  ['win32', { PROMPT: '$P$G', ComSpec: 'C:\\Windows\\system32\\cmd.exe' }, 'windows'],
  ['win32', { PSModulePath: 'C:\\Program Files\\WindowsPowerShell\\Modules' }, 'windows'],
  ['win32', { POWERSHELL_DISTRIBUTION_CHANNEL: 'MSI:Windows 10 Pro' }, 'powershell'],
  ['win32', { POWERSHELL_DISTRIBUTION_CHANNEL: 'MSI:Windows 10 Pro', PROMPT: '$P$G' }, 'windows'],
  ['win32', { MSYSTEM: 'MINGW64', PROMPT: '$P$G' }, 'sh'],
  ['win32', { SHELL: 'C:\\Program Files\\Git\\usr\\bin\\bash.exe' }, 'sh'],
  ['win32', { SHELL: 'C:\\pwsh.exe' }, 'windows'],
])('on %s with %j commands are pasted into %s', (platform, env, shell) => {
  expect(shellOf({ platform, env })).toBe(shell)
})

/** Undefined: not in a command. */
type Words = readonly [
  word: string,
  sh: string | undefined,
  powershell: string | undefined,
  windows: string | undefined,
]

const words: readonly Words[] = [
  ['a.trace.json', 'a.trace.json', 'a.trace.json', 'a.trace.json'],
  [
    '.allways/traces/a-b.1f.json',
    '.allways/traces/a-b.1f.json',
    '.allways/traces/a-b.1f.json',
    '.allways/traces/a-b.1f.json',
  ],
  ['C:\\a\\b.ts', "'C:\\a\\b.ts'", 'C:\\a\\b.ts', 'C:\\a\\b.ts'],
  ['two words', "'two words'", "'two words'", '"two words"'],
  ['', "''", "''", '""'],
  ["it's", "'it'\\''s'", "'it''s'", '"it\'s"'],
  ['it’s', "'it’s'", "'it’’s'", '"it’s"'],
  ['say “a”', "'say “a”'", "'say “a”'", undefined],
  ['a=b,c', 'a=b,c', "'a=b,c'", '"a=b,c"'],
  ['@a', '@a', "'@a'", '"@a"'],
  ['a;b', "'a;b'", "'a;b'", '"a;b"'],
  ['{ push(1) } || { pop() }', "'{ push(1) } || { pop() }'", undefined, undefined],
  ['{ push(1) }', "'{ push(1) }'", "'{ push(1) }'", '"{ push(1) }"'],
  ['$(id)', "'$(id)'", "'$(id)'", undefined],
  ['`id`', "'`id`'", "'`id`'", undefined],
  ['a"b', "'a\"b'", undefined, undefined],
  ['%PATH%', '%PATH%', undefined, undefined],
  ['!x!', "'!x!'", "'!x!'", undefined],
  ['a&b', "'a&b'", undefined, undefined],
  ['a|b', "'a|b'", undefined, undefined],
  ['a>b', "'a>b'", undefined, undefined],
  ['a^b', "'a^b'", undefined, undefined],
  ['a b\\', "'a b\\'", undefined, undefined],
  ['a\nb', undefined, undefined, undefined],
  ['a\u001b[2Jb', undefined, undefined, undefined],
  ['a\u202eb', undefined, undefined, undefined],
  ['a\u2028b', undefined, undefined, undefined],
  // Would be pasted as one letter, and names another file.
  ['e\u0301', undefined, undefined, undefined],
]

test.each(words)('%j', (word, sh, powershell, windows) => {
  expect([quotedFor('sh', word), quotedFor('powershell', word), quotedFor('windows', word)]).toEqual([
    sh,
    powershell,
    windows,
  ])
})

describe('a command', () => {
  test.each(words)('gives %j to the shell as one word', (word, sh) => {
    if (sh === undefined) return
    const { stdout } = spawnSync('sh', ['-c', `printf '<%s>' x ${sh}`], { encoding: 'utf8' })
    expect(stdout).toBe(`<x><${word}>`)
  })

  test('says what to type where a name cannot be quoted', () => {
    expect(replayCommand('sh', 'a b.json', '-x.ts')).toBe("npx allways replay 'a b.json' ./-x.ts")
    expect(replayCommand('windows', 'a&b.json', 'x.ts')).toBe(
      '(the trace has letters that cannot be pasted into cmd.exe: type allways replay TRACE FILE yourself)',
    )
    expect(replayCommand('sh', 'a\nb.json')).toBe(
      '(the trace has letters that cannot be pasted into a shell: type allways replay TRACE yourself)',
    )
  })
})
