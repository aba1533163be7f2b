/** Generated async processes as a program, through the real transform. */
import { transformSync } from 'esbuild'
import type { NetworkName } from '../../src/core/operation.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { Address } from '../../src/core/value.ts'
import { transform } from '../../src/frontends/typescript/transform.ts'
import * as allways from '../../src/index.ts'
import * as coroutine from '../../src/model/coroutine.ts'
import type { Runnable } from '../../src/program/program.ts'
import { deadlockFreedom } from '../../src/properties/deadlock.ts'
import type { AsyncText } from './async-text.ts'

export type Logs = Map<string, string[]>

const names = 'assert, choose, join, program, receive, send, spawn'

export function textOf({ bodies, options = '{}' }: AsyncText): string {
  const [main = '', ...others] = bodies
  const functions = others.map((body, at) => `const p${at + 1} = async () => {\n${logger(`p${at + 1}`)}\n${body}\n}`)
  const spawns = others.map((_, at) => `await spawn('p${at + 1}', p${at + 1})`)
  return [
    `import { ${names} } from 'allways'`,
    `import { logged, to } from 'log'`,
    ...functions,
    `export default program('generated', ${options}, async () => {\n${logger('main')}`,
    ...spawns,
    `${main}\n})`,
  ].join('\n')
}

function logger(process: string): string {
  return `const log = (...what) => logged('${process}', JSON.stringify(what))`
}

/** The program, which needs the guard to be set when it runs, and what its processes log. */
export function loaded(text: AsyncText, logs: Logs): allways.Program {
  const result = transform(textOf(text), 'generated.js')
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  const { code } = transformSync(result.value.code, { loader: 'js', format: 'cjs', target: 'node20' })
  const module = { exports: {} as { default?: allways.Program } }
  const log = {
    logged: (process: string, line: string) => logs.get(process)?.push(line),
    to: (at: number) => Address.of(at === 0 ? 'main' : `p${at}`),
  }
  const required = (name: string) => (name === 'allways' ? allways : name === 'log' ? log : coroutine)
  new Function('module', 'exports', 'require', code)(module, module.exports, required)
  return module.exports.default as allways.Program
}

export function subjectOf(program: allways.Program, network: NetworkName): Runnable {
  const runnable = program.views.runnable?.(settingFrom({ params: program.params, network }))
  if (runnable === undefined) throw new Error('no runnable view')
  return { ...runnable, properties: [...runnable.properties, deadlockFreedom] }
}
