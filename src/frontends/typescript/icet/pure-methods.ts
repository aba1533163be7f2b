/** Methods and functions of the language that a computation may call, by what they do with the object they are called on. */

const words = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')))

/** Leave everything as it is, and give something new or primitive, or an element. */
const reading = words(
  // arrays
  'at concat entries every filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys',
  'lastIndexOf map reduce reduceRight slice some toReversed toSorted toSpliced values with',
  // maps and sets
  'get has difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union',
  // strings and numbers
  'charAt charCodeAt codePointAt endsWith localeCompare normalize padEnd padStart repeat replace replaceAll split startsWith',
  'substring toLowerCase toUpperCase trim trimEnd trimStart toFixed toPrecision toString',
)

/** Change the object. */
const changing = words('clear copyWithin delete fill pop push reverse set shift sort splice unshift add')

/** Give the object itself. */
const givingItself = words('copyWithin fill reverse set sort add')

/** Give a view of the object, which changes with it. */
const givingViews = words('entries keys values')

/** Call a function at once and do not keep it, by how many of its arguments are not the object itself. */
const calling: ReadonlyMap<string, number> = new Map([
  ...'every filter find findIndex findLast findLastIndex flatMap forEach map some'
    .split(' ')
    .map((name) => [name, 2] as const),
  ...'from sort toSorted replace replaceAll'.split(' ').map((name) => [name, 2] as const),
  ...'reduce reduceRight'.split(' ').map((name) => [name, 3] as const),
])

/** Give an array, a map or a set that nothing else holds. */
const making = words(
  'concat filter flat flatMap map slice splice split toReversed toSorted toSpliced with difference intersection union',
  'symmetricDifference',
)

const globals = words(
  'Array Boolean Error Infinity JSON Map Math NaN Number Object RangeError Set String TypeError console isFinite isNaN',
  'parseFloat parseInt structuredClone undefined',
)

const functions = words(
  'Array.from Array.isArray Array.of Boolean JSON.stringify Number Number.isFinite Number.isInteger Number.isNaN',
  'Number.isSafeInteger Number.parseFloat Number.parseInt Object.entries Object.fromEntries Object.hasOwn Object.keys',
  'Object.values String String.fromCharCode isFinite isNaN parseFloat parseInt structuredClone',
)

const makingFunctions = words(
  'Array.from Array.of Object.entries Object.fromEntries Object.keys Object.values structuredClone',
)

const classes = words('Array Error Map RangeError Set TypeError')

/** Of the globals, those that are the same each time and change nothing. */
export const isKnownGlobal = (name: string) => globals.has(name)
export const isPureFunction = (name: string) =>
  functions.has(name) || /^console\.(debug|error|info|log|warn)$/.test(name) || /^Math\.(?!random$)[a-z]\w*$/.test(name)
export const isKnownClass = (name: string) => classes.has(name)
export const makesObject = (name: string) => makingFunctions.has(name)

export const isPureMethod = (name: string) => reading.has(name)
export const isChangingMethod = (name: string) => changing.has(name)
export const givesItself = (name: string) => givingItself.has(name)
export const givesView = (name: string) => givingViews.has(name)
export const givesNew = (name: string) => making.has(name)
/** How many parameters a function may have that it calls; undefined: it may keep the function. */
export const parametersGiven = (name: string) => calling.get(name)

/** For the guide. */
export const knownNames = {
  methods: [...reading],
  changing: [...changing],
  functions: [...functions],
  globals: [...globals],
}
