/** Which classes `linearize` speaks about: those that check files declare, or a class of a source file. */
import { undeclaredClass } from '../check/objects/class-check.ts'
import { type LoadedObjects, loadObjects } from '../check/objects/load.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import { selectFiles } from './select-files.ts'
import { type Selection, selectIn, selectPrograms } from './select-programs.ts'

/** What was typed about the class. */
export interface ClassFlags {
  readonly testName: string | undefined
  readonly className: string | undefined
  readonly args: readonly string[]
  readonly clients: readonly string[] | undefined
}

export async function selectClasses(typed: readonly string[], flags: ClassFlags, cwd: string): Promise<Selection> {
  if (typed.length === 0) return await declaredClasses(flags, cwd)
  const files = await selectFiles(typed, cwd)
  if (!files.ok) return { programs: [], diagnostics: files.diagnostics }
  return await selectIn(files.value, flags.testName, ({ path }) => classesIn(path, flags))
}

/** Of the files that were found, not named, those that declare checks of classes. */
async function declaredClasses({ testName }: ClassFlags, cwd: string): Promise<Selection> {
  const { programs, diagnostics } = await selectPrograms([], testName, cwd)
  const classes = programs.filter(({ program }) => program.views.object !== undefined)
  return { programs: classes, diagnostics: classes.length + diagnostics.length > 0 ? diagnostics : [noChecks] }
}

async function classesIn(path: string, { className, args, clients }: ClassFlags): Promise<Result<LoadedFile>> {
  const loaded = await loadObjects(path)
  if (!loaded.ok) return loaded
  const { programs, classes } = loaded.value
  if (programs.length > 0 && className === undefined)
    return args.length > 0 ? failure(declaredArguments(loaded.value)) : loaded
  const names = [...classes.keys()]
  const [only, ...others] = names
  const name = className ?? (others.length === 0 ? only : undefined)
  if (name === undefined)
    return failure(only === undefined ? nothingToCheck(loaded.value) : whichClass(loaded.value, names))
  const program = undeclaredClass(path, loaded.value, { name, args, clients })
  return program.ok ? success({ ...loaded.value, programs: [program.value] }) : program
}

const noChecks: Diagnostic = {
  code: 'E308',
  message: 'no check file below this folder declares the check of a class',
  hint: 'name the file of a class, or export a check: export default linearizable(Stack, { operations: { … } })',
}

function nothingToCheck({ file }: LoadedObjects): Diagnostic {
  return {
    code: 'E308',
    message: `${file} exports neither a class nor a check of one`,
    hint: 'export the class, or a check: export default linearizable(Stack, { operations: { push: [1, 2], pop: [] } })',
  }
}

function whichClass({ file }: LoadedObjects, names: readonly string[]): Diagnostic {
  return {
    code: 'E308',
    message: `${file} exports several classes: ${names.join(', ')}`,
    hint: `say which: --class ${names[0]}`,
  }
}

function declaredArguments({ file }: LoadedObjects): Diagnostic {
  return {
    code: 'E107',
    message: `--args is for classes without a check, and ${file} declares one`,
    hint: 'change the operations there, or name a class with --class',
  }
}
