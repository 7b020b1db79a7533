// Mono audio as 16-bit samples, and the WAVE file around it.

export interface Audio {
  readonly samples: Int16Array;
  /** Samples per second. */
  readonly rate: number;
}

const headerBytes = 44;
const sampleBytes = 2;

export const msOf = ({ samples, rate }: Audio): number => (samples.length / rate) * 1_000;

export const waveFile = ({ samples, rate }: Audio, channels = 1): Uint8Array<ArrayBuffer> => {
  const bytes = samples.length * sampleBytes;
  const file = new Uint8Array(headerBytes + bytes);
  const view = new DataView(file.buffer);
  const ascii = (at: number, text: string): void => {
    for (let index = 0; index < text.length; index += 1) file[at + index] = text.charCodeAt(index);
  };
  ascii(0, 'RIFF');
  view.setUint32(4, headerBytes - 8 + bytes, true);
  ascii(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * sampleBytes, true);
  view.setUint16(32, channels * sampleBytes, true);
  view.setUint16(34, 8 * sampleBytes, true);
  ascii(36, 'data');
  view.setUint32(40, bytes, true);
  for (const [index, sample] of samples.entries())
    view.setInt16(headerBytes + index * sampleBytes, sample, true);
  return file;
};

/** Little-endian, as in a WAVE file. */
export const bytesOf = (samples: Int16Array): Uint8Array<ArrayBuffer> =>
  waveFile({ samples, rate: 0 }).slice(headerBytes);

export const samplesIn = (bytes: Uint8Array): Int16Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Int16Array.from({ length: Math.floor(bytes.length / sampleBytes) }, (_, index) =>
    view.getInt16(index * sampleBytes, true),
  );
};

/** Samples of a byte stream whose chunks may end within a sample. */
export async function* samplesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Int16Array> {
  let odd: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(odd.length + chunk.length);
    bytes.set(odd);
    bytes.set(chunk, odd.length);
    const whole = bytes.length - (bytes.length % sampleBytes);
    odd = bytes.slice(whole);
    if (whole === 0) continue;
    yield samplesIn(bytes.subarray(0, whole));
  }
}

/** Undefined for no audio, and for parts of different rates. */
export const joined = (parts: readonly Audio[]): Audio | undefined => {
  const [first] = parts;
  if (first === undefined || parts.some(({ rate }) => rate !== first.rate)) return undefined;
  const samples = new Int16Array(parts.reduce((sum, part) => sum + part.samples.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part.samples, at);
    at += part.samples.length;
  }
  return { samples, rate: first.rate };
};
