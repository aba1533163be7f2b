/**
 * Z3, compiled to WebAssembly, as a service: loaded when the first question comes, gone when it is closed.
 *
 * Its low-level interface is used because the high-level one queues all questions of the whole process behind one lock, which
 * a question that had to be abandoned would never release.
 */
import { clearTimeout, setTimeout } from 'node:timers'
import type { Z3LowLevel } from 'z3-solver'

export type Answer =
  | { readonly kind: 'impossible' }
  /** The model as SMT-LIB definitions. */
  | { readonly kind: 'possible'; readonly model: string }
  | { readonly kind: 'no answer'; readonly why: string }

interface Limit {
  readonly milliseconds: number
  /** No question follows if this one takes so long: there is no use in waiting for a solver that looks at the clock too seldom. */
  readonly isLast?: boolean
}

export interface Solver {
  /** Done when questions can be asked; they wait for it by themselves. */
  start?(): Promise<void>
  /** Whether all assertions of a script can hold together. */
  ask(script: string, limit: Limit): Promise<Answer>
  close(): void
}

/** The package; in words that our declaration files can say where it is not installed. */
export type Load = () => Promise<{ init(): Promise<unknown> }>

const loadInstalled: Load = () => import('z3-solver')

/** `Z3_PRINT_SMTLIB2_COMPLIANT`, a value of the package's that is not to be loaded for its name. */
const smtLibText = 2

/** Beyond the time limit that the solver keeps itself; it looks at the clock only now and then, and starting anew takes a second. */
const patience = { usual: 5000, last: 20 }

export function openSolver(load: Load = loadInstalled): Solver {
  let running: Promise<Instance | string> | undefined
  const stop = async (): Promise<void> => {
    const stopping = running
    running = undefined
    const instance = await stopping
    if (typeof instance === 'object') instance.stop()
  }
  return {
    async start() {
      running ??= start(load)
      await running
    },
    async ask(script, { milliseconds, isLast = false }) {
      running ??= start(load)
      const instance = await running
      if (typeof instance === 'string') return { kind: 'no answer', why: instance }
      try {
        const answer = await inTime(
          instance.ask(script, milliseconds),
          milliseconds + (isLast ? patience.last : patience.usual),
        )
        if (answer !== undefined) return answer
      } catch (error) {
        await stop()
        return { kind: 'no answer', why: `the solver failed: ${messageOf(error)}` }
      }
      await stop()
      return { kind: 'no answer', why: `no answer within ${milliseconds} ms` }
    },
    close() {
      void stop()
    },
  }
}

async function start(load: Load): Promise<Instance | string> {
  try {
    const { init } = await load()
    return new Instance((await init()) as Z3LowLevel)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing) return 'assertions over data need the package z3-solver, which is not installed'
    return `the solver cannot be started: ${messageOf(error)}`
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The package keeps the process alive for ten minutes for each question, by a timer that it clears with the answer; of a question
 * that was abandoned nobody clears it. Its workers, and whoever waits for them, keep the process alive by themselves.
 */
function outlived<T>(asking: () => T): T {
  const { setTimeout: usual } = globalThis
  const unkept = (...timer: Parameters<typeof setTimeout>): NodeJS.Timeout => usual(...timer).unref()
  globalThis.setTimeout = Object.assign(unkept, usual)
  try {
    return asking()
  } finally {
    globalThis.setTimeout = usual
  }
}

/** Of the WebAssembly module, which prints every message that it gets of a worker it has terminated. */
interface Threads {
  readonly runningWorkers: readonly { onmessage: () => void }[]
  readonly unusedWorkers: readonly { onmessage: () => void }[]
  terminateAllThreads(): void
}

class Instance {
  readonly #api: Z3LowLevel

  constructor(api: Z3LowLevel) {
    this.#api = api
  }

  /** Every question has a context of its own, so that none is slower or different for those before it. */
  async ask(script: string, milliseconds: number): Promise<Answer> {
    const { Z3 } = this.#api
    const config = Z3.mk_config()
    const context = Z3.mk_context(config)
    Z3.del_config(config)
    try {
      Z3.set_ast_print_mode(context, smtLibText)
      const solver = Z3.mk_simple_solver(context)
      Z3.solver_inc_ref(context, solver)
      const params = Z3.mk_params(context)
      Z3.params_inc_ref(context, params)
      Z3.params_set_uint(context, params, Z3.mk_string_symbol(context, 'timeout'), milliseconds)
      Z3.solver_set_params(context, solver, params)
      Z3.solver_from_string(context, solver, script)
      const problem = Z3.get_error_code(context)
      if (problem !== 0) throw new Error(Z3.get_error_msg(context, problem))
      const result: number = await outlived(() => Z3.solver_check(context, solver))
      if (result === -1) return { kind: 'impossible' }
      if (result === 1) {
        const model = Z3.solver_get_model(context, solver)
        return { kind: 'possible', model: Z3.model_to_string(context, model) }
      }
      const why = Z3.solver_get_reason_unknown(context, solver)
      const isLate = why === 'timeout' || why === 'canceled'
      return { kind: 'no answer', why: isLate ? `no answer within ${milliseconds} ms` : `the solver gave up: ${why}` }
    } finally {
      Z3.del_context(context)
    }
  }

  /** Its workers would keep the process alive. What they have said before they stopped is of no interest, and not to be told. */
  stop(): void {
    const threads: Threads = this.#api.em.PThread
    const workers = [...threads.runningWorkers, ...threads.unusedWorkers]
    threads.terminateAllThreads()
    for (const worker of workers) worker.onmessage = () => undefined
  }
}
