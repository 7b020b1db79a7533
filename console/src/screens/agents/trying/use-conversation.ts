// A conversation in text with an agent that is tried: its lines so far, and the ways to go on.
import { type Agent, createClient, type Transcript } from '@parlance/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ask, clientOptions } from '../../../data/client.js';
import { useCommand } from '../../../data/commands.js';
import type { Line } from './lines.js';

const client = createClient(clientOptions);

type Answer = Pick<Transcript, 'seq' | 'role' | 'timings' | 'model' | 'fallbacks'>;

export const useConversation = (agentId: Agent['id']) => {
  const start = useCommand('agents.startPreviewConversation', { invalidates: [] });
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const [isAnswering, setAnswering] = useState(false);
  const [error, setError] = useState<unknown>();
  const current = useRef<{ readonly sessionId: string; readonly reading: AbortController } | undefined>(
    undefined,
  );
  /** Counts beginnings and ends: an answer to an earlier beginning opens nothing any more. */
  const turn = useRef(0);
  const count = useRef(0);
  const nextKey = (): string => {
    count.current += 1;
    return String(count.current);
  };

  /** The platform ends it by itself after some minutes, so a failure to say so is no failure. */
  const end = useCallback(
    (sessionId: string): void =>
      void ask('agents.endPreviewConversation', { params: { agentId, sessionId } }).catch(() => undefined),
    [agentId],
  );
  const leave = useCallback((): void => {
    turn.current += 1;
    const { sessionId, reading } = current.current ?? {};
    current.current = undefined;
    reading?.abort();
    if (sessionId !== undefined) end(sessionId);
  }, [end]);
  useEffect(() => leave, [leave]);

  const begin = async (dynamicVariables: Readonly<Record<string, string>>): Promise<void> => {
    leave();
    const own = turn.current;
    setError(undefined);
    setAnswering(false);
    setLines([]);
    setAnswers([]);
    try {
      const { data } = await start.wish({ params: { agentId }, body: { dynamicVariables } }).send();
      // The person has left in the meantime, and the conversation would keep its place for minutes.
      if (turn.current !== own) return end(data.sessionId);
      current.current = { sessionId: data.sessionId, reading: new AbortController() };
      if (data.firstMessage !== null) setLines([{ key: nextKey(), kind: 'agent', text: data.firstMessage }]);
    } catch (failure) {
      // The refusal of a beginning that the person has left is no part of the next one.
      if (turn.current === own) setError(failure);
    }
  };

  const read = async (text: string, sessionId: string, signal: AbortSignal): Promise<void> => {
    const key = nextKey();
    const request = { params: { agentId, sessionId }, body: { text } };
    for await (const { event, data } of await client.agents.sendPreviewMessage(request, { signal })) {
      const tool = event === 'tool' ? data.turn.toolCall : null;
      if (event === 'text')
        setLines((before) => {
          const last = before.at(-1);
          const said = last?.key === key && last.kind === 'agent' ? last.text : '';
          const rest = last?.key === key ? before.slice(0, -1) : before;
          return [...rest, { key, kind: 'agent', text: said + data.delta }];
        });
      else if (event === 'done') setAnswers((before) => [...before, data.turn]);
      else if (tool !== null) setLines((before) => [...before, { key: nextKey(), kind: 'tool', tool }]);
    }
  };

  const say = async (text: string): Promise<void> => {
    const { sessionId, reading } = current.current ?? {};
    if (sessionId === undefined || reading === undefined) return;
    setError(undefined);
    setAnswering(true);
    setLines((before) => [...before, { key: nextKey(), kind: 'user', text }]);
    try {
      await read(text, sessionId, reading.signal);
    } catch (failure) {
      if (!reading.signal.aborted) setError(failure);
    } finally {
      if (current.current?.sessionId === sessionId) setAnswering(false);
    }
  };

  const session = start.data?.data;
  return { begin, say, lines, answers, isAnswering, isBeginning: start.isPending, error, session };
};
