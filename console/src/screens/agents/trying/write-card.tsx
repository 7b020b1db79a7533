// Tries an agent in text: its answers as they come, and the tools that it used for them.
import { type Agent, isApiError } from '@parlance/client';
import { useId, useState } from 'react';
import { Guarded } from '../../../app/permission.js';
import { AnsweringModel } from '../../../components/answering-model.js';
import { Button } from '../../../components/button.js';
import { Card } from '../../../components/card.js';
import { CopyAsCurl } from '../../../components/copy-as-curl.js';
import { ErrorNote } from '../../../components/error-note.js';
import { Notice } from '../../../components/status.js';
import { agentPageStrings } from '../../../strings/agent.js';
import { Lines } from './lines.js';
import { SessionNote } from './session-note.js';
import { useConversation } from './use-conversation.js';

const strings = agentPageStrings.try;
const longestText = 2_000;

const Failure = ({ error }: { readonly error: unknown }) => {
  if (isApiError(error, 'TEXT_RUNTIME_NOT_CONFIGURED'))
    return (
      <Notice tone="attention">
        <p className="font-medium">{strings.noRuntime}</p>
        <p>{strings.noRuntimeText}</p>
      </Notice>
    );
  if (isApiError(error, 'SESSION_ENDED')) return <Notice>{strings.over}</Notice>;
  return <ErrorNote error={error} />;
};

export const WriteCard = ({
  agent,
  variables,
}: {
  readonly agent: Agent;
  readonly variables: Readonly<Record<string, string>>;
}) => {
  const { begin, say, lines, answers, isAnswering, isBeginning, error, session } = useConversation(agent.id);
  const [text, setText] = useState('');
  const field = useId();
  const isOver = isApiError(error, 'SESSION_ENDED');
  const send = (): void => {
    if (text.trim() === '' || isAnswering) return;
    setText('');
    void say(text);
  };
  const parts = { params: { agentId: agent.id }, body: { dynamicVariables: variables } };
  return (
    <Card
      title={strings.write}
      actions={<CopyAsCurl operation="agents.startPreviewConversation" parts={parts} />}
    >
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          {strings.writeText} {strings.unsaved}
        </p>
        {session !== undefined && (
          <Lines lines={lines} name={strings.conversation} isAnswering={isAnswering} />
        )}
        <AnsweringModel turns={answers} />
        {error !== undefined && <Failure error={error} />}
        {session !== undefined && !isOver && (
          <form
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              send();
            }}
          >
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <label htmlFor={field}>{strings.message}</label>
              <input
                id={field}
                className="input"
                autoComplete="off"
                maxLength={longestText}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            </div>
            <Button type="submit" kind="primary" busy={isAnswering}>
              {strings.send}
            </Button>
          </form>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Guarded operation="agents.startPreviewConversation">
            <Button
              kind={session === undefined ? 'primary' : 'secondary'}
              busy={isBeginning}
              onClick={() => void begin(variables)}
            >
              {session === undefined ? strings.begin : strings.again}
            </Button>
          </Guarded>
          {session !== undefined && <SessionNote session={session} />}
        </div>
      </div>
    </Card>
  );
};
