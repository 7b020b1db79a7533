// The agent's document: uploaded, read by the platform, and ready before the first person is called.
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@parlance/client';
import { patiently } from './patience.js';
import { put } from './upload.js';

export type Source = Awaited<ReturnType<Client['knowledge']['list']>>['data'][number];

const contentType = 'text/markdown';
const longestMs = 60_000;
const lookEveryMs = 250;

const stateOf = ({ name, status, progress, chunkCount }: Source): string => {
  const read =
    progress && ` (${progress.pagesDone} of ${progress.pagesFound} pages, ${progress.chunks} chunks)`;
  return `${name}: ${status}${status === 'ready' ? `, ${chunkCount} chunks` : (read ?? '')}`;
};

/** @throws Error when the document cannot be read, or not in time */
const untilReady = async (
  client: Client,
  agentId: string,
  sourceId: string,
  say: (text: string) => void,
): Promise<Source> => {
  const deadline = Date.now() + longestMs;
  for (let told = ''; ; ) {
    const { data: sources } = await patiently(() => client.knowledge.list({ query: { agentId } }));
    const source = sources.find(({ id }) => id === sourceId);
    if (source === undefined) throw new Error('the document is gone');
    const state = stateOf(source);
    if (state !== told) say(state);
    told = state;
    if (source.status === 'ready') return source;
    if (source.status === 'failed') throw new Error(`${state}: ${source.error?.message}`);
    if (Date.now() > deadline) throw new Error(`${state}: it is not ready in time`);
    await pause(lookEveryMs);
  }
};

/** Gives a document to the agent; each change of its state is told. */
export const giveDocument = async (
  client: Client,
  agentId: string,
  file: string,
  say: (text: string) => void,
): Promise<Source> => {
  const fileName = basename(file);
  const query = { fileName, contentType };
  const { data: place } = await patiently(() => client.knowledge.uploadUrl({ query }));
  await put(place.uploadUrl, file, contentType);
  const body = { agentId, sources: [{ type: 'file' as const, fileKey: place.fileKey, fileName }] };
  const { data: sources } = await client.knowledge.create({ body });
  const [source] = sources;
  if (source === undefined) throw new Error('the platform made no source of the document');
  return untilReady(client, agentId, source.id, say);
};
