/** Networks as users name them in a program or a send. */

import { suggestion } from '../core/did-you-mean.ts'
import { findNetwork, type NetworkName, networkNames } from '../core/operation.ts'
import { shown } from '../core/option-shape.ts'
import { mistake } from '../core/running.ts'

export function networkNamed(name: string): NetworkName {
  return (
    findNetwork(name) ??
    mistake({ code: 'E109', message: `there is no network ${shown(name)}`, hint: networkHint(name) })
  )
}

export function networkHint(named: unknown): string {
  return suggestion(typeof named === 'string' ? named : '', networkNames, 'networks')
}
