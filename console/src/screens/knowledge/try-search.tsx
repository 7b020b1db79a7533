// Asks a question as a caller would, and shows the passages that the agent would get.
import type { Passage } from '@parlance/client';
import { useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { ErrorNote } from '../../components/error-note.js';
import { FieldShell } from '../../components/field-shell.js';
import { useCommand } from '../../data/commands.js';
import { knowledgeStrings } from '../../strings/knowledge.js';

const strings = knowledgeStrings.search;
const most = 5;
const scoreDigits = 3;

const Found = ({
  passage: { sourceName, url, headings, text, context, score },
}: {
  readonly passage: Passage;
}) => (
  <li className="rounded-md border border-line p-3">
    <p className="flex flex-wrap items-baseline justify-between gap-2">
      <span className="min-w-0 font-medium">{[sourceName, ...headings].join(' › ')}</span>
      <span className="text-xs text-ink-soft tabular-nums">{strings.score(score.toFixed(scoreDigits))}</span>
    </p>
    {url !== null && <p className="text-xs text-ink-soft">{url}</p>}
    <p className="mt-1 whitespace-pre-wrap">{text}</p>
    {context && (
      <details className="mt-1 text-xs text-ink-soft">
        <summary>{strings.context}</summary>
        <p className="mt-1 whitespace-pre-wrap">{context}</p>
      </details>
    )}
  </li>
);

export const TrySearch = ({ agentId }: { readonly agentId: string }) => {
  const search = useCommand('knowledge.search', { invalidates: [] });
  const [query, setQuery] = useState('');
  const parts = { body: { agentId, query, limit: most } };
  const found = search.data?.data;
  return (
    <Card title={strings.title} actions={<CopyAsCurl operation="knowledge.search" parts={parts} />}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          // The failure is shown below.
          if (query.trim() !== '') void search.mutateAsync(parts).catch(() => undefined);
        }}
      >
        <FieldShell label={strings.question} hint={strings.text}>
          {(ids) => (
            <input
              {...ids}
              type="search"
              className="input"
              autoComplete="off"
              maxLength={1_000}
              value={query}
              onChange={({ target }) => setQuery(target.value)}
            />
          )}
        </FieldShell>
        <div>
          <Guarded operation="knowledge.search">
            <Button type="submit" kind="primary" busy={search.isPending}>
              {strings.ask}
            </Button>
          </Guarded>
        </div>
      </form>
      <div aria-live="polite" className="mt-3 flex flex-col gap-3 empty:hidden">
        {search.error !== null && <ErrorNote error={search.error} />}
        {found?.length === 0 && <p className="text-ink-soft">{strings.nothing}</p>}
        {found !== undefined && found.length > 0 && (
          <>
            <p className="text-ink-soft">{strings.found(found.length)}</p>
            <ol className="flex flex-col gap-2">
              {found.map((passage) => (
                <Found key={passage.chunkId} passage={passage} />
              ))}
            </ol>
          </>
        )}
      </div>
    </Card>
  );
};
