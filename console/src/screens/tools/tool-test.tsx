// Runs the tool with typed arguments, and shows the request, the answer and the text for a model.
import type { Tool, ToolRun } from '@parlance/client';
import { useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CodeBlock, JsonView } from '../../components/code.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { ErrorNote } from '../../components/error-note.js';
import { FieldShell } from '../../components/field-shell.js';
import { Notice, StatusBadge } from '../../components/status.js';
import { useCommand } from '../../data/commands.js';
import type { RequestOf } from '../../data/types.js';
import { toolStrings } from '../../strings/tools.js';
import { argumentOf } from './values.js';

const strings = toolStrings.test;

const linesOf = ({ method, url, headers, body }: NonNullable<ToolRun['request']>): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
  ].join('\n');

const Outcome = ({ run }: { readonly run: ToolRun }) => (
  <section aria-label={strings.outcome} className="flex flex-col gap-3">
    <p className="flex flex-wrap items-center gap-2">
      {run.error === null ? (
        <StatusBadge tone="good">{strings.ok}</StatusBadge>
      ) : (
        <StatusBadge tone="bad">{strings.failed}</StatusBadge>
      )}
      <span className="text-ink-soft">{strings.took(`${run.durationMs} ms`)}</span>
    </p>
    {run.error !== null && (
      <Notice tone="bad">
        <p className="font-medium">{strings.errors[run.error.code]}</p>
        <p>{run.error.message}</p>
      </Notice>
    )}
    <h3 className="font-medium">{strings.sent}</h3>
    {run.request === null ? (
      <p className="text-ink-soft">{strings.notSent}</p>
    ) : (
      <CodeBlock code={linesOf(run.request)} name={strings.sent} />
    )}
    {run.response === null ? (
      <p className="text-ink-soft">{strings.noAnswer}</p>
    ) : (
      <>
        <h3 className="font-medium">{strings.status(run.response.status)}</h3>
        <CodeBlock code={run.response.body} name={strings.status(run.response.status)} />
        {run.response.truncated && <p className="text-ink-soft">{strings.truncated}</p>}
      </>
    )}
    <h3 className="font-medium">{strings.result}</h3>
    <JsonView value={run.result} name={strings.result} />
    {Object.keys(run.assignments).length > 0 && (
      <>
        <h3 className="font-medium">{strings.assignments}</h3>
        <JsonView value={run.assignments} name={strings.assignments} />
      </>
    )}
  </section>
);

export const ToolTest = ({ tool }: { readonly tool: Tool }) => {
  const test = useCommand('tools.test', { invalidates: [] });
  const asked = tool.parameters.filter(({ source }) => source === 'model');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const given: Record<string, unknown> = {};
  const unreadable: string[] = [];
  for (const { name, type } of asked) {
    const text = typed[name] ?? '';
    if (text === '') continue;
    try {
      given[name] = argumentOf(type, text);
    } catch {
      unreadable.push(name);
    }
  }
  const parts = {
    params: { toolId: tool.id },
    body: { arguments: given },
  } as RequestOf<'tools.test'>; // texts, and what JSON.parse gave
  const run = async (): Promise<void> => {
    setWrong(unreadable);
    // The failure is shown below.
    if (unreadable.length === 0) await test.mutateAsync(parts).catch(() => undefined);
  };
  return (
    <Card actions={<CopyAsCurl operation="tools.test" parts={parts} />} title={toolStrings.tabs.test}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <p className="text-ink-soft">
          {strings.intro} {strings.savedOnly}
        </p>
        {asked.length === 0 && <p className="text-ink-soft">{strings.noArguments}</p>}
        {asked.map(({ name, description, required }) => (
          <FieldShell
            key={name}
            label={name}
            hint={description}
            optional={!required}
            error={wrong.includes(name) ? strings.notJson : undefined}
          >
            {(ids) => (
              <input
                {...ids}
                className="input"
                autoComplete="off"
                value={typed[name] ?? ''}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
              />
            )}
          </FieldShell>
        ))}
        <div>
          <Guarded operation="tools.test">
            <Button type="submit" kind="primary" busy={test.isPending}>
              {strings.run}
            </Button>
          </Guarded>
        </div>
      </form>
      <div className="mt-4" aria-live="polite">
        {test.error !== null && <ErrorNote error={test.error} />}
        {test.data !== undefined && <Outcome run={test.data.data} />}
      </div>
    </Card>
  );
};
