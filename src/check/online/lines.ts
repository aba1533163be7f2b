/** `allways-online/1`: what happens while a system is watched, one JSON object a line (`schema/allways-online-1.json`). */
import { cutText } from '../../core/cut-text.ts'
import type { Diagnostic, Place } from '../../core/diagnostic.ts'
import { type Json, valueToJson } from '../../core/value-json.ts'
import type { ReportedFinding } from '../../reports/result.ts'
import type { Overhead, Taken } from './source.ts'
import type { Round, WatchSummary } from './watch.ts'

const onlineFormat = 'allways-online/1'

export type OnlineLine = { readonly [field: string]: Json }

export function attachedLine({ snapshot }: Taken, isAgain: boolean): OnlineLine {
  const { system, params, machines, takenAt } = snapshot
  return line('attached', { system, params: valueToJson(params), machines: [...machines], takenAt, again: isAgain })
}

export function roundLine({ number, raced, live, taken, prediction }: Round): OnlineLine {
  const { takenAt, underWay, missing } = live.snapshot
  const { states, transitions, depth, messages, systemStates, soundnessChecks, rejected } = raced.local
  return line('round', {
    round: number,
    takenAt,
    underWay: underWay.length,
    missing,
    ended: raced.because,
    by: raced.by ?? null,
    predicted: prediction !== undefined,
    milliseconds: rounded(raced.milliseconds),
    local: { states, transitions, depth, messages, systemStates, soundnessChecks, rejected },
    global: { states: raced.stateful.states, transitions: raced.stateful.transitions },
    overhead: taken.overhead === undefined ? null : overheadJson(taken.overhead),
  })
}

/** Of a round with a prediction: the decisions lead there from the snapshot. */
export function findingLine(
  { number, raced, prediction, isKnown }: Round,
  finding: ReportedFinding,
  snapshot: string | undefined,
): OnlineLine {
  if (prediction === undefined) throw new Error('a finding is a prediction')
  const { violation, decisions } = prediction.counterexample
  const { kind, property, message, process } = violation
  const place = placeJson(finding.place)
  return line('finding', {
    round: number,
    engine: raced.by ?? null,
    events: prediction.events,
    known: isKnown,
    violation: { kind, property: cutText(property), message: cutText(message), process: process ?? null, place },
    decisions: decisions.map((decision) => ({ ...decision })),
    snapshot: snapshot ?? null,
    trace: finding.tracePath ?? null,
  })
}

export function troubleLine(diagnostics: readonly Diagnostic[], retryMilliseconds: number): OnlineLine {
  return line('trouble', { diagnostics: diagnostics.map(diagnosticJson), retryMilliseconds })
}

/** A mistake, after which nothing follows. */
export function mistakeLine(diagnostics: readonly Diagnostic[]): OnlineLine {
  return line('mistake', { diagnostics: diagnostics.map(diagnosticJson) })
}

export function summaryLine(summary: WatchSummary): OnlineLine {
  const { rounds, ended, predictions, deepest, states, troubles, milliseconds, snapshotMilliseconds } = summary
  return line('summary', {
    rounds,
    ended: { ...ended },
    predicted: predictions.length,
    deepest,
    states,
    troubles,
    milliseconds: rounded(milliseconds),
    snapshotMilliseconds: rounded(snapshotMilliseconds),
    interrupted: summary.isInterrupted,
  })
}

function line(kind: string, fields: OnlineLine): OnlineLine {
  return { format: onlineFormat, kind, ...fields }
}

function overheadJson({ milliseconds, bytes, during, between }: Overhead): Json {
  return {
    milliseconds: rounded(milliseconds),
    bytes,
    messagesPerSecond: {
      during: during === undefined ? null : rounded(during),
      between: between === undefined ? null : rounded(between),
    },
  }
}

function diagnosticJson({ code, message, hint, place }: Diagnostic): Json {
  return { code, message, hint: hint ?? null, place: placeJson(place) }
}

function placeJson(place: Place | undefined): Json {
  return place === undefined ? null : { file: place.file, line: place.line, column: place.column }
}

/** Clocks are not exact to more than this. */
function rounded(amount: number): number {
  return Math.round(amount * 10) / 10
}
