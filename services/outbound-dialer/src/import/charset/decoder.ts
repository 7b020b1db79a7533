// TextDecoder with the letters of Windows-1252 in their places: some releases of Node, 20.20 among them, read it as
// ISO-8859-1, which has control characters where € and ’ belong (https://github.com/nodejs/node/issues/56542).

const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const controls = /[\u0080-\u009f]/g;

export interface Decoder {
  /** @throws TypeError for bytes that the encoding does not have */
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

export const decoderOf = (encoding: string): Decoder => {
  const decoder = new TextDecoder(encoding, { fatal: true });
  if (encoding !== 'windows-1252') return decoder;
  return {
    decode: (bytes, options) =>
      decoder
        .decode(bytes, options)
        .replaceAll(controls, (control) => windows1252[control.charCodeAt(0) - 0x80] ?? control),
  };
};
