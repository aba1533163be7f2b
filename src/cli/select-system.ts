/** The one system of machines that a file exports, or the one that was named. */
import { isSystem } from '../check/system.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { type SelectedProgram, selectPrograms } from './select-programs.ts'

export async function selectSystem(
  file: string,
  testName: string | undefined,
  cwd: string,
): Promise<Result<SelectedProgram>> {
  const { programs, diagnostics } = await selectPrograms([file], testName, cwd)
  if (diagnostics.length > 0) return failure(...diagnostics)
  const named = programs.filter(({ program }) => isSystem(program))
  const exact = named.filter(({ program }) => program.name === testName)
  const systems = exact.length === 1 ? exact : named
  const [selected, ...others] = systems
  if (selected === undefined) {
    const isP = programs.some(({ program }) => program.views.ir !== undefined)
    if (isP) return failure(onlyChecked(file))
    const hint = "only machines can be run: export default system('name', () => ({ machines: { … } }))"
    return failure({ code: 'E606', message: `${file} exports no system of machines`, hint })
  }
  if (others.length === 0) return success(selected)
  const hint = `choose one with -t: ${systems.map(({ program }) => JSON.stringify(program.name)).join(', ')}`
  return failure({ code: 'E106', message: `${file} exports ${systems.length} systems`, hint })
}

function onlyChecked(file: string): Diagnostic {
  const hint = "use allways check; machines of TypeScript can be run as well: export default system('name', …)"
  return { code: 'E606', message: `${file} is a P program, which is checked and not run`, hint }
}
