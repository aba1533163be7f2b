/** A class as engines of tests explore it: with the options that its check declares, unless told otherwise. */
import { classProgram } from '../src/check/objects/class-program.ts'
import type { LoadedObjects } from '../src/check/objects/load.ts'
import type { JudgedClass } from '../src/check/objects/subjects.ts'
import { defaultsOf } from '../src/core/options.ts'
import { settingFrom } from '../src/core/setting.ts'
import type { Program } from '../src/program/program.ts'

export function judgedClass(
  declared: Program,
  { modules }: Pick<LoadedObjects, 'modules'>,
  chosen: Partial<Pick<JudgedClass, 'criterion' | 'deadlock' | 'granularity'>> = {},
): JudgedClass {
  const raw = declared.views.object?.(settingFrom({ params: {} }))
  if (raw === undefined) throw new Error(`${declared.name} is not a class`)
  const program = classProgram(raw, { modules })
  const options = defaultsOf(program.options) as unknown as Pick<JudgedClass, 'criterion' | 'deadlock' | 'granularity'>
  const check = program.views.object?.(settingFrom({ params: {} })) ?? raw
  const { criterion, deadlock, granularity } = { ...options, ...chosen }
  return { check, modules, criterion, deadlock, granularity, sections: [] }
}
