/**
 * What ties a proof to its program: each program of the corpus that is proved does what its term does, and what a wrong translation would
 * have made of the term is noticed.
 */
// @module-tag cut
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { confirmedByExecution } from '../../src/check/prove/executed.ts'
import { checkRequest } from '../../src/check/request.ts'
import type { Decision } from '../../src/core/trace.ts'
import { encodeValue } from '../../src/core/value.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { extractIcet } from '../../src/frontends/typescript/icet/extract.ts'
import { expressionsOf, type Icet, partsOf, statementsOf } from '../../src/program/icet.ts'
import type { Runnable } from '../../src/program/program.ts'
import { Divergence } from '../../src/semantics/icet/divergence.ts'
import { executionOf, type Sizes, type TermExecution } from '../../src/semantics/icet/execution.ts'
import { checkAllRead, explains } from '../../src/semantics/icet/explain.ts'
import { runIcet } from '../../src/semantics/icet/run-icet.ts'
import { World } from '../../src/semantics/world.ts'
import { usualSetting } from '../agreement/explored.ts'
import { hashedMeaning, sizesUpTo } from '../agreement/icet-bounded.ts'
import { atLeast, long } from '../amount.ts'
import { casesOf, type ProveCase, readProveEntries } from './prove-cases.ts'
import { sharedOut } from './shared-out.ts'
import { type Mutant, mutantsOf } from './term-mutants.ts'

const all = (await readProveEntries()).flatMap(casesOf).filter(({ answer }) => answer.verdict === 'proved')
const cases = sharedOut(all).map((one) => [`${one.folder} ${one.exportName}`, one] as const)
function termOf({ file, exportName }: ProveCase): Icet {
  const icet = extractIcet({ file, source: readFileSync(file, 'utf8'), at: exportName })
  if (!icet.ok) throw new Error(`${file} is refused`)
  return icet.value
}

describe('a program that is proved', () => {
  test.each(cases)('%s does what its term does', async (_title, one) => {
    const host = { now: () => performance.now(), memory: () => 0, pause: async () => undefined }
    const found = await confirmedByExecution(one.program, termOf(one), { host, budget: {}, signal: undefined })
    expect(found.violated).toBeUndefined()
    expect(found.sizes.length).toBeGreaterThan(0)
  })
})

/** Sizes and executions that mutants are compared with: few, because there are many mutants. */
const largest = 2
const mostExecutions = 24

interface Reference {
  readonly sizes: Sizes
  readonly subject: Runnable
  readonly executions: readonly (readonly Decision[])[]
  readonly told: readonly TermExecution[]
  /** Nothing if there are more. */
  readonly count: number | undefined
}

function referencesOf({ program }: ProveCase, icet: Icet): readonly Reference[] {
  return sizesUpTo(icet, largest).flatMap((sizes) => {
    const request = checkRequest(program, { engine: 'dpor', params: sizes })
    if (!request.ok) throw new Error(JSON.stringify(request.diagnostics))
    const subject = request.value.explored.subject as Runnable
    const executions = decisionsIn(subject)
    const some = executions.slice(0, mostExecutions)
    const told = some.map((decisions) => executionOf(icet, sizes, subject, decisions))
    return [
      {
        sizes,
        subject,
        executions: some,
        told,
        count: executions.length > mostExecutions ? undefined : executions.length,
      },
    ]
  })
}

/** Of the first executions; a diagnostic ends them, and counts as none that the program has. */
function decisionsIn(subject: Runnable, most = mostExecutions): readonly (readonly Decision[])[] {
  const executions: (readonly Decision[])[] = []
  for (const event of dpor.explore({ ...subject, maxSteps: 100 }, usualSetting)) {
    if (event.kind === 'diagnostic' || event.kind === 'violation')
      return [...executions, ...Array.from({ length: most + 1 }, () => [])]
    if (event.kind === 'execution') executions.push(event.decisions())
    if (executions.length > most) break
  }
  return executions
}

function isSpelledOut({ processes }: Icet): boolean {
  const expressions = processes.flatMap(({ body }) => [...statementsOf(body)].flatMap(expressionsOf))
  return (
    !expressions.some((one) => [...partsOf(one)].some(({ kind }) => kind === 'opaque')) &&
    processes.some(({ name }) => name === 'main')
  )
}

