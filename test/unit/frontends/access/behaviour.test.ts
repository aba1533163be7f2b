import { transformSync } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { amount, cut } from '../../../amount.ts'
import { compiledScript, load, loadNative, type MiniatureOptions, rewritten, start } from './miniature-runtime.ts'
import { randomProgram } from './random-programs.ts'
import { snippets } from './snippets.ts'

type Main = (...args: unknown[]) => unknown

async function outcome(main: unknown): Promise<unknown> {
  try {
    return { returned: await (main as Main)() }
  } catch (error) {
    return { threw: String(error) }
  }
}

const modes: readonly [string, () => MiniatureOptions][] = [
  ['never suspended', () => ({})],
  ['suspended everywhere', () => ({ stops: counted(() => true) })],
  ['suspended now and then', () => ({ stops: counted((count) => count % 3 === 0 || count % 5 === 1) })],
]

/**
 * A recursion that only the stack ends is not suspended all the way down: each suspension goes through all of the stack, which took
 * one program half a minute. No other program is asked so often.
 */
function counted(stops: (count: number) => boolean): () => boolean {
  let count = 0
  return () => ++count < 4_000 && stops(count)
}

describe('rewritten code does what the source does', () => {
  for (const { name, source } of snippets) {
    for (const [mode, options] of modes) {
      test(`${name}: ${mode}`, async () => {
        const expected = await outcome(loadNative(source).main)
        expect(expected).not.toHaveProperty('threw')
        expect(await outcome(load(source, options()).exports.main)).toEqual(expected)
      })
    }
  }
})

test('random programs return, throw and leave behind what their sources do', cut, () => {
  for (let seed = 1; seed <= randomPrograms; seed++) {
    const written = randomProgram(seed)
    // Every other one as it would be published.
    const source =
      seed % 2 === 0 ? written : transformSync(written, { minifyWhitespace: true, minifySyntax: true }).code
    const native = finalState(compiledScript(source)({}), seed)
    const code = rewritten(source)
    for (const [mode, options] of modes) {
      const state = finalState(start(compiledScript(code), { ...options(), ticks: 1e9 }).exports, seed)
      if (state !== native) expect.fail(`program ${seed}, ${mode}: ${state} instead of ${native}\n${source}\n${code}`)
    }
  }
})

const randomPrograms = Number(process.env.ACCESS_PROGRAMS ?? amount({ quick: 30, rest: 100, thorough: 200, all: 200 }))

class Endless extends Error {}

/** What the program does with an object whose fields count their reads, so that no loop is endless. */
function finalState(exports: { readonly [name: string]: unknown }, seed: number): string {
  const make = exports.make as (f: unknown, g: unknown) => { [key: string]: unknown }
  const object = make(seed % 3, seed % 2)
  const fields: { [key: string]: unknown } = { f: seed % 3, g: undefined, h: 1 }
  let reads = 0
  for (const key of Object.keys(fields)) {
    Object.defineProperty(object, key, {
      get: () => {
        if (++reads > 400) throw new Endless('endless')
        return reads % 5 === 4 ? reads % 3 : fields[key]
      },
      set: (value: unknown) => {
        fields[key] = value
      },
    })
  }
  try {
    const returned = (exports.main as Main)(seed % 4, { k: 1, l: seed % 5 === 0 ? undefined : 2 }, object)
    return shown([returned, fields, reads])
  } catch (error) {
    // How deep a recursion may go is not ours to keep.
    if (error instanceof RangeError) return 'too deep'
    return shown([error instanceof Error ? error.constructor.name : error, fields, reads])
  }
}

function shown(value: unknown): string {
  if (typeof value === 'function') return 'function'
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`
  const entries = Object.entries(value).map(([key, content]) => `${key}: ${shown(content)}`)
  return `{ ${entries.join(', ')} }`
}
