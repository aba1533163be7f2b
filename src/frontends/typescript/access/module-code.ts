/** A whole module: its declared functions, its first line, and what the runtime is told at its end. */
import type { Function as FunctionNode, Node } from 'oxc-parser'
import { assignedNames } from './assigned-names.ts'
import type { Binding } from './bindings.ts'
import { classCode } from './classes.ts'
import { Frame } from './frame.ts'
import { flagsOf } from './function-flags.ts'
import { generatorCode } from './functions.ts'
import { type Code, Late, slice } from './output.ts'
import { moduleName, type Rewriter } from './rewriter.ts'
import { isTypeOnly } from './tree.ts'

export function moduleCode(rewriter: Rewriter): Code {
  const { program, text } = rewriter.source
  const region = rewriter.regionOf(program)
  const index = rewriter.table.function(moduleName, { start: 0, end: text.length })
  const frame = new Frame({ kind: 'plain', region, index, isAsync: true, names: rewriter.names })
  const functions: string[] = []
  const boxes = rewriter.scopeHead(frame, rewriter.bindings.moduleScope)
  const pieces: Code[] = []
  // A hashbang must stay the first thing of the file.
  let at = program.hashbang?.end ?? 0
  if (program.hashbang !== null) at = text.indexOf('\n', at) + 1 || text.length
  const start = at
  for (const node of program.body) {
    pieces.push(slice(at, node.start), topLevel(rewriter, frame, node, functions))
    at = node.end
  }
  frame.finish()
  const end: Code = [slice(at, text.length), `\n;${rewriter.runtime('roots')}(() => [${roots(rewriter, frame)}])\n`]
  const head = new Late()
  head.text = `${header(rewriter)}${frame.declarations.text}${functions.join('')}`
  return [slice(0, start), head, boxes, ' ', pieces, end]
}

function header({ names, source, table, privates }: Rewriter): string {
  const { runtime, base } = names
  const assigned = JSON.stringify(assignedNames(source.program, privates.members))
  const facts = [JSON.stringify(source.file), table.functionsCode(), table.sitesCode(), assigned].join(', ')
  const shown = [...privates.shown].map(([name, text]) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`)
  const named = shown.length === 0 ? '' : ` ${runtime}.names({ ${shown.join(', ')} });`
  return `import * as ${runtime} from 'allways/access'; const ${base} = ${runtime}.module(${facts});${named}`
}

/** Declared functions can be called before their line: the callables are made on the first line, from hoisted generators. */
function topLevel(rewriter: Rewriter, frame: Frame, node: Node, functions: string[]): Code {
  switch (node.type) {
    case 'FunctionDeclaration':
      return declaredFunction(rewriter, frame, node, functions)
    case 'ExportNamedDeclaration': {
      const { declaration } = node
      if (declaration === null || isTypeOnly(declaration))
        return declaration?.type === 'TSDeclareFunction' ? '' : slice(node.start, node.end)
      if (declaration.type !== 'FunctionDeclaration') {
        return [
          slice(node.start, declaration.start),
          topLevel(rewriter, frame, declaration, functions),
          slice(declaration.end, node.end),
        ]
      }
      return [`export { ${declaration.id?.name} }; `, declaredFunction(rewriter, frame, declaration, functions)]
    }
    case 'ExportDefaultDeclaration':
      return defaultExport(rewriter, frame, node, functions)
    case 'TSExportAssignment':
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSEnumDeclaration':
      return slice(node.start, node.end)
    default:
      return rewriter.statements(frame, [node], node)
  }
}

function defaultExport(
  rewriter: Rewriter,
  frame: Frame,
  node: Extract<Node, { type: 'ExportDefaultDeclaration' }>,
  functions: string[],
): Code {
  const { declaration } = node
  if (isTypeOnly(declaration)) return declaration.type === 'TSDeclareFunction' ? '' : slice(node.start, node.end)
  if (declaration.type === 'FunctionDeclaration') {
    const name = declaration.id?.name ?? rewriter.names.kept('default', 0)
    return [`export { ${name} as default }; `, declaredFunction(rewriter, frame, declaration, functions)]
  }
  const code =
    declaration.type === 'ClassDeclaration'
      ? classCode(rewriter, frame, declaration, 'default')
      : rewriter.namedValue(frame, declaration, 'default').code
  return [slice(node.start, declaration.start), code, slice(declaration.end, node.end)]
}

function declaredFunction(rewriter: Rewriter, frame: Frame, node: FunctionNode, functions: string[]): Code {
  const { names } = rewriter
  const name = node.id?.name ?? names.kept('default', 0)
  const shown = node.id?.name ?? 'default'
  const binding = node.id === null ? undefined : rewriter.bindings.resolved.get(node.id)
  const callable = `${rewriter.runtime('fn')}(${names.generator(shown)}, ${flagsOf(rewriter, node)}, ${JSON.stringify(shown)})`
  functions.push(
    binding?.isBoxed === true
      ? ` const ${names.box(name)} = ${rewriter.runtime('cell')}(${names.base}, ${callable}, '${name}');`
      : ` let ${name} = ${callable};`,
  )
  return [`function* ${names.generator(shown)}`, generatorCode(rewriter, frame, node, shown)]
}

/** Variables of the module that may hold objects. */
function roots(rewriter: Rewriter, frame: Frame): string {
  const { bindings } = rewriter.bindings.moduleScope
  return [...bindings.values()]
    .filter(mayHoldObject)
    .map((binding) => frame.codeOf(binding))
    .join(', ')
}

function mayHoldObject({ kind, isBoxed }: Binding): boolean {
  return isBoxed || kind === 'let' || kind === 'const' || kind === 'var' || kind === 'class'
}
