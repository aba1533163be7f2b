/** All snippets, with names that are unique. */
import { controlSnippets } from './control.ts'
import { functionSnippets } from './functions.ts'
import type { Snippet } from './snippet.ts'
import { valueSnippets } from './values.ts'

export const snippets: readonly Snippet[] = [...functionSnippets, ...valueSnippets, ...controlSnippets]
