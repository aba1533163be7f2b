/** Methods of arrays, maps, sets, strings and numbers that leave the object as it is. All others are taken to change it. */

export function isPureMethod(name: string): boolean {
  return pureMethods.has(name)
}

const pureMethods: ReadonlySet<string> = new Set(
  [
    // arrays
    'at concat entries every filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys',
    'lastIndexOf map reduce reduceRight slice some toReversed toSorted toSpliced values with length',
    // maps and sets
    'get has size difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union',
    // strings
    'charAt charCodeAt codePointAt endsWith localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll',
    'search split startsWith substring toLowerCase toUpperCase trim trimEnd trimStart',
    // numbers and everything
    'toFixed toPrecision toString valueOf hasOwnProperty test',
  ]
    .join(' ')
    .split(' '),
)
