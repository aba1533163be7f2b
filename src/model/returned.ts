/**
 * What processes returned, as final conditions are given it. A process that no execution has gives `undefined`, and what is compared
 * with that may hold for ever: it is noted. So does a field of the map that is meant for a process, which is a mistake.
 */
import { nameMeant, nearestName } from '../core/did-you-mean.ts'
import { isAskedByPrinters } from '../core/lacking-fields.ts'
import type { EndedProcess } from '../core/property.ts'
import { mistake } from '../core/running.ts'
import type { Value } from '../core/value.ts'
import type { Witness } from '../core/witness.ts'

export type Returned = ReadonlyMap<string, Value>

/** A condition is asked twice about so many executions, and then about one in so many. */
const lookedAtFirst = 64
const lookedAtEvery = 251

/** Of one final condition. */
export class AskedProcesses {
  readonly #condition: string
  readonly #witness: Witness | undefined
  /** By id that no execution had so far what the witness was asked. */
  readonly #missing = new Map<string, string>()
  /** Those that some execution had. */
  readonly #known = new Set<string>()
  /** Of the execution that has ended. */
  #ids: readonly string[] = []
  #returned: Returned = new Map()
  #looks = 0

  constructor(condition: string, witness: Witness | undefined) {
    this.#condition = condition
    this.#witness = witness
  }

  returnedBy(processes: readonly EndedProcess[]): Returned {
    this.#ids = processes.map(({ id }) => id)
    for (const id of this.#missing.keys()) if (this.#ids.includes(id)) this.#found(id)
    const ended = processes.filter((process) => process.status === 'returned')
    ended.sort((left, right) => (left.id < right.id ? -1 : 1))
    const returned = new Map(ended.map((process) => [process.id, process.value]))
    this.#returned = returned
    return this.#witness === undefined ? returned : this.#noting(returned)
  }

  /** Asks the condition once more, about a map that tells which of its fields are read; the answer is ignored. */
  look(ask: (returned: Returned) => unknown): void {
    const count = this.#looks++
    if (count >= lookedAtFirst && count % lookedAtEvery > 0) return
    let isRefused = false
    const tell = (field: string) => {
      isRefused = this.#isMeantForProcess(field)
      if (isRefused) this.#refuseField(field)
    }
    const view = Object.setPrototypeOf(new Map(this.#returned), tellingFields(tell)) as Returned
    try {
      ask(view)
    } catch (error) {
      if (isRefused) throw error
    }
  }

  /** Functions of its own, and no prototype: it is compared with maps. */
  #noting(returned: ReadonlyMap<string, Value>): Returned {
    return Object.defineProperties(returned, {
      get: { value: (id: string) => Map.prototype.get.call(returned, this.#noted(id)) },
      has: { value: (id: string) => Map.prototype.has.call(returned, this.#noted(id)) },
    })
  }

  #noted(id: string): string {
    if (typeof id !== 'string' || this.#known.has(id) || this.#missing.has(id)) return id
    if (this.#ids.includes(id)) this.#found(id)
    else {
      const subject = this.#subject(id, nameMeant(id, this.#ids))
      this.#missing.set(id, subject)
      this.#witness?.ask('process-never-there', subject, 0)
    }
    return id
  }

  /** Another part of the search may have asked, in an execution with other processes. */
  #found(id: string): void {
    this.#known.add(id)
    const near = this.#ids.filter((one) => nameMeant(id, [one]) !== undefined)
    const subjects = [undefined, ...near].map((one) => this.#subject(id, one))
    for (const subject of new Set([...subjects, this.#missing.get(id) ?? []].flat()))
      this.#witness?.answer('process-never-there', subject)
    this.#missing.delete(id)
  }

  #subject(id: string, meant: string | undefined): string {
    const like = meant === undefined ? '' : `, whose name is like "${meant}",`
    return `process "${id}"${like} in final "${this.#condition}"`
  }

  #isMeantForProcess(field: string): boolean {
    return this.#ids.includes(field) || nameMeant(field, this.#ids) !== undefined
  }

  #refuseField(field: string): void {
    const meant = this.#ids.includes(field) ? field : nearestName(field, this.#ids)
    mistake({
      code: 'E214',
      message: `final condition "${this.#condition}" reads returned.${field}, and "returned" is a Map, which has no such field`,
      hint: `write returned.get(${JSON.stringify(meant)})`,
    })
  }
}

function tellingFields(tell: (field: string) => void): object {
  return new Proxy(Object.create(Map.prototype) as object, {
    get: (map, field, view) => {
      if (typeof field === 'string' && !(field in map || field in Array.prototype || isAskedByPrinters(field)))
        tell(field)
      return Reflect.get(map, field, view)
    },
  })
}
