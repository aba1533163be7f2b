/**
 * Acquiring a lock to write in two actions, as production does it: a writer takes the turn, after which no other process gets in, and then
 * waits until those who read have left.
 */
import { LockSide } from './controlled-sync.ts'
import type { Body } from './functions.ts'
import { go } from './invoke.ts'
import { invoke } from './operate.ts'
import { stop } from './process.ts'

/** The body that stands in for a method whose two halves others can tell apart. */
export function phasedBody(object: object, method: PropertyKey): Body | undefined {
  if (!(object instanceof LockSide) || object.side !== 'write') return undefined
  return method === 'acquireSync' ? acquireSync : method === 'acquire' ? acquire : undefined
}

const site = -400

function twoHalves(own: number, suffix: string): Body {
  return function* (this: unknown) {
    let waits = invoke(own, [this], this, `(turn)${suffix}`, [])
    if (waits === stop) waits = yield* go()
    if (waits === undefined) return undefined
    const drained = invoke(own - 1, [this], this, `(drain)${suffix}`, [])
    if (drained === stop) yield* go()
    return undefined
  }
}

const acquireSync = twoHalves(site, '')
const acquire = twoHalves(site - 10, ' async')
