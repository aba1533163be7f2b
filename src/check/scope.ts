/** What a verdict speaks about, from the setting that was explored. */
import { normalFaults } from '../core/faults.ts'
import type { Options } from '../core/options.ts'
import type { Params, Setting } from '../core/setting.ts'
import type { Trace } from '../core/trace.ts'
import {
  type CountedAs,
  type Criterion,
  countedClients,
  countedExecutions,
  type MessageScope,
  type Scope,
} from '../core/verdict.ts'
import type { Program, ViewName } from '../program/program.ts'
import { declaredSpecification } from './objects/class-program.ts'

interface Searched {
  readonly engine: string
  readonly counted: CountedAs
  readonly seed: number
  /** Of the engine. */
  readonly options?: Options | undefined
  /** Whether it is one of machines; without it, nothing is known of that. */
  readonly program?: Program | undefined
}

function scopeOf(setting: Setting, { engine, counted, seed, options, program }: Searched): MessageScope {
  const { network, params, bounds } = setting
  const byzantine = program?.byzantine?.(setting) ?? []
  const modelled = program?.modelled?.(setting) ?? []
  const alike = options?.symmetry === true ? (program?.alike?.(setting) ?? []) : []
  return {
    engine,
    counted,
    network: options?.eager === true ? 'fifo-eager' : network,
    params,
    seed,
    maxSteps: bounds.maxSteps,
    deadlock: setting.options.deadlock === 'error' ? 'error' : 'allow',
    faults: normalFaults(setting.faults),
    ...(program?.views.machines === undefined ? {} : { isSystem: true }),
    ...(byzantine.length === 0 ? {} : { byzantine }),
    ...(modelled.length === 0 ? {} : { modelled }),
    ...(options?.symmetry === true ? { options } : {}),
    ...(alike.length === 0 ? {} : { alike }),
    ...(program?.views.ir === undefined ? {} : { handlers: network === 'mailbox' ? 'interleaved' : 'atomic', options }),
    ...(setting.options.monitors === 'all' ? { monitors: 'all' } : {}),
    ...(program?.refined === undefined ? {} : { refines: program.refined }),
    ...(program?.abstracts === undefined ? {} : { values: valuesOf(setting, program.abstracts) }),
  }
}

function valuesOf({ options }: Setting, types: readonly string[]): Scope['values'] {
  return { types, of: options.values === 'all' || options.values === undefined ? 'all' : Number(options.values) }
}

/** The scope of a search, by the view it goes through. */
export function scopeSeen(view: ViewName, setting: Setting, searched: Searched & { readonly program: Program }): Scope {
  const { engine, counted, seed, program } = searched
  if (program.sweep !== undefined) {
    // One client that is named is none of all within bounds.
    const isOne = setting.params.client !== undefined && setting.params.client !== ''
    return classScope(isOne ? { ...setting, bounds: {} } : setting, searched)
  }
  switch (view) {
    case 'icet': {
      const sizes = Object.entries(program.every).map(([name, { least }]) => [name, least] as const)
      // A proof shows that no process waits for ever, whether it was asked to or not.
      return { engine, counted, params: {}, seed, deadlock: 'error', sizes: Object.fromEntries(sizes) }
    }
    case 'calls':
      return historyScope(program.name, { engine, counted, seed })
    case 'logged': {
      const { objects = [], unended = [], failed = [] } = program.views.logged?.(setting) ?? {}
      const specification = objects.map(({ name }) => name).join(', ')
      const about = { engine, counted, params: setting.params, seed, specification }
      const lines = failed.map(({ file, line }) => `${file}:${line}`)
      return {
        ...about,
        deadlock: 'allow',
        isSystem: true,
        ...(unended.length === 0 ? {} : { unended }),
        ...(lines.length === 0 ? {} : { failed: lines }),
      }
    }
    default:
      return scopeOf(setting, searched)
  }
}

/** Of a recorded history, by what its calls are compared with. */
export function historyScope(
  name: string,
  { engine, counted, seed }: Pick<Searched, 'engine' | 'counted' | 'seed'>,
): Scope {
  const judged = { criterion: 'linearizable', specification: name } as const
  return { engine, counted, params: {}, seed, deadlock: 'allow', ...judged }
}

/** Of a class: all its clients that the setting stands for. */
function classScope(setting: Setting, { engine, counted, seed, options, program }: Searched): Scope {
  const { deadlock, criterion, granularity, order, specification } = setting.options
  const { specification: own } = program?.views.object?.(setting) ?? {}
  return {
    engine,
    counted,
    params: clientBounds(setting),
    seed,
    deadlock: deadlock === 'error' ? 'error' : 'allow',
    criterion: criterion as Criterion,
    specification: specification === declaredSpecification ? specificationName(own) : specification?.toString(),
    granularity: granularity as Scope['granularity'],
    ...(order === 'jobs' ? { order } : {}),
    options,
  }
}

/** Nothing where the class itself, run sequentially, says what is right. */
function specificationName(specification: unknown): string | undefined {
  if (specification === undefined) return undefined
  const { name } = specification as { readonly name?: unknown }
  return typeof name === 'string' && name !== '' ? name : 'your specification'
}

/** What a trace says about the search it was found in; the program, if it is there, says what it was compared with. */
export function recordedScope({ program: { origin }, setting, foundBy }: Trace, program?: Program): Scope {
  if (origin === undefined) return scopeOf(setting, { ...foundBy, counted: countedExecutions, program })
  return { ...classScope(setting, { ...foundBy, counted: countedClients, program }), isReplay: true }
}

/** All clients within these were checked; nothing if some were given. */
export function clientBounds({ bounds: { processes, calls } }: Setting): Params {
  return processes === undefined || calls === undefined ? {} : { processes, calls }
}
