/** Networks as users name them in a program or a send. */
import { findNetwork, type NetworkName, networkNames } from '../core/operation.ts'
import { mistake } from '../core/running.ts'

export function networkNamed(name: string): NetworkName {
  return (
    findNetwork(name) ??
    mistake({ code: 'E109', message: `there is no network "${name}"`, hint: `networks are ${networkNames.join(', ')}` })
  )
}
