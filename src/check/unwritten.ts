/** Why a file about a result could not be written: a result is not lost because of that. */

/** What is no failure of the file system is thrown again. A full disk is noticed when something is written, and that has no path. */
export function whyUnwritten(error: unknown, shown: (path: string) => string): string {
  const { code, path, syscall } = error as { readonly [field in 'code' | 'path' | 'syscall']?: string }
  if (code === undefined || syscall === undefined) throw error
  return path === undefined ? code : `${code}: ${shown(path)}`
}

export function unwrittenNote(what: string, why: string): string {
  return ` note: the ${what} could not be written (${why})`
}
