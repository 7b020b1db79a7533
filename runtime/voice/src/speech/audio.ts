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
    const view = new DataView(bytes.buffer, 0, whole);
    const samples = new Int16Array(whole / sampleBytes);
    for (let index = 0; index < samples.length; index += 1)
      samples[index] = view.getInt16(index * sampleBytes, true);
    yield samples;
  }
}
