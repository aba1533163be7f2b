/** Whole programs of the literature, with the term of every process. */
import { expect, test } from 'vitest'
import { processText, termOf } from './extracted.ts'
import { terms } from './program-terms.ts'
import { programs } from './programs.ts'

test.each(Object.keys(programs) as (keyof typeof programs)[])('%s is read process by process', (name) => {
  expect(termOf(programs[name]).processes.map(processText)).toEqual(terms[name])
})
