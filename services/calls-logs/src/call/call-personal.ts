// The parts of a call's state that identify a person, apart from the rest. A document has the rest in the clear and these parts
// sealed, and a deleted call has the rest alone.
import type { EndedError } from '@parlance/contracts';
import type { IngestedPersonal, People, ToolRun } from './call-events.js';
import type { Call } from './call-fields.js';

export interface PersonalOfCall {
  readonly people: Call['people'];
  readonly errorDetail?: string;
  readonly handedOver?: IngestedPersonal;
  /** In the order of the runs that the call keeps. */
  readonly toolRuns?: readonly Pick<ToolRun, 'arguments' | 'result'>[];
  readonly initiation?: People['dynamicVariables'];
  readonly assigned?: NonNullable<Call['assigned']>;
}

const runWithoutWords = ({ arguments: _arguments, result: _result, ...run }: ToolRun): ToolRun => ({
  ...run,
  arguments: null,
});

/** As the fold makes it of an event without a personal part. */
const errorWithoutDetail = ({ error, status }: NonNullable<Call['end']>): EndedError | null => {
  if (error === null) return null;
  const { detail: _detail, ...rest } = error;
  const saysMore = rest.sipStatus !== undefined || rest.providerCode !== undefined || status === 'failed';
  return saysMore ? rest : null;
};

/** The call as it folds once its key was destroyed. */
export const withoutPersonal = ({ assigned: _assigned, ...call }: Call): Call => ({
  ...call,
  people: null,
  end: call.end && { ...call.end, error: errorWithoutDetail(call.end) },
  ingested: call.ingested && { ...call.ingested, personal: null },
  ...(call.toolRuns && { toolRuns: { ...call.toolRuns, kept: call.toolRuns.kept.map(runWithoutWords) } }),
  ...(call.initiation && { initiation: { ...call.initiation, variables: {} } }),
});

export const personalOf = ({
  people,
  end,
  ingested,
  toolRuns,
  initiation,
  assigned,
}: Call): PersonalOfCall => ({
  people,
  ...(end?.error?.detail !== undefined && { errorDetail: end.error.detail }),
  ...(ingested?.personal && { handedOver: ingested.personal }),
  ...(toolRuns && {
    toolRuns: toolRuns.kept.map((run) => ({
      arguments: run.arguments,
      ...(run.result !== undefined && { result: run.result }),
    })),
  }),
  ...(initiation && { initiation: initiation.variables }),
  ...(assigned && { assigned }),
});

/** The opposite of the two functions above. */
export const withPersonal = (
  call: Call,
  { people, errorDetail, handedOver, toolRuns, initiation, assigned }: PersonalOfCall,
): Call => ({
  ...call,
  people,
  end: call.end && {
    ...call.end,
    error:
      errorDetail === undefined
        ? call.end.error
        : { ...(call.end.error ?? { reason: call.end.endedReason }), detail: errorDetail },
  },
  ingested: call.ingested && { ...call.ingested, personal: handedOver ?? null },
  ...(call.toolRuns && {
    toolRuns: {
      ...call.toolRuns,
      kept: call.toolRuns.kept.map((run, index) => ({ ...run, ...toolRuns?.[index] })),
    },
  }),
  ...(call.initiation && { initiation: { ...call.initiation, variables: initiation ?? {} } }),
  ...(assigned && { assigned }),
});
