// The process that reads documents. It has no credentials, no connections, and no files but its code (confinement.ts). Where its
// parent cannot see its memory, a thread of its own watches it and kills the process beyond the limit. The thread that reads does not
// do it, because it may be busy for long.
import { Worker } from 'node:worker_threads';
import { readDocument } from './read-document.js';
import { ReadFailure } from './read-failure.js';
import type { Answer, Question, Results, Task } from './reader.js';
import { readSitemap } from './sitemap.js';

/** The watch also covers buffers, which lie outside the heap of JavaScript and which no option of Node.js limits. */
const watch = `
  const { workerData } = require('node:worker_threads');
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGKILL');
  }, 25);
`;

const mostBytes = process.argv[2];
if (mostBytes !== undefined) new Worker(watch, { eval: true, workerData: Number(mostBytes) }).unref();

const failed = (error: unknown): Answer['failure'] => {
  if (error instanceof ReadFailure) return { code: error.code, message: error.message };
  // Such an error is a stack overflow, or an error that a library throws for a document that it cannot read.
  return { code: 'PARSE_FAILED', message: 'The document cannot be read.' };
};

const resultsOf = async ({ document, sitemap }: Task): Promise<Results> => ({
  ...(document && { document: await readDocument(document) }),
  ...(sitemap && { sitemap: readSitemap(sitemap.bytes, sitemap.base) }),
});

process.on('message', (question: Question) => {
  void (async () => {
    const answer: Answer = { id: question.id };
    try {
      const results = await resultsOf(question);
      process.send?.({ ...answer, ...results, rss: process.memoryUsage.rss() });
    } catch (error) {
      process.send?.({ ...answer, failure: failed(error), rss: process.memoryUsage.rss() });
    }
  })();
});
// A terminal and a container send these signals to all processes. The service alone decides about the end of this one.
// Otherwise a stop of the service would look like a fault of the document.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
