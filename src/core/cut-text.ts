/** Texts that strangers chose, at a length that people read, with the number of letters that were left out. */

const longestText = 500

export function cutText(text: string, longest: number = longestText): string {
  if (text.length <= longest) return text
  // Half a letter is none.
  const kept = text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept}… (${text.length - kept.length} more characters)`
}
