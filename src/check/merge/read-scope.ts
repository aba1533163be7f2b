/** What a report says about what was explored, and what of a P program was met: as we write it, or not at all. */
import { faultProblems } from '../../core/faults.ts'
import { networkNames } from '../../core/operation.ts'
import { engines } from '../../engines/registry.ts'
import { optionFromJson } from '../setting-json.ts'
import { type Field, textsFromJson } from '../trace-fields.ts'

/** Problems are noted in the fields. */
export function checkScope(result: Field): void {
  const names = engines.filter(({ weighs }) => weighs !== undefined).map(({ name }) => name)
  result.at('engine').oneOf(names)
  if (result.at('network').raw !== null) result.at('network').oneOf([...networkNames, 'fifo-eager'])
  for (const [, one] of result.at('params').entries()) one.value()
  const faults = result.at('faults')
  if (faults.isPresent) for (const problem of faultProblems(faults.raw)) faults.wrong(`a fault budget (${problem})`, 0)
  for (const [name, one] of result.at('setting').entries()) checkSetting(name, one)
  const coverage = result.at('coverage')
  if (coverage.isPresent) for (const machine of coverage.items()) checkMachine(machine)
}

/** What nobody knows is not told either. */
function checkSetting(name: string, field: Field): void {
  switch (name) {
    case 'seed':
      field.whole()
      return
    case 'maxSteps':
      field.count()
      return
    case 'deadlock':
      field.oneOf(['error', 'allow'])
      return
    case 'monitors':
      field.oneOf(['all'])
      return
    case 'handlers':
      field.oneOf(['atomic', 'interleaved'])
      return
    case 'endless':
      field.oneOf(['fair', 'unseen'])
      return
    case 'isSystem':
    case 'fairChoices':
      field.flag()
      return
    case 'refines':
    case 'modelled':
      textsFromJson(field)
      return
    case 'values':
      textsFromJson(field.at('types'))
      if (field.at('of').raw !== 'all') field.at('of').count()
      return
    case 'byzantine':
      for (const one of field.items()) [one.at('machine').text(), one.at('messages').count()]
      return
    case 'options':
      for (const [, one] of field.entries()) optionFromJson(one)
      return
    case 'shard':
      field.object()
      return
    default:
      field.wrong('nothing that searches of shards have', undefined)
  }
}

function checkMachine(machine: Field): void {
  machine.at('name').text()
  machine.at('kind').oneOf(['machine', 'monitor', 'scenario'])
  for (const state of machine.at('states').items()) {
    state.at('name').text()
    state.at('entered').flag()
    for (const events of ['handled', 'neverHandled']) textsFromJson(state.at(events))
  }
}
