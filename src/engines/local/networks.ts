/** The networks and faults under which executions can be read backwards here, and by which needs. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { mostOf } from '../../core/faults.ts'
import type { NetworkName } from '../../core/operation.ts'
import type { Machines } from '../../program/machines.ts'
import { BagNeeds } from './bag-needs.ts'
import { CrashNeeds } from './crash-needs.ts'
import { FifoNeeds } from './fifo-needs.ts'
import type { Needs } from './needs.ts'
import type { Explored } from './requirements.ts'

const needs: { readonly [name in NetworkName]?: (explored: Explored) => Needs } = {
  bag: ({ messages }) => new BagNeeds(messages),
  fifo: ({ spaces, messages, machines }) => new FifoNeeds(spaces, messages, mostOf(machines.faults, 'losses') > 0),
}

export function needsOf(explored: Explored): Needs {
  const { network, faults } = explored.machines
  const make = needs[network] as (explored: Explored) => Needs
  const restarts = mostOf(faults, 'restarts')
  return restarts === 0 ? make(explored) : new CrashNeeds(make(explored), explored.spaces, restarts)
}

/**
 * What is in the way of a local search. In other networks, what a machine needs is judged also by what others send to third ones. Of
 * faults, restarts are counted here by the states of machines; on a bag a lost message is one that is slow, and losses without limit
 * need no counting. How many messages got lost or were duplicated in all machines together is seen by none of them. What liars say in any order
 * is no queue; and what they have seen of the signatures of all machines is not the state of any one of them.
 */
export function localRefusal({
  network,
  faults,
  byzantine,
}: Pick<Machines, 'network' | 'faults' | 'byzantine'>): Diagnostic | undefined {
  const hint = 'engines that can: stateful, dpor, exhaustive, random, pct'
  const message = (what: string) => `engine "local" explores systems ${what}`
  if (needs[network] === undefined) {
    const known = Object.keys(needs).join(' and ')
    return { code: 'E309', message: message(`with the networks ${known}, and this one has "${network}"`), hint }
  }
  if (mostOf(faults, 'duplicates') > 0)
    return { code: 'E309', message: message('without duplicated messages, and this one has some'), hint }
  if (byzantine !== undefined && network !== 'bag')
    return {
      code: 'E309',
      message: message(`with Byzantine machines on "bag" alone, and this one has "${network}"`),
      hint,
    }
  if (byzantine?.sayings.some(({ needs }) => needs.length > 0) === true)
    return {
      code: 'E309',
      message: message('whose Byzantine machines pass on no signatures of others, and these do'),
      hint,
    }
  if (network === 'bag' || faults.losses === 'any' || mostOf(faults, 'losses') === 0) return undefined
  const counted = message(`that lose no messages or any number, and on "${network}" cannot count ${faults.losses}`)
  return { code: 'E309', message: counted, hint }
}
