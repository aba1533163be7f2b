/** Settings in files: written whole, and everything that is read back is validated. */
import { type FaultBudget, faultProblems } from '../core/faults.ts'
import { networkNames } from '../core/operation.ts'
import type { OptionValue } from '../core/options.ts'
import { type Bounds, type Setting, settingFrom } from '../core/setting.ts'
import { type Json, valueToJson } from '../core/value-json.ts'
import { snapshotFromJson, snapshotToJson } from '../runtime/snapshot.ts'
import { type Field, textsFromJson } from './trace-fields.ts'

export function settingToJson({ params, network, faults, bounds, options, start }: Setting): {
  readonly [name: string]: Json
} {
  return {
    params: valueToJson(params),
    network,
    faults: Object.fromEntries(
      Object.entries(faults).flatMap(([name, most = 0]) => (most === 0 ? [] : [[name, most]])),
    ),
    bounds: Object.fromEntries(
      Object.entries(bounds).flatMap(([name, most]) => (most === undefined ? [] : [[name, most]])),
    ),
    options,
    start: start === 'initial' ? start : snapshotToJson(start),
  }
}

/** Problems are noted in the field. */
export function settingFromJson(field: Field): Setting {
  const params = field.at('params').entries()
  return settingFrom({
    params: Object.fromEntries(params.map(([name, one]) => [name.replace(/^##/, '#'), one.value()])),
    network: field.at('network').oneOf(networkNames),
    faults: faultsFromJson(field.at('faults')),
    bounds: boundsFromJson(field.at('bounds')),
    options: Object.fromEntries(
      field
        .at('options')
        .entries()
        .map(([name, one]) => [name, optionFromJson(one)]),
    ),
    start: startFromJson(field.at('start')),
  })
}

function faultsFromJson(field: Field): FaultBudget {
  const [problem] = faultProblems(field.raw)
  return problem === undefined ? (field.raw as FaultBudget) : field.wrong(`a fault budget (${problem})`, {})
}

const boundCounts = ['maxSteps', 'processes', 'calls'] as const satisfies readonly (keyof Bounds)[]

function boundsFromJson(field: Field): Bounds {
  if (!field.object()) return {}
  const known = boundCounts.map((name) => [name, field.at(name)] as const)
  const counts = Object.fromEntries(known.flatMap(([name, one]) => (one.isPresent ? [[name, one.count()]] : [])))
  const clients = field.at('clients')
  return clients.isPresent ? { ...counts, clients: textsFromJson(clients) } : counts
}

export function optionFromJson(field: Field): OptionValue {
  const { raw } = field
  const isValue = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean'
  return isValue ? raw : field.wrong('a text, a number, true or false', '')
}

function startFromJson(field: Field): Setting['start'] {
  if (field.raw === 'initial') return 'initial'
  const snapshot = snapshotFromJson(field.raw, 'the snapshot')
  return snapshot.ok ? snapshot.value : field.wrong('"initial" or a snapshot', 'initial')
}
