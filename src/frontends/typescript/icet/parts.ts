/** Ties the parts of the translation together; only here do they know each other. */
import { call, inlined, processBody } from './calls.ts'
import { localised } from './names.ts'
import { Refusal } from './refusal.ts'
import { block } from './statements.ts'
import { type Parts, Translator, unused } from './translator.ts'
import { value } from './values.ts'

export const parts: Parts = {
  value,
  block,
  call,
  inlined: (translator, calling) => {
    inlined(translator, calling, unused)
  },
  process: (spawner, process, { body, node, args }) => {
    const translator = new Translator(spawner.program, process, parts, spawner.frame)
    const { spawning } = spawner.program
    spawning.push(body.node)
    try {
      const seen = args.map(({ node: at, meaning }) =>
        meaning === undefined ? translator.value(at) : localised(translator, at, meaning),
      )
      processBody(translator, { callee: body, node, args: seen })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      spawner.program.report(error)
    }
    spawning.pop()
  },
}
