/** Smaller terms that still fail: fewer processes and statements, loops and branches replaced by what is inside, less said. */
import { blocksOf, type Icet, type Statement, statementsOf } from '../../src/program/icet.ts'
import { numbered, withBlocks } from './icet-build.ts'
import { kindsIn, onBlocks } from './icet-mutate.ts'
import { isWellFormed } from './icet-well-formed.ts'

export function shrinkIcet(icet: Icet, fails: (smaller: Icet) => boolean): Icet {
  for (const candidate of candidates(icet)) {
    const smaller = numbered(candidate)
    if (isWellFormed(smaller) && fails(smaller)) return shrinkIcet(smaller, fails)
  }
  return icet
}

function* candidates(icet: Icet): Generator<Icet> {
  const { parameters, processes } = icet
  for (const dropped of processes) yield { ...icet, processes: processes.filter((process) => process !== dropped) }
  for (const dropped of parameters) yield { ...icet, parameters: parameters.filter((each) => each !== dropped) }
  // What is sent and what is received go together.
  const statements = processes.flatMap(({ body }) => [...statementsOf(body)])
  for (const kind of kindsIn(icet).filter((kind) => statements.some((statement) => isAbout(statement, kind)))) {
    yield onBlocks(icet, (block) => block.filter((statement) => !isAbout(statement, kind)))
  }
  for (const changed of processes) {
    const changedTo = (body: readonly Statement[]): Icet => ({
      ...icet,
      processes: processes.map((process) => (process === changed ? { ...process, body } : process)),
    })
    for (const body of blocks(changed.body)) yield changedTo(body)
  }
}

function isAbout(statement: Statement, kind: string): boolean {
  if (statement.kind === 'receive') return statement.kinds?.length === 1 && statement.kinds[0] === kind
  if (statement.kind !== 'send' || statement.message.kind !== 'record') return false
  const sent = statement.message.fields.find(({ name }) => name === 'kind')?.value
  return sent?.kind === 'literal' && sent.value === kind
}

/** Every block with one statement less, or one statement simpler. */
function* blocks(block: readonly Statement[]): Generator<readonly Statement[]> {
  for (const [at, statement] of block.entries()) {
    const replacedBy = (others: readonly Statement[]) => [...block.slice(0, at), ...others, ...block.slice(at + 1)]
    yield replacedBy([])
    const inside = blocksOf(statement)
    for (const inner of inside) yield replacedBy(inner)
    for (const [position, inner] of inside.entries()) {
      for (const smaller of blocks(inner)) {
        yield replacedBy([
          withBlocks(
            statement,
            inside.map((other, place) => (place === position ? smaller : other)),
          ),
        ])
      }
    }
    for (const simpler of simplerThan(statement)) yield replacedBy([simpler])
  }
}

function* simplerThan(statement: Statement): Generator<Statement> {
  switch (statement.kind) {
    case 'send': {
      const { message } = statement
      if (message.kind !== 'record') return
      for (const dropped of message.fields.slice(1)) {
        yield { ...statement, message: { ...message, fields: message.fields.filter((field) => field !== dropped) } }
      }
      return
    }
    case 'receive':
      if (statement.from !== undefined) yield { ...statement, from: undefined }
      if (statement.variable !== undefined) yield { ...statement, variable: undefined }
      for (const dropped of (statement.kinds?.length ?? 0) > 1 ? (statement.kinds ?? []) : []) {
        yield { ...statement, kinds: statement.kinds?.filter((kind) => kind !== dropped) }
      }
      return
    case 'choose':
      for (const dropped of statement.options.length > 1 ? statement.options : []) {
        yield { ...statement, options: statement.options.filter((option) => option !== dropped) }
      }
      return
    default:
  }
}
