/** Which ways of searching a filter has nothing to say about. */
import type { Diagnostic } from '../../../core/diagnostic.ts'
import type { Ir } from '../../../ir/ir.ts'
import type { SymbolicOptions } from '../options.ts'

/** Undefined: the options fit to each other and to the program. */
export function refusal({ mode, filter }: SymbolicOptions, { monitors, machines }: Ir): Diagnostic | undefined {
  const [monitor] = monitors
  if (mode === 'rounds' && monitor !== undefined) return watched(machines[monitor.machine]?.name ?? '')
  if (mode === 'rounds' && filter !== 'none') return unfiltered(filter)
  if (mode === 'states' && filter === 'sleep') return forgetful
  return undefined
}

/** Whoever was in a state before may have had other moves asleep there. */
const forgetful: Diagnostic = {
  code: 'E107',
  message: 'filter "sleep" remembers what was explored before, and by states that is forgotten',
  hint: 'choose --mode steps with --filter sleep, or another --filter',
}

/** Those in one round happen in no order, and a monitor sees one. */
function watched(monitor: string): Diagnostic {
  return {
    code: 'E107',
    message: `monitor "${monitor}" sees in which order machines send, and rounds leave orders out`,
    hint: 'choose another --mode, or leave that to the engine',
  }
}

function unfiltered(filter: string): Diagnostic {
  return {
    code: 'E107',
    message: `filter "${filter}" says who moves next, and in rounds several machines move at a time`,
    hint: 'leave out --filter, since rounds take each order that makes a difference once; or leave out --mode',
  }
}
