/**
 * Words of a command as a shell takes them. Names of files, programs and clients may hold anything: a word is quoted so that the
 * shell passes it on as it is, or it is none, and the command is not printed.
 */
import { printable } from './text-width.ts'

/** `windows`: cmd.exe, or PowerShell without saying so; what it is given means the same in both. */
export type Shell = 'sh' | 'powershell' | 'windows'

interface Surroundings {
  readonly platform: string
  readonly env: { readonly [name: string]: string | undefined }
}

/** The shell that commands are pasted into. */
export function shellOf({ platform, env }: Surroundings): Shell {
  if (platform !== 'win32') return 'sh'
  // Git for Windows and its kin.
  if (env.MSYSTEM !== undefined || /(?<!pw)sh(?:\.exe)?$/.test(env.SHELL ?? '')) return 'sh'
  // Set by PowerShell 6 and later; what cmd.exe sets for itself says that it was started from there.
  return env.POWERSHELL_DISTRIBUTION_CHANNEL !== undefined && env.PROMPT === undefined ? 'powershell' : 'windows'
}

/** How people call it. */
export const shellNames: { readonly [shell in Shell]: string } = {
  sh: 'a shell',
  powershell: 'PowerShell',
  windows: 'cmd.exe',
}

/** Undefined: no way of writing it is safe. */
export function quotedFor(shell: Shell, word: string): string | undefined {
  // What is printed otherwise than it is would be pasted otherwise, too.
  if (printable(word, false) !== word) return undefined
  if (plain[shell].test(word)) return word
  switch (shell) {
    case 'sh':
      return `'${word.replaceAll("'", "'\\''")}'`
    case 'powershell':
      return batchOrders.test(word) || endsInBackslash(word) ? undefined : `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`
    case 'windows':
      // Between double quotes cmd.exe still expands % and !, PowerShell $ and `, and both may end them at ".
      return batchOrders.test(word) || /[!$`“”„]/.test(word) || endsInBackslash(word) ? undefined : `"${word}"`
  }
}

/** On Windows `npx` is a batch file, in which cmd.exe reads its arguments again, without the quotes that PowerShell took. */
const batchOrders = /["%&|<>^]/

/** Which would escape the closing quote. */
function endsInBackslash(word: string): boolean {
  return word.endsWith('\\')
}

const plainOnWindows = /^[\w.][\w./\\:+-]*$|^--?[a-z][\w-]*$/

const plain: { readonly [shell in Shell]: RegExp } = {
  sh: /^[\w./:@%+=,-]+$/,
  powershell: plainOnWindows,
  windows: plainOnWindows,
}
