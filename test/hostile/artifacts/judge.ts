/** Whether a command has answered as it may, whatever it was given. */
import type { Ran } from './command.ts'
import { type Counted, headline, resultsIn } from './genuine.ts'
import type { Input } from './input.ts'
import { unfitAccepted } from './schemas.ts'

/** Controls, letters that hide or reorder others, and halves of letters. */
const noText = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u

/** What is wrong with the answer, if anything is. */
export function problemOf(input: Input, { code, stdout, stderr }: Ran): string | undefined {
  if (typeof code === 'string') return `it throws: ${code.slice(0, 600)}`
  if (![0, 1, 2, 3].includes(code)) return `it ends with ${code}: ${stderr.slice(0, 600)}`
  const [letter] = noText.exec(stdout + stderr) ?? []
  if (letter !== undefined) return `it prints U+${letter.codePointAt(0)?.toString(16)}`
  if (code === 2 && !/\bE\d{3}\b/.test(stderr + stdout)) return 'it refuses without a code'
  if (code === 2 && !/hint: \S|"hint": ?"/.test(stderr + stdout)) return 'it refuses without a hint'
  if (!isAsAsked(input.argv, stdout)) return `it prints no JSON: ${stdout.slice(0, 300)}`
  if (code !== 2) return (code === 0 ? falselyVerified(input, stdout) : undefined) ?? unfitAccepted(input)
  return undefined
}

/** One document; or, where things go on happening, one on each line. */
function isAsAsked(argv: readonly string[], stdout: string): boolean {
  if (!argv.includes('--json')) return true
  return isJson(stdout) || (argv[0] === 'online' && stdout.trimEnd().split('\n').every(isJson))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A search that was resumed has as many executions, or states, as one that was never interrupted, or its file was forged with care. */
function falselyVerified({ genuine, text }: Input, stdout: string): string | undefined {
  const { whole } = genuine
  if (whole === undefined || text === undefined || addsUp(text, genuine.text)) return undefined
  type Result = { readonly verdict: string; readonly counts: Counted }
  const [result] = resultsIn(stdout) as readonly Result[]
  const { verdict, counts } = result ?? { verdict: 'nothing', counts: {} }
  if (verdict !== 'verified' || headline(counts) === whole) return undefined
  return `it says verified after ${headline(counts)} ${'executions' in counts ? 'executions' : 'states'}, and there are ${whole}`
}

interface Saved {
  readonly counts: { readonly [name: string]: number }
  readonly explored: number
  readonly units: readonly {
    readonly state: { readonly weight: number; readonly options?: readonly unknown[] | null }
  }[]
}

/** Whether nothing that was counted is missing, and the shares of what is explored and of what is left are all. */
function addsUp(text: string, genuine: string): boolean {
  const [saved, before] = [JSON.parse(text.replace(/^\ufeff/, '')) as Saved, JSON.parse(genuine) as Saved]
  const shares = saved.units.map(({ state: { weight, options } }) => weight * (options?.length ?? 1))
  const sum = shares.reduce((total, share) => total + share, saved.explored)
  return Object.keys(before.counts).every((name) => Object.hasOwn(saved.counts, name)) && Math.abs(sum - 1) < 1e-6
}
