/**
 * States of an IR program up to names of siblings, by brute force over the reference semantics: every state is renamed in every way, and the least text of
 * them all stands for it.
 */
import type { Ir } from '../../../src/ir/ir.ts'
import type { Configuration } from '../../../src/semantics/ir/configuration.ts'
import { endViolations } from '../../../src/semantics/ir/ending.ts'
import { firstConfiguration } from '../../../src/semantics/ir/first-configuration.ts'
import { movesIn, type Rules } from '../../../src/semantics/ir/moves.ts'
import { irRules } from '../../../src/semantics/ir/paths.ts'
import { Renaming } from '../../../src/semantics/ir/renaming.ts'
import type { MachineRef } from '../../../src/semantics/ir/value.ts'
import { afterStep, keyOf } from './layers.ts'
import { type Network, withoutNumbers } from './symbolic-filters.ts'

export interface OrbitCounts {
  readonly states: number
  readonly orbits: number
  /** Of states in which nothing more can happen. */
  readonly ends: number
  readonly orbitsOfEnds: number
  readonly violations: readonly string[]
}

/** Undefined: there are too many states, or too many ways to rename one. */
export function orbitsOf(ir: Ir, network: Network, most: number): OrbitCounts | undefined {
  const rules = irRules(ir, { network, bounds: {} })
  const first = firstConfiguration(rules).configuration
  if (first.violation !== undefined) return undefined
  const violations = new Set<string>()
  const ends = new Set<string>()
  const seen = new Map([[keyOf(first, rules), first]])
  for (const [key, configuration] of seen) {
    if (seen.size > most) return undefined
    const { moves } = movesIn(configuration, rules)
    if (moves.length === 0) {
      ends.add(key)
      for (const violation of endViolations(configuration, rules.code, false)) violations.add(withoutNumbers(violation))
    }
    for (const move of moves)
      for (const after of afterStep(configuration, move, rules)) {
        if (after.violation !== undefined) violations.add(withoutNumbers(after.violation))
        else seen.set(keyOf(after, rules), seen.get(keyOf(after, rules)) ?? after)
      }
  }
  const texts = new Map([...seen].map(([key, configuration]) => [key, leastText(configuration, rules)]))
  if ([...texts.values()].includes(undefined)) return undefined
  return {
    states: seen.size,
    orbits: new Set(texts.values()).size,
    ends: ends.size,
    orbitsOfEnds: new Set([...ends].map((key) => texts.get(key))).size,
    violations: [...violations].sort(),
  }
}

const mostRenamings = 200

/** Over all ways to give siblings, of one creator, name and kind, the names of each other. */
function leastText(configuration: Configuration, rules: Rules): string | undefined {
  const refs = [...configuration.machines.keys()].sort((left, right) => depthOf(left) - depthOf(right))
  const ways = renamingsOf(refs, rules)
  return ways?.map((names) => keyOf(renamed(configuration, names, rules), rules)).sort()[0]
}

function depthOf({ order }: MachineRef): number {
  return order.split('/').length
}

type Names = ReadonlyMap<MachineRef, MachineRef>

/** Creators first: who they become decides whose children theirs become. */
function renamingsOf(refs: readonly MachineRef[], { code: { values } }: Rules): readonly Names[] | undefined {
  const groups = new Map<string, MachineRef[]>()
  for (const ref of refs) {
    const key = `${ref.order.slice(0, ref.order.lastIndexOf('#'))} ${ref.machine}`
    groups.set(key, [...(groups.get(key) ?? []), ref])
  }
  let ways: readonly Names[] = [new Map()]
  for (const group of groups.values()) {
    ways = ways.flatMap((names) =>
      permutations(group).map((order) => {
        const more = new Map(names)
        for (const [at, ref] of group.entries()) {
          const [path, count] = (order[at] as MachineRef).order.split(/#(?=\d+$)/) as [string, string]
          const creator = refs.find((one) => one.order === ref.order.slice(0, ref.order.lastIndexOf('/')))
          const name = path.slice(path.lastIndexOf('/') + 1)
          more.set(
            ref,
            values.machine({
              creator: creator && (names.get(creator) as MachineRef),
              name,
              count: Number(count),
              machine: ref.machine,
            }),
          )
        }
        return more
      }),
    )
    if (ways.length > mostRenamings) return undefined
  }
  return ways
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

function renamed(configuration: Configuration, names: Names, { code: { values } }: Rules): Configuration {
  const renaming = new Renaming(values, (ref) => names.get(ref) ?? ref)
  const machines = [...configuration.machines.values()].map((machine) => renaming.machine(machine))
  return {
    ...configuration,
    machines: new Map(machines.map((machine) => [machine.ref, machine])),
    underWay: configuration.underWay.map((message) => renaming.message(message)),
    monitors: configuration.monitors.map((monitor) => renaming.monitor(monitor)),
  }
}
