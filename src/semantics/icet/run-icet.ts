/**
 * ICET terms as programs that engines run, for given sizes: what "proved for every size" is a claim about. Follows what the
 * TypeScript program does that the term stands for, so where a term says less (opaque expressions), the caller must say more.
 */
import { invariant } from '../../core/invariant.ts'
import { Operation, type SpawnDetail } from '../../core/operation.ts'
import type { Property } from '../../core/property.ts'
import { Address, type Value } from '../../core/value.ts'
import type { Icet, IcetProcess } from '../../program/icet.ts'
import type { Runnable } from '../../program/program.ts'
import type { Meaning } from './evaluate.ts'
import { performed, type Surroundings, sizeOf } from './process-body.ts'

export interface RunIcetOptions {
  /** What opaque expressions mean; without it, coming to one is a diagnostic. */
  readonly meaning?: Meaning
  readonly properties?: readonly Property[]
  readonly maxSteps?: number
}

/** The program of a term: main spawns everybody, in order, then does what the term says of it. Each process returns its store. */
export function runIcet(
  icet: Icet,
  sizes: { readonly [parameter: string]: number },
  { meaning, properties = [], maxSteps = 10_000 }: RunIcetOptions = {},
): Runnable {
  const members = membersOf(icet, sizes)
  const surroundings: Surroundings = { sizes, meaning, members: (set) => membersNamed(members, set) }
  const main = icet.processes.find(({ name }) => name === 'main')
  function* body(): Generator<Operation, Value, unknown> {
    for (const process of icet.processes) {
      if (process === main) continue
      for (const self of membersNamed(members, process.name)) {
        yield* new Operation('spawn', undefined, undefined, undefined, spawned(process, self, surroundings))
      }
    }
    return main === undefined ? {} : yield* performed(main, Address.of('main'), surroundings)
  }
  return { main: { body, args: [] }, monitors: [], network: 'fifo', properties, maxSteps, boundedByUser: false }
}

type Members = ReadonlyMap<string, readonly Address<never>[]>

/** A process that is no set is looked up like a set of one. */
function membersOf(icet: Icet, sizes: { readonly [parameter: string]: number }): Members {
  return new Map(
    icet.processes.map(({ name, count }) => {
      if (count === undefined) return [name, [Address.of(name)]]
      return [name, Array.from({ length: sizeOf(count, sizes) }, (_, at) => Address.of(`${name} ${at}`))]
    }),
  )
}

function membersNamed(members: Members, set: string): readonly Address<never>[] {
  const found = members.get(set)
  invariant(found !== undefined, `the term declares the set ${set}`)
  return found
}

function spawned(process: IcetProcess, self: Address<never>, surroundings: Surroundings): SpawnDetail {
  return {
    name: self.id,
    body: () => performed(process, self, surroundings),
    args: [],
    daemon: process.daemon,
    replica: process.count === undefined ? undefined : process.name,
  }
}
