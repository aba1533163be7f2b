/** What comes out when a source, and the term read from it, are checked for given sizes. */
import { transformSync } from 'esbuild'
import { checkResult } from '../../../../src/check/check.ts'
import { findingsIn } from '../../../../src/core/evidence.ts'
import { transform } from '../../../../src/frontends/typescript/transform.ts'
import * as allways from '../../../../src/index.ts'
import * as coroutine from '../../../../src/model/coroutine.ts'
import type { Icet } from '../../../../src/program/icet.ts'
import { deadlockOption, type Program, registerProgram } from '../../../../src/program/program.ts'
import { runIcet } from '../../../../src/semantics/icet/run-icet.ts'

export type Sizes = { readonly [parameter: string]: number }

/** Enough for all programs that are written down; of random ones the first so many count. */
const mostExecutions = 500

export async function outcome(program: Program, params: Sizes): Promise<string> {
  const result = await checkResult(program, { params, engine: 'dpor', maxExecutions: mostExecutions })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  const verdict = result.value
  if (verdict.kind === 'violated') {
    // A thrown error is a failed assertion in the term.
    const kind = findingsIn(verdict.evidence)[0]?.violation.kind
    return `violated: ${kind === 'exception' ? 'assertion' : kind}`
  }
  return `${verdict.kind}, ${verdict.counts.executions} executions`
}

/** The source as `check` would load it. */
export function evaluated(source: string, name = 'default'): Program {
  const transformed = transform(source, 'a.check.ts')
  if (!transformed.ok) throw new Error(JSON.stringify(transformed.diagnostics))
  const { code } = transformSync(transformed.value.code, { loader: 'ts', format: 'cjs' })
  const module: { exports: { [name: string]: Program } } = { exports: {} }
  const load = (name: string) => (name === 'allways' ? allways : coroutine)
  new Function('module', 'exports', 'require', code)(module, module.exports, load)
  return module.exports[name] as Program
}

export function termProgram(icet: Icet): Program {
  const params = Object.fromEntries(icet.parameters.map(({ name, size }) => [name, size]))
  const every = Object.fromEntries(icet.parameters.map(({ name, least }) => [name, { least }]))
  return registerProgram({
    name: icet.name,
    params,
    every,
    network: 'fifo',
    options: { deadlock: deadlockOption('error') },
    stack: undefined,
    views: {
      runnable: (setting) => runIcet(icet, setting.params as Sizes, { meaning: (text) => text }),
    },
  })
}
