// Trying an agent. The client that joins a room is larger than a screen may be, so the page opens the session and tells how to
// join it.
import { type Agent, isApiError } from '@parlance/client';
import { useState } from 'react';
import { Guarded } from '../../../app/permission.js';
import { Button, ButtonLink } from '../../../components/button.js';
import { Card, EmptyState, Facts } from '../../../components/card.js';
import { CodeBlock } from '../../../components/code.js';
import { CopyAsCurl } from '../../../components/copy-as-curl.js';
import { ErrorNote } from '../../../components/error-note.js';
import { Notice } from '../../../components/status.js';
import { CopyableId, Moment } from '../../../components/values.js';
import { useCommand } from '../../../data/commands.js';
import { useOperation } from '../../../data/queries.js';
import { agentPageStrings } from '../../../strings/agent.js';

const strings = agentPageStrings.try;

interface Variable {
  readonly name: string;
  readonly value: string;
}

const TryForm = ({ agent, names }: { readonly agent: Agent; readonly names: readonly Variable[] }) => {
  const open = useCommand('agents.previewSession', { invalidates: [] });
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(names.map(({ name, value }) => [name, value])),
  );
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const parts = {
    params: { agentId: agent.id },
    body: given.length === 0 ? {} : { dynamicVariables: Object.fromEntries(given) },
  };
  const session = open.data?.data;
  return (
    <Card title={strings.voice} actions={<CopyAsCurl operation="agents.previewSession" parts={parts} />}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          {strings.voiceText} {strings.unsaved}
        </p>
        {names.length > 0 && (
          <fieldset className="grid gap-3 sm:grid-cols-2">
            <legend className="mb-2 font-medium">{strings.variables}</legend>
            {names.map(({ name }) => (
              <label key={name} className="flex flex-col gap-1">
                <span className="font-mono text-xs">{name}</span>
                <input
                  className="input"
                  autoComplete="off"
                  value={values[name] ?? ''}
                  onChange={({ target }) => setValues({ ...values, [name]: target.value })}
                />
              </label>
            ))}
          </fieldset>
        )}
        <div>
          <Guarded operation="agents.previewSession">
            <Button
              kind="primary"
              busy={open.isPending}
              onClick={() => void open.mutateAsync(parts).catch(() => undefined)} // shown below
            >
              {strings.start}
            </Button>
          </Guarded>
        </div>
        {open.error !== null &&
          (isApiError(open.error, 'PROVIDER_UNAVAILABLE') ? (
            <Notice tone="attention">
              <p className="font-medium">{strings.noServer}</p>
              <p>{strings.noServerText}</p>
            </Notice>
          ) : (
            <ErrorNote error={open.error} />
          ))}
        {session !== undefined && (
          <section aria-label={strings.session} className="flex flex-col gap-4">
            <Notice tone="good">{strings.opened}</Notice>
            <p>{strings.join}</p>
            <Facts
              facts={[
                { name: strings.server, value: <CopyableId id={session.serverUrl} name={strings.server} /> },
                { name: strings.room, value: <CopyableId id={session.roomName} name={strings.room} /> },
                { name: strings.call, value: <CopyableId id={session.callId} name={strings.call} /> },
                { name: strings.expires, value: <Moment at={session.expiresAt} /> },
              ]}
            />
            <p className="font-medium">{strings.token}</p>
            <CodeBlock code={session.token} name={strings.token} />
            <p className="text-ink-soft">{strings.version(session.configVersion)}</p>
          </section>
        )}
      </div>
    </Card>
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
  const names = Object.entries(configuration.data?.variables ?? {}).map(([name, variable]) => ({
    name,
    value: variable.default ?? '',
  }));
  return <TryForm key={names.map(({ name }) => name).join()} agent={agent} names={names} />;
};
