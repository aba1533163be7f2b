/** Explores clients of the classes in the corpus. */
import { join } from 'node:path'
import { cwd } from 'node:process'
import { type LoadedObjects, loadObjects } from '../../src/check/objects/load.ts'
import { type JudgedClass, subjectOf } from '../../src/check/objects/subjects.ts'
import type { AtomicSection } from '../../src/core/code.ts'
import { defaultsOf } from '../../src/core/options.ts'
import type { Counts } from '../../src/core/verdict.ts'
import { statefulOptions } from '../../src/engines/stateful/options.ts'
import { stateful } from '../../src/engines/stateful/stateful.ts'
import { parseClient } from '../../src/properties/linearizability/client-text.ts'
import { AssignedAfterAllError } from '../../src/semantics/memory/search-error.ts'
import { ObjectWorld } from '../../src/semantics/memory/world.ts'
import { judgedClass } from '../judged-class.ts'

export interface Explored {
  /** Results of calls that some order of whole calls explains, and those that none does. */
  readonly linearizable: readonly string[]
  readonly other: readonly string[]
  readonly counts: Counts
}

const corpusFolder = join(cwd(), 'corpus')

const loaded = new Map<string, Promise<LoadedObjects>>()

async function load(entry: string): Promise<LoadedObjects> {
  const path = join(corpusFolder, entry, 'model.check.ts')
  const result = await loadObjects(path)
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return result.value
}

/** The check that an entry exports, as a request for one client. */
export async function requestFor(
  entry: string,
  exportName: string,
  options: Parameters<typeof judgedClass>[2],
): Promise<JudgedClass> {
  let module = loaded.get(entry)
  if (module === undefined) {
    module = load(entry)
    loaded.set(entry, module)
  }
  const { programs, modules } = await module
  const declared = programs.find((one) => one.exportName === exportName)?.program
  if (declared === undefined) throw new Error(`${entry} exports no ${exportName}`)
  return judgedClass(declared, { modules }, options)
}

/** All outcomes of a client, with some lines taken to be atomic. */
export function explore(request: JudgedClass, client: string, sections: readonly AtomicSection[] = []): Explored {
  for (;;) {
    try {
      return exploreOnce(request, client, sections)
    } catch (error) {
      if (!(error instanceof AssignedAfterAllError)) throw error
    }
  }
}

function exploreOnce(request: JudgedClass, text: string, sections: readonly AtomicSection[]): Explored {
  const client = parseClient(text)
  if (!client.ok) throw new Error(JSON.stringify(client.diagnostics))
  const subject = subjectOf({ ...request, sections }, client.value)
  const linearizable = new Set<string>()
  const other = new Set<string>()
  const judge: typeof subject.judge = (ending) => {
    const violation = subject.judge(ending)
    const outcome = JSON.stringify([ending.results, ending.waiting.map(({ process }) => process)])
    if (violation === undefined) linearizable.add(outcome)
    else other.add(outcome)
    return violation
  }
  let counts: Counts | undefined
  const world = new ObjectWorld({ ...subject, judge })
  for (const event of stateful.explore(world, defaultsOf(statefulOptions))) {
    if (event.kind === 'diagnostic') throw new Error(JSON.stringify(event.diagnostic))
    if (event.kind === 'progress' || event.kind === 'ending') counts = event.counts
  }
  if (counts === undefined) throw new Error('the search said nothing')
  return { linearizable: [...linearizable].sort(), other: [...other].sort(), counts }
}
