/** The forms in which a command prints, each with what is looked for in it. */
import type { Ran } from '../harness.ts'
import { prepared } from './prepared.ts'
import type { Form } from './product.ts'
import { hintFaults, jsonFaults, mermaidFaults, terminalFaults } from './reading.ts'

/** Lines are read by GitHub's runner. */
export const github = { GITHUB_ACTIONS: 'true' }

/** Text for people and JSON for programs at once; at a terminal, which no runner reads; in ASCII; and as a diagram. */
export function allForms(argv: readonly string[]): readonly Form[] {
  return [reported(argv), coloured(argv), ascii(argv), drawn(argv)]
}

/** Of commands that print an object on a line of its own each. */
export function lineForms(argv: readonly string[]): readonly Form[] {
  return [inLines(argv), coloured(argv), ascii(argv)]
}

/** Of commands that print an object and no diagram. */
export function objectForms(argv: readonly string[]): readonly Form[] {
  return [reported(argv, ['--json']), coloured(argv), ascii(argv)]
}

function reported(argv: readonly string[], flags: readonly string[] = ['--reporter', 'text,json']): Form {
  return {
    run: prepared([...argv, ...flags], github),
    faults: ({ stdout, stderr }) => [...terminalFaults(stderr), ...jsonFaults(stdout), ...hintFaults(stdout)],
    report: ({ stdout }) => JSON.parse(stdout),
  }
}

function coloured(argv: readonly string[]): Form {
  const looked = { isColoured: true, isUnread: true }
  return { run: prepared([...argv, '--color']), faults: (ran) => bothFaults(ran, looked) }
}

function ascii(argv: readonly string[]): Form {
  return { run: prepared([...argv, '--ascii'], github), faults: (ran) => bothFaults(ran, { isAscii: true }) }
}

function drawn(argv: readonly string[]): Form {
  return {
    run: prepared([...argv, '--reporter', 'mermaid'], github),
    faults: ({ stdout, stderr }) => [...mermaidFaults(stdout), ...terminalFaults(stderr)],
  }
}

function inLines(argv: readonly string[]): Form {
  const objects = ({ stdout }: Ran): readonly string[] => stdout.split('\n').filter((line) => line !== '')
  return {
    run: prepared([...argv, '--json'], github),
    faults: (ran) => [
      ...terminalFaults(ran.stderr),
      ...objects(ran).flatMap((one) => [...jsonFaults(one), ...hintFaults(one)]),
    ],
    report: (ran) => objects(ran).map((one) => JSON.parse(one)),
  }
}

function bothFaults({ stdout, stderr }: Ran, looked: Parameters<typeof terminalFaults>[1]): readonly string[] {
  return [stdout, stderr].flatMap((text) => terminalFaults(text, looked))
}
