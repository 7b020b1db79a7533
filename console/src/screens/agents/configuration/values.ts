// The configuration as its form holds it, and as the interface takes it. Pure.
import type { AgentConfiguration, VoiceCatalog } from '@parlance/client';

export type Setting = Exclude<
  keyof AgentConfiguration,
  'agentId' | 'version' | 'createdAt' | 'updatedAt' | 'warnings'
>;

type Webhook<Name extends 'initiation_webhook' | 'post_call_webhook'> = NonNullable<AgentConfiguration[Name]>;

export interface VariableRow {
  readonly name: string;
  readonly default: string | null;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
}

/** A webhook without an address stands for none. */
export type ConfigurationValues = Omit<
  Pick<AgentConfiguration, Setting>,
  'variables' | 'initiation_webhook' | 'post_call_webhook'
> & {
  readonly expectedVersion: number;
  readonly variableRows: readonly VariableRow[];
  readonly initiation_webhook: Webhook<'initiation_webhook'>;
  readonly post_call_webhook: Webhook<'post_call_webhook'>;
};

const noInitiation: Webhook<'initiation_webhook'> = {
  ...{ url: '', method: 'POST', headers: {}, timeoutMs: 3_000, enabled: true },
};
const noPostCall: Webhook<'post_call_webhook'> = {
  ...{ url: '', method: 'POST', headers: {}, timeoutMs: 10_000, enabled: true },
  events: ['call.ended', 'call.analyzed', 'call.failed'],
};

/** With every key that a field writes: the form counts one that appears as a change. */
const whole = (values: ConfigurationValues): ConfigurationValues => ({
  ...values,
  variableRows: values.variableRows.map((row) => ({ description: undefined, required: undefined, ...row })),
  data_needed: values.data_needed.map((field) => ({ enumValues: undefined, required: undefined, ...field })),
  data_evaluation: values.data_evaluation.map((evaluation) => ({
    ...{ scoring: undefined, maxScore: undefined, useKnowledgeBase: undefined },
    ...evaluation,
  })),
  initiation_webhook: { body: undefined, signingSecretId: undefined, ...values.initiation_webhook },
  post_call_webhook: { body: undefined, signingSecretId: undefined, ...values.post_call_webhook },
  voicemail: { message: undefined, ...values.voicemail },
  recording: { announcement: undefined, ...values.recording },
  redaction: { ...values.redaction, kinds: values.redaction?.kinds ?? [] },
});

export const valuesOf = (configuration: AgentConfiguration): ConfigurationValues => {
  const { agentId, version, createdAt, updatedAt, warnings, variables, ...settings } = configuration;
  return whole({
    ...settings,
    expectedVersion: version,
    variableRows: Object.entries(variables).map(([name, variable]) => ({ name, ...variable })),
    initiation_webhook: settings.initiation_webhook ?? noInitiation,
    post_call_webhook: settings.post_call_webhook ?? noPostCall,
  });
};

/** The first values of a new configuration. */
export const firstValues = ({ defaults }: VoiceCatalog): ConfigurationValues =>
  whole({
    ...defaults,
    ...{ firstMessage: '', systemPrompt: '', data_needed: [], data_evaluation: [], extra: {} },
    ...{ preemptive_generation: false, ivr_navigation_enabled: false },
    rag: {
      ...{ enabled: true, topK: 5, maxDistance: 0.6, maxChars: 8_000 },
      ...{ embeddingModel: 'text-embedding-3-small', rewriteQuery: false },
    },
    limits: {
      ...{ maxDurationSeconds: 3_600, silenceTimeoutSeconds: 60, maxConcurrentCalls: null, dailyCalls: null },
    },
    voicemail: { detection: true, action: 'hangup', maxBeepWaitSeconds: 30 },
    recording: { enabled: false, retentionDays: null, consent: 'none' },
    redaction: { kinds: [] },
    allowedOverrides: ['firstMessage', 'systemPrompt'],
    expectedVersion: 0,
    variableRows: [],
    initiation_webhook: noInitiation,
    post_call_webhook: noPostCall,
  });

/** The body of a save. Fields that belong to another choice, such as values of a text, are left out. */
export const bodyOf = (values: ConfigurationValues) => {
  const { variableRows, data_needed, data_evaluation, initiation_webhook, post_call_webhook, ...rest } =
    values;
  return {
    ...rest,
    data_needed: data_needed.map(({ enumValues, ...field }) =>
      field.type === 'enum' ? { ...field, enumValues: enumValues ?? [] } : field,
    ),
    data_evaluation: data_evaluation.map(({ maxScore, ...evaluation }) =>
      evaluation.scoring === 'numeric' ? { ...evaluation, maxScore } : evaluation,
    ),
    variables: Object.fromEntries(variableRows.map(({ name, ...variable }) => [name, variable])),
    initiation_webhook: initiation_webhook.url === '' ? null : initiation_webhook,
    post_call_webhook: post_call_webhook.url === '' ? null : post_call_webhook,
  };
};

/** Keys in order, and nothing that is undefined: equal settings make equal texts. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};

/** A setting as lines that can be compared: texts as they are, everything else as JSON. */
export const settingText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(sorted(value ?? null), null, 2);

type Settings = Readonly<Partial<Record<string, unknown>>>;

/** Names of the settings that two configurations do not share, in the order of the form. */
export const differing = <Name extends string>(
  names: readonly Name[],
  before: Settings,
  after: Settings,
): readonly Name[] => names.filter((name) => settingText(before[name]) !== settingText(after[name]));

export interface Merge {
  /** The person's own values, with those that the other one has saved elsewhere. */
  readonly values: ConfigurationValues;
  readonly theirs: readonly string[];
  readonly mine: readonly string[];
  /** Changed by both in different ways; the person's own stand in `values`. */
  readonly both: readonly string[];
}

/** Brings two changes of one version together, setting by setting. */
export const merged = (
  base: ConfigurationValues,
  mine: ConfigurationValues,
  theirs: ConfigurationValues,
): Merge => {
  const names = Object.keys(theirs).filter((name) => name !== 'expectedVersion');
  const byMe = differing(names, { ...base }, { ...mine });
  const byThem = differing(names, { ...base }, { ...theirs });
  const both = differing(
    byMe.filter((name) => byThem.includes(name)),
    { ...mine },
    { ...theirs },
  );
  const own = Object.fromEntries(Object.entries(mine).filter(([name]) => byMe.includes(name)));
  return { values: { ...theirs, ...own }, theirs: byThem, mine: byMe, both };
};
