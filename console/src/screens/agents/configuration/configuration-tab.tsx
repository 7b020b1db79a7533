// The configuration of the agent, as one form. A save names the version that it replaces, so that two people never overwrite each other.
import { type Agent, type AgentConfiguration, isApiError, type VoiceCatalog } from '@parlance/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../../../components/button.js';
import { ErrorNote } from '../../../components/error-note.js';
import { Loading, Notice } from '../../../components/status.js';
import { toast } from '../../../components/toasts.js';
import { operationQuery, useOperation } from '../../../data/queries.js';
import { useContractForm } from '../../../forms/contract-form.js';
import { Form } from '../../../forms/form.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';
import { ConflictDialog } from './conflict.js';
import { DataSection, EvaluationsSection, VariablesSection } from './list-sections.js';
import { ModelsSection } from './models-section.js';
import {
  ConversationSection,
  GreetingSection,
  KnowledgeSection,
  LimitsSection,
  RecordingSection,
  RedactionSection,
  VoicemailSection,
} from './sections.js';
import { bodyOf, type ConfigurationValues, firstValues, type Merge, merged, valuesOf } from './values.js';
import { WebhooksSection } from './webhooks-section.js';

const sections: readonly (readonly [id: string, name: string])[] = [
  ['greeting', strings.greeting],
  ['models', strings.models],
  ['variables', strings.setting.variables ?? ''],
  ['data', strings.setting.data_needed ?? ''],
  ['evaluations', strings.setting.data_evaluation ?? ''],
  ['webhooks', strings.webhooks],
  ['limits', strings.limits],
  ['voicemail', strings.voicemail],
  ['recording', strings.recording],
  ['redaction', strings.redaction],
  ['rag', strings.knowledge],
  ['conversation', strings.conversation],
];

const SectionLinks = () => (
  <nav aria-label={strings.sections} className="flex flex-wrap gap-x-4 gap-y-1">
    {sections.map(([id, name]) => (
      <button
        key={id}
        type="button"
        className="link"
        onClick={() => document.getElementById(`section-${id}`)?.scrollIntoView({ block: 'start' })}
      >
        {name}
      </button>
    ))}
  </nav>
);

interface Conflict {
  readonly mine: ConfigurationValues;
  readonly theirs: ConfigurationValues;
  readonly merge: Merge;
}

const ConfigurationForm = ({
  agentId,
  catalog,
  configuration,
}: {
  readonly agentId: string;
  readonly catalog: VoiceCatalog;
  /** Undefined: the agent has none yet. */
  readonly configuration: AgentConfiguration | undefined;
}) => {
  const client = useQueryClient();
  const [conflict, setConflict] = useState<Conflict>();
  const [failure, setFailure] = useState<unknown>();
  const params = { agentId };
  const first = configuration === undefined ? firstValues(catalog) : valuesOf(configuration);
  const contractForm = useContractForm('agents.saveConfig', {
    values: first,
    draft: `agents.saveConfig.${agentId}`,
    draftsWhole: true,
    // Their headers may hold credentials.
    secretFields: ['initiation_webhook', 'post_call_webhook'],
    toBody: bodyOf,
    invalidates: ['agents.', 'secrets.'],
    parts: { params },
    onDone: ({ data }) => {
      form.reset(valuesOf(data));
      toast.done(strings.saved(data.version));
    },
  });
  const { form, error, hasUnsaved } = contractForm;
  const expected = form.watch('expectedVersion');
  const { setError } = form;
  // A change of the field, or a save, judges it anew.
  useEffect(() => {
    for (const { path, message } of configuration?.warnings ?? [])
      setError(path as 'root', { type: 'warning', message }); // the path of a field of this form
  }, [configuration, setError]);
  const newest = configuration?.version ?? 0;

  const compare = async (): Promise<void> => {
    setFailure(undefined);
    try {
      const mine = form.getValues();
      const theirs = valuesOf(
        await client.fetchQuery({ ...operationQuery('agents.getConfig', { params }), staleTime: 0 }),
      );
      const base =
        mine.expectedVersion === 0
          ? firstValues(catalog)
          : valuesOf(
              await client.fetchQuery(
                operationQuery('agents.getConfigVersion', {
                  params: { ...params, version: mine.expectedVersion },
                }),
              ),
            );
      setConflict({ mine, theirs, merge: merged(base, mine, theirs) });
    } catch (problem) {
      setFailure(problem);
    }
  };
  const isConflict = isApiError(error, 'VERSION_CONFLICT');
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refused save is compared once
  useEffect(() => {
    if (isConflict) void compare();
  }, [isConflict, error]);

  const goOn = (values: ConfigurationValues): void => {
    for (const name of Object.keys(values) as (keyof ConfigurationValues)[]) // its own keys
      form.setValue(name, values[name] as never, { shouldDirty: true }); // the value of this name
    setConflict(undefined);
    toast.done(strings.broughtTogether);
  };
  const drop = (values: ConfigurationValues): void => {
    contractForm.discardDraft();
    form.reset(values);
    setConflict(undefined);
  };

  return (
    <>
      {configuration === undefined && <Notice>{strings.noConfiguration}</Notice>}
      {newest > expected && hasUnsaved() && (
        <Notice tone="attention">
          {strings.newerSaved(newest)}{' '}
          <button type="button" className="link" onClick={() => void compare()}>
            {strings.compare}
          </button>
        </Notice>
      )}
      {failure !== undefined && <ErrorNote error={failure} retry={() => void compare()} />}
      <SectionLinks />
      <div className="[&>form>div:last-child]:sticky [&>form>div:last-child]:bottom-0 [&>form>div:last-child]:z-10 [&>form>div:last-child]:border-t [&>form>div:last-child]:border-line [&>form>div:last-child]:bg-surface [&>form>div:last-child]:py-3">
        <Form
          of={contractForm}
          submitLabel={strings.save}
          onlyChanges={configuration !== undefined}
          actions={isConflict && <Button onClick={() => void compare()}>{strings.compare}</Button>}
        >
          <GreetingSection catalog={catalog} />
          <ModelsSection catalog={catalog} />
          <VariablesSection />
          <DataSection />
          <EvaluationsSection />
          <WebhooksSection />
          <LimitsSection />
          <VoicemailSection />
          <RecordingSection />
          <RedactionSection />
          <KnowledgeSection />
          <ConversationSection />
        </Form>
      </div>
      {conflict !== undefined && (
        <ConflictDialog
          {...conflict}
          onMerge={() => goOn(conflict.merge.values)}
          onDrop={() => drop(conflict.theirs)}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  );
};

export const ConfigurationTab = ({ agent }: { readonly agent: Agent }) => {
  const catalog = useOperation('agents.voiceCatalog', {});
  const configuration = useOperation('agents.getConfig', { params: { agentId: agent.id } });
  const hasNone = isApiError(configuration.error, 'CONFIG_NOT_FOUND');
  const failure = catalog.error ?? (hasNone ? null : configuration.error);
  const isReady = catalog.data !== undefined && (configuration.data !== undefined || hasNone);
  if (failure !== null && !isReady) {
    const retry = (): void => void Promise.all([catalog.refetch(), configuration.refetch()]);
    return <ErrorNote error={failure} retry={retry} />;
  }
  if (catalog.data === undefined || !isReady) return <Loading lines={8} />;
  return (
    <ConfigurationForm
      key={agent.id}
      agentId={agent.id}
      catalog={catalog.data}
      configuration={configuration.data}
    />
  );
};
