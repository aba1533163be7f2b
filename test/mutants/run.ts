/** Every mutant of the extractor asked about the programs that reach it, until one is answered differently. */
import { join } from 'node:path'
import { type Answer, answerOf, confirmation, guarded } from './answer.ts'
import { type Extract, type Extractor, ExtractorSources } from './extractor.ts'
import { type Mutant, mutantsOf } from './operators.ts'
import { type Question, questionsIn } from './questions.ts'
import { type Numbered, withNumbers } from './reach.ts'

export interface Outcome {
  readonly mutant: Mutant
  /** How it was caught; undefined: no program is answered differently. */
  readonly caught: Caught | undefined
  /** Programs that reach it. */
  readonly reached: number
}

export interface Caught {
  /** The program, or what else tells. */
  readonly by: string
  readonly known: string
  readonly said: string
  /** Of a proof that the program does not have: what its executions say of the term (ADR 16). */
  readonly executed?: string
}

interface Difference {
  readonly question: Question
  readonly answer: Answer
  readonly known: Answer
}

/** Programs that are asked about in one go: each watch for mutants without end takes a while to begin. */
const together = 25

export class MutationRun {
  readonly mutants: readonly Mutant[]
  readonly questions: readonly Question[]
  /** What the extractor itself says. */
  readonly known = new Map<Question, Answer>()
  readonly #sources: ExtractorSources
  readonly #guide: string
  readonly #numbered = new Map<string, Numbered>()
  /** By block. */
  readonly #reaching = new Map<number, Question[]>()
  /** By file: what caught its mutants comes first. */
  readonly #catchers = new Map<string, Question[]>()

  constructor(root: string) {
    this.#sources = new ExtractorSources(join(root, 'src'))
    this.#guide = this.#sources.extractor().guide
    this.questions = questionsIn(root)
    let blocks = 0
    for (const [file, source] of this.#sources.texts) {
      const numbered = withNumbers(file, source, blocks)
      blocks += numbered.count
      this.#numbered.set(file, numbered)
    }
    this.#ask()
    this.mutants = [...this.#sources.texts].flatMap(([file, source]) => mutantsOf(file, source))
  }

  #ask(): void {
    let reached = new Set<number>()
    const texts = new Map([...this.#numbered].map(([file, { text }]) => [file, text]))
    const { extract } = this.#sources.extractor(texts, (block) => void reached.add(block))
    for (const question of this.questions) {
      reached = new Set()
      this.known.set(question, answerOf(question, extract))
      for (const block of reached) {
        const others = this.#reaching.get(block)
        if (others === undefined) this.#reaching.set(block, [question])
        else others.push(question)
      }
    }
  }

  async outcomeOf(mutant: Mutant): Promise<Outcome> {
    const block = this.#numbered.get(mutant.file)?.blockAt(mutant.start, mutant.end)
    const reaching = block === undefined ? this.questions : (this.#reaching.get(block) ?? [])
    const caught = await this.#caught(mutant, reaching)
    return { mutant, caught, reached: reaching.length }
  }

  async #caught(mutant: Mutant, reaching: readonly Question[]): Promise<Caught | undefined> {
    if (reaching.length === 0) return undefined
    let extractor: Extractor
    try {
      extractor = this.#sources.extractor(new Map([[mutant.file, this.textOf(mutant)]]))
    } catch (error) {
      return { by: 'loading it', known: 'loads', said: String(error) }
    }
    const first = this.#catchers.get(mutant.file) ?? []
    const among = new Set(reaching)
    const asked = new Set([...first.filter((one) => among.has(one)), ...reaching])
    const questions = [...asked]
    for (let at = 0; at < questions.length; at += together) {
      const some = questions.slice(at, at + together)
      const found = guarded(() => this.#difference(extractor.extract, some))
      if (found === undefined) continue
      if ('broken' in found) return { by: 'ending', known: 'ends', said: found.broken }
      const { question, answer, known } = found
      this.#catchers.set(mutant.file, [question, ...first.filter((one) => one !== question)])
      const by = question.name
      if (answer.said === known.said) return { by, known: known.text, said: answer.text }
      const isWrongProof = answer.said === 'proved' && answer.icet !== undefined
      const executed = isWrongProof ? { executed: await confirmation(question, answer.icet) } : {}
      return { by, known: known.said, said: answer.said, ...executed }
    }
    if (extractor.guide === this.#guide) return undefined
    return { by: 'the guide', known: 'a table of forms', said: 'another one' }
  }

  #difference(extract: Extract, questions: readonly Question[]): Difference | undefined {
    for (const question of questions) {
      const known = this.known.get(question) as Answer
      const answer = answerOf(question, extract, known)
      if (answer.said !== known.said || answer.text !== known.text) return { question, answer, known }
    }
    return undefined
  }

  textOf({ file, start, end, text }: Mutant): string {
    const source = this.#sources.texts.get(file) ?? ''
    return `${source.slice(0, start)}${text}${source.slice(end)}`
  }
}
