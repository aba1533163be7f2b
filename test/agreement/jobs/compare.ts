/**
 * `node compare.mjs KIND FIRST COUNT MOST`: runs so many generated programs in plain Node and under control, and prints what differs,
 * as JSON, at most MOST programs. It is a process of its own, because the runner of tests has listeners for rejections.
 */
import { transformSync } from 'esbuild'
import { lowerToJobs } from '../../../src/frontends/typescript/jobs/lower.ts'
import * as lowered from '../../../src/jobs/lowered.ts'
import { generateProgram, type Kind } from './generate.ts'
import { type Begins, programOf, runControlled, runNatively } from './run.ts'

interface Difference {
  readonly seed: number
  readonly begins: Begins
  readonly source: string
  readonly native: readonly string[]
  readonly controlled: readonly string[]
}

export interface Compared {
  readonly programs: number
  readonly lines: number
  readonly differences: readonly Difference[]
}

const language = { hasTry: 'try' in Promise, hasWithResolvers: 'withResolvers' in Promise }

async function compare(kind: Kind, first: number, count: number, most: number): Promise<Compared> {
  const differences: Difference[] = []
  let lines = 0
  let seed = first
  for (; seed < first + count && differences.length < most; seed++) {
    const written = generateProgram(seed, kind, language)
    // Every third one as it would be published: without blanks that the grammar does not ask for.
    const source = seed % 3 === 1 ? minified(written) : written
    const begins: Begins = seed % 4 === 0 ? 'microtask' : 'macrotask'
    const native = await runNatively(programOf(source), begins)
    const controlled = controlledLines(source, begins)
    lines += native.length
    if (native.join('\n') !== controlled.join('\n')) differences.push({ seed, begins, source, native, controlled })
  }
  return { programs: seed - first, lines, differences }
}

function minified(source: string): string {
  return transformSync(source, { minifyWhitespace: true, minifySyntax: true }).code
}

function controlledLines(source: string, begins: Begins): readonly string[] {
  const result = lowerToJobs(source, 'program.js')
  if (!result.ok) return [JSON.stringify(result.diagnostics)]
  const { code, refusals } = result.value
  if (refusals.length > 0) return [JSON.stringify(refusals)]
  try {
    return runControlled(programOf(code.replace(/\nimport \* as .*\n$/, '')), begins, lowered)
  } catch (error) {
    return [String(error)]
  }
}

const [kind, first, count, most] = process.argv.slice(2)
compare(kind as Kind, Number(first), Number(count), Number(most ?? 10)).then((compared) => {
  process.stdout.write(`${JSON.stringify(compared)}\n`)
})
