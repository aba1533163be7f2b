/** Where code of the user stands at `yield`: whoever drives the generator is handed what it gives. */
import { Yielded } from './generator-objects.ts'
import { machine, stop } from './process.ts'

type Live = readonly unknown[]

/** `yield value`. */
export function yields(site: number, live: Live, value: unknown): unknown {
  return stopAt(new Yielded('yield', value, site, live))
}

/** The parameters have their values, and the call has its generator. */
export function begun(site: number, live: Live): unknown {
  return stopAt(new Yielded('begun', undefined, site, live))
}

function stopAt(yielded: Yielded): typeof stop {
  const { process } = machine
  if (process === undefined) outsideOfProcesses.yielded = yielded
  else process.todo = { kind: 'yield', yielded }
  return stop
}

/** What `go` hands on where there is no process. */
export const outsideOfProcesses: { yielded: Yielded | undefined } = { yielded: undefined }
