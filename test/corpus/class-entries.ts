/** The corpus' entries about classes. Their models are not loaded here: that takes the front end for classes. */
import { type Answer, type Answers, type Outcomes, readAnswers } from './answers.ts'

export interface ClassEntry extends Pick<Answers, 'name'> {
  readonly classes: NonNullable<Answers['classes']>
  readonly rows: readonly ClassRow[]
}

/** A client of a class, and what comes of it. */
export interface ClassRow extends Pick<Answer, 'program' | 'repairs' | 'thesis' | 'note'> {
  readonly id: string
  readonly client: string
  readonly options: ClassOptions
  readonly outcomes: Outcomes
}

type ClassOptions = Pick<Answer['setting'], 'criterion'> & {
  readonly reduction?: 'none' | 'safe' | 'eager' | 'lazy' | undefined
}

export function readClasses(): readonly ClassEntry[] {
  return readAnswers().flatMap(({ name, classes, answers }) =>
    classes === undefined ? [] : [{ name, classes, rows: answers.map(rowOf) }],
  )
}

/** The reader has seen to it that all this is there. */
function rowOf({ id = '', setting, engines: { stateful }, ...answer }: Answer): ClassRow {
  const { client = '', criterion } = setting
  const { options, counts } = stateful as Extract<typeof stateful, { readonly counts: Outcomes }>
  const chosen = options === undefined ? {} : { reduction: options.reduction }
  const settled = criterion === undefined ? chosen : { criterion, ...chosen }
  return { ...answer, id, client, options: settled, outcomes: counts }
}
