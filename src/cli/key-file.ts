/**
 * The secret that machines and those who ask them share: a file that the user names, or `.allways/key` of the folder where the
 * command is run, which the first command there makes. So machines and checkers of one user on one computer find each other, and
 * nobody else on that computer can speak to them.
 */
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { getuid, platform } from 'node:process'
import { atPath, namedBytes, whyNot } from '../artifact/named-file.ts'
import { writeNew } from '../artifact/write.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { quotedFor } from '../reports/shell.ts'

const localKey = join('.allways', 'key')
const madeBytes = 32
const shortestKey = 16
const longestKey = 65_536

export interface SharedKey {
  readonly bytes: Buffer
  /** As users know it. */
  readonly file: string
  /** By this command, because there was none. */
  readonly isMade: boolean
  /** That others can read it, which does not keep anybody from using it. */
  readonly warnings: readonly Diagnostic[]
}

/** `file` is what was typed after `--key-file`. */
export function keyIn(file: string | undefined, cwd: string): Result<SharedKey> {
  const isMade = file === undefined ? madeIn(cwd) : success(false)
  if (!isMade.ok) return isMade
  const shown = file ?? localKey
  const named = file === undefined ? `the key in ${localKey}` : `--key-file ${file}`
  const path = resolve(cwd, shown)
  const hint =
    file === undefined
      ? 'remove it, and the next command makes another; or name one with --key-file'
      : 'make one that only you can read: (umask 077; openssl rand -hex 32 > key)'
  const what = file === undefined ? 'key' : 'key of --key-file'
  const bytes = namedBytes(path, { what, longest: longestKey, hint }, shown)
  if (!bytes.ok) return bytes
  const key = withoutNewline(bytes.value)
  if (key.length < shortestKey)
    return failure({ code: 'E107', message: `${named} holds ${key.length} bytes, and ${shortestKey} are needed`, hint })
  const access = accessTo(path)
  if (file === undefined && access.isOthers)
    return failure({
      code: 'E609',
      message: `${localKey} belongs to another user, who knows what is in it`,
      hint: 'name a key of your own with --key-file, or work in a folder of your own',
    })
  return success({ bytes: key, file: shown, isMade: isMade.value, warnings: access.isOpen ? [openTo(shown)] : [] })
}

/** Whether there was none before. */
function madeIn(cwd: string): Result<boolean> {
  const path = join(cwd, localKey)
  if (atPath(path).kind !== 'nothing') return success(false)
  try {
    const isMade = writeNew(path, `${randomBytes(madeBytes).toString('hex')}\n`)
    // Traces beside it may be kept with the sources; the key must not.
    if (isMade) writeNew(join(cwd, '.allways', '.gitignore'), 'key\n')
    return success(isMade)
  } catch (error) {
    const message = `no key could be made in ${localKey}: ${whyNot(error)}`
    return failure({ code: 'E107', message, hint: 'name a key that is there: --key-file key' })
  }
}

/** Any bytes are a key, and editors put one behind them that is not meant. */
function withoutNewline(bytes: Buffer): Buffer {
  const text = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes
  return text.at(-1) === 0x0d ? text.subarray(0, -1) : text
}

/** Windows says nothing of it in these terms. */
function accessTo(path: string): { readonly isOpen: boolean; readonly isOthers: boolean } {
  const stat = platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return { isOpen: false, isOthers: false }
  return { isOpen: (stat.mode & 0o077) !== 0, isOthers: stat.uid !== getuid?.() }
}

function openTo(shown: string): Diagnostic {
  return {
    code: 'E609',
    message: `${shown} can be read or changed by other users, and whoever knows the key can stop the machines`,
    hint: `chmod 600 ${quotedFor('sh', shown) ?? 'KEY-FILE'}`,
  }
}
