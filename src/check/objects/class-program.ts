/**
 * A class as a program: its client is a parameter, and all its clients within bounds are a sweep. Of a file that was loaded in the
 * form `objects` only, since accesses are seen in no other (`load.ts`).
 */
import type { AtomicSection } from '../../core/code.ts'
import { type Diagnostic, DiagnosticError, failure, orThrow, type Result } from '../../core/diagnostic.ts'
import { nearestName } from '../../core/did-you-mean.ts'
import type { Evidence } from '../../core/evidence.ts'
import { invariant } from '../../core/invariant.ts'
import { type Chosen, optionsFrom } from '../../core/options.ts'
import type { Setting } from '../../core/setting.ts'
import { countedClients } from '../../core/verdict.ts'
import type { Witness } from '../../core/witness.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import {
  deadlockOption,
  type ExplainOptions,
  type Program,
  registerProgram,
  type Sweep,
} from '../../program/program.ts'
import type { Client } from '../../properties/linearizability/client.ts'
import { printClient } from '../../properties/linearizability/client-text.ts'
import { specificationNames } from '../../properties/linearizability/specifications/catalogue.ts'
import { jobPaths } from '../../semantics/job-order/job-paths.ts'
import type { JobSubject } from '../../semantics/job-order/job-run.ts'
import type { ModuleState } from '../../semantics/memory/code.ts'
import { objectPaths } from '../../semantics/memory/object-path.ts'
import type { ObjectSubject } from '../../semantics/memory/subject.ts'
import { ObjectWorld } from '../../semantics/memory/world.ts'
import { specificationNamed } from '../specification-named.ts'
import { findCauses } from './causes.ts'
import { type Clients, clientsOf, instanceOf } from './clients.ts'
import { declaredAt } from './declared-at.ts'
import { granularityOf } from './granularity.ts'
import { jobOrderAnswer } from './job-order-answer.ts'
import { type JudgedClass, type OriginalClass, rulesFor, subjectOf } from './subjects.ts'
import { witnessed } from './witnessed.ts'

/** Where the class comes from, and lines of it that are taken to be atomic. */
interface ClassSource {
  readonly modules: ModuleState
  readonly sections?: readonly AtomicSection[] | undefined
  /** Of a class that was changed. */
  readonly original?: OriginalClass | undefined
  /** Public methods that nobody calls, because the source does not say what they are called; with where they are. */
  readonly leftOut?: readonly string[] | undefined
  /** Makes an instance, of modules that nobody has used, in the loop that runs. */
  readonly createInJobOrder?: (() => object) | undefined
}

export function classProgram(check: ObjectCheck, source: ClassSource): Program {
  const { modules, sections = [], original, leftOut = [] } = source
  const instance = once(() => instanceOf(check))
  const options = once(() => optionsOf(check, modules, instance()))
  const judged = (setting: Setting): JudgedClass => {
    const { specification, ...chosen } = optionsFrom(options(), setting.options) as Chosen<ClassOptions>
    const judgedBy = { ...check, specification: specificationOf(check, specification) }
    return { ...chosen, check: judgedBy, modules, sections, original }
  }
  const subject = (setting: Setting, witness?: Witness) => {
    const made = subjectOf(judged(setting), clientOf(setting), rulesIn(setting))
    return witness === undefined ? made : witnessed(made, { check, leftOut }, witness)
  }
  const inJobs = (setting: Setting, witness?: Witness) => jobPaths(inJobOrder(subject(setting, witness), source))
  // The views of one setting are judged alike, and what that takes is found out once.
  const rulesIn = onceFor((setting: Setting) => rulesFor(judged(setting), clientOf(setting)))
  const clientOf = (setting: Setting): Client => {
    const [client] = clientsIn(setting).all()
    if (client === undefined) throw noClient(check.name)
    return client
  }
  /** The one that is named, or those within bounds. */
  const clientsIn = ({ params: { client }, bounds }: Setting): Clients => {
    const only = client === undefined || client === '' ? bounds : { clients: [String(client)] }
    return orThrow(clientsOf(check, orThrow(instance()), only))
  }
  return registerProgram({
    name: check.name,
    params: { client: '' },
    every: {},
    network: undefined,
    get options() {
      return options()
    },
    bounds: { processes: check.processes, calls: check.calls, clients: declaredClients(check) },
    views: {
      object: (setting) => judged(setting).check,
      stateful: (setting, witness) => new ObjectWorld(subject(setting, witness)),
      path: (setting, witness) =>
        setting.options.order === 'jobs' ? inJobs(setting, witness) : objectPaths(subject(setting, witness)),
    },
    sweep: (asked) => {
      const [problem, ...others] = [...declarationProblems(check), ...orderProblems(asked, check, source)]
      if (problem !== undefined) throw new DiagnosticError(problem, ...others)
      return sweepOf(asked, clientsIn(asked))
    },
    explain: async (failing, options) => {
      if (failing.violation.kind !== 'linearizability' || failing.setting.options.order === 'jobs') return []
      return await causesIn(failing.setting, { judged, clientOf, source: { check, modules } }, options)
    },
    askInJobOrder: (setting, client) => {
      const { granularity, order } = setting.options
      const isAsked = granularity === 'await' && order !== 'jobs' && source.createInJobOrder !== undefined
      return isAsked ? jobOrderAnswer(inJobs(setting), client) : undefined
    },
    stack: check.stack,
    place: check.place,
  })
}

interface Failed {
  readonly judged: (setting: Setting) => JudgedClass
  readonly clientOf: (setting: Setting) => Client
  readonly source: { readonly check: ObjectCheck; readonly modules: ModuleState }
}

