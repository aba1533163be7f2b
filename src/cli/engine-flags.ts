/** Flags for the options that engines declare: nothing here knows an engine or an option by name. */
import type { Command } from 'commander'
import { type EngineGroup, optionsOfEngines } from '../check/catalogue.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { grouped } from '../core/grouped.ts'
import type { OptionDeclaration, OptionValue } from '../core/options.ts'
import type { TypedFlags } from './arguments.ts'
import { oneOf, wholeNumber } from './flag-values.ts'

/** A flag for each option of the engines of a group; the seed is a flag of its own. */
export function addEngineFlags(command: Command, group: EngineGroup): Command {
  for (const { name, declaration, engines } of optionsOfEngines(group)) {
    if (name !== 'seed') command.option(flagOf(name, declaration), `${engines.join(', ')}: ${helpOf(declaration)}`)
  }
  return command
}

function flagOf(name: string, declaration: OptionDeclaration): string {
  switch (declaration.form) {
    case 'choice':
      return `--${name} <name>`
    case 'switch':
      return declaration.default ? `--${name} <on|off>` : `--${name}`
    default:
      return `--${name} <n>`
  }
}

function helpOf(declaration: OptionDeclaration): string {
  const { help } = declaration
  switch (declaration.form) {
    case 'choice':
      return `${help}; ${declaration.values.join(', ')} (default ${declaration.default})`
    case 'switch':
      return declaration.default ? `${help} (default on)` : help
    default:
      return `${help} (default ${grouped(declaration.default)})`
  }
}

/** What was typed of them, by name; every wrong value is reported. */
export function typedEngineOptions(
  flags: TypedFlags,
  group: EngineGroup,
): Result<{ readonly [name: string]: OptionValue | undefined }> {
  const problems: Diagnostic[] = []
  const options: { [name: string]: OptionValue | undefined } = {}
  for (const { name, declaration } of optionsOfEngines(group)) {
    const typed = (flags as { readonly [name: string]: string | boolean | undefined })[name]
    if (name === 'seed' || typed === undefined) continue
    const value = valueTyped(`--${name}`, declaration, typed)
    if (value.ok) options[name] = value.value
    else problems.push(...value.diagnostics)
  }
  return problems.length > 0 ? failure(...problems) : success(options)
}

function valueTyped(
  flag: string,
  declaration: OptionDeclaration,
  typed: string | boolean,
): Result<OptionValue | undefined> {
  if (typeof typed === 'boolean') return success(typed)
  switch (declaration.form) {
    case 'choice':
      return oneOf(flag, typed, declaration.values)
    case 'switch': {
      const value = oneOf(flag, typed, ['on', 'off'] as const)
      return value.ok ? success(value.value === 'on') : value
    }
    case 'count':
      return wholeNumber(flag, typed, 1)
    case 'integer':
      return wholeNumber(flag, typed, Number.MIN_SAFE_INTEGER)
  }
}
