/** Terms on few characters, and sources around the part a test is about. */
import { extractIcet } from '../../../../src/frontends/typescript/icet/extract.ts'
import type { Icet, IcetProcess, Statement } from '../../../../src/program/icet.ts'
import { countText } from '../../../../src/program/icet.ts'
import { expressionText } from '../../../../src/reports/icet-text.ts'

const imports =
  'announce assert assume choose every final join monitor mutex poll program receive repeat self send spawn spawnAll'

/** The body starts on line 4. */
export function around(body: string, more = ''): string {
  return `import { ${imports.split(' ').join(', ')} } from 'allways'
export default program('p', { params: { n: every(2), k: every(1), two: 2 } }, function* ({ n, k, two }) {
  const all = yield* spawnAll(n, 'peer', function* () { yield* repeat(k, function* () { yield* receive('go') }) })
${body}
})
${more}
`
}

/** The main process of a program with that body. */
export function main(body: string, more = ''): string {
  const icet = termOf(around(body, more))
  const process = icet.processes.find(({ name }) => name === 'main')
  return process === undefined ? 'no main' : compact(process.body)
}

export function termOf(source: string, files: { readonly [name: string]: string } = {}): Icet {
  const result = extractIcet({
    source,
    file: 'a.check.ts',
    at: 'default',
    readModule: (specifier) => {
      const text = files[specifier]
      return text === undefined ? undefined : { source: text, file: `${specifier.replace('./', '')}.ts` }
    },
  })
  if (!result.ok) throw new Error(result.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'))
  return result.value
}

/** 'E416 4:3 message | hint', one line for each diagnostic. */
export function refusal(source: string): string {
  const result = extractIcet({ source, file: 'a.check.ts', at: 'default' })
  if (result.ok) return 'accepted'
  const lines = result.diagnostics.map(
    ({ code, place, message, hint }) => `${code} ${place?.line}:${place?.column} ${message} | ${hint}`,
  )
  return lines.join('\n')
}

export function processText({ name, count, daemon, body }: IcetProcess): string {
  const size = count === undefined ? '' : `[${countText(count)}]`
  return `${name}${size}${daemon ? ' daemon' : ''}: ${compact(body)}`
}

export function compact(block: readonly Statement[]): string {
  return block.map(statementText).join('; ')
}

function statementText(statement: Statement): string {
  switch (statement.kind) {
    case 'assign':
      return `${statement.variable} := ${expressionText(statement.value)}`
    case 'send':
      return `send(${expressionText(statement.to)}, ${expressionText(statement.message)})`
    case 'receive': {
      const into = statement.variable === undefined ? '' : `${statement.variable} <- `
      const kinds = statement.kinds === undefined ? '*' : statement.kinds.join('|')
      return `${into}recv ${kinds}${statement.from === undefined ? '' : ` from ${expressionText(statement.from)}`}`
    }
    case 'choose':
      return `${statement.variable} <- choose(${statement.options.map(expressionText).join(', ')})`
    case 'pick':
      return `${statement.variable} <- pick ${statement.set}`
    case 'if': {
      const otherwise = statement.otherwise.length === 0 ? '' : ` else { ${compact(statement.otherwise)} }`
      return `if ${expressionText(statement.condition)} { ${compact(statement.then)} }${otherwise}`
    }
    case 'each':
      return `for ${statement.variable} in ${statement.set} { ${compact(statement.body)} }`
    case 'repeat':
      return `repeat ${countText(statement.count)}${statement.index === undefined ? '' : ` as ${statement.index}`} { ${compact(statement.body)} }`
    case 'while':
      return `while { ${compact(statement.body)} }`
    case 'assume':
      return `assume ${expressionText(statement.condition)}`
    case 'assert':
      return `assert ${expressionText(statement.condition)} '${statement.message}'`
    case 'fail':
      return `fail '${statement.message}'`
    default:
      return statement.kind
  }
}