async function causesIn(
  setting: Setting,
  { judged, clientOf, source: { check, modules } }: Failed,
  { seed, recheck, unlessOver }: ExplainOptions,
): Promise<readonly Evidence[]> {
  const nextFailing = async (repair: readonly AtomicSection[]) => {
    const { failing, verified, isComplete } = await recheck(classProgram(check, { modules, sections: repair }))
    return { client: failing && clientOf(failing), verified, isComplete }
  }
  const search = { judged: judged(setting), client: clientOf(setting), seed, nextFailing, unlessOver }
  const causes = await findCauses(search)
  return causes === undefined ? [] : [{ kind: 'sections', ...causes }]
}

function inJobOrder(made: ObjectSubject, { createInJobOrder }: ClassSource): JobSubject {
  invariant(createInJobOrder !== undefined, 'a class that is checked in job order is loaded for it')
  return { ...made, create: createInJobOrder }
}

/** What cannot be asked of this class. */
function orderProblems({ options }: Setting, check: ObjectCheck, { modules }: ClassSource): readonly Diagnostic[] {
  if (options.order !== 'jobs') return []
  const instance = orThrow(instanceOf(check))
  const isAsync = granularityOf(check, modules, instance) === 'await'
  if (isAsync && options.granularity === 'await') return []
  const message = isAsync
    ? "order jobs is for granularity await: accesses are not interleaved in JavaScript's own job order"
    : `order jobs is for async operations, and ${check.name} has none`
  const hint = isAsync ? 'leave out the granularity, or the order' : 'leave out the order'
  return [declaredAt({ code: 'E107', message, hint }, check)]
}

function sweepOf(asked: Setting, { outOf, all }: Clients): Sweep {
  return {
    outOf,
    counted: countedClients,
    *settings() {
      for (const client of all()) yield { ...asked, params: { client: printClient(client) } }
    },
  }
}

function declaredClients({ clients }: ObjectCheck): readonly string[] | undefined {
  return clients.length === 0 ? undefined : clients
}

type ClassOptions = ReturnType<typeof optionsOf>

/** The specification that the check declares, which may be the class itself. */
export const declaredSpecification = 'declared'

/** How a class is judged. */
function optionsOf(check: ObjectCheck, modules: ModuleState, instance: Result<object>) {
  // An instance that cannot be made is told when there is something to explore.
  const granularity = check.granularity ?? (instance.ok ? granularityOf(check, modules, instance.value) : 'access')
  return {
    deadlock: deadlockOption(check.deadlock),
    criterion: {
      form: 'choice',
      values: criteria,
      default: check.criterion,
      help: 'results in the order of time, or results alone',
    },
    order: { form: 'choice', values: orders, default: check.order, help: 'when promises are resolved' },
    granularity: { form: 'choice', values: granularities, default: granularity, help: 'where processes interleave' },
    specification: {
      form: 'choice',
      values: [declaredSpecification, ...specificationNames],
      default: declaredSpecification,
      help: 'what is right, if not what the check says',
    },
  } as const
}

const criteria = ['linearizable', 'outcomes'] as const
const granularities = ['access', 'await'] as const
const orders = ['any', 'jobs'] as const

/** The specification itself in the place of its name; without one, the class run sequentially says what is right. */
function specificationOf(check: ObjectCheck, chosen: string): unknown {
  const asked = chosen === declaredSpecification ? check.specification : chosen
  if (typeof asked !== 'string') return asked
  const found = specificationNamed(asked)
  return orThrow(found.ok ? found : failure(...found.diagnostics.map((one) => declaredAt(one, check))))
}

/** Values in the declaration that are none of those there are. TypeScript refuses them; files that are not compiled do not. */
function declarationProblems(check: ObjectCheck): readonly Diagnostic[] {
  const { granularity = 'access', criterion, deadlock, order, specification } = check
  const chosen = [
    ['granularity', granularity, granularities],
    ['criterion', criterion, criteria],
    ['deadlock', deadlock, ['error', 'allow']],
    ['order', order, orders],
  ] as const
  const unknown = chosen.flatMap(([name, value, known]): readonly Diagnostic[] => {
    if ((known as readonly unknown[]).includes(value)) return []
    const shown = typeof value === 'string' ? `"${value}"` : String(value)
    const nearest = nearestName(String(value), known)
    const hint = nearest === undefined ? `write one of ${known.join(', ')}` : `did you mean "${nearest}"?`
    return [{ code: 'E308', message: `${name} is ${shown}`, hint }]
  })
  const { apply } = Object(specification) as { readonly apply?: unknown }
  const isFit = specification === undefined || typeof specification === 'string' || typeof apply === 'function'
  return [...unknown, ...(isFit ? [] : [unfitSpecification])].map((one) => declaredAt(one, check))
}

const unfitSpecification: Diagnostic = {
  code: 'E308',
  message: 'the specification has no function "apply", which says what an operation does',
  hint: "the name of a built-in one, as in specification: 'queue', or { initial: 0, apply: (state, operation, args) => ({ state, returns: state }) }",
}

function noClient(name: string): DiagnosticError {
  const hint = 'name operations, or write a client: --client "push(1) || pop()"'
  return new DiagnosticError({ code: 'E308', message: `"${name}" has no client`, hint })
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function onceFor<Key extends object, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new WeakMap<Key, () => T>()
  return (key) => {
    const known = made.get(key) ?? once(() => make(key))
    made.set(key, known)
    return known()
  }
}
