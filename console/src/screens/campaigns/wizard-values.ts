// The values of the wizard, and the requests that it makes of them. Pure.
import type { BatchCampaign } from '@parlance/client';
import type { RequestOf } from '../../data/types.js';
import type { StepId } from './wizard-steps.js';

type Window = NonNullable<BatchCampaign['callingWindow']>;
type RetryPolicy = BatchCampaign['retryPolicy'];
type CreateBody = RequestOf<'outboundCalls.createBatch'>['body'];
type PreviewBody = RequestOf<'outboundCalls.previewBatch'>['body'];

/** The person leaves a value to the platform by an empty text, or null. */
export interface CampaignValues {
  readonly name: string;
  readonly agentId: string;
  readonly fromNumber: string;
  readonly sourceFileKey: string;
  readonly sourceFileName: string;
  readonly columns: {
    readonly phoneNumber: string;
    readonly name: string;
    readonly variables: Readonly<Record<string, string | undefined>>;
  };
  readonly duplicates: 'first' | 'all' | 'reject';
  readonly begins: 'now' | 'later';
  readonly scheduledAt: string | null;
  readonly timezone: string;
  readonly hasWindow: boolean;
  readonly callingWindow: Window;
  readonly retryPolicy: RetryPolicy;
  readonly callsPerSecond: number | null;
  readonly maxConcurrency: number | null;
  readonly ringingTimeoutSeconds: number | null;
  readonly budget: { readonly maxCostMicros: number | null };
}

export const firstValues: CampaignValues = {
  ...{ name: '', agentId: '', fromNumber: '', sourceFileKey: '', sourceFileName: '' },
  columns: { phoneNumber: '', name: '', variables: {} },
  duplicates: 'first',
  ...{ begins: 'now', scheduledAt: null, timezone: '' },
  hasWindow: true,
  callingWindow: { days: [0, 1, 2, 3, 4], start: '09:00', end: '18:00', basis: 'recipient' },
  retryPolicy: { maxAttempts: 2, delaySeconds: 1_800, on: ['busy', 'no_answer'] },
  ...{ callsPerSecond: null, maxConcurrency: null, ringingTimeoutSeconds: null },
  budget: { maxCostMicros: null },
};

/** The fields of each step, which have to be right before the next one. */
export const fieldsOfStep: Readonly<Record<StepId, readonly (keyof CampaignValues)[]>> = {
  file: ['name', 'agentId', 'fromNumber', 'sourceFileKey', 'sourceFileName'],
  check: ['columns', 'duplicates'],
  plan: [
    ...(['scheduledAt', 'timezone', 'callingWindow', 'retryPolicy'] as const),
    ...(['callsPerSecond', 'maxConcurrency', 'ringingTimeoutSeconds', 'budget'] as const),
  ],
  review: [],
};

const columnsOf = ({ phoneNumber, name, variables }: CampaignValues['columns']): PreviewBody['columns'] => {
  // A field that nobody has touched yet has no value at all.
  const chosen = Object.entries(variables).filter(([, column]) => (column ?? '') !== '');
  return {
    ...(phoneNumber === '' ? {} : { phoneNumber }),
    ...(name === '' ? {} : { name }),
    ...(chosen.length === 0 ? {} : { variables: Object.fromEntries(chosen) as Record<string, string> }), // none is empty
  };
};

/** The part that decides on the people of a campaign. */
export const toFileBody = (values: CampaignValues): PreviewBody => {
  const { agentId, fromNumber, sourceFileKey, sourceFileName, duplicates } = values;
  return {
    agentId,
    fromNumber,
    sourceFileKey,
    sourceFileName,
    duplicates,
    columns: columnsOf(values.columns),
  };
};

/** The part that decides on the times and the cost of a campaign. */
export const toPreviewBody = (values: CampaignValues): PreviewBody => ({
  ...toFileBody(values),
  scheduledAt: values.begins === 'now' ? null : values.scheduledAt,
  ...(values.timezone === '' ? {} : { timezone: values.timezone }),
  callingWindow: values.hasWindow ? values.callingWindow : null,
  retryPolicy: values.retryPolicy,
  ...(values.callsPerSecond === null ? {} : { callsPerSecond: values.callsPerSecond }),
  maxConcurrency: values.maxConcurrency,
});

export const toCreateBody = (values: CampaignValues): CreateBody => {
  const { maxCostMicros } = values.budget;
  return {
    name: values.name,
    ...toPreviewBody(values),
    // A time that was asked for and not given is a fault of the form. The contract finds it in an empty text.
    scheduledAt: values.begins === 'now' ? null : (values.scheduledAt ?? ''),
    ...(values.ringingTimeoutSeconds === null ? {} : { ringingTimeoutSeconds: values.ringingTimeoutSeconds }),
    ...(maxCostMicros === null ? {} : { budget: { maxCostMicros } }),
  };
};
