/**
 * Mutants that no program tells from the extractor, each with the reason. One that is caught, or is not there, fails
 * the soak.
 */

const isOurs = 'what is thrown beside refusals is a defect of ours, which no program shows'
const isNumbered = 'numbers are given in the end (tidy.ts), whatever they were'
const isStep = 'the compiler refuses it: steps are 1 and -1; and all but 1 count down'
const again = 'if (!(error instanceof Refusal)) throw error'

export const equivalent: { readonly [name: string]: string } = {
  'calls.ts: boolean flipped: false in let found = false':
    'it is set before it is read: the trial run gets to the end of the function, or the statement is refused',
  "calls.ts: boolean flipped: true in { kind: 'while', endsFunction: true },":
    'nothing jumps out over the loop of a recursion: what returns breaks the loop itself',
  'counts.ts: off by one: 0 in const least = parameter === undefined ? 0 : (translator.program.least.get(parame #2':
    'every parameter has its least value',
  'extract.ts: refusal removed: throw error in throw error': isOurs,
  [`extract.ts: refusal removed: throw error in ${again}`]: isOurs,
  "forms.ts: form let in: refused in ...Object.fromEntries(wordsOf(outsideParts).map((type) => [type, refused('this f":
    'parts are looked at only in forms that are let in, and none of these holds such a part',
  "forms.ts: form let in: refused in return table[type] ?? refused(`the form ${type}`, 'write it in another way')":
    'every form of the parser has an entry: the compiler says so',
  "counting.ts: off by one: 1 in return isIndex(update.argument) ? (update.operator === '++' ? 1 : -1) : undefine #2":
    isStep,
  "counting.ts: off by one: 1 in return update.operator === '+=' ? 1 : update.operator === '-=' ? -1 : undefined #2":
    isStep,
  "meaning.ts: off by one: 0 in return { kind: 'binary', operator: plus < 0 ? '-' : '+', left, right: { kind: 'l":
    'what is added is a whole number other than 0',
  'ownership.ts: boolean flipped: true in if (parent.id !== name) return true':
    'a name that is the value of another one is given away, so its variable is no owner in either case (isKept)',
  'ownership.ts: boolean flipped: false in if (owner === undefined || !isFunction(owner) || !owner.params.some((one) => one':
    'a parameter in a pattern or with a default is not kept, so it is no owner in either case (isKept)',
  "ownership.ts: boolean flipped: false in if (binding.kind !== 'let' && binding.kind !== 'const' && binding.kind !== 'var'":
    'other names are functions, classes and modules, which are refused as values',
  "pure-methods.ts: word added: 'frobnicate',  in 'concat filter flat flatMap map slice splice split toReversed toSorted toSpliced":
    'a method that is not known is refused, whatever it gives',
  [`parts.ts: refusal removed: throw error in ${again}`]: isOurs,
  "patterns.ts: off by one: 0 in out.splice(at, 0, { id: 0, place: translator.place(node), kind: 'assign', variab #2":
    isNumbered,
  "spawn-loops.ts: off by one: 0 in if (count.kind === 'parameter') refuseNegative(translator, bound, { parameter: c":
    'as many as the parameter says are never fewer than none, nor are more',
  'translator.ts: off by one: 0 in this.out.push({ id: 0, place: this.place(node), ...statement } as unknown as Sta':
    isNumbered,
  "translator.ts: off by one: 0 in this.emit<'if'>(node, ifThen({ id: 0, place: this.place(node) }, condition, bloc":
    isNumbered,
  'translator.ts: off by one: 0 in const at = { id: 0, place: this.place(falls[0]?.node ?? { start: 0 }) }': isNumbered,
  'translator.ts: off by one: 0 in const at = { id: 0, place: this.place(falls[0]?.node ?? { start: 0 }) } #3':
    'who goes on behind jumps has at least one before it',
  'translator.ts: off by one: 0 in const at = { id: 0, place: this.place(node) }': isNumbered,
  'translator.ts: boolean flipped: true in loop.isLeft = true':
    'the jump to the end of the function, which follows, closes the rest; and such a loop is left in no other way',
  [`translator.ts: refusal removed: throw error in ${again}`]: isOurs,
  "values.ts: off by one: 0 in kept.push({ id: 0, place: translator.place(node), kind: 'assign', variable: name":
    isNumbered,
}
