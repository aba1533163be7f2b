/**
 * Local model checking (LMC §4: Guerraoui and Yabandeh, "Model Checking a Networked System Without the Network", NSDI 2011).
 * The states of each machine are explored apart, over one set of messages that only grows; states of the system are put together
 * for invariants alone, and a violation is reported only after an execution that leads to it was found.
 *
 * What it can miss: nothing in a search that ended. Where LMC §4.2 gave up completeness, or made no claim, this engine departs:
 * - a message is given to a state only if what must have been sent before it can have been (`precedence.ts`), which leaves few
 *   states that no execution leads to, and lets searches end whose states would otherwise need their own future;
 * - predecessor links are kept for every transition, self-references included, and followed (`soundness.ts`);
 * - histories of consumed messages are those of all paths to a state, not of the first (`exploration.ts`);
 * - how often a message is delivered to one path is limited by how often it can have been sent, not by a constant;
 * - system states that were rejected are looked at again when predecessors are added (`candidates.ts`);
 * - sequences of events are not enumerated: most combinations of states are refused by what must have been sent before them
 *   (`requirements.ts`), the others decided by one backward search over all sequences, with the messages still needed as the
 *   constraint; fifo order, loss and the number of crashes are part of it; where it takes long, a forward search helps (`forward.ts`);
 * - a handler that fails ends its path, as in the paper, which for lack of a cheap check ignores the failure; here its reachability
 *   is decided like that of a system state, and it is reported if there is an execution;
 * - the bound on internal events grows from round to round, but a round goes on where the last one was held back.
 *
 * A search of a system with endlessly many states has no end, and neither has the soundness check in a fifo network without loss
 * where machines send for ever: a budget of the driver stops it, and it has then verified nothing. That includes some systems
 * that are finite but whose machines apart are not: values that one machine computes from another's, over so many ways that
 * what each has sent is no longer told apart (`mostWays`). Invariants see states of machines, never messages. A search cannot be
 * split: its memory is what it explored.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { type Machines, MoreMachinesError } from '../../program/machines.ts'
import { CallingMachines } from '../../semantics/machines/calling-machines.ts'
import type { Engine, EngineEvent, EngineRequest } from '../engine.ts'
import { searchAlone } from './alone.ts'
import { localRefusal } from './networks.ts'
import { LocalSearch } from './search.ts'

export const local: Engine<'machines'> = {
  name: 'local',
  summary: 'states of each machine apart, without the network; violations are confirmed',
  needs: 'machines',
  decides: ['assertion', 'exception', 'invariant', 'refinement'],
  refuses: undeclared,
  claims: 'verified',
  options: {},
  counted: { names: ['states'], noun: 'state', of: 'machines' },
  units: 'whole',
  explore,
}

function* explore(subject: Machines): Generator<EngineEvent, void, EngineRequest> {
  const refused = localRefusal(subject) ?? undeclared(subject)
  if (refused !== undefined) {
    yield { kind: 'diagnostic', diagnostic: refused }
    return
  }
  const told = new Set<string>()
  for (let machines: Machines | undefined = subject; machines !== undefined; ) {
    try {
      if (yield* searchAlone(machines, told)) return
      const calling: CallingMachines | undefined =
        (machines.refines ?? []).length === 0 ? undefined : new CallingMachines(machines)
      yield* new LocalSearch(calling ?? machines, new Set(told)).events()
      calling?.compareDeclared()
      return
    } catch (error) {
      // What was found until now holds, and is found again.
      machines = error instanceof MoreMachinesError ? error.machines : undefined
      if (machines !== undefined) continue
      if (!(error instanceof DiagnosticError)) throw error
      yield { kind: 'diagnostic', diagnostic: error.diagnostic }
    }
  }
}

/** Calls are told by pairs and by what they lack: an object that is known by its operations alone has neither. */
function undeclared({ refines = [] }: Machines): Diagnostic | undefined {
  const object = refines.find(({ conflicts, needs }) => conflicts === undefined || needs === undefined)
  return (
    object && {
      code: 'E302',
      message: `engine "local" decides refinement by pairs of calls, and "${object.name}" does not say which conflict`,
      hint: 'declare "conflicts" and "needs" in the specification; engines that can without: stateful, dpor, exhaustive, random, pct',
    }
  )
}
