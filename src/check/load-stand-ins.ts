/**
 * Stand-ins for packages. What a bundle imports from a package that its sources stand in for comes from a module in memory, whose exports
 * are those that are imported; it is bound to the stand-in when `standIn(…)` is called. Each evaluation of a bundle has its own.
 */
import { isBuiltin } from 'node:module'
import type { Diagnostic } from '../core/diagnostic.ts'
import { suggestion } from '../core/did-you-mean.ts'
import { isFunction } from '../core/option-shape.ts'
import { mistake, running } from '../core/running.ts'
import { type StandInUses, standInUses } from '../frontends/typescript/stand-in-calls.ts'
import { codeFrame } from './source-places.ts'

/** By the name of a package, what is imported from it. */
export type StoodIn = ReadonlyMap<string, readonly string[]>

/** As it is known, however it is written. */
export function packageNamed(name: string): string {
  return isBuiltin(name) && !name.startsWith('node:') ? `node:${name}` : name
}

/** What the sources of a bundle say of stand-ins. */
export class StandInScan {
  readonly #uses: StandInUses[] = []

  note(text: string, file: string): void {
    this.#uses.push(standInUses(text, file))
  }

  get hasCalls(): boolean {
    return this.#uses.some(({ calls }) => calls.length > 0)
  }

  get #imports() {
    return this.#uses.flatMap(({ imports }) => imports.map((one) => ({ ...one, from: packageNamed(one.from) })))
  }

  stoodIn(): StoodIn {
    const names = this.#uses.flatMap(({ calls }) => calls.flatMap(({ name }) => (name === undefined ? [] : name)))
    return new Map(
      names.map(packageNamed).map((name) => {
        const imported = this.#imports.filter(({ from }) => from === name).flatMap((one) => one.names ?? [])
        return [name, [...new Set(imported)].sort()]
      }),
    )
  }

  problems(): readonly Diagnostic[] {
    const imported = [...new Set(this.#imports.map(({ from }) => from))].filter((from) => !/^allways(\/|$)/.test(from))
    const ofCalls = this.#uses
      .flatMap(({ calls }) => calls)
      .flatMap(({ name, place }): readonly Diagnostic[] => {
        const told = { code: 'E220', place, frame: codeFrame(place) } as const
        if (name === undefined)
          return [
            {
              ...told,
              message: 'standIn(…) needs the name of a package, written as a text',
              hint: "it is read before the file runs: standIn('pg', { Pool })",
            },
          ]
        if (imported.includes(packageNamed(name))) return []
        const message = `nothing that the check file loads imports "${name}"`
        if (imported.length === 0)
          return [{ ...told, message, hint: 'leave the call out, or import what uses the package' }]
        return [{ ...told, message, hint: suggestion(name, imported, 'imported packages') }]
      })
    const stoodIn = this.stoodIn()
    const whole = this.#imports.filter(({ from, names }) => names === undefined && stoodIn.has(from))
    return [
      ...ofCalls,
      ...whole.map(({ from, place }) => ({
        code: 'E220' as const,
        place,
        frame: codeFrame(place),
        message: `all of "${from}" is imported, which has a stand-in`,
        hint: `import what is used by its name: import { … } from '${from}'`,
      })),
    ]
  }
}

/** The module in memory that stands for a package. */
export function packageText(name: string, names: readonly string[]): string {
  const quoted = JSON.stringify(name)
  const early = names.map((one, at) => `let $standIn${at} = standIns.early(${quoted}, ${JSON.stringify(one)});`)
  const exported = names.map((one, at) => `$standIn${at} as ${one}`).join(', ')
  const bound = names.map((one, at) => `$standIn${at} = taken(${JSON.stringify(one)});`).join(' ')
  return [
    `import { standIns } from '${standInsName}'`,
    ...early,
    `export { ${exported} }`,
    `standIns.awaits(${quoted}, (taken) => { ${bound} })`,
  ].join('\n')
}

export const standInsName = 'allways:stand-ins'

type Taken = (exported: string) => unknown

/** Those of one evaluation of a bundle. */
export class StandIns {
  readonly #given = new Map<string, Taken>()
  readonly #awaiting = new Map<string, (taken: Taken) => void>()

  /** What the sources call by the name `standIn`. */
  readonly standIn = (name: string, module: unknown): void => {
    const told = `standIn('${name}', …)`
    if (running.process !== undefined) refuse(`${told} is called by a process`, 'call it at the top level of the file')
    const known = packageNamed(name)
    if (this.#given.has(known))
      refuse(`${told} is called a second time`, 'a package has one stand-in: put both into one')
    const made: unknown = isFunction(module) ? (module as () => unknown)() : module
    if (typeof made !== 'object' || made === null || made instanceof Promise)
      refuse(`${told} is given no module`, `give an object with what is imported: standIn('${name}', { connect })`)
    const exports = made as { readonly [exported: string]: unknown }
    const taken: Taken = (exported) => {
      if (exported in exports) return exports[exported]
      // As Node imports a package that is no ES module.
      if (exported === 'default') return exports
      const hint = suggestion(exported, Object.keys(exports), 'things it has')
      return refusing(`the stand-in for "${name}" has no "${exported}"`, hint)
    }
    this.#given.set(known, taken)
    this.#awaiting.get(known)?.(taken)
  }

  awaits(name: string, bind: (taken: Taken) => void): void {
    const given = this.#given.get(name)
    if (given !== undefined) bind(given)
    else this.#awaiting.set(name, bind)
  }

  /** What is used too early is refused where it is used. */
  early(name: string, exported: string): unknown {
    const hint = 'call it in a module of its own, and import that first: modules run in the order of their imports'
    return refusing(`"${exported}" of "${name}" is used before standIn('${name}', …) was called`, hint)
  }
}

/** Stands for something that is not there: it may be imported, and not used. */
function refusing(message: string, hint: string): unknown {
  const refused = (): never => refuse(message, hint)
  return new Proxy(function absent() {}, {
    get: refused,
    has: refused,
    apply: refused,
    construct: refused,
    set: refused,
  })
}

function refuse(message: string, hint: string): never {
  return mistake({ code: 'E220', message, hint })
}
