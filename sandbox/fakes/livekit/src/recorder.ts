// The recording of a call as a WAVE file in stereo: the agent on the left, the other party on the right. Each sound lies at the
// time at which it was on the line.

export interface Recorded {
  readonly wave: Uint8Array<ArrayBuffer>;
  readonly durationSeconds: number;
  readonly channels: 2;
}

type Party = 'agent' | 'person';

interface Piece {
  readonly at: number;
  readonly samples: Int16Array;
}

/** Samples a second; a telephone has no more. */
const rate = 8_000;
const channels = 2;
const bytesPerSample = 2;
const headerBytes = 44;

/** Every n-th sample: good enough for an ear, and for the tones of keys. */
const resampled = (samples: Int16Array, sampleRate: number): Int16Array => {
  if (sampleRate === rate) return samples;
  const step = sampleRate / rate;
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    return samples[Math.floor(index * step)] ?? 0;
  });
};

const header = (bytes: number): Buffer => {
  const head = Buffer.alloc(headerBytes);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(headerBytes - 8 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * bytesPerSample, 28);
  head.writeUInt16LE(channels * bytesPerSample, 32);
  head.writeUInt16LE(bytesPerSample * 8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes, 40);
  return head;
};

export class Recorder {
  readonly #pieces: Record<Party, Piece[]> = { agent: [], person: [] };
  /** Where the last piece of each party ends, in samples: pieces of a stream follow one another without a gap. */
  readonly #ends: Record<Party, number> = { agent: 0, person: 0 };

  /**
   * @param atMs from the answer of the call
   * @param forMs so much of the sound was on the line, unless all of it
   */
  add(
    party: Party,
    sound: { readonly samples: Int16Array; readonly sampleRate: number },
    atMs: number,
    forMs = Infinity,
  ): void {
    const samples = resampled(sound.samples, sound.sampleRate).slice(
      0,
      Math.min(sound.samples.length, (forMs * rate) / 1_000),
    );
    const at = Math.max(this.#ends[party], Math.round((atMs * rate) / 1_000));
    this.#pieces[party].push({ at, samples });
    this.#ends[party] = at + samples.length;
  }

  /** The next samples of the other party, heard without a break. @param nowMs the moment at which they were heard */
  hear(samples: Int16Array, sampleRate: number, nowMs: number): void {
    this.add('person', { samples, sampleRate }, nowMs - (samples.length / sampleRate) * 1_000);
  }

  /** Undefined when nothing was on the line. */
  finish(): Recorded | undefined {
    const length = Math.max(this.#ends.agent, this.#ends.person);
    if (length === 0) return undefined;
    const frames = new Int16Array(length * channels);
    for (const [channel, party] of (['agent', 'person'] as const).entries())
      for (const { at, samples } of this.#pieces[party])
        for (const [index, sample] of samples.entries()) frames[(at + index) * channels + channel] = sample;
    const bytes = frames.byteLength;
    const wave = new Uint8Array(headerBytes + bytes);
    wave.set(header(bytes));
    wave.set(new Uint8Array(frames.buffer), headerBytes);
    return { wave, durationSeconds: length / rate, channels };
  }
}
