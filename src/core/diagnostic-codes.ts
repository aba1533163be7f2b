/** The only list of diagnostic codes. A code is never reused; `docs/errors.md` is generated from this table. */

export const diagnosticCodes = {
  // 1xx: files and command line
  E101: 'file not found',
  E102: 'the file could not be compiled',
  E103: 'the file exports no program',
  E104: 'the file failed while it was loaded',
  E105: 'unknown command or option',
  E106: 'no program matches the filter',
  E107: 'an option has a wrong value',
  E108: 'unknown engine',
  E109: 'unknown network',
  E110: 'unknown parameter',
  E111: 'unknown reporter',
  // 2xx: processes
  E201: 'the process is not deterministic',
  E202: 'a process loops without performing an operation',
  E203: 'a process performs too many operations',
  E204: 'sent to something that is not an address',
  E205: 'the message is not a value',
  E206: 'a receive filter threw',
  E207: 'bare yield',
  E208: 'not an operation',
  E209: 'clock, randomness or timers in a process',
  E210: 'nothing to choose from',
  E211: 'an async call is not awaited',
  E212: 'the process body is not a generator or async function',
  E213: 'a process name that cannot be used',
  E214: 'a monitor filter or final condition threw',
  E215: 'construct outside the supported TypeScript',
  // 3xx: engines and views
  E301: 'the engine needs a view the program does not offer',
  E302: 'the engine cannot decide this property',
  E303: 'a method awaits something the check does not control',
  E304: 'an operation never returns',
  E305: 'the class cannot be checked as it is',
  E306: 'the client cannot be read',
  E307: 'construct that cannot be checked as an object',
  E308: 'a class is not declared as it should be',
  // 4xx: trace and checkpoint files
  E401: 'not a trace file',
  E402: 'the trace file is damaged',
  E403: 'the trace was written by another version of the format',
  E404: 'the trace does not fit the program',
  E405: 'the checkpoint does not fit',
  // 5xx: histories
  E501: 'not a history',
  E502: 'the history contradicts itself',
  E503: 'the specification does not know the operation',
  E504: 'the specification threw',
} as const

export type DiagnosticCode = keyof typeof diagnosticCodes
