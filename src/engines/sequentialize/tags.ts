/**
 * The check of symmetric nondeterminism over the whole program (Brisk §5.2): every receive from anyone must get its messages
 * from one process, or from one send of a set of symmetric processes.
 */
import { type Icet, type IcetProcess, type StatementOf, statementsOf } from '../../program/icet.ts'
import { mayMatch, type SendSite, type StaticFacts } from './static-facts.ts'

export interface Race {
  readonly receive: StatementOf<'receive'>
  readonly process: IcetProcess
  /** Two or more. */
  readonly sends: readonly SendSite[]
}

export function asymmetricRaces(icet: Icet, facts: StaticFacts): readonly Race[] {
  const races: Race[] = []
  for (const process of icet.processes) {
    for (const statement of statementsOf(process.body)) {
      if (statement.kind !== 'receive' || statement.from !== undefined) continue
      const sends = tagsOf(facts, process, statement)
      const senders = new Set(sends.map((site) => site.process))
      const isOneProcess = senders.size === 1 && sends[0]?.process.count === undefined
      if (sends.length > 1 && !isOneProcess) races.push({ receive: statement, process, sends })
    }
  }
  return races
}

/** Sends the receive may take from; a process does not send to itself unless it says so. */
function tagsOf(facts: StaticFacts, process: IcetProcess, receive: StatementOf<'receive'>): readonly SendSite[] {
  return [...facts.sites].filter((site) => {
    const isOwn = site.process === process && (process.count === undefined || site.statement.to.kind === 'self')
    return !isOwn && site.targets.has(process.name) && mayMatch(site.kinds, receive.kinds)
  })
}
