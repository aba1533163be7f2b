/** Explores clients of the classes in the corpus. */
import { join } from 'node:path'
import { cwd } from 'node:process'
import { type LoadedObjects, loadObjects } from '../../src/check/objects/load.ts'
import { type ObjectCheckOptions, objectRequest } from '../../src/check/objects/options.ts'
import { engineOptionsOf, type ObjectRequest } from '../../src/check/objects/request.ts'
import { subjectOf } from '../../src/check/objects/subjects.ts'
import type { AtomicSection } from '../../src/core/code.ts'
import type { Counts } from '../../src/core/verdict.ts'
import { stateful } from '../../src/engines/stateful/stateful.ts'
import { parseClient } from '../../src/properties/linearizability/client-text.ts'
import { AssignedAfterAllError } from '../../src/semantics/memory/search-error.ts'
import { ObjectWorld } from '../../src/semantics/memory/world.ts'

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
  options: ObjectCheckOptions,
): Promise<ObjectRequest> {
  let module = loaded.get(entry)
  if (module === undefined) {
    module = load(entry)
    loaded.set(entry, module)
  }
  const { checks, modules } = await module
  const check = checks.find((one) => one.exportName === exportName)?.check
  if (check === undefined) throw new Error(`${entry} exports no ${exportName}`)
  const request = objectRequest(check, modules, options)
  if (!request.ok) throw new Error(JSON.stringify(request.diagnostics))
  return request.value
}

/** All outcomes of a client, with some lines taken to be atomic. */
export function explore(request: ObjectRequest, client: string, sections: readonly AtomicSection[] = []): Explored {
  for (;;) {
    try {
      return exploreOnce(request, client, sections)
    } catch (error) {
      if (!(error instanceof AssignedAfterAllError)) throw error
    }
  }
}

function exploreOnce(request: ObjectRequest, text: string, sections: readonly AtomicSection[]): Explored {
  const client = parseClient(text)
  if (!client.ok) throw new Error(JSON.stringify(client.diagnostics))
  const { subject } = subjectOf(request, client.value, sections)
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
  for (const event of stateful.explore(world, engineOptionsOf(request))) {
    if (event.kind === 'diagnostic') throw new Error(JSON.stringify(event.diagnostic))
    if (event.kind === 'progress' || event.kind === 'ending') counts = event.counts
  }
  if (counts === undefined) throw new Error('the search said nothing')
  return { linearizable: [...linearizable].sort(), other: [...other].sort(), counts }
}
