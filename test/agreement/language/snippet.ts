/** Snippets of JavaScript, made of templates and what is put into them. Each is the body of an async function that may call `log`. */

export interface Snippet {
  readonly name: string
  readonly body: string
}

type Parts = Readonly<Record<string, string>>

/** One snippet for each choice of a part from every list; `$1` stands for the part of the first list. */
export function family(name: string, template: string, ...lists: readonly (Parts | readonly string[])[]): Snippet[] {
  let snippets: Snippet[] = [{ name, body: template }]
  for (const [at, list] of lists.entries()) {
    const parts: readonly (readonly [string, string])[] = isList(list)
      ? list.map((part) => [part, part])
      : Object.entries(list)
    snippets = snippets.flatMap(({ name: before, body }) =>
      parts.map(([shown, part]) => ({ name: `${before}: ${shown}`, body: body.replaceAll(`$${at + 1}`, () => part) })),
    )
  }
  return snippets
}

function isList(list: Parts | readonly string[]): list is readonly string[] {
  return Array.isArray(list)
}

/** What a snippet throws is a line as well. */
export function tried(...expressions: readonly string[]): string {
  return expressions.map((one) => `try { log(${one}) } catch (e) { log(e) }`).join('; ')
}
