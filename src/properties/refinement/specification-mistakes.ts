/** What code of a specification does wrong as any code may: such mistakes speak of processes, and name operations that a specification lacks. */
import { DiagnosticError } from '../../core/diagnostic.ts'

export function inSpecification(error: DiagnosticError, what: string, name: string): DiagnosticError {
  const { diagnostic } = error
  const whose = `"${what}" of specification "${name}"`
  if (diagnostic.code === 'E202') {
    const message = diagnostic.message.replace(`specification ${name} went`, `${whose} went`)
    return new DiagnosticError({ ...diagnostic, message, hint: 'bound the loop: nothing changes while it runs' })
  }
  if (diagnostic.code !== 'E209') return error
  const hint = 'it may depend on the state and on the call alone: announce what is needed as a field of the call'
  return new DiagnosticError({ ...diagnostic, message: `${diagnostic.message}, in ${whose}`, hint })
}
