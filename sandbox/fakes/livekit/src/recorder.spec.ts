// A recording holds each sound in its channel, at its time.
import { describe, expect, it } from '@jest/globals';
import { Recorder } from './recorder.js';

const tone = (length: number, value: number) => ({
  samples: new Int16Array(length).fill(value),
  sampleRate: 8_000,
});

describe('a recorder', () => {
  it('makes a WAVE file in stereo that players can read', () => {
    const recorder = new Recorder();
    recorder.add('agent', tone(8, 5), 1);
    recorder.hear(new Int16Array(4).fill(7), 8_000, 2.5);
    const recorded = recorder.finish();
    if (recorded === undefined) throw new Error('nothing was recorded');
    const file = Buffer.from(recorded.wave);
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect([file.readUInt16LE(22), file.readUInt32LE(24), file.readUInt16LE(34)]).toEqual([2, 8_000, 16]);
    expect(file.readUInt32LE(40)).toBe(file.length - 44);
    expect(recorded).toMatchObject({ channels: 2, durationSeconds: 20 / 8_000 });
    const frames = Array.from({ length: 20 }, (_, at) => [
      file.readInt16LE(44 + at * 4),
      file.readInt16LE(46 + at * 4),
    ]);
    expect(frames.map(([left]) => left)).toEqual([
      ...Array(8).fill(0),
      ...Array(8).fill(5),
      ...Array(4).fill(0),
    ]);
    expect(frames.map(([, right]) => right)).toEqual([...Array(16).fill(0), ...Array(4).fill(7)]);
  });

  it('keeps a sound that was cut short, and one of another rate, as long as they were on the line', () => {
    const recorder = new Recorder();
    recorder.add('agent', { samples: new Int16Array(16_000), sampleRate: 16_000 }, 0);
    recorder.add('agent', tone(8_000, 1), 1_000, 500);
    expect(recorder.finish()?.durationSeconds).toBe(1.5);
  });

  it('has no recording of a call in which nothing was on the line', () => {
    expect(new Recorder().finish()).toBeUndefined();
  });
});
