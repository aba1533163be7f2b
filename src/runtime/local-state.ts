/** The state of a machine in JSON, for its file and for snapshots. */
import { freezeValue } from '../core/value.ts'
import { type Json, valueToJson } from '../core/value-json.ts'
import type { LocalState } from '../program/machines.ts'
import { fieldsOf, isCount, valueOfJson } from './body.ts'

export function localStateToJson({ data, timers, requests, crashes }: LocalState): Json {
  return { data: valueToJson(data), timers: [...timers], requests, crashes }
}

/** Undefined if it is not one. */
export function localStateFromJson(json: unknown): LocalState | undefined {
  const { data, timers, requests, crashes } = fieldsOf(json) ?? {}
  const value = data === undefined ? undefined : valueOfJson(data)
  const isTimers = Array.isArray(timers) && timers.every((name): name is string => typeof name === 'string')
  if (value === undefined || !isTimers || !isLifetime(requests) || !isLifetime(crashes)) return undefined
  const state: LocalState = { data: value.value, timers: [...timers].sort(), requests, crashes }
  return freezeValue(state) === undefined ? state : undefined
}

/** No machine is asked more often, and one more can be told from it. */
function isLifetime(json: unknown): json is number {
  return isCount(json) && json < 2 ** 40
}