type Outcome = 'noticed' | 'not noticed' | 'undecided'

function outcomeOf(mutant: Icet, references: readonly Reference[]): Outcome {
  try {
    for (const { sizes, subject, executions, told, count } of references) {
      for (const [at, decisions] of executions.entries()) {
        const execution = retold(told[at] as TermExecution, mutant) ?? executionOf(mutant, sizes, subject, decisions)
        checkAllRead(execution)
        if (!explains(mutant, execution)) return 'undecided'
      }
      if (count !== undefined && isSpelledOut(mutant) && decisionsIn(runIcet(mutant, sizes)).length !== count)
        return 'noticed'
    }
    return 'not noticed'
  } catch (error) {
    if (error instanceof Divergence) return 'noticed'
    throw error
  }
}

/** The same execution, for a term with the same processes. */
function retold(execution: TermExecution, { processes }: Icet): TermExecution | undefined {
  const isSame = execution.processes.every(({ process }) => {
    return (
      process === undefined || processes.some(({ name, daemon }) => name === process.name && daemon === process.daemon)
    )
  })
  if (!isSame) return undefined
  return {
    ...execution,
    processes: execution.processes.map((one) => ({
      ...one,
      process: processes.find(({ name }) => name === one.process?.name),
    })),
  }
}

/** What happens in the executions of a term under some meanings of its opaque functions, as text. */
function* behaviours(icet: Icet, sizes: Sizes, seeds: number): Generator<string> {
  for (let seed = 0; seed < seeds; seed++) {
    const subject = runIcet(icet, sizes, { meaning: hashedMeaning(seed), maxSteps: 100 })
    for (const event of dpor.explore(subject, usualSetting)) {
      if (event.kind === 'diagnostic') break
      if (event.kind === 'execution') yield behaviour(subject, event.decisions())
    }
  }
}

function behaviour(subject: Runnable, decisions: readonly Decision[]): string {
  const world = new World(subject)
  for (const decision of decisions) world.take(decision)
  const lanes = new Map<string, string[]>()
  for (const event of world.events) {
    const what = 'value' in event ? encodeValue(event.value) : ''
    const whom = event.kind === 'send' ? event.to : event.kind === 'receive' ? event.from : ''
    lanes.set(event.process, [...(lanes.get(event.process) ?? []), `${event.kind} ${whom} ${what}`])
  }
  const ends = world.ending().processes.map(({ id, status }) => `${id} ${status}`)
  return JSON.stringify([[...lanes].sort(), ends.sort()])
}

/** Sizes at which the term has an execution that the mutant does not have, as far as some meanings show. */
function sizesThatDiffer(icet: Icet, mutant: Icet): Sizes | undefined {
  const [few, many] = isSpelledOut(icet) ? [1, 1] : [2, 64]
  return sizesUpTo(icet, largest).find((sizes) => {
    const missing = new Set<string>()
    for (const one of behaviours(icet, sizes, few)) if (missing.add(one).size === mostExecutions) break
    for (const one of behaviours(mutant, sizes, many)) if (missing.delete(one) && missing.size === 0) return false
    return missing.size > 0
  })
}

const results: { readonly [outcome in Outcome]: string[] } = { noticed: [], 'not noticed': [], undecided: [] }

describe('what a wrong translation would have made of the term', () => {
  test.each(cases)('of %s is noticed, or does the same', (_title, one) => {
    const icet = termOf(one)
    const references = referencesOf(one, icet)
    const silent: Mutant[] = []
    for (const mutant of mutantsOf(icet)) {
      const outcome = outcomeOf(mutant.icet, references)
      results[outcome].push(mutant.what)
      if (outcome === 'not noticed') silent.push(mutant)
    }
    const other = silent.flatMap(({ what, icet: mutant }) => {
      const sizes = sizesThatDiffer(icet, mutant)
      return sizes === undefined ? [] : [`${what} at ${JSON.stringify(sizes)}`]
    })
    expect(other).toEqual([])
  })

  test('of more than a thousand changes', long, () => {
    expect(results.undecided).toEqual([])
    expect(results.noticed.length).toBeGreaterThan(atLeast(1000))
  })
})
