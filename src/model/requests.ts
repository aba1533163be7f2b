/** What the application asks of the machines of a system, checked as it is declared. */
import { DiagnosticError } from '../core/diagnostic.ts'
import { shown } from '../core/option-shape.ts'
import { runAs } from '../core/running.ts'
import { thrownBy } from '../core/thrown.ts'
import { freezeValue, type Value } from '../core/value.ts'
import type { MachineInstance, RequestCall, SystemDefinition } from '../program/system-definition.ts'

/** A system that is being declared. */
export interface Declared {
  readonly name: string
  readonly stack: string | undefined
}

/** At the line that declares it. */
export function wrong(declared: Declared, message: string, hint: string): never {
  throw new DiagnosticError({ code: 'E222', message, hint, stack: declared.stack })
}

export interface Requests {
  readonly [machine: string]: readonly (readonly [name: string, argument?: Value])[]
}

type Asked = Pick<SystemDefinition, 'machines' | 'byzantine'>

type RequestsFrom = (states: { readonly [machine: string]: unknown }) => Requests

export function requestsFromIn(
  declared: Declared,
  requestsFrom: RequestsFrom | undefined,
  machines: Asked,
): SystemDefinition['requestsFrom'] {
  if (requestsFrom === undefined) return undefined
  const hint = "requestsFrom: (states) => ({ 'node 0': [['propose', 'a']] })"
  return (states) => {
    const requests = runAs(`requestsFrom of ${declared.name}`, () => {
      try {
        return requestsFrom(states)
      } catch (error) {
        if (error instanceof DiagnosticError) throw error
        return wrong(declared, `"requestsFrom" of system "${declared.name}" threw ${thrownBy(error).message}`, hint)
      }
    })
    if (typeof requests !== 'object' || requests === null)
      wrong(declared, `"requestsFrom" of system "${declared.name}" returned no requests`, hint)
    return requestsIn(declared, requests, machines)
  }
}

export function requestsIn(
  declared: Declared,
  requests: Requests,
  { machines, byzantine }: Asked,
): ReadonlyMap<string, readonly RequestCall[]> {
  return new Map(
    Object.entries(requests).map(([machine, calls]) => {
      const instance = machines.get(machine)
      if (byzantine.has(machine))
        wrong(
          declared,
          `requests are for "${machine}", which is Byzantine`,
          'what it does is what it says: leave them out',
        )
      if (instance === undefined) {
        const names = [...machines.keys()].map((name) => JSON.stringify(name)).join(', ')
        wrong(declared, `requests are for "${machine}", which is not a machine of the system`, `machines are ${names}`)
      }
      if (!Array.isArray(calls)) wrong(declared, `the requests of "${machine}" are not a list`, "[['propose', 'a']]")
      return [machine, calls.map((call) => requestIn(declared, machine, call, instance))]
    }),
  )
}

function requestIn(declared: Declared, machine: string, call: unknown, instance: MachineInstance): RequestCall {
  if (!Array.isArray(call) || call.length < 1 || call.length > 2) {
    const hint = "a name and at most one argument: ['propose', 'a']"
    wrong(declared, `a request of "${machine}" is not a name with its argument`, hint)
  }
  const [name, argument] = call as readonly unknown[]
  const known = [...instance.definition.requests.keys()]
  if (typeof name !== 'string' || !known.includes(name)) {
    const written = typeof name === 'string' ? JSON.stringify(name) : shown(name)
    const hint =
      known.length === 0
        ? 'it has none: requests: { propose(state, value, context) { … } }'
        : `it has ${known.join(', ')}`
    wrong(declared, `machine "${machine}" has no request ${written}`, hint)
  }
  const problem = freezeValue(argument)
  if (problem !== undefined) {
    const what = `the argument of request "${name}" of "${machine}" is not a value`
    wrong(
      declared,
      `${what}: argument${problem.path} is ${problem.found}`,
      'plain data: objects, arrays, Map, Set, bigint',
    )
  }
  return { name, argument: argument as Value }
}
