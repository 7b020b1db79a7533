import { expect, it } from '@jest/globals';
import { Recorder, recordedRate } from './recorder.js';

const samplesOf = (file: Uint8Array<ArrayBuffer>): Int16Array => new Int16Array(file.buffer.slice(44));
const second = (level: number, rate = recordedRate) => ({ samples: new Int16Array(rate).fill(level), rate });

it('has the agent on the left and the other party on the right, each at its time since the answer', () => {
  const recorder = new Recorder();
  recorder.spoken(second(100, 24_000), 0);
  recorder.heard(second(200), 2_000);
  const { file, durationSeconds } = recorder.finish();
  expect(durationSeconds).toBe(3);
  const samples = samplesOf(file);
  const at = (seconds: number) => [
    ...samples.slice(seconds * recordedRate * 2, seconds * recordedRate * 2 + 2),
  ];
  expect([at(0.5), at(1.5), at(2.5)]).toEqual([
    [100, 0],
    [0, 0],
    [0, 200],
  ]);
  const view = new DataView(file.buffer);
  expect([view.getUint16(22, true), view.getUint32(24, true)]).toEqual([2, recordedRate]);
});

it('leaves no gap between frames that arrive in bursts', () => {
  const recorder = new Recorder();
  recorder.heard(second(1), 0);
  recorder.heard(second(2), 1_300);
  expect(recorder.finish().durationSeconds).toBe(2);
});
