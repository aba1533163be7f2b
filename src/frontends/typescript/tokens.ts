/** Where text of ours meets text of the user: minified code has no blank behind a keyword that its grammar does not ask for. */

/** Whether two texts, one behind the other, would be read as one word or as another operator. */
export function becomeOne(before: string, behind: string): boolean {
  if (isWord(lastOf(before)) && isWord(behind)) return true
  return /^[+/-]/.test(behind) && before.endsWith(behind.charAt(0))
}

/** Whether the text begins with a character of names and numbers. */
function isWord(text: string): boolean {
  return /^[\p{ID_Continue}$\u200c\u200d]/u.test(text)
}

/** Characters beyond 16 bits are two units. */
function lastOf(text: string): string {
  return /[\s\S]$/u.exec(text)?.[0] ?? ''
}
