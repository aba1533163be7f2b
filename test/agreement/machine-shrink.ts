/** Smaller plans that still fail: drops deeds, requests, faults and whole machines as long as the failure stays. */
import type { FaultBudget, FaultName } from '../../src/core/faults.ts'
import type { Deed, MachinePlan, SystemPlan } from './machine-plan.ts'

export function shrinkPlan(plan: SystemPlan, fails: (smaller: SystemPlan) => boolean): SystemPlan {
  let best = plan
  for (let smaller: SystemPlan | undefined = best; smaller !== undefined; ) {
    smaller = candidates(best).find(fails)
    best = smaller ?? best
  }
  return best
}

function candidates(plan: SystemPlan): readonly SystemPlan[] {
  const { machines, invariants } = plan
  return [
    ...(machines.length > 2 ? [withoutLast(plan)] : []),
    ...fewerFaults(plan.faults).map((faults) => ({ ...plan, faults })),
    ...(plan.network === 'fifo' ? [{ ...plan, network: 'bag' as const }] : []),
    ...without(invariants).map((fewer) => ({ ...plan, invariants: fewer })),
    ...machines.flatMap((machine, at) =>
      smallerMachines(machine).map((smaller) => ({ ...plan, machines: machines.with(at, smaller) })),
    ),
  ]
}

/** Without one kind of fault; those that crash without restart need not restart. */
function fewerFaults(faults: FaultBudget): readonly FaultBudget[] {
  return Object.keys(faults).map((name) => {
    const { [name as FaultName]: _, ...others } = faults
    return name === 'crashes' ? { ...others, restarts: undefined } : others
  })
}

/** What was for the last machine goes to the one before it. */
function withoutLast(plan: SystemPlan): SystemPlan {
  const last = plan.machines.length - 1
  const redirect = (deed: Deed): Deed => {
    if (deed.kind === 'when') return { ...deed, deed: redirect(deed.deed) }
    return 'to' in deed && deed.to === last ? { ...deed, to: last - 1 } : deed
  }
  const all = (deeds: readonly Deed[]) => deeds.map(redirect)
  return {
    ...plan,
    machines: plan.machines.slice(0, last).map((machine) => ({
      ...machine,
      on: machine.on.map((deeds) => deeds && all(deeds)),
      others: machine.others && all(machine.others),
      timer: all(machine.timer),
      request: all(machine.request),
      start: all(machine.start),
    })),
  }
}

function smallerMachines(machine: MachinePlan): readonly MachinePlan[] {
  const { on, others, timer, request, start, requests, durable } = machine
  return [
    ...(requests > 0 ? [{ ...machine, requests: requests - 1 }] : []),
    ...(others === undefined ? [] : [{ ...machine, others: undefined }]),
    ...on.flatMap((deeds, at) =>
      deeds === undefined
        ? [{ ...machine, on: on.with(at, []) }]
        : smallerDeeds(deeds).map((fewer) => ({ ...machine, on: on.with(at, fewer) })),
    ),
    ...smallerDeeds(timer).map((fewer) => ({ ...machine, timer: fewer })),
    ...smallerDeeds(request).map((fewer) => ({ ...machine, request: fewer })),
    ...smallerDeeds(start).map((fewer) => ({ ...machine, start: fewer })),
    ...without(durable).map((fewer) => ({ ...machine, durable: fewer })),
  ]
}

function smallerDeeds(deeds: readonly Deed[]): readonly (readonly Deed[])[] {
  const simpler = deeds.flatMap((deed, at) => (deed.kind === 'when' ? [deeds.with(at, deed.deed)] : []))
  return [...without(deeds), ...simpler]
}

function without<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.map((_, at) => items.toSpliced(at, 1))
}
