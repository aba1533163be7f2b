/**
 * Runs the commands of one page in one folder, as a user would one after the other. A process of its own, because
 * commands print paths relative to the working directory, and only a process has one of those.
 *
 * Reads `{ folder, actions }` from stdin, where an action is a file to write or a command to run, and prints a list with
 * the output and exit code of every command. `npx allways …` runs in this process, which is thirty times faster than a
 * new one; `echo $?` is the exit code of the command before, as in a shell; everything else is given to a shell.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { main } = await import(join(root, 'dist/cli/main.js'))
const { folder, actions } = JSON.parse(await text(process.stdin))
process.chdir(folder)

const results = []
for (const action of actions) {
  if (action.kind === 'file') write(action.file, action.text)
  else results.push(await run(action.text, results.at(-1)?.code ?? 0))
}
// A pipe takes long results in pieces: the process ends when the last one is out.
await new Promise((resolve) => process.stdout.write(JSON.stringify(results), resolve))
// Whatever a page's programs left behind, such as a timer, must not keep this process.
process.exit(0)

function write(file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

async function run(command, codeBefore) {
  if (command === 'echo $?') return { output: `${codeBefore}\n`, code: 0 }
  const own = /^npx allways\b(.*)$/.exec(command)?.[1]
  return own === undefined || /[|<>&;$`*]/.test(own) ? runInShell(command) : await runHere(words(own))
}

async function runHere(argv) {
  let output = ''
  const stdout = { write: (text) => (output += text), isTTY: false, columns: 100 }
  const stderr = { ...stdout, write: (text) => (output += isProgress(text) ? '' : text) }
  // No search of a page ends because the machine is slow: in CI each has ten minutes.
  const io = { cwd: folder, env: { CI: 'true' }, stdout, stderr, onInterrupt: () => () => {} }
  const code = await main(argv, io)
  return { output, code }
}

/** Single and double quotes are all that pages use. */
function words(text) {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain)
}

/** The commands of the clone come first, so that `npx` need not be asked, which takes a second and may go on line. */
function runInShell(command) {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env
  const path = `${join(root, 'node_modules/.bin')}:${env.PATH}`
  const { status, stdout } = spawnSync('sh', ['-c', `exec 2>&1; ${command.replaceAll(/\bnpx /g, '')}`], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...env, PATH: path, NO_COLOR: '1', CI: '', LANG: 'C.UTF-8' },
  })
  const lines = stdout.split('\n').filter((line) => !isProgress(line))
  return { output: lines.join('\n'), code: status ?? 1 }
}

/** How far a search is after ten seconds is said on slow computers only. */
function isProgress(text) {
  return / \d+:\d\d of \d+:\d\d( · \d+ violated)?\n?$/.test(text)
}
