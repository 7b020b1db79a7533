// Trying an agent on the page, in text and by voice, with values for its variables.
import type { Agent } from '@parlance/client';
import { useState } from 'react';
import { ButtonLink } from '../../../components/button.js';
import { Card, EmptyState } from '../../../components/card.js';
import { ErrorNote } from '../../../components/error-note.js';
import { Loading } from '../../../components/status.js';
import { useOperation } from '../../../data/queries.js';
import { agentPageStrings } from '../../../strings/agent.js';
import { TalkCard } from './talk-card.js';
import { WriteCard } from './write-card.js';

const strings = agentPageStrings.try;

interface Variable {
  readonly name: string;
  readonly value: string;
}

type Values = Readonly<Record<string, string>>;

const TryForms = ({ agent, names }: { readonly agent: Agent; readonly names: readonly Variable[] }) => {
  const [typed, setTyped] = useState<Values>({});
  const values = Object.fromEntries(names.map(({ name, value }) => [name, typed[name] ?? value]));
  const variables = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  return (
    <>
      {names.length > 0 && (
        <Card title={strings.variables}>
          <div className="grid gap-3 sm:grid-cols-2">
            {names.map(({ name }) => (
              <label key={name} className="flex flex-col gap-1">
                <span className="font-mono text-xs">{name}</span>
                <input
                  className="input"
                  autoComplete="off"
                  value={values[name] ?? ''}
                  onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
                />
              </label>
            ))}
          </div>
        </Card>
      )}
      <WriteCard agent={agent} variables={variables} />
      <TalkCard agent={agent} variables={variables} />
    </>
  );
};

export const TryTab = ({ agent }: { readonly agent: Agent }) => {
  const configuration = useOperation(
    'agents.getConfig',
    { params: { agentId: agent.id } },
    { enabled: agent.hasConfig },
  );
  if (!agent.hasConfig)
    return (
      <EmptyState
        title={strings.notConfigured}
        action={
          <ButtonLink to="/agents/$agentId" params={{ agentId: agent.id }}>
            {agentPageStrings.tabs.configuration}
          </ButtonLink>
        }
      />
    );
  if (!agent.isActive) return <EmptyState title={strings.notActive} />;
  // The variables have to be known before a conversation begins.
  if (configuration.data === undefined)
    return configuration.error === null ? (
      <Loading />
    ) : (
      <ErrorNote error={configuration.error} retry={() => void configuration.refetch()} />
    );
  const names = Object.entries(configuration.data.variables).map(([name, variable]) => ({
    name,
    value: variable.default ?? '',
  }));
  // Without a key: a new version of the configuration must not end the conversation.
  return <TryForms agent={agent} names={names} />;
};
