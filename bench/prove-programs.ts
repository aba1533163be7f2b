/** The programs of Table 6.1 of Brisk's dissertation, as the corpus has them. */
import { concDb } from '../corpus/conc-db/model.check.ts'
import { distDb } from '../corpus/dist-db/model.check.ts'
import { ex2 } from '../corpus/ex2/model.check.ts'
import { ex3 } from '../corpus/ex3/model.check.ts'
import { filtered } from '../corpus/firewall/model.check.ts'
import { lockServer } from '../corpus/lock-server/model.check.ts'
import { mapReduce } from '../corpus/map-reduce/model.check.ts'
import { parikh } from '../corpus/parikh/model.check.ts'
import { pingDet } from '../corpus/ping-det/model.check.ts'
import { pingIter } from '../corpus/ping-iter/model.check.ts'
import { pingSym } from '../corpus/ping-sym/model.check.ts'
import { pingSym2 } from '../corpus/ping-sym2/model.check.ts'
import { registered } from '../corpus/registry/model.check.ts'
import { theque } from '../corpus/theque/model.check.ts'
import { twoBuyers } from '../corpus/two-buyers/model.check.ts'
import { commitN } from '../corpus/two-phase-commit-n/model.check.ts'
import { workSteal } from '../corpus/work-steal/model.check.ts'
import type { Program } from '../src/index.ts'

export interface Provable {
  readonly folder: string
  readonly exportName: string
  readonly program: Program
}

/** By folder, as exported. */
const exported: { readonly [folder: string]: { readonly [exportName: string]: Program } } = {
  'ping-det': { pingDet },
  'ping-iter': { pingIter },
  'ping-sym': { pingSym },
  'ping-sym2': { pingSym2 },
  ex2: { ex2 },
  ex3: { ex3 },
  'two-buyers': { twoBuyers },
  firewall: { filtered },
  registry: { registered },
  'conc-db': { concDb },
  parikh: { parikh },
  'dist-db': { distDb },
  'lock-server': { lockServer },
  'work-steal': { workSteal },
  'map-reduce': { mapReduce },
  'two-phase-commit-n': { commitN },
  theque: { theque },
}

export const provable: readonly Provable[] = Object.entries(exported).flatMap(([folder, programs]) =>
  Object.entries(programs).map(([exportName, program]) => ({ folder, exportName, program })),
)
