/** A search of the command line that is sent to workers: its run, what is told while it lasts, and what is kept of it. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Checkpoint, checkpointText, writeCheckpoint } from '../check/checkpoint.ts'
import { type Cluster, unsendable } from '../check/cluster/cluster.ts'
import { unscattered } from '../check/drive.ts'
import { located } from '../check/locate.ts'
import type { CheckRequest } from '../check/request.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { addCounts, type Rest } from '../core/verdict.ts'
import { collectCommand, resumeUnitsCommand } from '../reports/commands-to-paste.ts'
import type { ClusterFlags } from './cluster-flags.ts'
import { outputFolder } from './flags.ts'
import type { ProgramSearch, SearchHost } from './search.ts'
import { typed, unlessUnwritable } from './written.ts'

/** Where a search is sent; with the run that somebody began. */
export interface ClusterSearch extends ClusterFlags {
  readonly run?: string | undefined
}

/** Why it cannot be. */
export function unfitForWorkers(search: ProgramSearch, request: CheckRequest): readonly Diagnostic[] {
  if (search.cluster === undefined) return []
  const { path, loaded } = search.selected
  return [unscattered(request), unsendable(path, loaded.file, loaded.digest)].flatMap((one) =>
    one === undefined ? [] : [located(one)],
  )
}

export function clusterOf(
  search: ProgramSearch,
  request: CheckRequest,
  host: SearchHost,
): (Cluster & { readonly shown: string }) | undefined {
  const { cluster, selected, checkpoint } = search
  if (cluster === undefined) return undefined
  const run = cluster.run ?? `run-${randomBytes(8).toString('hex')}`
  const none: Rest = { units: [], counts: {}, explored: 0 }
  const { counts, explored } = checkpoint ?? none
  const goOn = collectCommand(host.io.shell, run, { redis: cluster.url.shown, keyFile: cluster.key.file })
  return {
    ...{ url: cluster.url, key: cluster.key.bytes, run, isBegun: cluster.run !== undefined, goOn },
    shown: selected.loaded.file,
    saved: checkpointText(checkpointOf(search, request, { units: [], counts, explored })),
    alone: (rest, units) => {
      const all = { ...rest, counts: addCounts(counts, rest.counts), explored: explored + rest.explored }
      const folder = resolve(host.io.cwd, outputFolder, 'checkpoints')
      const write = (): string => writeCheckpoint(checkpointOf(search, request, all), folder)
      const path = unlessUnwritable(write, 'checkpoint', host)
      return path === undefined
        ? '(there is no room for a checkpoint)'
        : resumeUnitsCommand(host.io.shell, typed(path, host.io), units)
    },
    note: (note) => {
      const text = noteText(note, cluster, goOn)
      if (!host.quiet || note.kind !== 'begun') host.io.stderr.line(` note: ${text}`)
    },
  }
}

export function checkpointOf({ selected, options }: ProgramSearch, request: CheckRequest, rest: Rest): Checkpoint {
  const { loaded, program, origin } = selected
  return {
    program: { name: program.name, file: loaded.file, digest: loaded.digest, origin },
    setting: request.setting,
    engine: request.engine.name,
    options: request.options,
    keepGoing: request.keepGoing,
    causes: options.causes,
    ...rest,
  }
}

function noteText(note: Parameters<Cluster['note']>[0], { url, key }: ClusterFlags, goOn: string): string {
  switch (note.kind) {
    case 'begun':
      return `${note.run} at ${url.shown}; if this command dies: ${goOn}`
    case 'no workers':
      return `no worker takes anything at ${url.shown}; start some: allways worker --redis ${url.shown} --key-file ${key.file}`
    case 'refused':
      return `${note.worker.replaceAll(/[^\w.-]/g, '')} takes nothing of it: ${refusals[note.why] ?? 'it does not say why'}`
    case 'not counted':
      return `a result of unit ${note.unit.replaceAll(/[^\w.-]/g, '')} was not made with the key, and is not counted`
    case 'away':
      return `${url.shown}: ${note.why}; waiting for it`
  }
}

const refusals: { readonly [why: string]: string | undefined } = {
  key: 'it has another key',
  versions: 'its version of allways or of Node is another one, or its platform, language or time zone',
  bundle: 'the program that lies in Redis is not the one that was submitted',
  program: 'the program cannot be loaded there, or is another search there',
}
