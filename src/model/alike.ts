/** Machines of a system that are said to play the same part. Whether they do is found out by searches that rely on it. */
import { nearestName } from '../core/did-you-mean.ts'
import { shown } from '../core/option-shape.ts'
import type { SystemDefinition } from '../program/system-definition.ts'
import { type Declared, wrong } from './requests.ts'

const form = "alike: [['acceptor 1', 'acceptor 2', 'acceptor 3']]"

type Members = Pick<SystemDefinition, 'machines' | 'byzantine'>

/** By set, names in the order of the declaration of machines. */
export function alikeIn(declared: Declared, sets: readonly unknown[], members: Members): SystemDefinition['alike'] {
  const known = new Set<string>()
  // Places that were left out are no lists either, and `map` would pass over them.
  const all = [...sets].map((set) => {
    if (!Array.isArray(set))
      wrong(declared, `"alike" of system "${declared.name}" has ${shown(set)}, which is no list of names`, form)
    const names = [...(set as readonly unknown[])].map((name) => machineNamed(declared, name, members))
    for (const name of names) {
      if (known.has(name))
        wrong(
          declared,
          `"alike" of system "${declared.name}" names "${name}" twice`,
          'each machine is in one set, once',
        )
      known.add(name)
    }
    refuseOtherKinds(declared, names, members)
    return [...members.machines.keys()].filter((name) => names.includes(name))
  })
  // Of so many machines as a parameter says there may be one.
  return all.filter(({ length }) => length > 1)
}

function machineNamed(declared: Declared, name: unknown, { machines, byzantine }: Members): string {
  if (typeof name === 'string' && machines.has(name)) return name
  const what = `"alike" of system "${declared.name}" names ${shown(name)}`
  if (typeof name === 'string' && byzantine.has(name))
    wrong(declared, `${what}, which is Byzantine`, 'name machines that keep to their handlers')
  const nearest = typeof name === 'string' ? nearestName(name, [...machines.keys()]) : undefined
  const all = `machines are ${[...machines.keys()].map((one) => JSON.stringify(one)).join(', ')}`
  return wrong(
    declared,
    `${what}, which is no machine`,
    nearest === undefined ? all : `did you mean "${nearest}"? ${all}`,
  )
}

function refuseOtherKinds({ name, stack }: Declared, names: readonly string[], { machines }: Members): void {
  const [first, ...others] = names
  const kind = machines.get(first as string)?.definition
  const other = others.find((one) => machines.get(one)?.definition !== kind)
  if (other === undefined) return
  const otherKind = machines.get(other)?.definition.name
  const message =
    otherKind === kind?.name
      ? `"${first}" and "${other}" of system "${name}" are each of a kind of its own, called "${otherKind}"`
      : `"${first}" of system "${name}" is of kind "${kind?.name}", and "${other}" of kind "${otherKind}"`
  wrong({ name, stack }, `${message}: they are not alike`, 'call machine(…) once, and "as" for each of them')
}
