/** Diagrams of the machines of a program, where they are declared as states. */
import { settingFrom } from '../core/setting.ts'
import type { StateDiagram } from '../core/state-diagram.ts'
import type { Program } from '../program/program.ts'
import { stateDiagrams } from '../semantics/ir/state-diagrams.ts'

export function programDiagrams({ views, params, network }: Program): readonly StateDiagram[] {
  const view = views.ir?.(settingFrom({ params, network }))
  return view === undefined ? [] : stateDiagrams(view.program)
}
