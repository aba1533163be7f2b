/** The networks whose executions can be read backwards here, and by which needs. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { NetworkName } from '../../core/operation.ts'
import type { MachineNetwork } from '../../program/machines.ts'
import { BagNeeds } from './bag-needs.ts'
import { FifoNeeds } from './fifo-needs.ts'
import type { Needs } from './needs.ts'
import type { Explored } from './requirements.ts'

const needs: { readonly [name in NetworkName]?: (explored: Explored) => Needs } = {
  bag: ({ messages, network }) => new BagNeeds(messages, network.duplicates),
  fifo: ({ spaces, messages, network }) => new FifoNeeds(spaces, messages, network),
}

export const localNetworks = Object.keys(needs) as readonly NetworkName[]

export function needsOf(explored: Explored): Needs {
  const make = needs[explored.network.name] as (explored: Explored) => Needs
  return make(explored)
}

/** What a machine needs is judged by what others send it, and in these networks also by what they send to third ones. */
export function networkRefused({ name }: MachineNetwork): Diagnostic | undefined {
  if (needs[name] !== undefined) return undefined
  return {
    code: 'E309',
    message: `engine "local" explores systems with the networks ${localNetworks.join(' and ')}, and this one has "${name}"`,
    hint: 'engines that can: stateful, dpor, exhaustive, random, pct',
  }
}
