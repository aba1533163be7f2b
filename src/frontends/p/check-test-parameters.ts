/** Parameters of a test: declared, of the right type, few enough, and as its assumption wants them. */
import type { Expression, TestDeclaration, TestParameter } from './ast.ts'
import { typeOfAssumption } from './check-body.ts'
import { type Project, refuse, refuseUnknown } from './project.ts'
import {
  type Assignment,
  combinations,
  covering,
  evaluate,
  type ParameterRange,
  type ParameterValue,
} from './test-parameters.ts'
import { typeText } from './type-relations.ts'

interface ChosenParameters {
  /** Those that the test names, in its order. */
  readonly named: Assignment
  /** All parameters of the project: those that the test does not name are 0 or false. */
  readonly all: Assignment
}

const mostCombinations = 50_000
const mostPieces = 2_000_000

/** Empty if something is wrong with them, which is told. */
export function parametersOf(project: Project, test: TestDeclaration): readonly ChosenParameters[] {
  const before = project.problems.length
  const ranges = test.params.flatMap((param, index) => rangeOf(project, param, test.params.slice(0, index)))
  checkWise(project, test)
  if (test.assume !== undefined) checkAssumption(project, test.assume)
  if (project.problems.length > before || !isFeasible(project, test, ranges)) return []
  const chosen: Assignment[] = []
  for (const assignment of combinations(ranges)) {
    const holds = test.assume === undefined ? true : evaluate(test.assume, withDefaults(project, assignment))
    if (holds === undefined) {
      refuseParameters(
        project,
        test.assume ?? test,
        'the assumption cannot be computed for all values',
        'it divides by zero',
      )
      return []
    }
    if (holds === true) chosen.push(assignment)
  }
  if (chosen.length === 0) {
    const hint = 'weaken the assumption, or give the parameters other values'
    refuseParameters(project, test.assume ?? test, 'no values of the parameters are left to test', hint)
  }
  const wise = test.wise ?? ranges.length
  return covering(chosen, ranges, wise).map((named) => ({ named, all: withDefaults(project, named) }))
}

function refuseParameters(project: Project, { at }: Pick<Expression, 'at'>, message: string, hint: string): void {
  refuse(project, { code: 'E722', message, hint, at })
}

function withDefaults(project: Project, named: Assignment): Assignment {
  const parameters = [...project.globals.parameters.values()]
  return new Map(parameters.map(({ name, type }) => [name, named.get(name) ?? (type.kind === 'bool' ? false : 0)]))
}

function rangeOf(project: Project, param: TestParameter, earlier: readonly TestParameter[]): readonly ParameterRange[] {
  const { name } = param
  const declared = project.globals.parameters.get(name.text)
  if (declared === undefined) {
    refuseUnknown(project, name, {
      what: 'parameter of tests',
      names: project.globals.parameters.keys(),
      otherwise: `declare it: "param ${name.text}: int;"`,
    })
    return []
  }
  const first = earlier.find((other) => other.name.text === name.text)
  if (first !== undefined) {
    refuse(project, {
      code: 'E711',
      message: `"${name.text}" is given values twice`,
      hint: 'write all its values in one list',
      at: name.at,
      second: { at: first.name.at, label: 'the first time' },
    })
    return []
  }
  const values: ParameterValue[] = []
  for (const expression of param.values) {
    const value = literal(expression)
    if (typeof value !== (declared.type.kind === 'bool' ? 'boolean' : 'number') || !fits(value)) {
      const hint = 'values of parameters are whole numbers of 32 bits, "true" and "false"'
      refuseParameters(project, expression, `"${name.text}" is "${typeText(declared.type)}", and this is not`, hint)
    } else if (value !== undefined && values.includes(value)) {
      refuseParameters(project, expression, `"${name.text}" gets ${value} twice`, 'name each value once')
    } else if (value !== undefined) {
      values.push(value)
    }
  }
  return [{ name: name.text, values }]
}

function literal(expression: Expression): ParameterValue | undefined {
  if (expression.kind === 'bool') return expression.value
  if (expression.kind === 'int') return Number(expression.digits)
  if (expression.kind !== 'unary' || expression.operator !== '-' || expression.of.kind !== 'int') return undefined
  return -Number(expression.of.digits)
}

function fits(value: ParameterValue | undefined): boolean {
  return typeof value !== 'number' || Math.abs(value) < 2 ** 31
}

function checkWise(project: Project, test: TestDeclaration): void {
  if (test.wise === undefined || (test.wise >= 1 && test.wise <= test.params.length)) return
  const message = `"${test.name.text}" combines ${test.wise} parameters at a time, and has ${test.params.length}`
  refuseParameters(project, test.name, message, 'combine at least one, and not more than there are')
}

function checkAssumption(project: Project, assume: Expression): void {
  const before = project.problems.length
  const type = typeOfAssumption(project, assume)
  if (project.problems.length > before) return
  if (type.kind !== 'bool' || !isSimple(assume)) {
    const hint = 'it is a condition on parameters, made of literals, arithmetic, comparisons and "&&", "||", "!"'
    refuseParameters(project, assume, 'this cannot be assumed of parameters', hint)
  }
}

function isSimple(expression: Expression): boolean {
  switch (expression.kind) {
    case 'int':
    case 'bool':
    case 'name':
      return true
    case 'unary':
      return isSimple(expression.of)
    case 'binary':
      return expression.operator !== 'in' && isSimple(expression.left) && isSimple(expression.right)
    default:
      return false
  }
}

/** A product can be larger than any machine. */
function isFeasible(project: Project, test: TestDeclaration, ranges: readonly ParameterRange[]): boolean {
  const product = ranges.reduce((count, range) => count * range.values.length, 1)
  const wise = test.wise ?? ranges.length
  // How many groups of so many parameters there are, each of which is looked at in every combination.
  let groups = 1
  for (let chosen = 1; chosen <= wise; chosen++) groups = (groups * (ranges.length - chosen + 1)) / chosen
  if (product <= mostCombinations && product * groups <= mostPieces) return true
  const hint = 'give fewer values, or make several tests'
  refuseParameters(project, test.name, `"${test.name.text}" has ${product} combinations of parameters`, hint)
  return false
}
