/** `byzantine`: a machine in a system that does not keep to its handlers, but sends whatever its declaration lists, whenever it likes. */
import { checkNoMore, checkShape, either, needed, type Shapes, shapes, shown } from '../core/option-shape.ts'
import { mistake } from '../core/running.ts'
import { instanceOf, isMachineKind, registerLiar } from '../program/system-definition.ts'
import type { Machine, MachineAs, MachineMessage } from './machine.ts'

/** What a Byzantine machine knows of its system. */
export interface ByzantineStart {
  /** Its own name, for which it can sign. */
  readonly self: string
  /** Names of all other machines. */
  readonly peers: readonly string[]
}

export interface ByzantineOptions<Messages extends readonly MachineMessage[]> {
  /**
   * All messages that it may send: each at any time, to every machine that takes its kind, and to each of them at most once. One that holds a
   * signature of another machine is said only after that machine has sent it to anybody.
   */
  readonly says: Messages | ((start: ByzantineStart) => Messages)
}

type AnyMachine = Pick<Machine<unknown, MachineMessage, never>, 'name' | 'types'>

/** What machines of the kind receive: nothing else is worth saying. */
type MessageOf<Kind extends AnyMachine> = NonNullable<Kind['types']>['message']

const optionShapes: Shapes<ByzantineOptions<readonly MachineMessage[]>> = {
  says: needed(either(shapes.list, shapes.func)),
}

/** In place of `machine.as()`: one that lies. It sees all traffic, has no state, and what it would announce does not count. */
export function byzantine<Kind extends AnyMachine, const Messages extends readonly MessageOf<Kind>[]>(
  machine: Kind,
  options: ByzantineOptions<Messages>,
  ...extra: readonly unknown[]
): MachineAs {
  const { stack } = new Error()
  checkNoMore(extra, 'byzantine(machine, { says })', 'E236')
  if (!isMachineKind(machine)) {
    const made = instanceOf(machine) === undefined ? shown(machine) : 'one that "as" has made'
    mistake({
      code: 'E236',
      message: `byzantine() needs a kind of machine and got ${made}`,
      hint: 'byzantine(replica, { says: [ … ] }), where machine(…) made replica, without .as()',
      stack,
    })
  }
  const { name } = machine
  checkShape(options, optionShapes, { of: `Byzantine machine "${name}"`, code: 'E236', stack })
  return registerLiar<MachineAs>(Object.freeze({ machine: name }), { kind: name, says: options.says, stack })
}
