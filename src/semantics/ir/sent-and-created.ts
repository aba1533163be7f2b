/** What one machine does to others: whom it sends what, and whom it creates. */
import { invariant } from '../../core/invariant.ts'
import type { Code, IrStep } from './code.ts'
import type { MachineState } from './configuration.ts'
import type { Environment } from './expression.ts'
import { fail } from './failed.ts'
import { eventName, permits } from './typed-value.ts'
import type { EventValue, IrValue, MachineRef } from './value.ts'

/** What a machine sends, if it may. */
export function sentBy(
  self: MachineRef,
  step: Extract<IrStep, { readonly kind: 'send' }>,
  environment: Environment,
  code: Code,
): { readonly to: MachineRef; readonly event: number; readonly payload: IrValue } {
  const to = step.to(environment) as MachineRef | null
  const named = step.event(environment) as EventValue | null
  const payload = step.payload(environment)
  if (to === null) return fail('null target', 'something is sent to null', step.place)
  if (named === null) return fail('null event', `null is sent to ${to.process}`, step.place)
  const { event } = named
  const { sends } = code.machines[self.machine]?.machine ?? {}
  const isPermitted = permits(to, [event], code.ir) && step.permitted?.includes(event) !== false
  if (sends?.includes(event) === false || !isPermitted)
    fail('send not permitted', `${eventName(event, code.ir)} to ${to.process}`, step.place)
  return { to, event, payload }
}

/** Who is created, and how many of each name its creator has created then. */
export function createdBy(
  creator: Pick<MachineState, 'ref' | 'created'>,
  step: Pick<Extract<IrStep, { readonly kind: 'new' }>, 'creates'>,
  code: Code,
): Pick<MachineState, 'ref' | 'created'> {
  const machine = code.machines[creator.ref.machine]?.machine.creates[step.creates]
  invariant(machine !== undefined, 'what is created is among what the creator creates')
  const { name } = code.ir.machines[machine] as { readonly name: string }
  const count = (creator.created.get(name) ?? 0) + 1
  const ref = code.values.machine({ creator: creator.ref, name, count, machine })
  return { ref, created: new Map(creator.created).set(name, count) }
}

export function newMachine(ref: MachineRef, argument: IrValue, { code }: { readonly code: Code }): MachineState {
  const { machine, fields } = code.machines[ref.machine] as Code['machines'][number]
  return {
    ref,
    phase: 'created',
    state: machine.start,
    fields,
    inbox: [],
    paused: undefined,
    created: new Map(),
    argument,
    turns: 0,
  }
}
