// The analysis by rules on two hundred transcripts with known values.
import { describe, expect, it } from '@jest/globals';
import { kindOf } from '@parlance/spoken-values';
import { analyzeByRules } from './rules/analyze.js';
import { type Criterion, wordsOf } from './subject.js';
import { generatedCalls } from './testing/generate.js';
import {
  type CallsFile,
  fieldsOf,
  type LabelledCall,
  labelledCalls,
  subjectOf,
} from './testing/labelled-calls.js';

const byHand = labelledCalls('calls-by-hand.jsonl');
const generated = labelledCalls('calls-generated.jsonl');
const all = [...byHand, ...generated];

const goals: Criterion[] = [
  { id: 'greeted', name: 'Greeted', prompt: 'Did the agent greet the caller?' },
  {
    id: 'satisfied',
    name: 'Satisfied',
    prompt: 'Was the caller satisfied?',
    scoring: 'numeric',
    maxScore: 5,
  },
  { id: 'confirmed', name: 'Confirmed', prompt: 'Did the caller confirm the reservation for these people?' },
  { id: 'offered', name: 'Offer', prompt: 'Did the agent offer a refund?' },
];
const analyses = all.map((call) => {
  const subject = subjectOf(call, { dataEvaluation: goals });
  return { call, subject, analysis: analyzeByRules(subject) };
});

interface Row {
  readonly group: string;
  readonly isExact: boolean;
}

const rowsBy = (groupOf: (call: LabelledCall, fieldId: string) => string): readonly Row[] =>
  analyses.flatMap(({ call, analysis }) =>
    Object.entries(call.expected).map(([id, value]) => ({
      group: groupOf(call, id),
      isExact: analysis.dataCollected[id]?.value === value,
    })),
  );

const tableOf = (rows: readonly Row[]): readonly { group: string; fields: number; exact: number }[] =>
  [...new Set(rows.map(({ group }) => group))].sort().map((group) => {
    const own = rows.filter((row) => row.group === group);
    const exact = own.filter(({ isExact }) => isExact).length / own.length;
    return { group, fields: own.length, exact };
  });

const kindOfField = ({ form }: LabelledCall, fieldId: string): string => {
  const field = fieldsOf(form).find(({ id }) => id === fieldId);
  if (field === undefined) throw new Error(`${form} has no field ${fieldId}`);
  return kindOf(field);
};

describe('labelled calls', () => {
  it('are at least two hundred, sixty of them written by hand, in two languages', () => {
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(byHand.length).toBeGreaterThanOrEqual(60);
    expect(new Set(all.map((call) => subjectOf(call).language))).toEqual(new Set(['en', 'de']));
  });

  it('come from the generator with its seed, except those by hand', () => {
    expect(generated).toEqual(generatedCalls(generated.length));
  });

  it('get the expected value for nine of ten typed fields of every origin, language and kind', () => {
    const rows = {
      origin: tableOf(rowsBy(({ by }) => by)),
      language: tableOf(rowsBy((call) => subjectOf(call).language)),
      kind: tableOf(rowsBy(kindOfField)),
      call: tableOf(rowsBy(({ kind }) => kind)),
    };
    const lines = Object.entries(rows).flatMap(([by, table]) =>
      table.map(({ group, fields, exact }) => `${by} ${group}: ${fields} fields, ${exact.toFixed(3)} exact`),
    );
    process.stdout.write(`${lines.join('\n')}\n`);
    const low = [...rows.origin, ...rows.language, ...rows.kind].filter(({ exact }) => exact < 0.9);
    expect(low).toEqual([]);
  });

  it('of other writing get fewer exact values, and most of those that were held out', () => {
    const exactIn = (file: CallsFile): number => {
      const rows = labelledCalls(file).flatMap((call) => {
        const { dataCollected } = analyzeByRules(subjectOf(call));
        return Object.entries(call.expected).map(([id, value]) => dataCollected[id]?.value === value);
      });
      const exact = rows.filter(Boolean).length / rows.length;
      process.stdout.write(`${file}: ${rows.length} fields, ${exact.toFixed(3)} exact\n`);
      return exact;
    };
    expect(exactIn('calls-for-work.jsonl')).toBeGreaterThanOrEqual(0.9);
    expect(exactIn('calls-held-out.jsonl')).toBeGreaterThanOrEqual(0.7);
  });

  it('get no value without words of the caller that hold it', () => {
    const unproved = analyses.flatMap(({ subject, analysis }) =>
      Object.entries(analysis.dataCollected).filter(([, { value, turns = [], quote = '' }]) => {
        if (value === null) return false;
        const last = subject.turns.find(({ seq }) => seq === turns.at(-1));
        return last?.role !== 'user' || quote === '' || !last.text.includes(quote);
      }),
    );
    expect(unproved).toEqual([]);
  });

  it('get no score without words of a turn', () => {
    const scored = analyses.flatMap(({ subject, analysis }) =>
      analysis.evaluation.map(({ result, score, turns = [], quote = '' }) => ({
        isScored: result !== 'unknown' || score !== null,
        isProved: subject.turns.some(
          ({ seq, text }) => turns.includes(seq) && quote !== '' && text.includes(quote),
        ),
      })),
    );
    expect(scored.filter(({ isScored }) => isScored).length).toBeGreaterThan(200);
    expect(scored.filter(({ isScored, isProved }) => isScored !== isProved)).toEqual([]);
  });

  it('get a summary of sentences of the call, at most 500 characters long', () => {
    const invented = analyses.filter(({ subject, analysis }) => {
      const quotes = analysis.summary?.match(/“[^”]*”/gu) ?? [];
      const spoken = subject.turns.map((turn) => wordsOf(turn).trim().replaceAll(/\s+/g, ' '));
      const isLong = (analysis.summary?.length ?? 0) > 500;
      return (
        isLong ||
        !quotes.every((quote) => spoken.some((text) => text.startsWith(quote.slice(1, -1).replace('…', ''))))
      );
    });
    expect(invented).toEqual([]);
  });
});
