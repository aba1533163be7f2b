/** Whether a file holds a recorded history, by its name; every other file is source. */
export function isHistoryFile(path: string): boolean {
  return /\.(jsonl|ndjson|edn|log|txt)$/.test(path)
}
