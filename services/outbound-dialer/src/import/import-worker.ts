// The thread that reads one file. A file that takes too much memory ends this thread and nothing else.
import { parentPort, workerData } from 'node:worker_threads';
import { recipientCallIds } from '../recipients/recipient-ids.js';
import { type ReadingSteps, readFile } from './read-file.js';
import { toBatch } from './recipient-batch.js';
import { batchesAhead, type FromWorker, type ToWorker, type WorkOrder } from './worker-messages.js';

const port = parentPort;
if (port === null) throw new Error('this is the entry of a thread');

const order: WorkOrder = workerData; // from import-file.ts, which started this
const callIdOf = recipientCallIds(order.campaignId);
const tell = (message: FromWorker): void => port.postMessage(message);

let under = 0;
let resume: (() => void) | undefined;
let answer: ((suppressed: ReadonlySet<string>) => void) | undefined;
port.on('message', (message: ToWorker) => {
  if (message.type === 'suppressed') return answer?.(message.phoneNumbers);
  under -= 1;
  resume?.();
});

const suppressedAmong: ReadingSteps['suppressedAmong'] = (phoneNumbers) =>
  new Promise((resolve) => {
    answer = resolve;
    tell({ type: 'numbers', phoneNumbers });
  });

const onRows: ReadingSteps['onRows'] = async (rows, refused) => {
  under += 1;
  tell({ type: 'batch', batch: toBatch(callIdOf, rows, refused) });
  while (under >= batchesAhead)
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
};
const steps = { suppressedAmong, onRows };
tell({ type: 'reading', reading: await readFile(order.file, order.rules, steps, order.bounds) });
port.close();
