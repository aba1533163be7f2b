/**
 * What monitors with hot states ask for: no fair execution without end is hot again and again and cold only finitely often. States
 * that are neither do not count. A handler may lead a monitor through several states, and each of them counts: so what is seen of a
 * monitor is what it was since the last decision.
 */
import type { CycleProperty } from '../../core/property.ts'
import type { Value } from '../../core/value.ts'
import type { IrMachine } from '../../ir/ir.ts'
import type { Code } from './code.ts'
import type { Configuration } from './configuration.ts'
import { isAboutLiveness } from './monitors.ts'

interface Seen {
  readonly wasHot: boolean
  readonly wasCold: boolean
}

export function livenessProperties(code: Code): readonly CycleProperty[] {
  return code.ir.monitors
    .filter((monitor) => isAboutLiveness(monitor, code))
    .map(({ machine }) => {
      const { name, place } = code.ir.machines[machine] as IrMachine
      const seen = (states: ReadonlyMap<string, Value>): Seen | undefined => states.get(name) as Seen | undefined
      const message = `${name}: hot again and again for ever, and never cold`
      return {
        kind: 'liveness',
        name,
        sees: 'cycle',
        isGood: (states) => seen(states)?.wasCold !== false,
        isAskedFor: (states) => seen(states)?.wasHot === true,
        violation: { kind: 'liveness', property: name, message, process: name, place },
      }
    })
}

/** Executions that have ended are judged by their ends: nobody has to look at them as if they went on. */
export function monitorStates(
  { monitors }: Pick<Configuration, 'monitors'>,
  { ir }: Code,
  hasEnded: boolean,
): ReadonlyMap<string, Value> {
  if (hasEnded) return new Map()
  return new Map(
    monitors.map(({ wasHot, wasCold }, at): [string, Value] => {
      const { name } = ir.machines[ir.monitors[at]?.machine ?? -1] as IrMachine
      return [name, { wasHot, wasCold }]
    }),
  )
}
