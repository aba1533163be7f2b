/** Clients of an endpoint as data, and what they are answered by the endpoint of `allways/services`, as engines find out. */
import { transformSync } from 'esbuild'
import type { Event } from '../../src/core/event.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { transform } from '../../src/frontends/typescript/transform.ts'
import * as allways from '../../src/index.ts'
import * as coroutine from '../../src/model/coroutine.ts'
import * as services from '../../src/model/services/services.ts'
import type { Runnable } from '../../src/program/program.ts'
import { replay } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { usualSetting } from './explored.ts'

/** A request, answered with all that the endpoint has done by then, or given up. */
export interface Asking {
  readonly id: string
  /** Nothing: waits for ever. */
  readonly retries: number | undefined
}

export interface HttpScene {
  readonly clients: readonly (readonly Asking[])[]
  readonly losses: number
}

/** Each client tells itself what it was answered, which nobody reads: it stands among the events. */
function textOf({ clients }: HttpScene): string {
  const asked = ({ id, retries }: Asking) => {
    const options = retries === undefined ? '{}' : `{ timeout: 100, retries: ${retries} }`
    return `answers.push(await server.post('/do', '${id}', ${options}).then(({ body }) => body, () => 'late'))
    await send(me, { kind: 'seen', answers: answers.join(' ') })`
  }
  const client = (script: readonly Asking[], at: number) =>
    `  await spawn('c${at}', async () => {
    const me = await self(), answers = []
    ${script.map(asked).join('\n    ')}
  })`
  return `import { program, self, send, spawn } from 'allways'
import { http } from 'allways/services'
export default program('scene', { deadlock: 'allow' }, async () => {
  const server = await http({ routes: () => {
    const done = []
    return { 'POST /do': ({ body }) => { done.push(body); return { status: 201, body: done.join('') } } }
  } })
${clients.map(client).join('\n')}
})`
}

function subjectOf(scene: HttpScene): Runnable {
  const result = transform(textOf(scene), 'scene.js')
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  const { code } = transformSync(result.value.code, { loader: 'js', format: 'cjs', target: 'node20' })
  const module = { exports: {} as { default?: allways.Program } }
  const required = (name: string) => (name === 'allways' ? allways : name === 'allways/services' ? services : coroutine)
  new Function('module', 'exports', 'require', code)(module, module.exports, required)
  const faults = scene.losses === 0 ? {} : { losses: scene.losses }
  const view = module.exports.default?.views.runnable?.(settingFrom({ params: {}, network: 'bag', faults }))
  if (view === undefined) throw new Error('no runnable view')
  return view
}

function seenBy({ clients }: HttpScene, events: readonly Event[]): string {
  return clients
    .map((script, at) => {
      const told = events.flatMap((event) => {
        if (event.process !== `c${at}` || event.kind !== 'send') return []
        const { kind, answers } = event.value as unknown as { kind: string; answers: string }
        return kind === 'seen' ? [answers] : []
      })
      return told.length < script.length ? `${told.at(-1) ?? ''} …`.trim() : (told.at(-1) as string)
    })
    .join(' | ')
}

/** All that clients may be answered together; nothing if there are more executions than that. */
export function allAnswered(
  engine: Engine<'runnable'> | Engine<'path'>,
  scene: HttpScene,
  cap: number,
): ReadonlySet<string> | undefined {
  const subject = subjectOf(scene)
  const seen = new Set<string>()
  let executions = 0
  const view = engine.needs === 'path' ? pathsOf(subject) : subject
  for (const event of (engine as Engine<'runnable'>).explore(view as Runnable, usualSetting)) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind === 'violation') throw new Error(event.violation.message)
    if (event.kind !== 'execution') continue
    if (++executions > cap) return undefined
    seen.add(seenBy(scene, replay(pathsOf(subject), event.decisions(), { places: false }).events))
  }
  return seen
}
