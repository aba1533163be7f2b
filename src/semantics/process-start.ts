/** How processes begin: the first ones of an execution, and those that others spawn. */
import type { SpawnDetail } from '../core/operation.ts'
import type { Runnable } from '../program/program.ts'

/** How a process begins; enough to begin it again. */
export interface ProcessStart {
  /** Readable and canonical: depends on the parent and the names it used, never on the interleaving. */
  readonly id: string
  readonly body: (...args: never[]) => unknown
  readonly args: readonly unknown[]
  readonly daemon: boolean
  readonly monitor: boolean
  /** Faults never crash it. */
  readonly sturdy?: boolean | undefined
  /** See `SpawnDetail`. */
  readonly recovered?: SpawnDetail['recovered']
  /** An engine's own: it does what others let it do, however long they go on. */
  readonly unbounded?: true
}

/** The first processes of every execution: monitors, those beside main, then main. */
export function initialProcesses(subject: Runnable): readonly ProcessStart[] {
  const monitors = subject.monitors.map((declaration) => ({
    id: declaration.name,
    body: declaration.body,
    args: [],
    daemon: true,
    monitor: true,
  }))
  const beside = (subject.beside ?? []).map(({ id, body, args }) => {
    return { id, body, args, daemon: true, monitor: false, sturdy: true }
  })
  return [
    ...monitors,
    ...beside,
    { id: 'main', body: subject.main.body, args: subject.main.args, daemon: false, monitor: false },
  ]
}

/** The process that the last of the children of another one becomes. */
export function childStart(
  parent: ProcessStart,
  subject: Runnable,
  children: readonly SpawnDetail[],
  { name, id: known, body, args, daemon, crashes, recovered }: SpawnDetail,
): ProcessStart {
  const isMain = parent.id === 'main'
  const taken = isMain ? initialProcesses(subject).filter(({ id }) => id === name).length : 0
  const count = taken + children.filter((child) => child.name === name).length
  const id = known ?? `${isMain ? '' : `${parent.id}/`}${name}${count > 1 ? `#${count}` : ''}`
  const child = { id, body, args, daemon, monitor: false, recovered }
  return crashes === false ? { ...child, sturdy: true } : child
}
