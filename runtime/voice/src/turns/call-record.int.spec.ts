import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { callContext } from '@parlance/contracts';
import { CallRecord } from './call-record.js';
import { handOverOfDead, Journal, newJournalKey } from './journal.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const answeredAt = new Date('2026-03-01T10:00:05.000Z');
const context = callContext({
  callId: 'c1',
  organizationId: 'org',
  agentId: '0197f3f0-0000-7000-8000-00000000000b',
  channel: 'phone',
  direction: 'inbound',
});

const start = () => {
  const journal = new Journal({ folder, key: newJournalKey() }, 'AJ_1/x');
  const record = new CallRecord({ context }, { roomName: 'room', journal });
  const transcript: { seq: number; role: 'user'; text: string; startMs: number }[] = [];
  record.answered({
    startedAt: new Date('2026-03-01T10:00:00.000Z'),
    answeredAt,
    facts: () => ({ transcript, more: { consent: null } }),
  });
  const say = (text: string): void => {
    transcript.push({ seq: transcript.length, role: 'user', text, startMs: 0 });
    record.keep();
  };
  return { journal, record, say };
};

describe('the journal of a call', () => {
  it('has the call of a process that died, with its turns and the moment of its death', () => {
    const { journal, record, say } = start();
    say('Where is my order?');
    const kept = journal.read();
    if (kept === undefined) throw new Error('nothing is kept');
    expect(handOverOfDead(kept, new Date('2026-03-01T10:00:20.000Z'))).toMatchObject({
      eventId: record.handOver().eventId,
      callId: 'c1',
      endedReason: 'error_runtime',
      answeredBy: 'human',
      endedAt: '2026-03-01T10:00:20.000Z',
      durationSeconds: 15,
      transcript: [{ text: 'Where is my order?' }],
    });
  });

  it('keeps the end of a call that had ended before its process died', () => {
    const { journal, record } = start();
    record.ended({ reason: 'user_hangup', at: new Date('2026-03-01T10:00:09.000Z') });
    const kept = journal.read();
    if (kept === undefined) throw new Error('nothing is kept');
    expect(handOverOfDead(kept, new Date())).toMatchObject({
      endedReason: 'user_hangup',
      endedAt: '2026-03-01T10:00:09.000Z',
      durationSeconds: 4,
    });
  });

  it('is gone when the call was handed over, and never has its words in clear', () => {
    const { journal, record, say } = start();
    say('a planted word');
    const [name = '', ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    expect(readFileSync(join(folder, name), 'latin1')).not.toContain('planted');
    record.handedOver();
    expect(journal.read()).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});
