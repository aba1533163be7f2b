/** Compares the variants of the stateful search on generated classes; and makes a disagreement small. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoadedObjects, loadObjects } from '../../src/check/objects/load.ts'
import type { JudgedClass } from '../../src/check/objects/subjects.ts'
import { linearizable } from '../../src/model/object.ts'
import { judgedClass } from '../judged-class.ts'
import { type Compared, compare, forgetting, reduced, some } from './object-compare.ts'
import { type ClassText, clientText, generateObject, moduleText, type ObjectText } from './object-generate.ts'
import { clientOf } from './object-search.ts'

export interface ObjectTally {
  classes: number
  /** Left out, because the full search is too large. */
  tooLarge: number
  /** Of a class with the full search, under one judgement. */
  comparisons: number
  /** With several outcomes: the others say little. */
  branching: number
  violated: number
  deadlocking: number
  async: number
  /** Searches without memory of states that were compared. */
  forgetful: number
  transitions: number
  lazyTransitions: number
}

export function newObjectTally(): ObjectTally {
  return {
    classes: 0,
    tooLarge: 0,
    comparisons: 0,
    branching: 0,
    violated: 0,
    deadlocking: 0,
    async: 0,
    forgetful: 0,
    transitions: 0,
    lazyTransitions: 0,
  }
}

const mostTransitions = 2_500
const variantsPerClass = 5

/** Compares the classes of these seeds; the text of a disagreement, made small, if there is one. */
export async function compareObjects(seeds: readonly number[], tally: ObjectTally): Promise<string | undefined> {
  const texts = seeds.map(generateObject)
  const requests = await load(texts.map((text) => text.class))
  for (const [index, text] of texts.entries()) {
    const [request, seed] = [requests[index] as JudgedClass, seeds[index] as number]
    if (problemOf(request, text, seed, tally) !== undefined) return await smallest(text, seed)
  }
  return undefined
}

/** All classes in one module: loading takes longer than exploring. */
async function load(classes: readonly ClassText[]): Promise<readonly JudgedClass[]> {
  const loaded = await loadText(moduleText(classes))
  return classes.map(({ name }) => requestOf(loaded, name, '{ first(0) }'))
}

/** Through a file, as users have their classes loaded. */
export async function loadText(source: string): Promise<LoadedObjects> {
  const folder = mkdtempSync(join(tmpdir(), 'allways-objects-'))
  try {
    const file = join(folder, 'classes.ts')
    writeFileSync(file, source)
    const loaded = await loadObjects(file)
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics))
    return loaded.value
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function requestOf(loaded: LoadedObjects, className: string, client: string): JudgedClass {
  const subject = loaded.classes.get(className)
  if (subject === undefined) throw new Error(`${className} is not exported`)
  return judgedClass(linearizable(subject as new () => object, { operations: {}, clients: [client] }), loaded)
}

/** The three ways to judge: by outcomes, with real-time order, and with real-time order where waiting for ever is no mistake. */
export const judgements = [
  { criterion: 'outcomes', deadlock: 'error' },
  { criterion: 'linearizable', deadlock: 'error' },
  { criterion: 'linearizable', deadlock: 'allow' },
] as const

function problemOf(request: JudgedClass, text: ObjectText, seed: number, tally: ObjectTally): string | undefined {
  const client = clientOf(clientText(text.client))
  const variants = [...some(reduced, variantsPerClass, seed), ...some(forgetting, 1, seed)]
  tally.classes++
  if (request.granularity === 'await') tally.async++
  for (const judgement of judgements) {
    const asked = { ...request, ...judgement }
    const compared = compare({ request: asked, client, variants, seed, mostTransitions })
    if (compared.kind === 'disagree') return `${JSON.stringify(judgement)} ${compared.problem}`
    if (compared.kind === 'too large') {
      tally.tooLarge++
      return undefined
    }
    count(compared, tally)
    if (judgement.criterion === 'linearizable' && !isDeadlocking(compared)) return undefined
  }
  return undefined
}

type Agreed = Extract<Compared, { readonly kind: 'agree' }>

function isDeadlocking({ truth }: Agreed): boolean {
  return truth.violations.some((violation) => violation.startsWith('deadlock'))
}

function count(agreed: Agreed, tally: ObjectTally): void {
  const { truth, forgetful, lazy } = agreed
  tally.comparisons++
  if (truth.outcomes.length > 1) tally.branching++
  if (truth.violations.length > 0) tally.violated++
  if (isDeadlocking(agreed)) tally.deadlocking++
  tally.forgetful += forgetful
  if (lazy === undefined) return
  tally.transitions += truth.counts.transitions
  tally.lazyTransitions += lazy
}

/** Leaves out calls, statements and methods as long as there is a disagreement. */
async function smallest(text: ObjectText, seed: number): Promise<string> {
  let best = text
  let problem = await problemAlone(text, seed)
  for (let shrunk = true; shrunk; ) {
    shrunk = false
    for (const smaller of shrinks(best)) {
      const found = await problemAlone(smaller, seed)
      if (found === undefined) continue
      best = smaller
      problem = found
      shrunk = true
      break
    }
  }
  return `${problem ?? 'no problem when alone'}\n${clientText(best.client)}\n${moduleText([best.class])}`
}

async function problemAlone(text: ObjectText, seed: number): Promise<string | undefined> {
  try {
    const [request] = await load([text.class])
    return problemOf(request as JudgedClass, text, seed, newObjectTally())
  } catch {
    // What was left out was needed.
    return undefined
  }
}

function* shrinks(text: ObjectText): Generator<ObjectText> {
  for (const [process, calls] of text.client.entries()) {
    for (const [at] of calls.entries()) {
      const fewer = without(calls, at)
      const client = fewer.length > 0 ? text.client.with(process, fewer) : without(text.client, process)
      if (client.length > 0) yield { ...text, client }
    }
  }
  const { methods } = text.class
  const used = new Set(text.client.flat().map(({ method }) => method))
  for (const [index, method] of methods.entries()) {
    const withMethods = (changed: typeof methods): ObjectText => ({
      ...text,
      class: { ...text.class, methods: changed },
    })
    if (!used.has(method.name)) yield withMethods(without(methods, index))
    if (method.result !== 'u') yield withMethods(methods.with(index, { ...method, result: 'u' }))
    for (const [at] of method.statements.entries()) {
      yield withMethods(methods.with(index, { ...method, statements: without(method.statements, at) }))
    }
  }
}

function without<T>(items: readonly T[], index: number): readonly T[] {
  return items.filter((_, at) => at !== index)
}
